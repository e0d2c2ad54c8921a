/// What a reader reports.
public enum ReaderEvent: Hashable, Sendable {
    case cardDetected
    case pinEntryCompleted
    case pinEntryRequested
    case readCancelled
    case readCompleted
    case readNotCompleted
    case readRetry
    case readyForTap
    case removeCard
    /// How far the reader's own update is, 1 to 100.
    case updateProgress(Int)
    case userInterfaceDismissed
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
