import PaymentAbstraction
import Testing

/// One piece of news: what it says, and when the provider says that it happened.
private struct News: Hashable, CustomStringConvertible {
    let phase: OutcomeFlow.Phase
    let at: Int64
    var description: String { "\(phase)@\(at)" }

    static let all: [News] = [OutcomeFlow.Phase.pending, .succeeded, .failed].flatMap { phase in
        (1...3).map { News(phase: phase, at: $0) }
    }

    /// What holds after all of them, whatever order they came in: the latest final word; at one moment, the failure.
    static func outcome(_ heard: Set<News>) -> (phase: OutcomeFlow.Phase, since: Int64?) {
        let finals = heard.filter { $0.phase == .succeeded || $0.phase == .failed }
        guard let latest = finals.map(\.at).max() else { return (heard.isEmpty ? .open : .pending, nil) }
        let hasFailure = finals.contains(News(phase: .failed, at: latest))
        return (hasFailure ? .failed : .succeeded, latest)
    }
}

/// A refund and everything that was heard of it.
private struct ToldRefund {
    var flow: OutcomeFlow
    var heard: Set<News> = []
    var first: OutcomeFlow.Phase?

    init(_ operation: MoneyOperation) { flow = OutcomeFlow(.open, since: 0, operation: operation) }

    mutating func stepOfWhatCanTurn(_ news: News) -> String? {
        let before = flow
        heard.insert(news)
        let action = flow.handle(news.phase, at: news.at)
        let expected = News.outcome(heard)
        if flow.phase != expected.phase { return "\(flow.phase) instead of \(expected.phase)" }
        if let since = expected.since, flow.since != since { return "since \(flow.since) instead of \(since)" }
        if action == .contradiction { return "a contradiction where everything can turn" }
        if action == .ignore, flow != before { return "ignored, and yet it changed" }
        return nil
    }

    /// The first final word stays, the other one is a contradiction.
    mutating func stepOfWhatIsFinal(_ news: News) -> String? {
        let before = flow
        let action = flow.handle(news.phase, at: news.at)
        let isFinal = news.phase == .succeeded || news.phase == .failed
        if let first {
            if flow.phase != first { return "\(flow.phase) after \(first)" }
            let contradicts = isFinal && news.phase != first
            if (action == .contradiction) != contradicts { return "\(action) after \(first)" }
            if action == .write { return "a final word was written again" }
            if contradicts, flow != before { return "a contradiction changed something" }
        } else if isFinal {
            first = news.phase
            if action != .write { return "\(action) for the first final word" }
        }
        return nil
    }
}

@Suite struct RefundFlowTests {
    static let turning: [MoneyOperation] = [.capture, .refund, .unlinkedRefund, .void, .adjust]
    static let settled: [MoneyOperation] = [.sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit]

    @Test func everyOperationIsSorted() {
        #expect(Set(Self.turning + Self.settled) == Set(MoneyOperation.allCases))
    }

    @Test(arguments: turning) func theOutcomeIgnoresTheOrderOfNews(_ operation: MoneyOperation) throws {
        let length = operation == .refund ? 6 : 4
        let count = try EventWalk.run(
            "RefundFlow \(operation)", News.all, length: length, from: ToldRefund(operation)
        ) { $0.stepOfWhatCanTurn($1) }
        #expect(count == EventWalk.count(events: 9, length: length))
    }

    @Test(arguments: settled) func theFirstFinalWordOfASaleStays(_ operation: MoneyOperation) throws {
        let count = try EventWalk.run(
            "RefundFlow \(operation)", News.all, length: 4, from: ToldRefund(operation)
        ) { $0.stepOfWhatIsFinal($1) }
        #expect(count == EventWalk.count(events: 9, length: 4))
    }

    @Test func aLaterFailureTurnsARefundAndContradictsASale() {
        var refund = OutcomeFlow(.succeeded, since: 5, operation: .refund)
        #expect(refund.handle(.failed, at: 6) == .write)
        #expect(refund.phase == .failed)
        #expect(refund.handle(.succeeded, at: 7) == .write)
        var sale = OutcomeFlow(.succeeded, since: 5, operation: .sale)
        #expect(sale.handle(.failed, at: 6) == .contradiction)
        #expect(sale.phase == .succeeded)
    }

    @Test func aSaleTurnsByItsLateFailureAloneAndForGood() {
        var sale = OutcomeFlow(.succeeded, since: 5, operation: .sale)
        #expect(sale.handle(.failed, at: 4, isLate: true) == .ignore)
        #expect(sale.handle(.failed, at: 6, isLate: true) == .write)
        #expect(sale.phase == .failed && sale.since == 6)
        #expect(sale.handle(.succeeded, at: 7) == .contradiction)
        #expect(sale.phase == .failed)
    }

    @Test func nothingHeardChangesNothing() {
        for phase in [OutcomeFlow.Phase.open, .pending, .succeeded, .failed] {
            var flow = OutcomeFlow(phase, since: 3, operation: .refund)
            #expect(flow.handle(.open, at: 9) == .ignore)
            #expect(flow == OutcomeFlow(phase, since: 3, operation: .refund))
        }
    }
}
