import PaymentAbstraction
import PaymentBase
import Testing

/// The attempt as DESIGN tells it: a mark before the first byte, and a doubt per exchange that only its own evidence
/// lifts.
private struct ToldAttempt {
    enum Exchange { case open, doubtful, proven }

    var flow = AttemptFlow()
    var isMarking = false
    var markCount = 0
    var isStopped = false
    var isEnded = false
    var exchanges: [Exchange] = []

    var isInDoubt: Bool { exchanges.contains { $0 != .proven } }

    mutating func expected(_ event: AttemptFlow.Event) -> AttemptFlow.Action {
        let isOver = isStopped || isEnded
        switch event {
        case .moneyExchange:
            if isOver || isMarking { return .refuse }
            if markCount == 0 {
                isMarking = true
                return .writeMark
            }
            exchanges.append(.open)
            return .send
        case .marked:
            guard isMarking, !isOver else { return .nothing }
            isMarking = false
            markCount += 1
            exchanges.append(.open)
            return .send
        case .markFailed:
            isMarking = isMarking && isOver
            return .nothing
        case .exchangeFailed(let delivery):
            guard !isOver, exchanges.last == .open else { return .nothing }
            exchanges[exchanges.count - 1] = delivery == .maybeSent ? .doubtful : .proven
            return .nothing
        case .callerLeft:
            if isOver { return .nothing }
            if isMarking || markCount > 0 { return .letGo }
            isStopped = true
            return .stopWork
        case .ended:
            if !isStopped { isEnded = true }
            return .nothing
        }
    }

    mutating func step(_ event: AttemptFlow.Event) -> String? {
        let wasInDoubt = flow.inDoubt
        let expected = expected(event)
        let action = flow.handle(event)
        if action != expected { return "\(action) instead of \(expected)" }
        if flow.inDoubt != isInDoubt { return "in doubt is \(flow.inDoubt)" }
        if action == .send, !flow.isSubmitted { return "sent without a mark" }
        if action == .send, isStopped { return "sent after the stop" }
        if action == .stopWork, flow.inDoubt || flow.isSubmitted { return "stopped after the mark" }
        if flow.isSubmitted != (markCount > 0) || markCount > 1 { return "marked \(markCount) times" }
        if flow.isStopped != isStopped { return "stopped is \(flow.isStopped)" }
        if wasInDoubt, !flow.inDoubt {
            guard case .exchangeFailed(let delivery) = event, delivery != .maybeSent else { return "doubt vanished" }
        }
        return nil
    }
}

@Suite struct AttemptFlowTests {
    static let events: [AttemptFlow.Event] = [
        .moneyExchange, .marked, .markFailed, .exchangeFailed(.notSent), .exchangeFailed(.refused),
        .exchangeFailed(.maybeSent), .callerLeft, .ended,
    ]

    @Test func everySequenceDoesWhatWasTold() throws {
        let count = try EventWalk.run("AttemptFlow", Self.events, length: 7, from: ToldAttempt()) { $0.step($1) }
        #expect(count == EventWalk.count(events: 8, length: 7))
    }

    /// From the state after the mark longer histories of exchanges are reached.
    @Test func longHistoriesOfExchangesKeepTheirDoubt() throws {
        var start = ToldAttempt()
        #expect(start.step(.moneyExchange) == nil)
        #expect(start.step(.marked) == nil)
        let events: [AttemptFlow.Event] = [
            .moneyExchange, .exchangeFailed(.notSent), .exchangeFailed(.refused), .exchangeFailed(.maybeSent),
            .callerLeft,
        ]
        let count = try EventWalk.run("AttemptFlow after the mark", events, length: 7, from: start) { $0.step($1) }
        #expect(count == EventWalk.count(events: 5, length: 7))
    }

    @Test func aRefusedSecondExchangeRestoresTheDoubtFromBefore() {
        var flow = AttemptFlow()
        #expect(flow.handle(.moneyExchange) == .writeMark)
        #expect(flow.handle(.marked) == .send)
        #expect(flow.handle(.moneyExchange) == .send)
        #expect(flow.handle(.exchangeFailed(.refused)) == .nothing)
        #expect(flow.inDoubt, "the first exchange may have moved money")
    }

    /// One failure proves something about one exchange; a second one says nothing about an older exchange.
    @Test func evidenceCountsOnce() {
        var flow = AttemptFlow()
        _ = flow.handle(.moneyExchange)
        _ = flow.handle(.marked)
        _ = flow.handle(.exchangeFailed(.maybeSent))
        _ = flow.handle(.exchangeFailed(.notSent))
        #expect(flow.inDoubt)
    }
}
