public import PaymentAbstraction
public import PaymentProviderKit

/// How a kind of journal is opened that isn't part of `Payments`: an application gives those that it links.
///
/// ```swift
/// import PaymentPostgres
///
/// let payments = try await PaymentClient.open(configuration: "providers.json") { $0.journals = [.postgres] }
/// ```
public struct JournalOpening: Sendable {
    /// The kind in a configuration.
    public let kind: JournalChoice.Kind
    /// Opens the journal that a configuration names.
    public let open: @Sendable (JournalChoice, any SecretResolver) async throws(PaymentError) -> JournalStore

    /// Opens journals of a kind.
    public init(
        _ kind: JournalChoice.Kind,
        open: @escaping @Sendable (JournalChoice, any SecretResolver) async throws(PaymentError) -> JournalStore
    ) { (self.kind, self.open) = (kind, open) }
}
