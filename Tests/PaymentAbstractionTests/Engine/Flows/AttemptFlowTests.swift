import PaymentAbstraction
import PaymentBase
import Testing

/// The attempt as DESIGN tells it: a send opened before each exchange, a doubt per exchange that only its own evidence
/// lifts, and nothing sent once everybody has left.
private struct ToldAttempt {
    enum Exchange { case open, doubtful, proven }

    var flow = AttemptFlow()
    var isOpening = false
    var isSending = false
    var isAwaited = true
    var isStopped = false
    var isEnded = false
    var exchanges: [Exchange] = []

    var isInDoubt: Bool { exchanges.contains { $0 != .proven } }

    /// Between two exchanges: with nothing in doubt and nobody who waits there is nothing more to do.
    mutating func rest() { isStopped = isStopped || !isAwaited && !isInDoubt }

    mutating func expected(_ event: AttemptFlow.Event) -> AttemptFlow.Action {
        let isOver = isStopped || isEnded
        switch event {
        case .callerCame: isAwaited = true
        case .wantsSend:
            if isOver || isOpening || isSending || !isAwaited { return .refuse }
            isOpening = true
            return .open
        case .opened:
            guard isOpening, !isOver else { return .nothing }
            (isOpening, isSending) = (false, true)
            exchanges.append(.open)
        case .openFailed:
            guard isOpening, !isOver else { return .nothing }
            isOpening = false
            rest()
        case .answered:
            guard isSending, !isOver else { return .nothing }
            isSending = false
            rest()
        case .failed(let delivery):
            guard isSending, !isOver else { return .nothing }
            isSending = false
            exchanges[exchanges.count - 1] = delivery == .maybeSent ? .doubtful : .proven
            rest()
        case .callerLeft:
            isAwaited = false
            if isOver { return .nothing }
            if isOpening || isSending || isInDoubt { return .letGo }
            isStopped = true
            return .stopWork
        case .ended: if !isStopped { isEnded = true }
        }
        return .nothing
    }

    mutating func step(_ event: AttemptFlow.Event) -> String? {
        let wasInDoubt = flow.inDoubt
        let expected = expected(event)
        let action = flow.handle(event)
        if action != expected { return "\(action) instead of \(expected)" }
        if flow.inDoubt != isInDoubt { return "in doubt is \(flow.inDoubt)" }
        if action == .open, isStopped || !isAwaited { return "sent although nobody waits" }
        if action == .stopWork, flow.inDoubt { return "stopped in doubt" }
        if flow.isStopped != isStopped { return "stopped is \(flow.isStopped)" }
        if wasInDoubt, !flow.inDoubt {
            guard case .failed(let delivery) = event, delivery != .maybeSent else { return "doubt vanished" }
        }
        return nil
    }
}

@Suite struct AttemptFlowTests {
    static let events: [AttemptFlow.Event] = [
        .callerCame, .callerLeft, .wantsSend, .opened, .openFailed, .answered, .failed(.notSent), .failed(.maybeSent),
        .ended,
    ]

    @Test func everySequenceDoesWhatWasTold() throws {
        let count = try EventWalk.run("AttemptFlow", Self.events, length: 6, from: ToldAttempt()) { $0.step($1) }
        #expect(count == EventWalk.count(events: 9, length: 6))
    }

    /// From the state after the first exchange longer histories are reached.
    @Test func longHistoriesOfExchangesKeepTheirDoubt() throws {
        for first in [AttemptFlow.Event.answered, .failed(.maybeSent), .failed(.refused)] {
            var start = ToldAttempt()
            for event in [.wantsSend, .opened, first] { #expect(start.step(event) == nil) }
            let events: [AttemptFlow.Event] = [
                .wantsSend, .opened, .failed(.notSent), .failed(.refused), .failed(.maybeSent), .callerLeft,
            ]
            let count = try EventWalk.run("AttemptFlow after an exchange", events, length: 6, from: start) {
                $0.step($1)
            }
            #expect(count == EventWalk.count(events: 6, length: 6))
        }
    }

    @Test func aRefusedSecondExchangeRestoresTheDoubtFromBefore() {
        var flow = AttemptFlow()
        for event in [AttemptFlow.Event.wantsSend, .opened, .answered, .wantsSend, .opened, .failed(.refused)] {
            _ = flow.handle(event)
        }
        #expect(flow.inDoubt, "the first exchange may have moved money")
    }

    /// One failure proves something about one exchange; a second one says nothing about an older exchange.
    @Test func evidenceCountsOnce() {
        var flow = AttemptFlow()
        for event in [AttemptFlow.Event.wantsSend, .opened, .failed(.maybeSent), .failed(.notSent)] {
            _ = flow.handle(event)
        }
        #expect(flow.inDoubt)
    }
}
