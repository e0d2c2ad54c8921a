package import PaymentBase

/// What one attempt may send next, and what may have happened to the money; pure.
package struct AttemptFlow: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// Somebody waits for the answer.
        case callerCame
        /// The last one who waited has left.
        case callerLeft
        /// A money exchange is about to begin.
        case wantsSend
        /// Its send is written down.
        case opened
        /// Its send could not be written down, or was refused.
        case openFailed
        /// The money exchange was answered.
        case answered
        /// The money exchange ended with a failure that proves this.
        case failed(Delivery)
        /// The driver gave a verdict, or failed for good.
        case ended
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Write the send down, then go on.
        case open
        /// Send nothing any more.
        case refuse
        /// Cancel the work: nothing has moved, and nothing will.
        case stopWork
        /// Release whoever waits; the work goes on.
        case letGo
        /// Nothing is to be done.
        case nothing
    }

    private enum Phase: Hashable { case idle, opening, sending, stopped, ended }

    private var phase = Phase.idle
    private var isAwaited = true
    private var doubtBefore = false
    /// Whether money may have moved.
    package private(set) var inDoubt = false

    /// Begins with nothing sent, and somebody who waits.
    package init() {}

    /// Whether it was stopped while nothing could have moved.
    package var isStopped: Bool { phase == .stopped }

    /// Hears an event and says what to do.
    package mutating func handle(_ event: Event) -> Action {
        switch event {
        case .callerCame:
            isAwaited = true
            return .nothing
        case .callerLeft:
            isAwaited = false
            if phase == .idle, !inDoubt {
                phase = .stopped
                return .stopWork
            }
            return phase == .stopped || phase == .ended ? .nothing : .letGo
        case .wantsSend:
            guard phase == .idle, isAwaited else { return .refuse }
            phase = .opening
            return .open
        case .opened:
            guard phase == .opening else { return .nothing }
            (phase, doubtBefore, inDoubt) = (.sending, inDoubt, true)
            return .nothing
        case .openFailed:
            if phase == .opening { rest() }
            return .nothing
        case .answered:
            if phase == .sending { rest() }
            return .nothing
        case .failed(let delivery):
            guard phase == .sending else { return .nothing }
            if delivery != .maybeSent { inDoubt = doubtBefore }
            rest()
            return .nothing
        case .ended:
            if phase != .stopped { phase = .ended }
            return .nothing
        }
    }

    /// Between two exchanges: with nothing in doubt and nobody who waits, nothing more is sent.
    private mutating func rest() { phase = isAwaited || inDoubt ? .idle : .stopped }
}
