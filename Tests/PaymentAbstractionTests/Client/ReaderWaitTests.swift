import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentCore

/// What a till sees and may do before the reader waits for a card, and between a card and its PIN.
@Suite struct ReaderWaitTests {
    /// A reader that is being prepared waits for no card, and the screen must not ask for one.
    @Test func prompt_whileTheReaderIsPrepared_asksForNoCard() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport, at: "/reader/token"))
        let (early, result) = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("sale-1")
            let events = client.events()
            let screen = Locked(TillScreen.paying(.wait))
            let watching = Task(executorPreference: scheduler) {
                for await event in events where event.attempt == attempt {
                    screen.withLock { $0 = $0.after(event) }
                }
            }
            defer { watching.cancel() }
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: attempt)
            }
            _ = await gate.reached.value()
            try await scheduler.sleep(until: scheduler.now + 1_000)
            let early = screen.withLock { $0 }
            gate.opened.fulfill(true)
            return (early, try await sale.value)
        }
        #expect(early == .paying(.wait), "\(early)")
        #expect(result.payment != nil)
    }

    /// The cashier cancels while the reader gets ready; then no card is asked for, and nothing is charged.
    @Test func cancel_whileTheReaderIsPrepared_endsTheSale() throws {
        let till = Till()
        let gate = Gate()
        let client = try till.client(gate.transport(till.transport, at: "/reader/token"))
        let reader = try #require(client.reader)
        let (answer, payment) = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            _ = await gate.reached.value()
            let answer = try await reader.cancel()
            gate.opened.fulfill(true)
            return (answer, try? await sale.value.payment)
        }
        #expect(answer == .cancelled)
        #expect(payment == nil && till.backend.ledger.movements.isEmpty)
    }

    /// The sale was answered with "nothing moved" while the reader got ready: it begins no read after that.
    @Test func sale_whoseTimeIsOverWhileTheReaderIsPrepared_readsNoCard() throws {
        let till = Till()
        let gate = Gate()
        let reader = CountingReader()
        var given = till.dependencies
        given.reader = reader
        let client = try PaymentClient(
            till.driver(gate.transport(till.transport, at: "/reader/token")), given)
        try till.play { [scheduler = till.scheduler] in
            do throws(PaymentError) {
                _ = try await client.sale(
                    SaleRequest(.cents(1_000), from: .reader, reference: "o"), timeout: .seconds(6))
                Issue.record("it was sold")
            } catch { #expect(error.outcome == .notExecuted) }
            gate.opened.fulfill(true)
            try await scheduler.sleep(until: scheduler.now + 10_000)
        }
        #expect(reader.readCount.withLock { $0 } == 0)
    }

    /// A token that lives shorter than the client's margin is used as it is; the reader is not prepared for ever.
    @Test func readerToken_thatLivesFiveMinutes_isPreparedOnce() throws {
        let till = Till()
        let provider = Provider { path, _, before in
            if path == "token", before >= 5 { throw Lost() }
            return [:]
        }
        let client = try till.client(over: ShortLived(provider: provider))
        let payment = try? till.play {
            try await client.sale(.cents(1_000), from: .reader, reference: "o").payment
        }
        #expect(payment != nil)
        #expect(provider.paths.filter { $0 == "token" }.count == 1, "\(provider.paths)")
    }

    /// One reader has one token, also where it is prepared for another account while a card is awaited.
    @Test func reader_preparedForAnotherAccountDuringARead_isReadyForOneAlone() throws {
        let till = Till()
        var slow = SimulatedReader.Card()
        slow.tapMilliseconds = 10_000
        till.reader.present(slow)
        var routing = Routing(active: "one")
        routing.draining = ["two"]
        let drivers = [till.driver(name: "one"), till.driver(name: "two")]
        let client = try PaymentClient(drivers: drivers, routing: routing, till.dependencies)
        let (one, two) = (try client.provider("one").reader, try client.provider("two").reader)
        let (isOne, isTwo) = try till.play { [scheduler = till.scheduler] in
            try await one?.prepare()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            _ = try? await two?.prepare()
            _ = try await sale.value
            return (one?.isReady, two?.isReady)
        }
        #expect(isOne != isTwo, "the reader is said to be ready for two accounts")
    }

    /// A client whose provider wants a PIN for the first card.
    private func client(_ till: Till, _ reader: CountingReader) throws -> PaymentClient {
        let provider = Provider { path, _, before in
            switch path {
            case "proximity-token": ["token": "t"]
            case "apple" where before == 0: ["type": "Declined", "code": "65", "pin": "true", "pinToken": "p"]
            default: ["type": "Approved", "amount": "1500"]
            }
        }
        var given = till.dependencies
        given.reader = reader
        return try PaymentClient(HaloCallSiteTests.Halo(provider: provider), given)
    }

    /// The reader captures a PIN: no other sale reads a card with it.
    @Test func read_whileTheReaderCapturesAPIN_isRefusedAsBusy() throws {
        let (till, reader) = (Till(), CountingReader())
        let client = try client(till, reader)
        let (first, second) = try till.play { [scheduler = till.scheduler] in
            let amount = Money(minorUnits: 1_500, .zar)
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(amount, from: .reader, reference: "a")
            }
            _ = await reader.asksForPIN.value()
            let second = await Task(executorPreference: scheduler) {
                try await client.sale(amount, from: .reader, reference: "b")
            }.result
            reader.hasPIN.fulfill(true)
            return (try await sale.value, second)
        }
        #expect(first.payment != nil)
        guard case .failure(let error) = second else {
            Issue.record("\(second)")
            return
        }
        #expect(error as? PaymentError == PaymentError(.readerBusy, outcome: .notExecuted))
        #expect(reader.readCount.withLock { $0 } == 1)
    }

    /// The cashier cancels while the reader gets ready, and begins the next sale at once.
    @Test func cancel_whileTheReaderIsPrepared_leavesTheNextSale() throws {
        let (till, gate) = (Till(), Gate())
        let client = try till.client(gate.transport(till.transport, at: "/reader/token"))
        let reader = try #require(client.reader)
        let (first, second) = try till.play { [scheduler = till.scheduler] in
            let first = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "a")
            }
            _ = await gate.reached.value()
            #expect(try await reader.cancel() == .cancelled)
            let second = Task(executorPreference: scheduler) {
                try await client.sale(.cents(2_000), from: .reader, reference: "b")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            gate.opened.fulfill(true)
            return (try? await first.value.payment, try? await second.value.payment)
        }
        #expect(first == nil && second != nil)
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [2_000])
    }

    @Test func prepare_whileTheReaderCapturesAPIN_isRefusedAsBusy() throws {
        let (till, reader) = (Till(), CountingReader())
        let client = try client(till, reader)
        let payment = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(Money(minorUnits: 1_500, .zar), from: .reader, reference: "a")
            }
            _ = await reader.asksForPIN.value()
            await #expect(throws: PaymentError(.readerBusy, outcome: .notExecuted)) { () async throws -> Void in
                try await client.reader?.prepare()
            }
            reader.hasPIN.fulfill(true)
            return try await sale.value.payment
        }
        #expect(payment != nil && reader.prepareCount.withLock { $0 } == 1)
    }

    /// The customer is gone, and the reader ignores that: two minutes later the next sale may read.
    @Test func read_afterAPINThatNeverEnds_isRefusedForTwoMinutes() throws {
        let (till, reader) = (Till(), CountingReader())
        defer { reader.hasPIN.fulfill(true) }
        let client = try client(till, reader)
        let (left, early, late) = try till.play { [scheduler = till.scheduler] in
            let amount = Money(minorUnits: 1_500, .zar)
            let end = scheduler.now + 2 * 60_000
            let left = try? await client.sale(
                SaleRequest(amount, from: .reader, reference: "a"), timeout: .seconds(30))
            try await scheduler.sleep(until: end - 1_000)
            let early = try? await client.sale(amount, from: .reader, reference: "b")
            try await scheduler.sleep(until: end + 1_000)
            let late = try? await client.sale(amount, from: .reader, reference: "c")
            return (left?.payment, early?.payment, late?.payment)
        }
        #expect(left == nil && early == nil && late != nil)
        #expect(reader.readCount.withLock { $0 } == 2)
    }

    /// Each of two accounts looks whether the other one has the reader, and takes it, on a thread of its own.
    @Test func pins_ofTwoAccountsOnTwoThreads_areNeverCapturedAtOnce() async throws {
        var given = ClientOptions(journal: InMemoryJournal())
        given.clock = TestScheduler()
        let (services, feed) = (Services(given), ReaderEventStream(nil))
        let driver = ShortLived(provider: Provider { _, _, _ in [:] })
        let queues = [ReaderQueue(driver, feed), ReaderQueue(driver, feed)]
        for queue in queues { await feed.join(queue, services) }
        let counts = Locked((inside: 0, captured: 0, overlaps: 0))
        await withTaskGroup(of: Void.self) { group in
            for queue in queues {
                group.addTask {
                    for _ in 1...2_000 {
                        _ = try? await queue.capture(services) {
                            counts.withLock { counts in
                                counts.inside += 1
                                counts.captured += 1
                                if counts.inside > 1 { counts.overlaps += 1 }
                            }
                            await Task.yield()
                            counts.withLock { $0.inside -= 1 }
                            return CardReadResult(
                                id: "r", generalCardData: Secret("g"), paymentCardData: Secret("p"), at: 0)
                        }
                    }
                }
            }
        }
        let (inside, captured, overlaps) = counts.withLock { $0 }
        #expect(inside == 0 && captured > 0 && overlaps == 0, "\(captured) PINs, \(overlaps) beside another")
    }

    /// The reader does not wait for the card yet when the cashier cancels: the sale continues, and the answer says so.
    @Test func cancel_beforeTheReaderWaits_isTooLate() throws {
        let (till, reader) = (Till(), WaitingReader())
        var given = till.dependencies
        given.reader = reader
        let client = try PaymentClient(Gapped(provider: Provider { _, _, _ in [:] }), given)
        let (answer, payment) = try till.play { [scheduler = till.scheduler] in
            _ = try await client.sale(.cents(2_000), from: .reader, reference: "a")
            let second = Task(executorPreference: scheduler) {
                try await client.sale(.cents(3_000), from: .reader, reference: "b")
            }
            _ = await reader.waits.value()
            let answer = try await client.reader?.cancel()
            reader.hasCard.fulfill(true)
            return (answer, try await second.value.payment)
        }
        #expect(answer == .tooLate && payment != nil)
    }

    /// The provider asks for the PIN while the next sale waits for its card already.
    @Test func pin_whileAnotherSaleReads_isNotCaptured() throws {
        let (till, reader) = (Till(), WaitingReader())
        let driver = Gapped(provider: Provider { _, _, _ in [:] })
        var given = till.dependencies
        given.reader = reader
        let client = try PaymentClient(driver, given)
        try till.play { [scheduler = till.scheduler] in
            let first = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "a")
            }
            _ = await driver.wasRead.value()
            let second = Task(executorPreference: scheduler) {
                try await client.sale(.cents(2_000), from: .reader, reference: "b")
            }
            _ = await reader.waits.value()
            driver.wantsPIN.fulfill(true)
            _ = await first.result
            reader.hasCard.fulfill(true)
            _ = await second.result
        }
        #expect(reader.overlaps.withLock { $0 } == 0)
    }

    @Test func prepare_whileAnIndependentTerminalTakesACard_isAllowed() throws {
        let till = Till()
        let terminal = Terminal(provider: Provider { _, _, _ in [:] })
        var routing = Routing(active: "terminal")
        routing.draining = ["memory"]
        let client = try PaymentClient(drivers: [terminal, till.driver()], routing: routing, till.dependencies)
        let reader = try client.provider("memory").reader
        try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "o")
            }
            _ = await terminal.waits.value()
            try await reader?.prepare()
            terminal.hasCard.fulfill(true)
            _ = try await sale.value
        }
        #expect(reader?.isReady == true)
    }
}

