/// What the provider said, as the adapter read it; the client checks it and makes the application's result of it.
///
/// Its parts are large and are handed on often: each lies in a box of its own, so that a copy is one count.
public indirect enum Verdict: Hashable, Sendable {
    /// It was done.
    case approved(Approval)
    /// It was refused, finally.
    case declined(Decline)
    /// It was ended before it was decided.
    case cancelled(Cancellation)
    /// It was accepted and is not final.
    case pending(Pending)

    /// What the provider calls it.
    public var references: PaymentReferences {
        switch self {
        case .approved(let approval): approval.references
        case .declined(let decline): decline.references
        case .cancelled(let cancellation): cancellation.references
        case .pending(let pending): pending.references
        }
    }

    /// Whether nothing but a later failure can change it.
    public var isFinal: Bool {
        switch self {
        case .approved, .declined, .cancelled: true
        case .pending: false
        }
    }

    /// The same without what a journal must not hold.
    package var recordable: Verdict {
        switch self {
        // Most have nothing of the kind, and are not copied.
        case .approved(let approval) where approval.saved == nil && approval.card?.holder == nil: self
        case .approved(let approval): .approved(approval.recordable)
        case .declined(let decline): .declined(decline.recordable)
        case .cancelled(let cancellation): .cancelled(cancellation.recordable)
        case .pending(let pending): .pending(pending.recordable)
        }
    }
}

/// What an approval says: the amount that was echoed, what it is called there, and what belongs on a receipt.
public struct Approval: Hashable, Sendable {
    /// The amount that the provider says it moved.
    public internal(set) var amount: Money
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

    package var recordable: Approval {
        var copy = self
        copy.saved = saved?.recordable
        copy.card?.holder = nil
        return copy
    }
}
