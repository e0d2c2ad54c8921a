/// What a provider says about one of its transactions when it is asked.
public struct PaymentDetails: Hashable, Sendable {
    /// What the provider calls it.
    public let references: References
    /// The state, in the provider's word.
    public let state: String
    /// When it happened, in milliseconds since 1970.
    public var at: Int64?
    public var kind: String?
    public var amount: Money?
    public var captured: Money?
    public var refunded: Money?
    public var breakdown: AmountBreakdown?
    /// What can be done with it now.
    public var operations: [AvailableOperation] = []
    public var captures: [Movement] = []
    public var refunds: [Movement] = []
    /// The batch that it is settled in.
    public var batch: String?
    public var isSettled: Bool?
    /// Where it came from: a terminal, an application, an invoice.
    public var source: String?
    public var device: DeviceSummary?
    public var card: CardSummary?
    public var receipt: Receipt?
    public var customer: Contact?
    /// The application's own reference, where the provider keeps it.
    public var reference: String?
    /// What else the provider said, by its own names; never a secret.
    public var more: [String: String] = [:]

    /// Makes details of a state.
    public init(_ state: String, references: References) { (self.state, self.references) = (state, references) }
}
