import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct RecoveryTests {
    /// Two processes on one journal; what the first one sends is held back by a gate.
    struct Pair {
        let till: Till
        let table = ProcessTable()
        let gate = Gate()
        let one: PaymentClient
        let two: PaymentClient
        /// The first one's name in the journal.
        let name: String
        let id: AttemptID
        let card: PaymentSource

        init(at path: String = "/payments") throws {
            var till = Till()
            till.journal = InMemoryJournal(processes: table)
            let first = table.start()
            till.process = first
            one = try till.client(gate.transport(till.transport, at: path))
            name = first.own
            till.process = table.start(beside: true)
            two = try till.client(gate.transport(till.transport, at: path))
            (id, card) = (try AttemptID("a1"), try Cards.good())
            self.till = till
        }

        /// Begins a sale of ten euros under the one attempt's id.
        func sale(_ client: PaymentClient) -> Task<PaymentResult, any Error> {
            Task(executorPreference: till.scheduler) { [id, card] in
                try await client.sale(.cents(1_000), from: card, reference: "o", attempt: id)
            }
        }

        func pause(_ milliseconds: Int64) async throws {
            try await till.scheduler.sleep(until: till.scheduler.now + milliseconds)
        }
    }

    /// Nothing is written before the first request: a process that dies while a card is read leaves nothing behind.
    @Test func aCrashWhileACardIsReadLeavesNothing() throws {
        let (table, id) = (ProcessTable(), try AttemptID("a1"))
        var till = Till()
        till.journal = InMemoryJournal(processes: table)
        till.reader.present(nil)
        till.process = table.start()
        let dead = try till.client()
        till.process = table.start()
        let client = try till.client()
        let stalled = Task(executorPreference: till.scheduler) {
            try await dead.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
        }
        till.scheduler.settle()
        #expect(try till.play { try await client.recover() }.isEmpty)
        let left = try till.play { [journal = till.journal] in try await journal.record(id) }
        #expect(left == nil)
        let card = try Cards.good()
        let again = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o", attempt: id) }
        #expect(again.payment != nil)
        stalled.cancel()
        till.scheduler.drain()
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// A process that stalls before its request is fenced by the one that ran the attempt since, and gets its result.
    @Test func aProcessThatStalledSendsNothingAfterAnotherRanTheAttempt() throws {
        let (table, id) = (ProcessTable(), try AttemptID("a1"))
        var till = Till()
        till.journal = InMemoryJournal(processes: table)
        till.process = table.start()
        let first = Gate()
        let slow = try till.client(first.transport(till.transport, at: "/reader/token"))
        till.process = table.start()
        let heir = try till.client()
        let stalled = Task(executorPreference: till.scheduler) {
            try await slow.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
        }
        till.scheduler.settle()
        _ = try till.play { try await heir.recover() }
        let sold = try till.play { try await heir.sale(.cents(1_000), from: .reader, reference: "o", attempt: id) }
        #expect(sold.payment != nil)
        first.opened.fulfill(true)
        // It wakes up, its card is tapped, and the journal refuses its request: it gets what the other one did.
        let late = try till.play { try await stalled.value }
        #expect(late == sold)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func anAttemptInFlightElsewhereIsWaitedFor() throws {
        let pair = try Pair()
        let ends = try pair.till.play { [pair] in
            let first = pair.sale(pair.one)
            _ = await pair.gate.reached.value()
            #expect(try await pair.two.recover() == [pair.id], "it is not ours to take over")
            let second = pair.sale(pair.two)
            try await pair.pause(3_000)
            pair.gate.opened.fulfill(true)
            return try await [first.value, second.value]
        }
        #expect(ends[0] == ends[1])
        #expect(pair.till.backend.ledger.movements.count == 1)
    }

    /// Nothing is written any more when a process dies: a waiting process gets no message, and has to look itself.
    @Test func waitingProcess_ownerDies_takesOver() throws {
        let pair = try Pair()
        let dead = pair.sale(pair.one)
        let waited = try pair.till.play { [pair] in
            _ = await pair.gate.reached.value()
            let second = pair.sale(pair.two)
            try await pair.pause(3_000)
            let died = pair.till.scheduler.now
            pair.table.kill(pair.name)
            _ = await second.result
            return pair.till.scheduler.now - died
        }
        #expect(waited <= 2_000)
        let record = try pair.till.play { [pair] in try await pair.till.journal.record(pair.id) }
        #expect(record?.state == .inDoubt)
        dead.cancel()
        pair.till.scheduler.drain()
    }

    @Test func twoTillsCanNotBothRefundTheLastEuro() throws {
        let pair = try Pair(at: "/refund")
        let till = pair.till
        let ends = try till.play { [pair, scheduler = till.scheduler] in
            guard let id = try await pair.sale(pair.one).value.payment?.id else { return ["not sold"] }
            let first = Task(executorPreference: scheduler) { try await pair.one.refund(id, of: .cents(1_000)) }
            _ = await pair.gate.reached.value()
            let second = Task(executorPreference: scheduler) { try await pair.two.refund(id, of: .cents(1_000)) }
            try await pair.pause(10)
            pair.gate.opened.fulfill(true)
            return [await first.result, await second.result].map { result in
                switch result {
                case .success: "refunded"
                case .failure(let error): "\(error)"
                }
            }
        }
        #expect(Set(ends) == ["refunded", "PaymentError(amountTooHigh, outcome: notExecuted)"])
        #expect(till.backend.ledger.balance(.refunded) == ["EUR": 1_000])
    }

    @Test func unknownOutcome_staysOpenUntilAPersonDecides() throws {
        let till = Till()
        let blind = BlindDriver(till.driver(FailingTransport(till.transport, failing: 3, .lostAfter)))
        let client = try till.client(over: blind)
        let card = try Cards.good()
        let id = try AttemptID("a1")
        let error = till.failure { _ = try await client.sale(.cents(1_000), from: card, reference: "o", attempt: id) }
        // Calls: token, payment. The third is a lookup that the driver does not make: nothing is lost.
        #expect(error == nil)

        let other = BlindDriver(till.driver(FailingTransport(till.transport, failing: 2, .lostAfter)))
        let second = try till.client(over: other)
        let doubt = try AttemptID("a2")
        let lost = till.failure { _ = try await second.sale(.cents(1_000), from: card, reference: "p", attempt: doubt) }
        #expect(lost == PaymentError(.network, outcome: .unknown))
        #expect(try till.play { try await second.recover() } == [doubt])
        till.scheduler.advance(by: 30 * 24 * 3_600_000)
        #expect(try till.play { try await second.recover() } == [doubt], "nothing settles by age")

        let blocked = till.failure { _ = try await second.sale(.cents(1_000), from: card, reference: "p") }
        #expect(blocked == PaymentError(.referenceInUse, outcome: .notExecuted) && blocked?.attempt == doubt)
        for units in [Int64.min, -1, Money.believableMinorUnitsMax + 1, .max] {
            let said = ManualResolution.executed(name: "bank statement 17", .cents(units))
            let error = till.failure { _ = try await second.resolve(doubt, as: said, reason: "a typing error") }
            #expect(error == PaymentError(.invalidRequest, outcome: .unknown), "\(units)")
        }
        _ = try till.play {
            try await second.resolve(
                doubt, as: .executed(name: "bank statement 17", nil), reason: "seen on the statement")
        }
        let settled = try till.play { try await second.status(doubt) }
        #expect(settled.payment?.references == ["payment": "bank statement 17"])
        let record = try till.play { [journal = till.journal] in try await journal.record(doubt) }
        #expect(record?.evidence?.kind == .person)
    }

    @Test func anOutcomeThatCanNotBeWrittenIsReturnedAndWrittenLater() throws {
        var till = Till()
        let journal = InMemoryJournal()
        // Writes: the request, the outcome, the next request. The second and the third fail.
        till.journal = FailingJournal(journal, failing: 2, lasting: 1, .before)
        let client = try till.client()
        let card = try Cards.good()
        let result = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o") }
        let payment = try #require(result.payment)
        #expect(!payment.isRecorded)
        let refused = till.failure { _ = try await client.sale(.cents(2_000), from: card, reference: "p") }
        #expect(refused == PaymentError(.journal, outcome: .notExecuted))
        let next = try till.play { try await client.sale(.cents(2_000), from: card, reference: "p") }
        #expect(next.payment?.isRecorded == true)
        let record = try till.play { try await journal.record(payment.attempt) }
        #expect(record?.approval?.amount == .cents(1_000))
        #expect(till.backend.ledger.movements.count == 2)
    }

    /// A card refuses on its own, and the journal can't keep that: another process may sell under the id, so that the caller gets
    /// no final answer. Kept, the refusal is the answer to both.
    @Test(arguments: [false, true]) func refusalByCard_thatJournalCanNotKeep_isNoFinalAnswer(_ isKept: Bool) throws {
        var till = Till()
        let shared = InMemoryJournal()
        till.journal = shared
        let second = try till.client()
        till.journal = isKept ? shared : FailingJournal(shared, failing: 1, lasting: 1, .before)
        let first = try till.client(over: CardRefuses(till.driver()))
        let card = try Cards.good()
        let id = try AttemptID("sale-1")
        let (refused, sold) = try till.play {
            @Sendable func sell(_ client: PaymentClient) async throws -> PaymentResult {
                try await client.sale(.cents(1_000), from: card, reference: "o", attempt: id)
            }
            let refused: Result<PaymentResult, any Error>
            do { refused = .success(try await sell(first)) } catch { refused = .failure(error) }
            return (refused, try await sell(second))
        }
        switch (isKept, refused, sold) {
        case (true, .success(.declined(let decline)), .declined): #expect(decline.reason == .declinedOffline)
        case (false, .failure(let error as PaymentError), .approved):
            #expect(error == PaymentError(.journal, outcome: .notExecuted))
            #expect(error.provider?.code == "Z1" && error.attempt == id)
        default: Issue.record("\(refused) \(sold)")
        }
        #expect(till.backend.ledger.movements.count == (isKept ? 0 : 1))
    }
}

/// A driver whose cards refuse by themselves, before a request.
struct CardRefuses: SaleDriver, SessionDriver {
    let inner: any SaleDriver & SessionDriver
    init(_ inner: any SaleDriver & SessionDriver) { self.inner = inner }
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await inner.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        .declined(Decline(.declinedOffline, provider: ProviderMessage(code: "Z1")))
    }
    var accessAddresses: [String] { inner.accessAddresses }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
}

