import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct ReaderTests {
    @Test func callersShareOnePreparation() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport, at: "/reader/token"))
        let counts = try till.play { [scheduler = till.scheduler] in
            let tasks = (1...5).map { _ in
                Task(executorPreference: scheduler) { try await client.reader?.prepare() }
            }
            _ = await gate.reached.value()
            gate.opened.fulfill(true)
            for task in tasks { try await task.value }
            return client.reader?.isReady
        }
        #expect(counts == true)
        // A token and one reader token.
        #expect(till.backend.requestCount == 2)
    }

    @Test func prepare_withALimit_waitsNoLonger_andTheNextOneJoins() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport, at: "/reader/token"))
        let reader = try #require(client.reader)
        try till.play { [scheduler = till.scheduler] in
            let begun = scheduler.now
            do throws(PaymentError) {
                try await reader.prepare(timeout: .seconds(6))
                Issue.record("it was ready")
            } catch {
                #expect(error.code == .timedOut && error.outcome == .notExecuted && error.attempt == nil)
            }
            #expect(scheduler.now - begun == 6_000 && !reader.isReady)
            gate.opened.fulfill(true)
            try await reader.prepare(timeout: .seconds(6))
            #expect(reader.isReady)
        }
        // A token and one reader token.
        #expect(till.backend.requestCount == 2)
    }

    @Test func cancelHasThreeAnswers() throws {
        let till = Till()
        let client = try till.client()
        let reader = try #require(client.reader)
        #expect(try till.play { try await reader.cancel() } == .nothingToCancel)

        let (early, ended) = try till.play { [scheduler = till.scheduler] in
            try await reader.prepare()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 100)
            return (try await reader.cancel(), await sale.result)
        }
        #expect(early == .cancelled)
        guard case .success(.cancelled(let cancellation)) = ended else {
            Issue.record("\(ended)")
            return
        }
        #expect(cancellation.cause == .reader && till.backend.ledger.movements.isEmpty)
    }

    /// How a till's wait for a card ends.
    enum ReadEnd: CaseIterable { case cancelled, left, failed }

    /// One till waits for a card; another process sells under the same id at a reader of its own, and then the first wait ends
    /// without a card. The answer is the sale, unless the other one sold something else under the id.
    @Test(arguments: ReadEnd.allCases, [1_000, 2_500])
    func readThatEnds_whileAnotherProcessSellsUnderItsID_isAnsweredBySale(
        _ end: ReadEnd, _ soldCents: Int64
    ) throws {
        let till = Till()
        var slow = SimulatedReader.Card()
        slow.tapMilliseconds = 60_000
        if end == .failed { slow.failure = .unreadable }
        till.reader.present(slow)
        let first = try till.client()
        var given = till.dependencies
        given.reader = SimulatedReader(clock: till.scheduler, executor: till.scheduler)
        let second = try PaymentClient(till.driver(), given)
        let id = try AttemptID("sale-1")
        let reader = try #require(first.reader)
        let (sold, ended) = try till.play { [scheduler = till.scheduler] in
            @Sendable func sell(_ client: PaymentClient, _ cents: Int64) async throws -> PaymentResult {
                try await client.sale(.cents(cents), from: .reader, reference: "o", attempt: id)
            }
            let waiting = Task(executorPreference: scheduler) { try await sell(first, 1_000) }
            try await scheduler.sleep(until: scheduler.now + 5_000)
            let sold = try await sell(second, soldCents)
            switch end {
            case .cancelled: _ = try await reader.cancel()
            case .left: waiting.cancel()
            case .failed: break
            }
            return (sold, await waiting.result)
        }
        guard case .approved = sold else {
            Issue.record("\(sold)")
            return
        }
        #expect(till.backend.ledger.movements.count == 1)
        #expect(((try? ended.get()) == sold) == (soldCents == 1_000), "\(ended)")
    }

    /// The other process sells, and then the journal can't be read: what it did is not known.
    @Test func readThatIsLeft_whileTheJournalCantBeRead_isUnknown() throws {
        var till = Till()
        let journal = ClosingJournal(till.journal)
        var slow = SimulatedReader.Card()
        slow.tapMilliseconds = 60_000
        till.reader.present(slow)
        var given = till.dependencies
        given.reader = SimulatedReader(clock: till.scheduler, executor: till.scheduler)
        let second = try PaymentClient(till.driver(), given)
        till.journal = journal
        let first = try till.client()
        let id = try AttemptID("sale-1")
        let error = till.failure { [scheduler = till.scheduler] in
            let waiting = Task(executorPreference: scheduler) {
                try await first.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            }
            try await scheduler.sleep(until: scheduler.now + 5_000)
            _ = try await second.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            journal.isClosed.withLock { $0 = true }
            waiting.cancel()
            _ = try await waiting.value
        }
        #expect(till.backend.ledger.movements.count == 1)
        #expect(error?.outcome == .unknown && error?.attempt == id, "\(String(describing: error))")
    }

    @Test func onceACardIsReadItIsTooLate() throws {
        let till = Till()
        let client = try till.client()
        let reader = try #require(client.reader)
        let answers = Locked([CancelResult]())
        _ = try till.play { [scheduler = till.scheduler] in
            var events = client.events().makeAsyncIterator()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            while let event = await events.next() {
                if event.kind != .reader(.cardDetected) { continue }
                let answer = try await reader.cancel()
                answers.withLock { $0.append(answer) }
                break
            }
            return try await sale.value
        }
        #expect(answers.withLock { $0 } == [.tooLate])
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// The card is read, and the provider is asked: a cashier that reads *nothing to cancel* would take cash.
    @Test func cancel_whileTheCardThatWasReadIsCharged_isTooLate() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport))
        let reader = try #require(client.reader)
        let (during, after) = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            _ = await gate.reached.value()
            let during = try await reader.cancel()
            gate.opened.fulfill(true)
            _ = try await sale.value
            return (during, try await reader.cancel())
        }
        #expect(during == .tooLate && after == .nothingToCancel)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func twoReadsAtOnceAreRefused() throws {
        let till = Till()
        let client = try till.client()
        let errors = try till.play { [scheduler = till.scheduler] in
            let sales = (1...3).map { number in
                Task(executorPreference: scheduler) {
                    try await client.sale(.cents(1_000), from: .reader, reference: "o\(number)")
                }
            }
            var errors: [PaymentError] = []
            for sale in sales {
                if case .failure(let error) = await sale.result, let error = error as? PaymentError {
                    errors.append(error)
                }
            }
            return errors
        }
        #expect(errors.count == 2)
        #expect(errors.allSatisfy { $0 == PaymentError(.readerBusy, outcome: .notExecuted) })
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func leavingTheFrontEndsTheReadAndTheSession() throws {
        let till = Till()
        let client = try till.client()
        let reader = try #require(client.reader)
        let ended = try till.play { [scheduler = till.scheduler] in
            try await reader.prepare()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 100)
            await reader.appDidEnterBackground()
            return try await sale.value
        }
        guard case .cancelled = ended else {
            Issue.record("\(ended)")
            return
        }
        #expect(till.backend.ledger.movements.isEmpty)
        #expect(!reader.isReady)
        let refused = till.failure { try await reader.prepare() }
        #expect(refused == PaymentError(.readerUnavailable, outcome: .notExecuted))
        let again = try till.play {
            await reader.appDidBecomeActive()
            return try await client.sale(.cents(1_000), from: .reader, reference: "p")
        }
        #expect(again.payment != nil)
    }

    @Test func activationRegistersAndLinks() throws {
        let till = Till()
        let client = try till.client()
        let reader = try #require(client.reader)
        let steps = try till.play {
            let before = try await reader.activation().step
            try await reader.activate()
            return [before, try await reader.activation().step]
        }
        #expect(steps == [.inactive, .active])
        #expect(try till.play { try await reader.compatibility() }.isCompatible)
    }

    /// What lapses while a card is read would have to be renewed in the middle of the payment.
    @Test func anAccessIsMadeToLastBeforeACardIsRead() throws {
        let till = Till()
        let client = try till.client()
        try till.play { [scheduler = till.scheduler] in
            try await client.session?.open()
            try await client.reader?.prepare()
            try await scheduler.sleep(until: scheduler.now + 10 * 60_000)
        }
        let card = try Cards.good()
        _ = try till.play { try await client.sale(.cents(1_000), from: card, reference: "keyed") }
        #expect(till.backend.tokenCount == 1)
        let sale = try till.play { try await client.sale(.cents(1_000), from: .reader, reference: "tapped") }
        #expect(till.backend.tokenCount == 2)
        let id = try #require(sale.payment?.id)
        let kinds = try till.play { try await client.timeline(of: id).map(\.kind) }
        #expect(!kinds.contains(.repeated))
    }

    @Test func namesSurviveSigningOut() throws {
        let till = Till()
        let client = try till.client()
        let session = try #require(client.session)
        let names = try till.play {
            try await session.open()
            let before = try await session.installation()
            guard case .signedIn = session.status else { return [Installation]() }
            try await session.signOut()
            guard session.status == .signedOut, await session.token() == nil else { return [] }
            return [before, try await session.installation()]
        }
        #expect(names.count == 2)
        #expect(Set(names).count == 1)
    }

    /// Two providers read with one reader: the second to connect took its events from the first, which then could not
    /// tell that a card had been seen.
    @Test func twoProvidersShareOneReader() throws {
        let till = Till()
        var routing = Routing(active: "one")
        routing.draining = ["two"]
        let drivers = [till.driver(name: "one"), till.driver(name: "two")]
        let client = try PaymentClient(drivers: drivers, routing: routing, till.dependencies)
        let (one, two) = (try client.provider("one").reader, try client.provider("two").reader)
        let sold = try till.play { [scheduler = till.scheduler] in
            var events = client.events().makeAsyncIterator()
            try await one?.prepare()
            try await two?.prepare()
            #expect(one?.isReady == false && two?.isReady == true, "one reader has one token")
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            var seen: [PaymentEvent] = []
            while let event = await events.next() {
                seen.append(event)
                if event.kind == .reader(.cardDetected) { break }
            }
            #expect(seen.last?.provider == "one" && seen.last?.payment != nil)
            let (first, second) = (try await one?.cancel(), try await two?.cancel())
            #expect(first == .tooLate && second == .nothingToCancel)
            return try await sale.value.payment
        }
        #expect(sold != nil)
    }
}

