internal import PaymentAbstraction
internal import PaymentBase

/// Remembers of which attempt a command told that it moved money or may have, and whether the program was told to stop.
final class OpenAttemptTracker: Sendable {
    private let told = Locked<AttemptID?>(nil)
    private let stopped = Locked(false)

    /// The attempt whose answer must be heard; nil where nothing moved.
    var attempt: AttemptID? { told.withLock { $0 } }

    /// Whether the program was told to stop.
    var isStopped: Bool { stopped.withLock { $0 } }

    /// Money moved by an attempt, or may have.
    func mayHaveMoved(_ attempt: AttemptID) { told.withLock { $0 = attempt } }

    /// The program was told to stop.
    func stop() { stopped.withLock { $0 = true } }
}
