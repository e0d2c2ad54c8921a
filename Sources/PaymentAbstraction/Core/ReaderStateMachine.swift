package import PaymentModel

/// What a reader may do next: one preparation, one read at a time, and a cancel that says what became of it; pure.
package struct ReaderStateMachine: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable, CaseIterable {
        /// A caller wants the reader prepared.
        case prepareAsked
        /// The preparation ended well.
        case prepared
        /// The preparation failed.
        case prepareFailed
        /// A caller wants a card read.
        case readAsked
        /// A card is in the field.
        case cardDetected
        /// The card was taken away or could not be read, and the reader waits for one again.
        case cardLost
        /// The read ended, however it did.
        case readEnded
        /// A caller wants the read ended.
        case cancelAsked
        /// The reader itself said that its session is over.
        case invalidated
        /// The application left the front.
        case enteredBackground
        /// The application came to the front.
        case becameActive
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Prepare now.
        case prepare
        /// Wait for the preparation that is under way.
        case joinPreparation
        /// Prepare first, then read.
        case prepareThenRead
        /// The reader reads a card.
        case read
        /// Refuse: a card is being read.
        case refuseBusy
        /// Refuse: the application is not in front.
        case refuseBackground
        /// Tell the reader to stop.
        case cancelRead
        /// Answer at once.
        case answer(CancelResult)
        /// Stop the read: it can't continue.
        case abortRead
        /// Nothing is to be done.
        case nothing
    }

    private enum Session: Hashable { case none, preparing, ready }
    private enum Reading: Hashable { case none, waiting, detected }

    private var session = Session.none
    private var reading = Reading.none
    private var isInFront = true

    /// Begins unprepared, in front.
    package init() {}

    /// Whether a card could be read at once.
    package var isReady: Bool { session == .ready && isInFront }
    /// Whether a card is being waited for or read.
    package var isReading: Bool { reading != .none }

    /// Hears an event and says what to do.
    package mutating func handle(_ event: Event) -> Action {
        switch event {
        case .prepareAsked: return prepareAsked()
        case .prepared:
            if session == .preparing { session = .ready }
            return .nothing
        case .prepareFailed:
            if session == .preparing { session = .none }
            return .nothing
        case .readAsked: return readAsked()
        case .cardDetected:
            if reading == .waiting { reading = .detected }
            return .nothing
        case .cardLost:
            if reading == .detected { reading = .waiting }
            return .nothing
        case .readEnded:
            reading = .none
            return .nothing
        case .cancelAsked: return cancelAsked()
        case .invalidated:
            session = .none
            return .nothing
        case .enteredBackground:
            (isInFront, session) = (false, .none)
            return reading == .none ? .nothing : .abortRead
        case .becameActive:
            isInFront = true
            return .nothing
        }
    }

    private mutating func prepareAsked() -> Action {
        if !isInFront { return .refuseBackground }
        if reading != .none { return .refuseBusy }
        switch session {
        case .preparing: return .joinPreparation
        case .none, .ready:
            session = .preparing
            return .prepare
        }
    }

    private mutating func readAsked() -> Action {
        if !isInFront { return .refuseBackground }
        if reading != .none { return .refuseBusy }
        switch session {
        case .ready:
            reading = .waiting
            return .read
        case .preparing: return .joinPreparation
        case .none: return .prepareThenRead
        }
    }

    private func cancelAsked() -> Action {
        switch reading {
        case .none: .answer(.nothingToCancel)
        case .waiting: .cancelRead
        case .detected: .answer(.tooLate)
        }
    }
}