/// A reader that counts its reads; a PIN takes until the test says so.
private final class CountingReader: CardReader {
    let readCount = Locked(0)
    let prepareCount = Locked(0)
    let asksForPIN = Promise<Bool>()
    let hasPIN = Promise<Bool>()

    func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {}
    func prepare(token: Secret) async throws { prepareCount.withLock { $0 += 1 } }

    func read(_ request: CardReadRequest) async throws -> CardReadResult {
        let number = readCount.withLock { count in
            count += 1
            return count
        }
        return CardReadResult(
            id: "read-\(number)", generalCardData: Secret("g"), paymentCardData: Secret("p"), at: 0)
    }

    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        asksForPIN.fulfill(true)
        _ = await hasPIN.value()
        return read
    }

    func cancel() async throws -> CancelResult { .nothingToCancel }
}

/// A provider that can't be asked what became of a payment.
private protocol UnaskedDriver: StubDriver {}

extension UnaskedDriver {
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { nil }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        .cannotTell("It can't be seen now.")
    }
}

/// A provider whose reader token lives five minutes.
private struct ShortLived: UnaskedDriver, SaleDriver, ReaderDriver {
    static let name = "short"
    let provider: Provider
    let capabilities = Capabilities(sources: [.reader], sendLimit: 0)

