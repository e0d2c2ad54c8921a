/// What an approval says: the amount that was echoed, what it is called there, and what belongs on a receipt.
public struct Approval: Hashable, Sendable {
    /// The amount that the provider says it moved.
    public let amount: Money
    /// What the provider calls it.
    public var references: PaymentReferences
    /// The card, as far as it may be shown.
    public var card: CardSummary?
    /// What belongs on a receipt.
    public var receipt: Receipt?
    /// The instrument that was saved on the way.
    public var saved: SavedInstrument?
    /// Whether the verdict itself says why it is over another amount than was asked for: only a part was approved, or the
    /// customer gave another tip.
    public var isPartial = false
    /// Whether it was approved without the issuer and is still to be forwarded.
    public var isOffline = false
    /// Whether nothing real happened.
    public var isDryRun = false
    /// When the provider executed it, by its own clock, in milliseconds since 1970; nil where it doesn't say.
    public var executedAt: Int64?

    /// Makes an approval of an amount.
    public init(_ amount: Money, references: PaymentReferences = [:], card: CardSummary? = nil, receipt: Receipt? = nil)
    {
        (self.amount, self.references) = (amount, references)
        (self.card, self.receipt) = (card, receipt)
    }

    var recordable: Approval {
        var copy = self
        copy.saved = saved?.recordable
        copy.card?.holder = nil
        return copy
    }
}
