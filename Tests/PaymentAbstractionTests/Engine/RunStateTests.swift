import Testing

@testable import PaymentAbstraction

/// What a run may do, and what may have happened to the money, after every sequence of requests.
@Suite struct RunStateTests {
    private enum Event: CaseIterable {
        case open, openUnawaited, send, notSent, ended(Attempt.Request.Ending), endedUnawaited(Attempt.Request.Ending),
            stop

        static var allCases: [Event] {
            [.open, .openUnawaited, .send, .notSent, .stop]
                + Attempt.Request.Ending.allCases.flatMap { [.ended($0), .endedUnawaited($0)] }
        }
    }

    /// The same in other words: where the run is, and whether an earlier request may have been executed.
    private struct Told {
        enum Place { case idle, opening, sending, stopped }
        var place = Place.idle
        var isInDoubt = false
        var mayHaveMoved: Bool { isInDoubt || place == .sending }
        var canStop: Bool { (place == .idle || place == .stopped) && !mayHaveMoved }

        /// What the event does; nil if it can't happen now.
        func after(_ event: Event) -> Told? {
            var next = self
            switch (event, place) {
            case (.open, .idle): next.place = .opening
            case (.openUnawaited, .idle), (.open, .stopped), (.openUnawaited, .stopped): break
            case (.send, .opening): next.place = .sending
            case (.notSent, .opening): next.place = .idle
            case (.ended(let ending), .sending): next.end(ending, isAwaited: true)
            case (.endedUnawaited(let ending), .sending): next.end(ending, isAwaited: false)
            case (.stop, _): if canStop { next.place = .stopped }
            default: return nil
            }
            return next
        }

        private mutating func end(_ ending: Attempt.Request.Ending, isAwaited: Bool) {
            if ending == .answered || ending == .lost { isInDoubt = true }
            place = isAwaited || isInDoubt ? .idle : .stopped
        }
    }

    private static func apply(_ event: Event, to state: inout RunState) {
        switch event {
        case .open: _ = state.open(isAwaited: true)
        case .openUnawaited: _ = state.open(isAwaited: false)
        case .send: state.send()
        case .notSent: state.notSent(isAwaited: true)
        case .ended(let ending): state.ended(ending, isAwaited: true)
        case .endedUnawaited(let ending): state.ended(ending, isAwaited: false)
        case .stop: state.stop()
        }
    }

    private static func walk(_ state: RunState, _ told: Told, _ left: Int, _ path: [Event], _ count: inout Int) {
        count += 1
        let isSame =
            state.mayHaveMoved == told.mayHaveMoved && state.canStop == told.canStop
            && state.isStopped == (told.place == .stopped)
            && state.isSending == (told.place == .opening || told.place == .sending)
        #expect(isSame, "\(path)")
        if left == 0 || !isSame { return }
        for event in Event.allCases {
            guard let next = told.after(event) else { continue }
            var copy = state
            apply(event, to: &copy)
            walk(copy, next, left - 1, path + [event], &count)
        }
    }

    /// A refused or unsent request leaves the doubt from before as it was; an answered or lost one is never forgotten.
    @Test func everySequenceKeepsItsDoubt() {
        var count = 0
        Self.walk(RunState(), Told(), 8, [], &count)
        #expect(count > 1_000, "\(count)")
    }
}
