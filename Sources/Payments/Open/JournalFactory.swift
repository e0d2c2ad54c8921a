public import PaymentAbstraction
public import PaymentProviderKit

/// How a kind of journal is opened that isn't part of `Payments`: an application gives those that it links.
///
/// ```swift
/// import PaymentPostgres
///
/// let payments = try await PaymentClient.open(configuration: "providers.json") { $0.journals = [.postgres] }
/// ```
public struct JournalFactory: Sendable {
    /// The kind in a configuration.
    public let kind: JournalConfiguration.Kind
    /// Opens the journal that a configuration names.
    public let open: @Sendable (JournalConfiguration, any SecretResolver) async throws(PaymentError) -> JournalStore

    /// Opens journals of a kind.
    public init(
        _ kind: JournalConfiguration.Kind,
        open: @escaping @Sendable (JournalConfiguration, any SecretResolver) async throws(PaymentError) -> JournalStore
    ) { (self.kind, self.open) = (kind, open) }
}
