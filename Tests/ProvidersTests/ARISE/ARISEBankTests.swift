import ARISEProvider
import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// What follows on a transfer from a bank account, and what it proves; the paths themselves are in `ARISERequestTests` and
/// `ARISEPaymentTests`, what moves in the checks `sale.from-bank`, `void.bank`, `refund.bank` and `refund.unlinked-bank`.
@Suite struct ARISEBankTests {
    private static let account = BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))

    private static func debit(_ client: PaymentClient, _ name: String = "debit-1") async throws -> Payment {
        let result = try await client.sale(
            .dollars(5_000), from: .bank(account), reference: "o-\(name)", attempt: AttemptID(name))
        return try #require(result.payment)
    }

    private func merchant(_ bench: ARISEBench) -> Int64 { bench.backend.ledger.balance(.merchant)["USD", default: 0] }

    // MARK: Void

    @Test func aTransferIsVoidedOnceAndThenNotRefunded() throws {
        let bench = ARISEBench()
        try bench.play { client in
            let payment = try await Self.debit(client)
            let undone = try #require(try await client.void(payment.id).payment)
            #expect(undone.amounts.isVoided)
            await #expect(throws: PaymentError.self) { _ = try await client.void(payment.id) }
            await #expect(throws: PaymentError.self) { _ = try await client.refund(payment.id) }
        }
        #expect(bench.sent("/void").count == 1 && bench.sent("/refund").isEmpty && merchant(bench) == 0)
    }

    @Test func aSettledTransferIsNotVoided() throws {
        let bench = ARISEBench()
        let error = try bench.play { [backend = bench.backend] client in
            let payment = try await Self.debit(client)
            backend.settle()
            do {
                _ = try await client.void(payment.id)
                return PaymentError?.none
            } catch { return error as? PaymentError }
        }
        #expect(error?.outcome == .notExecuted && merchant(bench) == 5_000)
    }

    @Test func aVoidWhoseAnswerIsLostIsFoundByTheState() throws {
        let bench = ARISEBench()
        let client = try bench.client()
        let payment = try bench.scheduler.run { try await Self.debit(client) }
        let lost = try LostAnswers.play(bench, "/void") { fresh in try await fresh.void(payment.id) }
        #expect(lost.payment?.amounts.isVoided == true)
        #expect(bench.sent("/void").count == 1 && merchant(bench) == 0)
    }

    /// Where the transfer is says nothing of a void that never arrived.
    @Test(arguments: ["InProgress", "HeldByProcessor", "Scheduled"])
    func void_thatNeverArrived_isNotCalledPending(_ word: String) throws {
        let bench = ARISEBench()
        let payment = try bench.play { try await Self.debit($0) }
        let client = try LostVoid.client(bench, word)
        let id = try AttemptID("void-1")
        do {
            let said = try bench.scheduler.run { try await client.void(payment.id, attempt: id) }
            Issue.record("\(said)")
        } catch let error as PaymentError { #expect(error.outcome == .unknown, "\(error)") }
        // It was on its way when it was lost, and nothing was recorded as accepted: that would outlive any proof of absence.
        let attempt = try #require(try bench.scheduler.run { try await client.attempt(id) })
        #expect(attempt.requests.count == 1 && attempt.verdict == nil && attempt.reports.isEmpty, "\(attempt)")
        #expect(merchant(bench) == 5_000)
    }

    // MARK: Refund

    @Test func aTransferIsRefundedOnceAndAsAWhole() throws {
        let bench = ARISEBench()
        try bench.play { [backend = bench.backend] client in
            let payment = try await Self.debit(client)
            backend.settle()
            let back = try #require(try await client.refund(payment.id).payment)
            #expect(back.amounts.refunded == .dollars(5_000) && back.amounts.refundable == .zero(.usd))
            await #expect(throws: PaymentError(.amountTooHigh, outcome: .notExecuted)) {
                _ = try await client.refund(payment.id, of: .dollars(5_000))
            }
        }
        #expect(bench.sent("/refund").count == 1 && merchant(bench) == 0)
    }

    /// One list of numbers serves types and operations: in it a transfer is cancelled by 15, and refunded by 12.
    @Test func operationsOfATransfer_underItsOwnNumbers_areAllowed() throws {
        let bench = ARISEBench()
        let client = try BankNumbers.client(bench)
        let (isVoided, refunded) = try bench.scheduler.run { [backend = bench.backend] in
            let first = try await Self.debit(client)
            let undone = try await client.void(first.id).payment
            let second = try await Self.debit(client, "debit-2")
            backend.settle()
            let back = try await client.refund(second.id).payment
            return (undone?.amounts.isVoided, back?.amounts.refunded)
        }
        #expect(isVoided == true && refunded == .dollars(5_000) && merchant(bench) == 0)
    }

    // MARK: Credit

    @Test func aCreditGivesExactlyItsAmount() throws {
        let bench = ARISEBench()
        let back = try bench.play { client in
            try await client.refundUnlinked(
                UnlinkedRefundRequest(.dollars(700), to: .bank(Self.account), reference: "b"),
                attempt: AttemptID("credit-1"))
        }
        #expect(back.payment?.approved == .dollars(700))
        #expect(bench.backend.ledger.movements.map(\.amount.minorUnits) == [700])
        #expect(bench.sent("/ach/payment/credit").count == 1)
    }

    /// The network of bank accounts wants to know who asks.
    @Test func aCreditWithoutTheRequestersAddressIsNotSent() throws {
        var bench = ARISEBench()
        bench.change = { $0.requesterIPAddress = nil }
        let error = bench.failure { client in
            _ = try await client.refundUnlinked(
                UnlinkedRefundRequest(.dollars(700), to: .bank(Self.account), reference: "b"))
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(bench.sent("/ach/payment/credit").isEmpty && bench.backend.ledger.movements.isEmpty)
    }

    // MARK: Hold and release

    @Test func whatIsHeldIsReleasedOnceAndMovesNothing() throws {
        let bench = ARISEBench()
        let driver = bench.driver
        let told = try bench.play { client in
            let payment = try await Self.debit(client)
            let token = try #require(await client.session?.token())
            let holds = ARISEBankHolds(driver)
            var told: [String] = []
            func tell(_ call: () async throws(PaymentError) -> String) async {
                do { told.append(try await call()) } catch {
                    told.append("\(error.code.rawValue) \(error.outcome.rawValue)")
                }
            }
            await tell { () async throws(PaymentError) in try await holds.unhold(payment.references, token: token) }
            await tell { () async throws(PaymentError) in try await holds.hold(payment.references, token: token) }
            await tell { () async throws(PaymentError) in try await holds.hold(payment.references, token: token) }
            await tell { () async throws(PaymentError) in try await holds.unhold(payment.references, token: token) }
            return told
        }
        #expect(told.count == 4 && told[1] == "Held" && told[3] == "Captured")
        #expect(told[0].hasSuffix(" notExecuted") && told[2].hasSuffix(" notExecuted"))
        #expect(bench.backend.ledger.movements.count == 1 && merchant(bench) == 5_000)
        #expect(bench.sent("/hold").allSatisfy(\.body.isEmpty) && bench.sent("/unhold").allSatisfy(\.body.isEmpty))
    }

    @Test func aSettledTransferIsNotHeld() throws {
        let bench = ARISEBench()
        let driver = bench.driver
        let error = try bench.play { [backend = bench.backend] client in
            let payment = try await Self.debit(client)
            backend.settle()
            let token = try #require(await client.session?.token())
            do {
                _ = try await ARISEBankHolds(driver).hold(payment.references, token: token)
                return PaymentError?.none
            } catch { return error as? PaymentError }
        }
        #expect(error?.outcome == .notExecuted)
    }

    @Test func referencesOfAnotherCompanyAreNotHeld() throws {
        let bench = ARISEBench()
        let driver = bench.driver
        let error = bench.failure { _ in
            _ = try await ARISEBankHolds(driver).hold(["other": "1"], token: Secret("t"))
        }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(bench.sent("/hold").isEmpty)
    }
}

