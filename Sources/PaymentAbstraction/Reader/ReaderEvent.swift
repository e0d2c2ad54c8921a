/// What a reader reports.
public enum ReaderEvent: Hashable, Sendable {
    /// A card is in the field.
    case cardDetected
    /// The PIN was typed.
    case pinEntryCompleted
    /// The PIN is asked for.
    case pinEntryRequested
    /// The read was cancelled.
    case readCancelled
    /// The card was read.
    case readCompleted
    /// The card was not read.
    case readNotCompleted
    /// The card has to be shown once more.
    case readRetry
    /// The reader waits for a card.
    case readyForTap
    /// The card can be taken away.
    case removeCard
    /// How far the reader's own update is, 1 to 100.
    case updateProgress(Int)
    /// The reader's screen is gone.
    case userInterfaceDismissed
    /// The reader has to be prepared again.
    case notReady

    /// Its name.
    public var name: String {
        switch self {
        case .cardDetected: "cardDetected"
        case .pinEntryCompleted: "pinEntryCompleted"
        case .pinEntryRequested: "pinEntryRequested"
        case .readCancelled: "readCancelled"
        case .readCompleted: "readCompleted"
        case .readNotCompleted: "readNotCompleted"
        case .readRetry: "readRetry"
        case .readyForTap: "readyForTap"
        case .removeCard: "removeCard"
        case .updateProgress: "updateProgress"
        case .userInterfaceDismissed: "userInterfaceDismissed"
        case .notReady: "notReady"
        }
    }
}
