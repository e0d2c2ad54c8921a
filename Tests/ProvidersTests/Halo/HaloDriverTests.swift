import HaloProvider
import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@Suite struct HaloDriverTests {
    @Test func aReceiptHasWhatTheDocumentsPromise() throws {
        let payment = try #require(try HaloTill().play { try await HaloTill.sale($0) }.payment)
        #expect(payment.references["transaction"]?.isEmpty == false)
        #expect(payment.receipt?.authorizationCode?.isEmpty == false && payment.receipt?.responseCode == "00")
        #expect(
            payment.card?.brand == "VISA" && payment.card?.last4 == "1111" && payment.card?.funding == "Credit Card")
        #expect(payment.approved == Money(minorUnits: 1_500, .zar) && payment.reference == "order_a-1")
        #expect(payment.receipt?.tags.map(\.tag) == ["9F26"])
    }

    // MARK: Tokens

    @Test func aTokenIsReplacedThirtySecondsBeforeItLapses() throws {
        let till = HaloTill()
        let client = try till.client()
        try till.scheduler.run { try await client.session?.open() }
        till.scheduler.advance(by: 15 * 60_000 - 31_000)
        _ = try till.scheduler.run { try await client.provider("halo").transactions?.list() }
        #expect(till.given.withLock { $0 } == 1)
        till.scheduler.advance(by: 2_000)
        _ = try till.scheduler.run { try await client.provider("halo").transactions?.list() }
        #expect(till.given.withLock { $0 } == 2)
    }

    @Test func aRefusedTokenIsReplacedOnceAndNoMore() throws {
        let till = HaloTill()
        let client = try till.client()
        try till.scheduler.run { try await client.session?.open() }
        _ = try till.scheduler.run { try await client.provider("halo").transactions?.list() }
        till.backend.revokeTokens()
        _ = try till.scheduler.run { try await client.provider("halo").transactions?.list() }
        #expect(till.given.withLock { $0 } == 2)
        var wrong = till
        wrong.merchant.audience = "another.host"
        let audience = wrong.failure { _ = try await HaloTill.sale($0) }
        #expect(audience == PaymentError(.authentication, outcome: .notExecuted))
        #expect(audience?.provider?.code == "authTokenUnauthorized" && audience?.requiresTokenRefresh == true)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aTokenProviderThatFailsEndsInTheSameError() {
        var till = HaloTill()
        till.fails = true
        let error = till.failure { _ = try await HaloTill.sale($0) }
        #expect(error?.outcome == .notExecuted)
        #expect(error?.code == .cancelled || error?.code == .authentication)
    }

    @Test(arguments: HaloConfiguration.Algorithm.allCases)
    func aTokenHasToBeSignedAsTheSettingSays(_ algorithm: HaloConfiguration.Algorithm) throws {
        var merchant = HaloMerchant()
        merchant.algorithm = HaloMerchant.Algorithm(rawValue: algorithm.rawValue) ?? .rs256
        var till = HaloTill(merchant: merchant)
        till.algorithm = algorithm
        #expect(try till.play { try await HaloTill.sale($0) }.payment != nil)
        till.algorithm = algorithm == .rs256 ? .rs512 : .rs256
        let error = till.failure { try await $0.session?.open() }
        #expect(error?.code == .configuration && error?.provider?.code == "126")
    }

    @Test func aTokenThatDoesNotSayWhenItLapsesIsRefused() {
        let claims = Base64.urlSafe.encode(Array(#"{"aud":"halo.sandbox"}"#.utf8))
        let header = Base64.urlSafe.encode(Array(#"{"alg":"RS256"}"#.utf8))
        for text in ["\(header).\(claims).x", "no token", "a.b.c", ""] {
            let till = HaloTill()
            let source = SecretSource("a test") { Secret(text) }
            let driver = HaloDriver(
                HaloConfiguration(endpoint: Origin(.http, "halo.test"), merchant: "m", token: source), till.tools)
            var given = ClientOptions(journal: InMemoryJournal())
            (given.clock, given.executor) = (till.scheduler, till.scheduler)
            let error = #expect(throws: PaymentError.self) {
                let client = try PaymentClient(driver, given)
                try till.scheduler.run { try await client.session?.open() }
            }
            #expect(error == PaymentError(.authentication, outcome: .notExecuted))
        }
    }

    // MARK: Submissions

    @Test func aReferenceThatIsThereAlreadyIsLookedUp() throws {
        let till = HaloTill()
        _ = try till.play { try await HaloTill.sale($0) }
        // Another journal, so that only the provider knows.
        var other = till
        other.journal = InMemoryJournal()
        let again = try other.play { try await HaloTill.sale($0) }
        #expect(again.payment != nil)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func cardDataThatIsTooOldIsNotSent() throws {
        var till = HaloTill()
        till.search = .proven
        let scheduler = till.scheduler
        // No connection is made for so long that the card data grows too old.
        till.tools.transport = Unreachable(till.tools.transport, scheduler, seconds: 61)
        let error = till.failure { _ = try await HaloTill.sale($0) }
        #expect(error == PaymentError(.timedOut, outcome: .notExecuted))
        #expect(error?.provider?.code == "PPS-4003" && error?.isRetryable == true)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func theLocationGoesOutIfItIsThereAndIsNeededIfTheSettingSaysSo() throws {
        let seen = Locked([HTTPRequest]())
        var till = HaloTill()
        till.tools.transport = Remembering(till.tools.transport, seen)
        _ = try till.play { try await HaloTill.sale($0, 1_500, "a-1") }
        till.tools.location = { () async throws(LocationFailure) in
            var place = DeviceLocation(latitude: "-33.9249", longitude: "18.4241")
            place.accuracyMetres = 12
            return place
        }
        _ = try till.play { try await HaloTill.sale($0, 1_500, "a-2") }
        let headers = seen.withLock { $0.filter { $0.target == "/transactions/apple" }.map(\.headers) }
        #expect(headers.map { $0["X-Location"] } == [nil, "12;18.4241;-33.9249"])
        #expect(headers.allSatisfy { $0["X-Device-Installation-Id"]?.count == 36 })
        #expect(Set(headers.map { $0["X-Correlation-Id"] }).count == 2)
        till.locationPolicy = .required
        till.tools.location = { () async throws(LocationFailure) in throw .denied }
        let error = till.failure { _ = try await HaloTill.sale($0, 1_500, "a-3") }
        #expect(error == PaymentError(.locationRequired, outcome: .notExecuted))
        #expect(error?.provider?.code == "locationError" && error?.requiresUserAction == true)
    }

    @Test(arguments: [
        (SimulatedReader.Interruption.screenCapture, PaymentError.Code.deviceCompromised, "screenCaptureDetected"),
        (.background, .readerUnavailable, "readFromBackgroundError"),
        (.phoneCall, .readerUnavailable, "readNotAllowedDuringCall"),
    ])
    func whatEndsAPaymentHasItsOwnReason(
        _ situation: SimulatedReader.Interruption, _ code: PaymentError.Code, _ name: String
    ) throws {
        let till = HaloTill()
        let client = try till.client()
        try till.scheduler.run { try await client.reader?.prepare() }
        till.reader.begin(situation)
        let error = #expect(throws: PaymentError.self) {
            try till.scheduler.run { _ = try await HaloTill.sale(client) }
        }
        #expect(error == PaymentError(code, outcome: .notExecuted) && error?.provider?.code == name)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aCardThatDeclinesItselfIsNotSubmitted() throws {
        let till = HaloTill()
        var card = SimulatedReader.Card()
        card.isDeclinedByCard = true
        till.reader.present(card)
        guard case .declined(let decline) = try till.play({ try await HaloTill.sale($0) }) else {
            Issue.record("it was not declined")
            return
        }
        #expect(decline.reason == .declinedOffline && decline.provider.code == "offlineDeclined")
        #expect(till.backend.ledger.movements.isEmpty)
    }

    // MARK: Refunds

    @Test func aRefundByTapCountsAgainstThePaymentThatItNames() throws {
        let till = HaloTill()
        let client = try till.client()
        let payment = try #require(try till.scheduler.run { try await HaloTill.sale(client) }.payment)
        var request = UnlinkedRefundRequest(
            Money(minorUnits: 1_000, .zar), to: .reader, reference: "refund_order_12345")
        request.payment = payment.id
        let asked = request
        #expect(try till.scheduler.run { try await client.refundUnlinked(asked) }.payment != nil)
        #expect(try till.scheduler.run { try await client.payment(payment.id) }.amounts.refundable.minorUnits == 500)
        let error = #expect(throws: PaymentError.self) {
            try till.scheduler.run { _ = try await client.refundUnlinked(asked) }
        }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
    }

    @Test func onlyTheBackOfficeWritesMajorUnitsAndHasAKeyOfItsOwn() throws {
        let seen = Locked([HTTPRequest]())
        var till = HaloTill()
        till.tools.transport = Remembering(till.tools.transport, seen)
        let client = try till.client()
        for (number, currency) in [Currency.zar, .jpy, .kwd].enumerated() {
            let payment = try #require(
                try till.scheduler.run {
                    try await client.sale(
                        Money(minorUnits: 5_000, currency), from: .reader, reference: "o-\(number)")
                }.payment)
            let back = try till.scheduler.run {
                try await client.refund(payment.id, of: Money(minorUnits: 1_250, currency))
            }
            #expect(back.payment?.amounts.refunded == Money(minorUnits: 1_250, currency))
        }
        let bodies = seen.withLock { $0.filter { $0.target.hasSuffix("/refund") } }
        #expect(bodies.allSatisfy { $0.headers["x-api-key"] == "halo-simulated-office-key" })
        let amounts = try bodies.map { try JSONReader().read($0.body)["amount"]?.number?.text }
        #expect(amounts == ["12.50", "1250", "1.250"])
        #expect(till.backend.ledger.balance(.refunded) == ["ZAR": 1_250, "JPY": 1_250, "KWD": 1_250])
    }

    @Test func withoutItsKeyTheBackOfficeIsNotAsked() throws {
        var till = HaloTill()
        till.hasOfficeKey = false
        let error = till.failure { client in
            let payment = try await HaloTill.sale(client).payment
            if let payment { _ = try await client.refund(payment.id) }
        }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
    }

    // MARK: Records, receipts, devices, webhooks

    @Test func aRecordHasItsReceipt() throws {
        let till = HaloTill()
        let found = try till.play { client in
            let payment = try await HaloTill.sale(client).payment
            return try await client.provider("halo").transactions?.details(payment?.references ?? [:])
        }
        let details = try #require(found)
        #expect(details.state == "Approved" && details.captured == Money(minorUnits: 1_500, .zar))
        #expect(details.reference == "a-1" && details.kind == "Purchase")
        #expect(
            details.receipt?.merchant?.name == "Simulated Shop" && details.receipt?.merchant?.terminalID == "TID0001")
        #expect(details.receipt?.tags.map(\.tag) == ["4F", "50", "9F26", "95"])
    }

    @Test func aSearchTakesDatesAmountsAndOutcomes() throws {
        let till = HaloTill()
        let client = try till.client()
        for (number, units) in [1_000, 2_000, 3_051].enumerated() {
            _ = try till.scheduler.run { try await HaloTill.sale(client, Int64(units), "a-\(number)") }
        }
        func found(_ filters: [ListQuery.Filter]) throws -> [Money?]? {
            var query = ListQuery()
            query.filters = filters
            let asked = query
            return try till.scheduler.run {
                try await client.provider("halo").transactions?.list(asked).items.map(\.amount)
            }
        }
        func zar(_ units: Int64) -> Money { Money(minorUnits: units, .zar) }
        #expect(try found([]) == [zar(3_051), zar(2_000), zar(1_000)])
        #expect(try found([.amounts(least: zar(1_500), most: zar(2_500))]) == [zar(2_000)])
        #expect(try found([.outcome("Declined")]) == [zar(3_051)])
        let day: Int64 = 86_400_000
        #expect(try found([.dates(till.scheduler.now - day...till.scheduler.now)])?.count == 3)
        #expect(try found([.dates(till.scheduler.now - 9 * day...till.scheduler.now - 5 * day)]) == [])
    }

    @Test func aDeviceThatHasTakenACardIsListed() throws {
        let till = HaloTill()
        let ids = try till.play { client in
            _ = try await HaloTill.sale(client)
            let own = try await client.session?.installation().id
            return (own, try await client.provider("halo").devices?.list().map(\.id))
        }
        #expect(ids.1 == ids.0.map { [$0] })
    }

    @Test func anUnsignedWebhookIsOnlyAHint() throws {
        let till = HaloTill()
        let client = try till.client()
        guard case .pending = try till.scheduler.run({ try await HaloTill.sale(client, 1_015) }) else {
            Issue.record("it is not pending")
            return
        }
        // It lies: the provider's record is still indeterminate, and that is what counts.
        let lie: JSON = ["merchantReference": "a-1", "disposition": "Approved", "haloReference": "x"]
        let notices = try till.scheduler.run { try await client.receiveWebhook(lie.bytes(), from: "halo").notices }
        #expect(notices.map(\.verdict) == [nil] && notices.map(\.kind) == ["Approved"])
        guard case .pending = try till.scheduler.run({ try await client.status(try AttemptID("a-1")) }) else {
            Issue.record("the lie was believed")
            return
        }
        let news = try #require(till.backend.decide("a-1", succeeds: true))
        _ = try till.scheduler.run { try await client.receiveWebhook(news.body, from: "halo") }
        #expect(try till.scheduler.run { try await client.status(try AttemptID("a-1")) }.payment != nil)
    }
}

