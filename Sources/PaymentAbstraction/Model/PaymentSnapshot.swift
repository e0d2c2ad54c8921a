/// A payment as the journal has it: where it came from, what it is called there, and how much is where.
public struct PaymentSnapshot: Hashable, Sendable {
    public let id: PaymentID
    /// The operation that it came from.
    public let origin: Operation
    /// The provider's names: those of the origin, and over them those that later operations brought.
    public let references: References
    /// What was remembered with the origin.
    public let notes: [String: String]
    public let amounts: Amounts
    public let card: CardSummary?
    /// The application's reference.
    public let reference: String
    public let source: SourceKind?
    /// When the origin was begun, in milliseconds since 1970.
    public let begunAt: Int64
    public let provider: ProviderIdentity
}
