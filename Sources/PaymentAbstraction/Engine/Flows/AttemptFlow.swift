package import PaymentBase

/// What one attempt may do next and what may have happened to the money; pure.
package struct AttemptFlow: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// A money exchange is about to begin.
        case moneyExchange
        /// The mark is written.
        case marked
        /// The mark could not be written.
        case markFailed
        /// The money exchange ended with a failure that proves this.
        case exchangeFailed(Delivery)
        /// The last one who waited has left.
        case callerLeft
        /// The driver gave a verdict, or failed for good.
        case ended
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Write the mark, then go on.
        case writeMark
        /// Send.
        case send
        /// Send nothing any more.
        case refuse
        /// Cancel the work: nothing has moved, and nothing will.
        case stopWork
        /// Release whoever waits; the work goes on.
        case letGo
        /// Nothing is to be done.
        case nothing
    }

    private enum Phase: Hashable { case begun, marking, submitted, stopped, ended }

    private var phase = Phase.begun
    private var doubtBefore = false
    /// Whether the last money exchange has not failed yet; a failure says something about that one alone, and once.
    private var canFail = false
    /// Whether money may have moved.
    package private(set) var inDoubt = false

    /// Begins with nothing sent.
    package init() {}

    /// Whether the mark before the first byte was written.
    package var isSubmitted: Bool { hasMark }
    private var hasMark = false

    /// Whether it was stopped before anything could move.
    package var isStopped: Bool { phase == .stopped }

    /// Hears an event and says what to do.
    package mutating func handle(_ event: Event) -> Action {
        switch event {
        case .moneyExchange: return moneyExchange()
        case .marked:
            guard phase == .marking else { return .nothing }
            (phase, hasMark, inDoubt, doubtBefore) = (.submitted, true, true, false)
            canFail = true
            return .send
        case .markFailed:
            if phase == .marking { phase = .begun }
            return .nothing
        case .exchangeFailed(let delivery):
            guard phase == .submitted, canFail else { return .nothing }
            canFail = false
            if delivery != .maybeSent { inDoubt = doubtBefore }
            return .nothing
        case .callerLeft: return callerLeft()
        case .ended:
            if phase != .stopped { phase = .ended }
            return .nothing
        }
    }

    private mutating func moneyExchange() -> Action {
        switch phase {
        case .begun:
            phase = .marking
            return .writeMark
        case .submitted:
            doubtBefore = inDoubt
            (inDoubt, canFail) = (true, true)
            return .send
        case .marking, .stopped, .ended: return .refuse
        }
    }

    private mutating func callerLeft() -> Action {
        switch phase {
        case .begun:
            phase = .stopped
            return .stopWork
        case .marking, .submitted: return .letGo
        case .stopped, .ended: return .nothing
        }
    }
}