/// A driver whose lookup can never tell.
struct BlindDriver: SaleDriver, SessionDriver {
    let inner: any SaleDriver & SessionDriver
    init(_ inner: any SaleDriver & SessionDriver) { self.inner = inner }
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(every: 1_000) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        .cannotTell("It can't be seen now.")
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
    var accessAddresses: [String] { inner.accessAddresses }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
}

/// A driver that hears its provider on a line of its own ends its pause as a webhook does.
@Suite struct WakeTests {
    struct Listening: StubDriver, SaleDriver {
        static let name = "listening"
        let provider: Provider
        let scheduler: TestScheduler
        /// How long nothing arrives, in milliseconds; nil where it arrives before the pause.
        let silence: Int64?
        let capabilities = Capabilities(sources: [.card], sendLimit: 0)

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", [:]) }
            let isNews = await withTaskGroup(of: Void.self) { group in
                if let silence {
                    group.addTask {
                        try? await scheduler.sleep(until: scheduler.now + silence)
                        context.wake()
                    }
                } else {
                    context.wake()
                }
                defer { group.cancelAll() }
                return await context.pause(until: context.now + 60_000)
            }
            guard isNews else { throw CancellationError() }
            return .approved(Approval(request.amount, references: ["operation": "1"]))
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
    }

    @Test(arguments: [(Int64(200), Int64(200)), (nil, 0)]) func aPauseEndsAtOnce(
        _ silence: Int64?, _ due: Int64
    ) throws {
        let till = Till()
        let provider = Provider { _, _, _ in ["status": "accepted"] }
        let payments = try till.client(over: Listening(provider: provider, scheduler: till.scheduler, silence: silence))
        let card = try Cards.good()
        let took = try till.play { [scheduler = till.scheduler] in
            let start = scheduler.now
            let result = try await payments.sale(.cents(400), from: card, reference: "o")
            guard case .approved = result else { throw CancellationError() }
            return scheduler.now - start
        }
        #expect(took == due)
    }
}