/// A till whose line loses the answers to what is posted to one kind of path: the request is carried out, and no client learns it.
private enum LostAnswers {
    static func play(
        _ bench: ARISEBench, _ ending: String,
        _ body: @escaping @Sendable (PaymentClient) async throws -> PaymentResult
    ) throws -> PaymentResult {
        var dependencies = ClientOptions(journal: bench.journal)
        (dependencies.clock, dependencies.executor) = (bench.scheduler, bench.scheduler)
        (dependencies.random, dependencies.reader) = (SeededRandom(seed: 99), bench.reader)
        dependencies.installations = bench.installations
        let company = InProcessTransport([ARISEBench.origin: JudgedService(bench.backend)], clock: bench.scheduler)
        let line = ObservedLine(company) { [requests = bench.requests] request in
            requests.withLock { $0.append(request) }
            return nil
        }
        let driver = ARISEDriver(bench.configuration, Line(inner: line, ending: ending), crypto: OpenSSLCrypto())
        let client = try PaymentClient(driver, dependencies)
        return try bench.scheduler.run { try await body(client) }
    }

    struct Line: HTTPTransport {
        let inner: any HTTPTransport
        let ending: String
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            let response = try await inner.send(request)
            if request.path.hasSuffix(ending) { throw .maybeSent(TransportFailure.Reason(rawValue: "answerLost")) }
            return response
        }
    }
}

