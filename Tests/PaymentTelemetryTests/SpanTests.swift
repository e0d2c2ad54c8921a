import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct SpanTests {
    @Test("A sale with a lost reply and its recovery are one trace, with each request under what it is for")
    func sale_replyLost_recovered_oneTrace() throws {
        let observer = RecordingObserver()
        let (attempt, left) = try LostReplySale().play(observer)
        #expect(left.isEmpty)
        let spans = observer.ended
        #expect(Set(spans.map(\.context.trace)).count == 1)
        #expect(Set(spans.map(\.context.span)).count == spans.count)
        #expect(spans.allSatisfy { $0.text(.attempt) == attempt.text })
        let tree = observer.tree
        #expect(tree.first == "payment.operation unknown")
        #expect(tree.contains("  payment.call lost"))
        #expect(tree.contains("    payment.request connectionReset"))
        #expect(tree.contains("  payment.lookup unknown"))
        let recovery = try #require(tree.firstIndex(of: "payment.recovery"))
        #expect(
            Array(tree[recovery...]) == [
                "payment.recovery", "  payment.lookup approved", "    payment.request 200",
                "  payment.decision approved",
            ], "\(tree.joined(separator: "\n"))")
        #expect(spans.last { $0.name == .decision }?.text(.evidence) == "lookup")
        #expect(spans.allSatisfy { ($0.endedAt ?? 0) >= $0.beganAt })
        #expect(observer.began.count == spans.count)
    }

    @Test("Each retry is a call and a request of its own, an event and a count")
    func request_notSent_repeated_isSeen() throws {
        let till = Till()
        let observer = RecordingObserver()
        var options = till.dependencies
        options.observer = observer
        // Calls: token, payment.
        let client = try PaymentClient(till.driver(FailingTransport(till.transport, failing: 2, .notSent)), options)
        let card = try Cards.good()
        let result = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o") }
        #expect(result.payment != nil)
        let calls = observer.ended.filter { $0.name == .call }
        #expect(calls.map { $0.text(.outcome) } == ["notSent", "answered"])
        #expect(calls.map { $0.text(.number) } == ["1", "2"])
        let failed = try #require(observer.ended.first { $0.text(.cause) != nil })
        #expect(failed.text(.step) == "connect" && failed.text(.host) == "memory.test" && failed.hasFailed)
        let repeated = observer.records.filter { $0.event == "repeated" }
        #expect(repeated.count == 1 && repeated.first?.severity == .warning)
        #expect(observer.counts.filter { $0.counter == .calls }.map(\.amount) == [1, 1])
        #expect(observer.counts.filter { $0.counter == .operations }.count == 1)
    }

    @Test("What a dead process left is taken over in the same trace")
    func run_processDead_takenOver_isSeen() throws {
        let (table, observer) = (ProcessTable(), RecordingObserver())
        var till = Till()
        till.journal = InMemoryJournal(processes: table)
        let first = table.start()
        till.process = first
        let gate = Gate()
        var options = till.dependencies
        options.observer = observer
        let dead = try PaymentClient(till.driver(gate.transport(till.transport, at: "/payments")), options)
        till.process = table.start(beside: true)
        options = till.dependencies
        options.observer = observer
        let client = try PaymentClient(till.driver(), options)
        let (attempt, card) = (try till.play { try await dead.newAttempt() }, try Cards.good())
        let stalled = Task(executorPreference: till.scheduler) {
            try await dead.sale(.cents(1_000), from: card, reference: "o", attempt: attempt)
        }
        till.scheduler.settle()
        table.kill(first.own)
        _ = try till.play { try await client.recover() }
        let recovery = try #require(observer.ended.first { $0.name == .recovery })
        let takeOver = try #require(observer.ended.first { $0.name == .takeOver })
        #expect(takeOver.parent == recovery.context)
        #expect(observer.began.first?.context.trace == recovery.context.trace)
        #expect(observer.counts.filter { $0.counter == .takeOvers }.count == 1)
        stalled.cancel()
        till.scheduler.drain()
    }

    @Test("Providers get a traceparent if the observer names one, and otherwise no field more")
    func request_contextWanted_namesSpan() throws {
        for isNamed in [false, true] {
            let (till, seen, observer) = (Till(), Locked([String?]()), RecordingObserver(namesTraces: isNamed))
            let line = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                seen.withLock { $0.append(request.headers["traceparent"]) }
                return try await next(request)
            }
            var options = till.dependencies
            options.observer = observer
            let client = try PaymentClient(till.driver(line), options)
            let card = try Cards.good()
            _ = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o") }
            let requests = observer.ended.filter { $0.name == .request }
            #expect(!requests.isEmpty)
            let fields = seen.withLock { $0 }
            #expect(fields == requests.map { isNamed ? $0.context.traceparent : nil })
        }
    }

    @Test("The application's own span is above those of the client")
    func operation_applicationHasTrace_joinsIt() throws {
        let (till, observer) = (Till(), RecordingObserver())
        var options = till.dependencies
        options.observer = observer
        let client = try PaymentClient(till.driver(), options)
        let card = try Cards.good()
        let mine = try #require(TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        _ = try till.play {
            try await TraceContext.$current.withValue(mine) {
                try await client.sale(.cents(1_000), from: card, reference: "o")
            }
        }
        let root = try #require(observer.ended.first { $0.name == .operation })
        #expect(root.parent == mine)
        #expect(observer.ended.filter { $0.name != .query }.allSatisfy { $0.context.trace == mine.trace })
    }

    @Test(
        "A traceparent that is none is refused",
        arguments: [
            "", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        ]) func traceparent_malformed_isNil(_ text: String)
    {
        #expect(TraceContext(text) == nil)
    }

    @Test("Without an observer there are no spans, and the result is the same")
    func sale_noObserver_sameResult() throws {
        let (till, card) = (Till(), try Cards.good())
        let client = try till.client()
        let result = try till.play { () -> (PaymentResult, Bool) in
            (
                try await client.sale(.cents(1_000), from: card, reference: "o"),
                RequestInFlight.current?.observation == nil
            )
        }
        #expect(result.0.payment != nil && result.1)
    }
}