/// A reader that lives on the main actor, as the documentation of `CardReader` shows it.
@MainActor final class PhoneReader: CardReader {
    private var sink: (@Sendable (ReaderEvent) -> Void)?
    private var count = 0

    nonisolated let blob: String
    nonisolated init(blob: String = "p") { self.blob = blob }

    @MainActor func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
    @MainActor func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { self.sink = sink }
    @MainActor func prepare(token: Secret) async throws { sink?(.updateProgress(100)) }
    @MainActor func read(_ request: CardReadRequest) async throws -> CardReadResult {
        count += 1
        sink?(.cardDetected)
        return CardReadResult(id: "read-\(count)", generalCardData: Secret("g"), paymentCardData: Secret(blob), at: 0)
    }
    @MainActor func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult { read }
    @MainActor func cancel() async throws -> CancelResult { .nothingToCancel }
}

@Suite struct MainActorReaderTests {
    /// A provider that approves whatever the reader brings.
    struct Driver: StubDriver, SaleDriver, ReaderDriver {
        static let name = "phone"
        let provider = Provider { _, _, _ in [:] }
        let capabilities = Capabilities(sources: [.reader], sendLimit: 0)
        var refuses = false
        func prepare(_ context: ReaderContext) async throws { try await context.prepareReader(token: Secret("t")) }
        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            let read = try await context.read(CardReadRequest(.purchase, request.amount))
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", ["read": read.id]) }
            if refuses {
                let words = "can't decrypt \(read.paymentCardData.expose())"
                return .declined(Decline(.declinedByProvider, provider: ProviderMessage(code: "7", message: words)))
            }
            return .approved(Approval(request.amount, references: ["read": read.id]))
        }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }
        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
    }

    /// What a card gave is a secret of the payment, also where the provider says it back.
    @Test func whatTheReaderRead_saidBack_isTakenOut() async throws {
        var dependencies = ClientOptions(journal: InMemoryJournal())
        dependencies.reader = PhoneReader(blob: "a-blob-of-the-card-0123")
        // The machine's clock runs; a busy machine must not end the sale.
        dependencies.deadline = .seconds(86_400)
        let payments = try PaymentClient(Driver(refuses: true), dependencies)
        let result = try await payments.sale(.cents(100), from: .reader, reference: "o")
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.provider.message == "can't decrypt <secret>", "\(decline.provider.message)")
    }

    @Test func itReadsOnTheMainActor() async throws {
        var dependencies = ClientOptions(journal: InMemoryJournal())
        dependencies.reader = PhoneReader()
        // The machine's clock runs; a busy machine must not end the sale.
        dependencies.deadline = .seconds(86_400)
        let payments = try PaymentClient(Driver(), dependencies)
        let seen = Locked([Int]())
        try await payments.reader?.prepare { percent in seen.withLock { $0.append(percent) } }
        let result = try await payments.sale(.cents(100), from: .reader, reference: "o")
        #expect(result.payment?.references == ["read": "read-1"])
        #expect(seen.withLock { $0 } == [100])
    }
}

/// A journal that can't be read from some moment on.
private final class ClosingJournal: JournalWrapper {
    let inner: any Journal
    let isClosed = Locked(false)

    init(_ inner: any Journal) { self.inner = inner }

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        if isClosed.withLock({ $0 }) { throw .notWritten("the database does not answer") }
        return try await inner.attempts(query, after: cursor, limit: limit)
    }
}