/// A line on which a void is lost; the transfer then has another state.
private struct LostVoid: HTTPTransport {
    private let inner: any HTTPTransport
    private let word: String
    private let isLost = Locked(false)

    private init(_ inner: any HTTPTransport, _ word: String) { (self.inner, self.word) = (inner, word) }

    static func client(_ bench: ARISEBench, _ word: String) throws -> PaymentClient {
        var dependencies = ClientOptions(journal: bench.journal)
        (dependencies.clock, dependencies.executor) = (bench.scheduler, bench.scheduler)
        (dependencies.random, dependencies.installations) = (SeededRandom(seed: 7), bench.installations)
        let company = InProcessTransport([ARISEBench.origin: JudgedService(bench.backend)], clock: bench.scheduler)
        let line = LostVoid(company, word)
        return try PaymentClient(ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto()), dependencies)
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.path.hasSuffix("/void") {
            isLost.withLock { $0 = true }
            throw .maybeSent(.connectionReset)
        }
        var response = try await inner.send(request)
        guard isLost.withLock({ $0 }), let read = try? JSONReader().read(response.body),
            read["status"]?.string == "Captured", var body = read.object
        else { return response }
        (body["status"], body["statusId"]) = (.string(word), nil)
        response.body = JSON.object(body).bytes()
        return response
    }
}

/// A company that calls a failed transfer, or what has another state, by another of its words, which has no number.
private struct RenamedState: HTTPTransport {
    let inner: any HTTPTransport
    let word: String
    let state: String

    static func client(_ bench: ARISEBench, _ word: String, from state: String = "Failed") throws -> PaymentClient {
        var dependencies = ClientOptions(journal: bench.journal)
        (dependencies.clock, dependencies.executor) = (bench.scheduler, bench.scheduler)
        (dependencies.random, dependencies.installations) = (SeededRandom(seed: 7), bench.installations)
        let company = InProcessTransport([ARISEBench.origin: JudgedService(bench.backend)], clock: bench.scheduler)
        let line = RenamedState(inner: company, word: word, state: state)
        return try PaymentClient(ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto()), dependencies)
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var response = try await inner.send(request)
        guard request.method == "GET", let read = try? JSONReader().read(response.body),
            read["status"]?.string == state, var body = read.object
        else { return response }
        (body["status"], body["statusId"]) = (.string(word), nil)
        response.body = JSON.object(body).bytes()
        return response
    }
}

/// A company that names what can be done with a transfer by the numbers of transfers.
private struct BankNumbers: HTTPTransport {
    let inner: any HTTPTransport

    static func client(_ bench: ARISEBench) throws -> PaymentClient {
        var dependencies = ClientOptions(journal: bench.journal)
        (dependencies.clock, dependencies.executor) = (bench.scheduler, bench.scheduler)
        (dependencies.random, dependencies.installations) = (SeededRandom(seed: 7), bench.installations)
        let company = InProcessTransport([ARISEBench.origin: JudgedService(bench.backend)], clock: bench.scheduler)
        let line = BankNumbers(inner: company)
        return try PaymentClient(ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto()), dependencies)
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var response = try await inner.send(request)
        guard request.method == "GET", let read = try? JSONReader().read(response.body),
            let items = read["availableOperations"]?.array, var body = read.object
        else { return response }
        let renamed = items.map { item in item.adding("typeId", item["typeId"]?.int64 == 4 ? 15 : 12) }
        body["availableOperations"] = .array(renamed)
        response.body = JSON.object(body).bytes()
        return response
    }
}

/// What a bank returns after it was settled.
@Suite struct ARISELateFailureTests {
    private static let day: Int64 = 86_400_000

