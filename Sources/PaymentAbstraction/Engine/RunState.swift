/// What the driver of a run may do now, and what may have happened to the money. A value: the run's lock guards it.
struct RunState: Sendable {
    private enum Phase { case idle, opening, sending, stopped, ended }

    private var phase = Phase.idle
    private var mayHaveMovedBefore = false
    /// Whether a request may have been executed, or was answered and the answer is not written yet.
    private(set) var mayHaveMoved = false

    /// Whether the run was stopped before anything could have moved.
    var isStopped: Bool { phase == .stopped }

    /// Whether nothing is being written or sent, so that a caller's leaving can stop the run in the same step.
    var canStop: Bool { (phase == .idle || phase == .stopped) && !mayHaveMoved }

    /// Whether a request is open.
    var isSending: Bool { phase == .opening || phase == .sending }

    mutating func stop() { if canStop { phase = .stopped } }

    /// Begins to write the opening of a request; false if nothing may be sent any more.
    mutating func open(isAwaited: Bool) -> Bool {
        guard phase == .idle, isAwaited else { return false }
        phase = .opening
        return true
    }

    /// The opening is written: the bytes may leave.
    mutating func send() { (phase, mayHaveMovedBefore, mayHaveMoved) = (.sending, mayHaveMoved, true) }

    /// The opening is not written, or written and nothing is sent.
    mutating func notSent(isAwaited: Bool) { rest(isAwaited) }

    /// The request ended.
    mutating func ended(_ ending: Attempt.Request.Ending, isAwaited: Bool) {
        switch ending {
        case .notSent, .refused: mayHaveMoved = mayHaveMovedBefore
        case .answered, .lost: mayHaveMoved = true
        }
        rest(isAwaited)
    }

    /// The driver is done.
    mutating func finish() { if phase != .stopped { phase = .ended } }

    /// Between two requests, with nothing in doubt and no caller that waits, nothing more is sent.
    private mutating func rest(_ isAwaited: Bool) { phase = isAwaited || mayHaveMoved ? .idle : .stopped }
}