/// Fails to connect for a submission, each time only after some seconds.
struct Unreachable: HTTPTransport {
    let inner: any HTTPTransport
    let scheduler: TestScheduler
    let seconds: Int64

    init(_ inner: any HTTPTransport, _ scheduler: TestScheduler, seconds: Int64) {
        (self.inner, self.scheduler, self.seconds) = (inner, scheduler, seconds)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.target == "/transactions/apple" else { return try await inner.send(request) }
        try? await scheduler.sleep(until: scheduler.now + seconds * 1_000)
        throw .notSent(.connectTimedOut)
    }
}

/// Webhooks without a signature: anyone who knows the name of an attempt can send them, and each is a hint to ask.
@Suite struct HaloHintTests {
    /// A till that notes when the provider is asked for something.
    private func watched() -> (till: HaloTill, asked: Locked<[Int64]>) {
        var till = HaloTill()
        let asked = Locked([Int64]())
        till.tools.transport = HookTransport(till.tools.transport) {
            [scheduler = till.scheduler] request, next throws(TransportFailure) in
            asked.withLock { $0.append(scheduler.now) }
            return try await next(request)
        }
        return (till, asked)
    }

    private static let hint: JSON = ["merchantReference": "a-1", "disposition": "Approved", "haloReference": "x"]

