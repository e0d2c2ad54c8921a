/// A refusal: a result, not an error.
public struct Decline: Hashable, Sendable {
    /// Why, in neutral words.
    public let reason: Decline.Reason
    /// Why, in the provider's words.
    public let provider: ProviderMessage
    /// What the provider calls it.
    public var references: PaymentReferences
    /// The card, as far as it may be shown.
    public var card: CardSummary?
    /// What belongs on a receipt.
    public var receipt: Receipt?
    /// The attempt that was declined; the client fills it in.
    public package(set) var attempt: AttemptID?

    /// Makes a decline of a neutral reason and the provider's words.
    public init(_ reason: Decline.Reason, provider: ProviderMessage, references: PaymentReferences = [:]) {
        (self.reason, self.provider, self.references) = (reason, provider, references)
    }

    var recordable: Decline {
        var copy = Decline(reason, provider: provider.recordable, references: references)
        (copy.card, copy.receipt, copy.attempt) = (card, receipt, attempt)
        copy.card?.holder = nil
        return copy
    }
}
