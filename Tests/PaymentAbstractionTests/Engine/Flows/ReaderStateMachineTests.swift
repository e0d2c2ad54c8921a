import PaymentAbstraction
import Testing

/// The reader as DESIGN tells it, read off the whole history at every step rather than kept in a state.
private struct ToldReader {
    struct Entry {
        let event: ReaderStateMachine.Event
        let action: ReaderStateMachine.Action
    }

    var flow = ReaderStateMachine()
    var history: [Entry] = []

    private func last(_ match: (Entry) -> Bool) -> Int { history.lastIndex(where: match) ?? -1 }

    var isInFront: Bool { last { $0.event == .becameActive } >= last { $0.event == .enteredBackground } }
    private var sessionLost: Int { last { $0.event == .enteredBackground || $0.event == .invalidated } }
    private var lastPreparation: Int { last { $0.action == .prepare } }
    /// The end of the last preparation, if it came after its beginning.
    private var preparationEnd: Int? {
        guard lastPreparation >= 0 else { return nil }
        return history[lastPreparation...].firstIndex { $0.event == .prepared || $0.event == .prepareFailed }
    }
    var isPreparing: Bool { lastPreparation > sessionLost && preparationEnd == nil }
    var isReady: Bool {
        guard lastPreparation > sessionLost, let end = preparationEnd else { return false }
        return history[end].event == .prepared && isInFront
    }
    private var readBegin: Int { last { $0.action == .read } }
    var isReading: Bool { readBegin > last { $0.event == .readEnded } }
    var isDetected: Bool { isReading && last { $0.event == .cardDetected } > readBegin }

    func expected(_ event: ReaderStateMachine.Event) -> ReaderStateMachine.Action {
        switch event {
        case .prepareAsked:
            if !isInFront { return .refuseBackground }
            if isReading { return .refuseBusy }
            return isPreparing ? .joinPreparation : .prepare
        case .readAsked:
            if !isInFront { return .refuseBackground }
            if isReading { return .refuseBusy }
            if isReady { return .read }
            return isPreparing ? .joinPreparation : .prepareThenRead
        case .cancelAsked:
            if !isReading { return .answer(.nothingToCancel) }
            return isDetected ? .answer(.tooLate) : .cancelRead
        case .enteredBackground: return isReading ? .abortRead : .nothing
        case .prepared, .prepareFailed, .cardDetected, .readEnded, .invalidated, .becameActive: return .nothing
        }
    }

    mutating func step(_ event: ReaderStateMachine.Event) -> String? {
        let expected = expected(event)
        let wasReady = isReady
        let action = flow.handle(event)
        history.append(Entry(event: event, action: action))
        if action != expected { return "\(action) instead of \(expected)" }
        if flow.isReady != isReady { return "ready is \(flow.isReady)" }
        if flow.isReading != isReading { return "reading is \(flow.isReading)" }
        if action == .read, !wasReady { return "a read without a session" }
        if event == .enteredBackground, flow.isReady { return "ready in the background" }
        return nil
    }
}

@Suite struct ReaderStateMachineTests {
    @Test func everySequenceDoesWhatWasTold() throws {
        let events = ReaderStateMachine.Event.allCases
        let count = try EventWalk.run("ReaderFlow", events, length: 5, from: ToldReader()) { $0.step($1) }
        #expect(count == EventWalk.count(events: 10, length: 5))
    }

    /// With a session and a read under way, so that longer histories are reached.
    @Test func everySequenceDuringAReadDoesWhatWasTold() throws {
        var start = ToldReader()
        for event in [ReaderStateMachine.Event.prepareAsked, .prepared, .readAsked] {
            #expect(start.step(event) == nil)
        }
        #expect(start.flow.isReading)
        let events = ReaderStateMachine.Event.allCases
        let count = try EventWalk.run("ReaderFlow in a read", events, length: 5, from: start) { $0.step($1) }
        #expect(count == EventWalk.count(events: 10, length: 5))
    }
}