    /// Another program took it, under a reference of its own: a message and a lookup go by the name that the import has.
    @Test func paymentThatWasImported_voidedLater_isNoLongerCounted() throws {
        var till = HaloTill()
        let sale = try till.play { try await HaloTill.sale($0) }
        let name = try #require(sale.payment?.references["transaction"])
        till.journal = InMemoryJournal()
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            var response = try await next(request)
            guard request.target.hasPrefix("/transactions/"), let record = try? JSONReader().read(response.body),
                record["transactionDispositionId"] != nil
            else { return response }
            response.body = record.adding("transactionDispositionId", "Voided").bytes()
            return response
        }
        let (scheduler, journal, account) = (till.scheduler, till.journal, till.driver.identity)
        let news: JSON = ["merchantReference": "a-1", "disposition": "Voided", "haloReference": .string(name)]
        let captured = try till.play { client in
            let payment = try await journal.adopt(
                "old-1", Money(minorUnits: 1_500, .zar), ["transaction": name], of: account, at: scheduler.now)
            _ = try await client.receiveWebhook(news.bytes(), from: "halo")
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return try await client.payment(payment).amounts.captured
        }
        #expect(captured == .zero(.zar))
    }

    /// How long after each other the requests were, and by the end of which of the groups.
    @Test func manyHintsAboutOneAttempt_areOneLookupInFiveSeconds() throws {
        let (till, asked) = watched()
        let client = try till.client()
        try till.scheduler.run { [scheduler = till.scheduler] in
            guard case .pending = try await HaloTill.sale(client, 1_015) else { throw CancellationError() }
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let start = scheduler.now
            asked.withLock { $0 = [] }
            let hints = (0..<20).map { number in
                Task(executorPreference: scheduler) {
                    try await scheduler.sleep(until: start + Int64(number) * 100)
                    return try await client.receiveWebhook(Self.hint.bytes(), from: "halo").items.map(\.effect)
                }
            }
            for hint in hints { #expect(try await hint.value == [.applied(try AttemptID("a-1"))]) }
            // No answer waits for a look.
            try await scheduler.sleep(until: start + 20_000)
            let looks = Set(asked.withLock { $0 }.map { ($0 - start) / 5_000 })
            // The first looks at once, and one of the others for all of them when the five seconds are over.
            #expect(looks == [0, 1])
            #expect(asked.withLock { $0 }.count == 2, "\(asked.withLock { $0.map { $0 - start } })")
        }
    }

    /// Anyone who knows the address can send hints about payments that are not there.
    @Test func hintsAboutUnknownPayments_writeNothing() throws {
        let (till, asked) = watched()
        let client = try till.client()
        try till.scheduler.run {
            let before = till.journal.writeCount
            for number in 0..<200 {
                let body =
                    number.isMultiple(of: 2)
                    ? #"{"disposition":"news-\#(number)","haloReference":"h-\#(number)"}"#
                    : #"{"disposition":"news","haloReference":"h","merchantReference":"unknown-\#(number)"}"#
                let said = try await client.receiveWebhook(Array(body.utf8), from: "halo")
                guard case .ignored = said.items.first?.effect else {
                    Issue.record("\(said.items)")
                    return
                }
            }
            #expect(till.journal.writeCount == before && asked.withLock { $0.isEmpty })
        }
    }

    /// A decline can be wrong, so that a hint about one is looked up as well, and not more often than about an open sale.
    @Test func hintsAboutADeclinedSale_areTwoLookupsAndNoMore() throws {
        let (till, asked) = watched()
        let client = try till.client()
        try till.scheduler.run { [scheduler = till.scheduler] in
            guard case .declined = try await HaloTill.sale(client, 1_051) else { throw CancellationError() }
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let start = scheduler.now
            asked.withLock { $0 = [] }
            for _ in 0..<3 { _ = try await client.receiveWebhook(Self.hint.bytes(), from: "halo") }
            // A lookup is made beside the answers.
            try await scheduler.sleep(until: start + 20_000)
            #expect(asked.withLock { $0 }.map { ($0 - start) / 5_000 } == [0, 1])
            #expect(try await till.journal.record(try AttemptID("a-1"))?.state == .declined)
        }
    }

    /// A look that was waited for is a look: news that come while a hint waits are seen by it.
    @Test func newsDuringTheFiveSeconds_areSeenAtTheirEnd() throws {
        let till = HaloTill()
        let client = try till.client()
        try till.scheduler.run { [scheduler = till.scheduler] in
            guard case .pending = try await HaloTill.sale(client, 1_015) else { throw CancellationError() }
            _ = try await client.receiveWebhook(Self.hint.bytes(), from: "halo")
            let start = scheduler.now
            let news = try #require(till.backend.decide("a-1", succeeds: true))
            _ = try await client.receiveWebhook(news.body, from: "halo")
            try await scheduler.sleep(until: start + 6_000)
            let held = try await till.journal.record(try AttemptID("a-1"))
            #expect(held?.approval != nil)
        }
    }
}

