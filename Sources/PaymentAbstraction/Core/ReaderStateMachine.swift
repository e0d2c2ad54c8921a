package import PaymentModel

/// What a reader may do next: one preparation, one sale at a time, and a cancel that says what became of it; pure.
///
/// A sale has a number of its own for each read and each PIN, until it leaves.
package struct ReaderStateMachine: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// A caller wants the reader prepared.
        case prepareAsked
        /// The preparation ended well.
        case prepared
        /// The preparation failed.
        case prepareFailed
        /// A sale wants a card read; it asks again after the preparation that it waited for.
        case readAsked(by: Int)
        /// A sale wants the PIN for the card that it has read.
        case pinAsked(by: Int)
        /// A card is in the field.
        case cardDetected
        /// The card was taken away or could not be read, and the reader waits for one again.
        case cardLost
        /// What a sale did with the reader ended, however it did.
        case left(by: Int)
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
        /// The reader is the sale's: it reads a card, or captures the PIN.
        case read
        /// Refuse: a card is being read, or its PIN captured.
        case refuseBusy
        /// Refuse: the application is not in front.
        case refuseBackground
        /// Refuse: the sale was cancelled while it waited for the preparation.
        case refuseCancelled
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

    /// What a sale does with the reader. Many wait for a preparation, and one at a time reads a card or captures a PIN.
    private enum Use: Hashable {
        case waiting, cancelled, reading, detected, pin

        var isBusy: Bool { self != .waiting && self != .cancelled }
    }

    private var session = Session.none
    private var sales: [Int: Use] = [:]
    private var isInFront = true

    /// Begins unprepared, in front.
    package init() {}

    /// Whether a card could be read at once.
    package var isReady: Bool { session == .ready && isInFront }
    /// Whether a card is being waited for or read, or its PIN captured.
    package var isReading: Bool { sales.values.contains(where: \.isBusy) }

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
        case .readAsked(let sale): return readAsked(sale)
        case .pinAsked(let sale):
            if isReading { return .refuseBusy }
            sales[sale] = .pin
            return .read
        case .cardDetected:
            change(.reading, to: .detected)
            return .nothing
        case .cardLost:
            change(.detected, to: .reading)
            return .nothing
        case .left(let sale):
            sales[sale] = nil
            return .nothing
        case .cancelAsked: return cancelAsked()
        case .invalidated:
            session = .none
            return .nothing
        case .enteredBackground:
            (isInFront, session) = (false, .none)
            return sales.values.contains { $0 == .reading || $0 == .detected } ? .abortRead : .nothing
        case .becameActive:
            isInFront = true
            return .nothing
        }
    }

    private mutating func change(_ old: Use, to new: Use) { sales = sales.mapValues { $0 == old ? new : $0 } }

    private mutating func prepareAsked() -> Action {
        if !isInFront { return .refuseBackground }
        // A new session would end the one that reads or captures a PIN.
        if isReading { return .refuseBusy }
        switch session {
        case .preparing: return .joinPreparation
        case .none, .ready:
            session = .preparing
            return .prepare
        }
    }

    private mutating func readAsked(_ sale: Int) -> Action {
        if sales[sale] == .cancelled { return .refuseCancelled }
        if !isInFront { return .refuseBackground }
        if isReading { return .refuseBusy }
        sales[sale] = session == .ready ? .reading : .waiting
        switch session {
        case .ready: return .read
        case .preparing: return .joinPreparation
        case .none: return .prepareThenRead
        }
    }

    private mutating func cancelAsked() -> Action {
        let uses = Set(sales.values)
        if uses.contains(.reading) { return .cancelRead }
        if uses.contains(.detected) || uses.contains(.pin) { return .answer(.tooLate) }
        guard uses.contains(.waiting) else { return .answer(.nothingToCancel) }
        change(.waiting, to: .cancelled)
        return .answer(.cancelled)
    }
}
