public import Payments

/// What the till shows: one value for one screen.
public enum Screen: Hashable, Sendable {
    /// The till starts.
    case starting
    /// The phone can't take cards, and why.
    case unsuitable([String])
    /// The phone's place must be known: the application asks for it, then the till starts again.
    case needsLocation
    /// The terms are to be accepted, by a person who may do that for the merchant.
    case terms
    /// The reader gets ready, in hundredths.
    case preparing(percent: Int)
    /// The next customer may come.
    case ready
    /// A payment is under way.
    case paying(Step)
    /// The money moved.
    case paid(PaymentID, Money)
    /// Money was given back.
    case refunded(PaymentID, Money)
    /// The card or its issuer refused.
    case declined(String)
    /// It was ended, and no money moved.
    case cancelled(String)
    /// It was accepted, and is decided later.
    case pending(AttemptID)
    /// It is not known whether money moved: nothing is charged until it is.
    case unknown(AttemptID)
    /// It failed, and no money moved; a person may have to do something first.
    case failed(String, needsPerson: Bool)

    /// Whether a payment may be begun.
    public var takesPayments: Bool {
        switch self {
        case .ready, .paid, .refunded, .declined, .cancelled, .failed: true
        case .starting, .unsuitable, .needsLocation, .terms, .preparing, .paying, .pending, .unknown: false
        }
    }
}

/// How far a payment is.
public enum Step: String, Hashable, Sendable, CaseIterable {
    /// It was begun.
    case begun
    /// The reader waits for a card.
    case waitingForCard
    /// The card was seen: from here on it can't be cancelled.
    case cardSeen
    /// The customer enters the PIN.
    case pin
    /// The provider decides.
    case deciding

    /// What an event says of it; nil for the many that say nothing to who stands before a screen.
    init?(_ kind: PaymentEvent.Kind) {
        switch kind {
        case .begun: self = .begun
        case .readyForCard, .reader(.readyForTap): self = .waitingForCard
        case .reader(.cardDetected): self = .cardSeen
        case .pinRequested, .reader(.pinEntryRequested): self = .pin
        case .cardRead, .pinEntered, .reader(.readCompleted), .reader(.pinEntryCompleted): self = .deciding
        case _: return nil
        }
    }
}