/// A clock whose date is three days slow.
private struct SlowClock: PaymentClock {
    private static let lag: Int64 = 3 * 86_400_000
    let stage: TestScheduler

    var now: Int64 { stage.now - Self.lag }
    var uptime: Int64 { stage.now }

    func sleep(until instant: Int64) async throws { try await stage.sleep(until: instant + Self.lag) }
}

/// What the documents leave open, and what the adapter makes of it.
@Suite struct HaloReadingTests {
    /// What is said of a sale, long after its request or its answer was lost.
    private func said(_ till: HaloTill, _ units: Int64) -> PaymentError? {
        till.failure { [scheduler = till.scheduler] client in
            do { _ = try await HaloTill.sale(client, units) } catch {}
            try await scheduler.sleep(until: scheduler.now + 80_000)
            _ = try await client.status(try AttemptID("a-1"))
        }
    }

    @Test func anEmptySearchProvesNothingUnlessConfiguredTo() throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.search.silently-empty/4"))
        let doubt = said(till, 1_013)
        #expect(doubt?.outcome == .unknown, "it was charged, and can't be tried again: \(String(describing: doubt))")
        var told = HaloTill()
        told.search = .proven
        #expect(said(told, 1_014) == PaymentError(.notReceived, outcome: .notExecuted))
    }

    /// The provider dates the record by its own clock, after our today.
    @Test func sale_whoseReplyIsLost_whileOurDateIsDaysSlow_isNotSaidToBeAbsent() throws {
        var till = HaloTill()
        till.search = .proven
        var given = ClientOptions(journal: till.journal)
        (given.clock, given.executor, given.reader) = (SlowClock(stage: till.scheduler), till.scheduler, till.reader)
        given.random = till.random
        let client = try PaymentClient(till.driver, given)
        let told = try till.scheduler.run { [scheduler = till.scheduler] in
            do { _ = try await HaloTill.sale(client, 1_013) } catch {}
            try await scheduler.sleep(until: scheduler.now + 80_000)
            do throws(PaymentError) {
                _ = try await client.status(try AttemptID("a-1"))
                return "found"
            } catch { return error.outcome == .notExecuted ? "not executed" : "unknown" }
        }
        #expect(told != "not executed", "it was charged")
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// Our record is there, and does not say in which unit its amount is: a person has to name it.
    @Test func notExecuted_whileOurRecordCanNotBeRead_isRefusedUntilItIsNamed() throws {
        var till = HaloTill()
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            let response = try await next(request)
            guard request.method == "GET", request.path.hasSuffix("/transactions"),
                let records = try? JSONReader().read(response.body).array
            else { return response }
            let bytes = JSON.array(records.map { $0.adding("receiptData", .null) }).bytes()
            return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: bytes)
        }
        till.tools.transport = HookTransport(till.tools.transport, hook)
        let told = try till.play { [scheduler = till.scheduler] client in
            do { _ = try await HaloTill.sale(client, 1_013) } catch {}
            try await scheduler.sleep(until: scheduler.now + 3_600_000)
            do throws(PaymentError) {
                try await client.resolve(try AttemptID("a-1"), as: .notExecuted(), reason: "not on the slip")
                return "recorded"
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of"), "\(told)")
    }

    @Test func refundReadInAnotherUnit_isNotReported() throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.refund.amount-unit/2"))
        let error = till.failure { client in
            guard let payment = try await HaloTill.sale(client).payment else { return }
            _ = try await client.refund(payment.id, of: Money(minorUnits: 500, .zar))
        }
        #expect(error?.outcome == .unknown && error?.detail.contains("refundAmounts") == true)
        #expect(till.backend.ledger.movements.last?.amount.minorUnits == 5)
    }

    @Test(arguments: ["/2", "/3"]) func theReceiptSaysWhatARecordIsAbout(_ number: String) throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.record.amount-unit" + number))
        let page = try till.play { client in
            _ = try await HaloTill.sale(client)
            return try await client.provider("halo").transactions?.list()
        }
        #expect(page?.items.first?.amount == Money(minorUnits: 1_500, .zar))
    }

    @Test func anAnswerWithoutAnAmountIsAboutWhatWasRead() throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.submit.no-amount/2"))
        let payment = try #require(try till.play { try await HaloTill.sale($0) }.payment)
        #expect(payment.approved == payment.requested)
    }
}