    private func returned(_ bench: ARISEBench) throws -> (
        client: PaymentClient, sale: PaymentResult, attempt: AttemptID
    ) {
        let client = try bench.client()
        let attempt = try AttemptID("bank-1")
        let account = BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))
        let sale = try bench.scheduler.run {
            try await client.sale(.dollars(5_000), from: .bank(account), reference: "a", attempt: attempt)
        }
        bench.scheduler.advance(by: 3 * Self.day)
        return (client, sale, attempt)
    }

    @Test func aReturnedDebitIsRecordedAsFailedLater() throws {
        let bench = ARISEBench()
        let (client, sale, attempt) = try returned(bench)
        let payment = try #require(sale.payment)
        #expect(payment.amounts.captured == .dollars(5_000))
        let news = try #require(bench.backend.failLater(attempt.text))
        for _ in 1...3 {
            _ = try bench.scheduler.run {
                try await client.receiveWebhook(news.body, headers: news.headers, from: "arise")
            }
        }
        let after = try bench.scheduler.run { try await client.payment(payment.id) }
        #expect(after.amounts.captured == .zero(.usd))
        let replayed = try bench.scheduler.run { try await client.status(attempt) }
        guard case .declined(let decline) = replayed else {
            Issue.record("\(replayed)")
            return
        }
        #expect(decline.reason == .failedAfterApproval && decline.provider.code == "79")
        #expect(bench.backend.ledger.isBalanced)
        let refund = bench.failure { _ = try await $0.refund(payment.id) }
        #expect(refund?.outcome == .notExecuted)
    }

    /// The document's word for a transfer that went back, and its event; the simulator has the plainer *Failed*.
    @Test func chargedBackDebit_isRecordedAsFailedLater() throws {
        let bench = ARISEBench()
        let (_, sale, attempt) = try returned(bench)
        let payment = try #require(sale.payment)
        _ = try #require(bench.backend.failLater(attempt.text))
        let id = try #require(payment.references["transaction"])
        let client = try RenamedState.client(bench, "ChargedBack")
        let news = bench.backend.message("charged_back", id, bench.scheduler.now, family: "ach")
        _ = try bench.scheduler.run { try await client.receiveWebhook(news.body, headers: news.headers, from: "arise") }
        let after = try bench.scheduler.run { try await client.payment(payment.id) }
        #expect(after.amounts.captured == .zero(.usd), "\(after.amounts)")
        guard case .declined(let decline) = try bench.scheduler.run({ try await client.status(attempt) }) else {
            Issue.record("it still counts as charged")
            return
        }
        #expect(decline.reason == .failedAfterApproval)
    }

    /// Another program took it, under an order number of its own: the name that the import has finds it.
    @Test(arguments: ["Failed", "ChargedBack"])
    func returnedDebitThatWasImported_isRecordedAsFailedLater(_ word: String) throws {
        let bench = ARISEBench()
        let (_, sale, attempt) = try returned(bench)
        let name = try #require(sale.payment?.references["transaction"])
        var ours = bench
        ours.journal = InMemoryJournal()
        let (journal, account, now) = (ours.journal, bench.driver.identity, bench.scheduler.now)
        let payment = try bench.scheduler.run {
            try await journal.adopt(
                "old-1", .dollars(5_000), ["transaction": name], of: account, at: now - 3 * Self.day)
        }
        _ = try #require(bench.backend.failLater(attempt.text))
        let client = try RenamedState.client(ours, word)
        let news = bench.backend.message("charged_back", name, bench.scheduler.now, family: "ach")
        _ = try bench.scheduler.run { try await client.receiveWebhook(news.body, headers: news.headers, from: "arise") }
        let after = try bench.scheduler.run { try await client.payment(payment) }
        #expect(after.amounts.captured == .zero(.usd), "\(after.amounts)")
    }

    /// An import calls a captured hold a sale, and ARISE's record stays one of a hold.
    @Test func capturedHoldThatWasImported_voidedElsewhere_isNoLongerCounted() throws {
        let bench = ARISEBench()
        let (source, first) = (try ARISEBench.card(), try bench.client())
        let name = try bench.scheduler.run {
            let hold = try await first.authorize(.dollars(5_000), from: source, reference: "a")
            let payment = try #require(hold.payment)
            _ = try await first.capture(payment.id)
            return try #require(payment.references["transaction"])
        }
        var ours = bench
        ours.journal = InMemoryJournal()
        let (journal, account, now) = (ours.journal, bench.driver.identity, bench.scheduler.now)
        let payment = try bench.scheduler.run {
            try await journal.adopt("old-1", .dollars(5_000), ["transaction": name], of: account, at: now)
        }
        bench.scheduler.advance(by: 3_600_000)
        let client = try RenamedState.client(ours, "Voided", from: "Captured")
        let news = bench.backend.message("voided", name, bench.scheduler.now)
        _ = try bench.scheduler.run { try await client.receiveWebhook(news.body, headers: news.headers, from: "arise") }
        let after = try bench.scheduler.run {
            _ = try await client.recover()
            return try await client.payment(payment)
        }
        #expect(after.amounts.captured == .zero(.usd), "\(after.amounts)")
    }

    /// A transfer that was cancelled in ARISE's portal charged nothing.
    @Test func debitCancelledElsewhere_isRecordedAsCancelled() throws {
        let bench = ARISEBench()
        let (_, sale, attempt) = try returned(bench)
        let payment = try #require(sale.payment)
        _ = try #require(bench.backend.failLater(attempt.text))
        let id = try #require(payment.references["transaction"])
        let client = try RenamedState.client(bench, "Cancelled")
        let news = bench.backend.message("cancelled", id, bench.scheduler.now, family: "ach")
        _ = try bench.scheduler.run { try await client.receiveWebhook(news.body, headers: news.headers, from: "arise") }
        let after = try bench.scheduler.run { try await client.payment(payment.id) }
        #expect(after.amounts.captured == .zero(.usd), "\(after.amounts)")
    }

    /// A sale or a hold that was voided in ARISE's portal, and a hold that has lapsed, charge and hold nothing.
    @Test(arguments: ["Captured", "Authorized"])
    func paymentVoidedElsewhere_isNoLongerCounted(_ state: String) throws {
        let bench = ARISEBench()
        let source = try ARISEBench.card()
        let first = try bench.client()
        let made: PaymentResult = try bench.scheduler.run {
            if state == "Captured" { return try await first.sale(.dollars(5_000), from: source, reference: "a") }
            return try await first.authorize(.dollars(5_000), from: source, reference: "a")
        }
        let payment = try #require(made.payment)
        let id = try #require(payment.references["transaction"])
        let client = try RenamedState.client(bench, "Voided", from: state)
        let news = bench.backend.message("voided", id, bench.scheduler.now)
        _ = try bench.scheduler.run { try await client.receiveWebhook(news.body, headers: news.headers, from: "arise") }
        let after = try bench.scheduler.run { try await client.payment(payment.id) }
        #expect(after.amounts.captured == .zero(.usd) && after.amounts.capturable == .zero(.usd), "\(after.amounts)")
    }

    /// A void of a captured hold in ARISE's portal undoes the capture as well, and its message names the hold: a person sees it.
    @Test(arguments: [5_000, 3_000] as [Int64])
    func captureVoidedElsewhere_isShownToAPerson(_ captured: Int64) throws {
        let bench = ARISEBench()
        let source = try ARISEBench.card()
        let first = try bench.client()
        let payment = try bench.scheduler.run {
            let hold = try await first.authorize(.dollars(5_000), from: source, reference: "a")
            let payment = try #require(hold.payment)
            _ = try await first.capture(payment.id, of: .dollars(captured))
            return payment
        }
        let id = try #require(payment.references["transaction"])
        let client = try RenamedState.client(bench, "Voided", from: "Captured")
        let news = bench.backend.message("voided", id, bench.scheduler.now)
        _ = try bench.scheduler.run { try await client.receiveWebhook(news.body, headers: news.headers, from: "arise") }
        bench.scheduler.drain()
        let after = try bench.scheduler.run { try await client.payment(payment.id) }
        #expect(!after.conflictingAttempts.isEmpty, "\(after.amounts)")
    }

    /// News of a sale that stands, or that was voided by us, changes nothing.
    @Test func otherNewsOfADecidedSaleChangesNothing() throws {
        let bench = ARISEBench()
        let client = try bench.client()
        let attempt = try AttemptID("card-1")
        let source = try ARISEBench.card()
        let id = try bench.scheduler.run {
            let sale = try await client.sale(.dollars(5_000), from: source, reference: "a", attempt: attempt)
            let payment = try #require(sale.payment)
            _ = try await client.void(payment.id)
            return try #require(payment.references["transaction"])
        }
        for kind in ["captured", "failed", "declined", "voided"] {
            let news = bench.backend.message(kind, id, bench.scheduler.now)
            _ = try bench.scheduler.run {
                try await client.receiveWebhook(news.body, headers: news.headers, from: "arise")
            }
        }
        let record = try bench.scheduler.run { try await client.status(attempt) }
        guard case .approved = record else {
            Issue.record("\(record)")
            return
        }
    }
}