    func prepare(_ context: ReaderContext) async throws {
        _ = try await context.exchange { _ in try await provider.send("token") }
        try await context.prepareReader(token: Secret("t"), lasting: 5 * 60_000)
    }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await context.read(CardReadRequest(.purchase, request.amount))
        _ = try await context.exchange(.money) { _ in try await provider.send("pay") }
        return .approved(Approval(request.amount, references: ["payment": "p-1"]))
    }
}

/// A reader whose second read waits for the test, and that counts PINs during a read.
private final class WaitingReader: CardReader {
    let waits = Promise<Bool>()
    let hasCard = Promise<Bool>()
    let overlaps = Locked(0)
    private let reads = Locked((begun: 0, running: 0))

    func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {}
    func prepare(token: Secret) async throws {}

    func read(_ request: CardReadRequest) async throws -> CardReadResult {
        let number = reads.withLock { reads in
            reads.begun += 1
            reads.running += 1
            return reads.begun
        }
        if number == 2 {
            waits.fulfill(true)
            _ = await hasCard.value()
        }
        reads.withLock { $0.running -= 1 }
        return CardReadResult(
            id: "read-\(number)", generalCardData: Secret("g"), paymentCardData: Secret("p"), at: 0)
    }

    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        if reads.withLock({ $0.running }) > 0 { overlaps.withLock { $0 += 1 } }
        return read
    }

    func cancel() async throws -> CancelResult { .nothingToCancel }
}

