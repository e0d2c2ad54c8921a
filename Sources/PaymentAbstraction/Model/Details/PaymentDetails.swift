/// What a provider says about one of its transactions when it is asked.
public struct PaymentDetails: Hashable, Sendable {
    /// What the provider calls it.
    public let references: PaymentReferences
    /// The state, in the provider's word.
    public let state: String
    /// When it happened, in milliseconds since 1970.
    public var at: Int64?
    /// What kind of transaction it is, in the provider's word.
    public var kind: String?
    /// What was asked for or is held.
    public var amount: Money?
    /// What was charged.
    public var captured: Money?
    /// What was given back.
    public var refunded: Money?
    /// What the amount is made of.
    public var breakdown: AmountBreakdown?
    /// What can be done with it now.
    public var operations: [PaymentDetails.AvailableOperation] = []
    /// Every capture that the provider lists.
    public var captures: [PaymentDetails.Movement] = []
    /// Every refund that the provider lists.
    public var refunds: [PaymentDetails.Movement] = []
    /// The batch that it is settled in.
    public var batch: String?
    /// Whether it is settled, where the provider says.
    public var isSettled: Bool?
    /// Where it came from: a terminal, an application, an invoice.
    public var source: String?
    /// The device that took it.
    public var device: DeviceSummary?
    /// The card, as far as it may be shown.
    public var card: CardSummary?
    /// What belongs on a receipt.
    public var receipt: Receipt?
    /// Who paid, where the provider keeps it.
    public var customer: CustomerContact?
    /// The application's own reference, where the provider keeps it.
    public var reference: String?
    /// What else the provider said, by its own names; never a secret.
    public var additional: [String: String] = [:]

    /// Makes details of a state.
    public init(_ state: String, references: PaymentReferences) { (self.state, self.references) = (state, references) }
}
