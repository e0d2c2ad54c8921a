/// A payment as it stands after an approved operation.
public struct Payment: Hashable, Sendable {
    /// Our name for it.
    public let id: PaymentID
    /// The attempt whose approval this is.
    public let attempt: AttemptID
    /// What was approved.
    public let operation: PaymentOperation
    /// What was asked for.
    public let requested: Money
    /// What was approved; less than asked for when the approval is partial.
    public let approved: Money
    /// All amounts of the payment.
    public let amounts: PaymentAmounts
    /// The application's reference.
    public let reference: String
    /// Who took it.
    public let provider: ProviderIdentity
    /// What the provider calls it.
    public let references: PaymentReferences
    /// The card, as far as it may be shown.
    public let card: CardSummary?
    /// What belongs on a receipt.
    public let receipt: Receipt?
    /// The instrument that was saved on the way.
    public let saved: SavedInstrument?
    /// Whether it was approved without the issuer and is still to be forwarded.
    public let isOffline: Bool
    /// Whether nothing real happened.
    public let isDryRun: Bool
    /// Whether the journal holds the outcome; when not, recovery writes it later.
    public package(set) var isRecorded = true

    /// Whether less than asked for was approved.
    public var isPartial: Bool { approved.minorUnits < requested.minorUnits }

    package init(
        _ approval: Approval, _ intent: Attempt.Intent, _ account: ProviderIdentity, _ amounts: PaymentAmounts
    ) {
        id = intent.paymentID
        attempt = intent.attempt
        operation = intent.operation
        requested = intent.amount
        approved = approval.amount
        self.amounts = amounts
        reference = intent.reference ?? ""
        provider = account
        references = approval.references
        card = approval.card
        receipt = approval.receipt
        saved = approval.saved
        isOffline = approval.isOffline
        isDryRun = approval.isDryRun
    }
}