private struct Gapped: UnaskedDriver, SaleDriver, ReaderDriver {
    static let name = "gapped"
    let provider: Provider
    let capabilities = Capabilities(sources: [.reader], sendLimit: 0)
    let wasRead = Promise<Bool>()
    let wantsPIN = Promise<Bool>()

    func prepare(_ context: ReaderContext) async throws { try await context.prepareReader(token: Secret("t")) }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        let read = try await context.read(CardReadRequest(.purchase, request.amount))
        if request.amount == .cents(1_000) {
            wasRead.fulfill(true)
            _ = await wantsPIN.value()
            _ = try await context.readPIN(token: Secret("p"), after: read)
        }
        _ = try await context.exchange(.money) { _ in try await provider.send("pay") }
        return .approved(Approval(request.amount, references: ["payment": "p-\(request.amount.minorUnits)"]))
    }
}

/// A terminal of the provider's that waits for the test.
private struct Terminal: UnaskedDriver, SaleDriver, ReaderDriver {
    static let name = "terminal"
    let provider: Provider
    let waits = Promise<Bool>()
    let hasCard = Promise<Bool>()
    var capabilities: Capabilities {
        var takes = Capabilities(sources: [.reader], sendLimit: 0)
        takes.usesProviderTerminal = true
        return takes
    }

    func prepare(_ context: ReaderContext) async throws {}

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.atTerminal {
            waits.fulfill(true)
            _ = await hasCard.value()
            _ = try await context.exchange(.money) { _ in try await provider.send("pay") }
            return .approved(Approval(request.amount, references: ["payment": "p-1"]))
        }
    }
}
