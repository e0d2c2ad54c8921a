public import PaymentAbstraction

/// The thirteen events of the ARISE SDK beside the reader's own, out of the neutral events of a payment.
public enum ARISEEvent: Hashable, Sendable {
    /// The kit gets ready.
    case preparing
    /// The kit is ready for a card.
    case ready
    /// A card is in the field.
    case cardDetected
    /// The card was read.
    case cardReadSuccess
    /// The card was not read.
    case cardReadFailure
    /// The transaction is with the issuer.
    case authorizing
    /// It was approved.
    case approved
    /// It was declined.
    case declined
    /// Something went wrong.
    case errorOccurred
    /// It is under way.
    case inProgress
    /// The reader has to be prepared, with the reason.
    case readerNotReady(String)
    /// How far the reader's update is, in percent.
    case updateReaderProgress(Int)
    /// Something that the document does not list, under its own name.
    case unknownEvent(String)

    /// Reads a neutral event; every event is at least an unknown one.
    public init(_ event: PaymentEvent) {
        switch event.kind {
        case .begun: self = .preparing
        case .reader(.readyForTap), .readyForCard: self = .ready
        case .reader(.notReady): self = .readerNotReady(event.attributes["reason"] ?? "")
        case .reader(.cardDetected): self = .cardDetected
        case .reader(.readCompleted), .cardRead: self = .cardReadSuccess
        case .reader(.readNotCompleted): self = .cardReadFailure
        case .reader(.updateProgress(0)): self = .updateReaderProgress(Int(event.attributes["percent"] ?? "") ?? 0)
        case Self.authorizing.kind: self = .authorizing
        case .approved: self = .approved
        case .declined: self = .declined
        case .failed: self = .errorOccurred
        case .submitted, .pending, .waiting, .lookedUp: self = .inProgress
        default: self = .unknownEvent(event.kind.rawValue)
        }
    }

    /// The kind under which the driver reports what the neutral events don't have.
    public var kind: PaymentEvent.Kind { PaymentEvent.Kind(rawValue: "arise.\(self)") }
}
