import ARISEProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// An SDK that behaves as its document allows where the simulated one shows one way only.
private final class DocumentedKit: ARISEPhoneSDK.TappingSdk, ARISEPhoneSDK.TTP {
    typealias Failure = ARISEPhoneSDK.Failure

    struct Ways: Sendable {
        var bend: @Sendable (inout ARISEPhoneSDK.TTPTransactionResult) -> Void = { _ in }
        /// What the tap ends with after it was carried out, if with an error.
        var end: Failure?
        /// Whether it has no events to give before it is prepared.
        var hasNoEventsBefore = false
        /// What its status is refused with.
        var statusFailure: Failure?
        var compatibility: ARISEPhoneSDK.TTPCompatibilityResult?
        /// What it adds to each total that it calculates.
        var dust = ""
        /// The events of a tap, in the place of the simulated ones; they take the way through another task.
        var events: [ARISEPhoneSDK.TTPEvent]?
        /// How long after the end of the call they come, in milliseconds; nil if before it.
        var eventsAfter: Int64?
    }

    let kit: SimulatedARISESDK
    let ways: Ways
    let lessons = Locked(0)
    let calculated = Locked([ARISEPhoneSDK.CalculateAmountRequest]())
    private let isPrepared = Locked(false)
    private let clean = Locked<ARISEPhoneSDK.CalculateAmountResponse?>(nil)
    private let source = Locked<AsyncStream<ARISEPhoneSDK.TTPEvent>.Continuation?>(nil)

    let scheduler: TestScheduler

    init(_ kit: SimulatedARISESDK, _ ways: Ways, _ scheduler: TestScheduler) {
        (self.kit, self.ways, self.scheduler) = (kit, ways, scheduler)
    }

    var ttp: any ARISEPhoneSDK.TTP { get async { self } }

    func authenticate(clientId: String, clientSecret: Secret) async throws(Failure) -> Bool {
        try await kit.authenticate(clientId: clientId, clientSecret: clientSecret)
    }
    func getDeviceId() async -> String { await kit.getDeviceId() }
    func getAccessToken() async -> Secret? { await kit.getAccessToken() }
    func refreshAccessToken() async throws(Failure) -> Bool { try await kit.refreshAccessToken() }
    func clearStoredToken() async { await kit.clearStoredToken() }
    func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        calculated.withLock { $0.append(request) }
        var said = try await kit.calculateAmount(request: request)
        clean.withLock { $0 = said }
        for path in [\ARISEPhoneSDK.CalculateAmountResponse.creditCard, \.debitCard] {
            guard !ways.dust.isEmpty, let total = said[keyPath: path]?.totalAmount else { continue }
            let text = total.text.contains(".") ? total.text : total.text + "."
            said[keyPath: path]?.totalAmount = SDKDecimal(text + ways.dust) ?? total
        }
        return said
    }
    func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult {
        if let said = ways.compatibility { return said }
        return await kit.checkCompatibility()
    }
    func getStatus() async throws(Failure) -> ARISEPhoneSDK.TTPStatus {
        if let failure = ways.statusFailure { throw failure }
        return try await kit.getStatus()
    }
    func activate() async throws(Failure) { try await kit.activate() }
    func showEducationalInfo() async throws(Failure) { lessons.withLock { $0 += 1 } }
    func prepare() async throws(Failure) {
        try await kit.prepare()
        isPrepared.withLock { $0 = true }
    }
    func abortTransaction() async throws(Failure) -> Bool { try await kit.abortTransaction() }
    func eventsStream() async throws(Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
        if ways.hasNoEventsBefore, !isPrepared.withLock({ $0 }) { throw .ttp(.sdkNotInitialized) }
        guard ways.events != nil else { return try await kit.eventsStream() }
        // As the glue does it: what the SDK's own stream gives is handed on by a task.
        let (events, own) = AsyncStream.makeStream(of: ARISEPhoneSDK.TTPEvent.self)
        let (copy, continuation) = AsyncStream.makeStream(of: ARISEPhoneSDK.TTPEvent.self)
        source.withLock { $0 = own }
        let copying = Task(executorPreference: scheduler) {
            for await event in events { continuation.yield(event) }
            continuation.finish()
        }
        continuation.onTermination = { _ in copying.cancel() }
        return copy
    }
    func performTransaction(amount: SDKDecimal) async throws(Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        ended(try await kit.performTransaction(amount: amount))
        return try result(try await last())
    }
    func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        // The SDK takes its own answer back.
        let own = clean.withLock { $0 } ?? calculationResult
        ended(try await kit.performTransaction(calculationResult: own, isDebitCard: isDebitCard))
        return try result(try await last())
    }

    private let answer = Locked<ARISEPhoneSDK.TTPTransactionResult?>(nil)
    private func ended(_ said: ARISEPhoneSDK.TTPTransactionResult) { answer.withLock { $0 = said } }
    private func last() async throws(Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        guard let said = answer.withLock({ $0 }) else { throw .other(name: "none", description: "") }
        return said
    }
    private func result(
        _ said: ARISEPhoneSDK.TTPTransactionResult
    ) throws(Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let giveEvents: @Sendable () -> Void = { [ways, source] in
            for event in ways.events ?? [] { source.withLock { $0 }?.yield(event) }
        }
        if let wait = ways.eventsAfter {
            Task(executorPreference: scheduler) { [scheduler] in
                try await scheduler.sleep(until: scheduler.now + wait)
                giveEvents()
            }
        } else {
            giveEvents()
        }
        if let end = ways.end { throw end }
        var result = said
        ways.bend(&result)
        return result
    }
}

/// Behaviours of the document that the simulated SDK doesn't show.
@Suite struct ARISEPhoneDocumentTests {
    private struct Phone {
        let till: ARISEKitTill
        let kit: DocumentedKit
        let client: PaymentClient

        init(_ till: ARISEKitTill = ARISEKitTill(), _ change: (inout DocumentedKit.Ways) -> Void) throws {
            var ways = DocumentedKit.Ways()
            change(&ways)
            self.till = till
            kit = DocumentedKit(till.kit, ways, till.scheduler)
            var given = ClientOptions(journal: till.inner.journal)
            (given.clock, given.executor) = (till.scheduler, till.scheduler)
            given.random = SeededRandom(seed: 1)
            client = try PaymentClient(ARISEMobileDriver(till.inner.driver, kit), given)
        }

        func play<Value: Sendable>(
            _ body: @escaping @Sendable (PaymentClient) async throws -> Value
        ) throws -> Value {
            try till.scheduler.run { [client] in try await body(client) }
        }

        func told(_ units: Int64 = 1_500) throws -> String {
            do {
                switch try play({ try await ARISEKitTill.sale($0, units) }) {
                case .approved(let payment): return "approved \(payment.approved.minorUnits)"
                case .declined: return "declined"
                case .cancelled: return "cancelled"
                case .pending: return "pending"
                }
            } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
        }
    }

    /// A member of the result that may be missing, and the kit's own word for the end.
    @Test func devices_ofThePhonesOwn_areMarked() throws {
        let till = ARISEKitTill()
        let marked = try till.play { client in
            try await client.provider("arise").devices?.list().map { ($0.id, $0.isThisDevice) }
        }
        #expect(marked?.contains { $0.0 == SimulatedARISESDK.device && $0.1 == true } == true)
        #expect(marked?.allSatisfy { $0.1 == ($0.0 == SimulatedARISESDK.device) } == true)
    }

    @Test func decline_withoutATransaction_isADecline() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        let phone = try Phone(till) { $0.bend = { ($0.transactionId, $0.authorizedAmount) = (nil, nil) } }
        #expect(try phone.told(21) == "declined" && till.charged.isEmpty)
    }

    /// The document calls the result's name the payment processor's; the platform's paths take the platform's own.
    @Test func tap_namedByItsProcessor_isRefundedByThePlatformsName() throws {
        let till = ARISEKitTill()
        let phone = try Phone(till) { $0.bend = { $0.transactionId = "processor-4711" } }
        let payment = try #require(try phone.play { try await ARISEKitTill.sale($0) }.payment)
        #expect(payment.references["processor"] == "processor-4711")
        #expect(payment.references["transaction"] != "processor-4711")
        let voided = try phone.play { client in try await client.void(payment.id) }
        #expect(voided.payment != nil)
    }

    /// Two taps of one amount and card: nothing says which is which.
    @Test func tap_thatCouldBeOneOfTwo_keepsItsProcessorsName() throws {
        let till = ARISEKitTill()
        let phone = try Phone(till) {
            $0.bend = { ($0.transactionId, $0.authorizationCode) = ("processor-4711", "another code") }
        }
        let payment = try #require(try phone.play { try await ARISEKitTill.sale($0) }.payment)
        #expect(payment.references["transaction"] == nil && payment.references["processor"] == "processor-4711")
    }

    /// Two taps of one amount and approval code: the card of one can't be read, and may be this tap's.
    @Test func tap_besideOneWhoseCardCanNotBeRead_keepsItsProcessorsName() throws {
        let till = ARISEKitTill()
        let item = { (id: String, pan: String) in
            #"{"id":"\#(id)","typeId":2,"totalAmount":15.00,"date":"2026-01-01T00:00:30Z","customerPan":"\#(pan)","#
                + #""authCode":"C-1"}"#
        }
        let (masked, other) = (item("T-8", "411111******"), item("T-9", "************4242"))
        let bodies = [
            "/transactions": #"{"items":[\#(masked),\#(other)],"total":2}"#, "/transactions/T-8": masked,
            "/transactions/T-9": other,
        ]
        till.inner.overriding.withLock { hook in
            hook = { request in
                let found = bodies.first { request.method == "GET" && request.path.hasSuffix($0.key) }
                return found.map { _, body in
                    HTTPResponse(200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
                }
            }
        }
        let phone = try Phone(till) {
            $0.bend = {
                ($0.transactionId, $0.authorizationCode) = ("processor-4711", "C-1")
                $0.maskedCardNumber = "************4242"
            }
        }
        let payment = try #require(try phone.play { try await ARISEKitTill.sale($0) }.payment)
        #expect(payment.references["transaction"] == nil && payment.references["processor"] == "processor-4711")
    }

    @Test func preparation_withoutEventsBefore_succeeds() throws {
        let phone = try Phone { $0.hasNoEventsBefore = true }
        try phone.play { try await $0.reader?.prepare() }
        #expect(try phone.told() == "approved 1500")
    }

    @Test(arguments: [
        ("GPS003", "locationRequired"), ("MER004", "configuration"), ("", "configuration"),
    ])
    func codeOfAFailedConfiguration_isReportedByItsRow(_ code: String, _ told: String) throws {
        let till = ARISEKitTill()
        till.kit.play(.ends(.ttp(.configurationFailed(.init(rawValue: code), "-"))))
        #expect(try till.told() == "\(told) notExecuted" && till.charged.isEmpty)
        let rule = ARISEPhoneSDK.rule(of: .ttp(.activationFailed(.init(rawValue: "GPS003"), "-")), in: .prepare)
        #expect(rule?.code == "GPS003")
    }

    @Test func compatibility_withoutAPlace_saysWhichCheckFails() throws {
        let said = ARISEPhoneSDK.TTPCompatibilityResult(
            isCompatible: false, deviceModelCheck: .init(isCompatible: true, modelIdentifier: "iPhone15,2"),
            iosVersionCheck: .init(isCompatible: true, version: "18.1", minimumRequiredVersion: "18.0"),
            locationPermission: .undetermined, tapToPayEntitlement: .available, incompatibilityReasons: ["no place"])
        let phone = try Phone { $0.compatibility = said }
        let found = try #require(try phone.play { try await $0.reader?.compatibility() })
        let failed = found.checks.filter { !$0.passed }
        #expect(failed.map(\.kind) == [.location] && failed.first?.found == "undetermined")
    }

    @Test func status_ofAPhoneThatThePlatformDoesNotKnow_isInactive() throws {
        let phone = try Phone { $0.statusFailure = .api(.notFound("The device is not found")) }
        #expect(try phone.play { try await $0.reader?.activation().step } == .inactive)
    }

    @Test func education_isTheSDKsOwnScreen() throws {
        let phone = try Phone { _ in }
        try phone.play { try await $0.reader?.showEducation() }
        #expect(phone.kit.lessons.withLock { $0 } == 1)
    }

    // MARK: Prices

    /// A tip goes to the platform through a calculation alone.
    @Test func tap_withATip_isKnownToThePlatform() throws {
        let till = ARISEKitTill()
        let phone = try Phone(till) { _ in }
        var request = SaleRequest(.dollars(1_700), from: .reader, reference: "tip-1")
        request.tip = .dollars(200)
        let result = try phone.play { [request] in try await $0.sale(request) }
        #expect(result.payment?.approved == .dollars(1_700))
        let asked = try #require(phone.kit.calculated.withLock { $0.first })
        #expect(asked.amount.text == "15.00" || asked.amount.text == "15")
        #expect(asked.tipAmount?.minorUnits(places: 2) == 200)
        let body = try till.inner.body("/transactions/tap-to-pay")
        #expect(body["tip"]?.string.flatMap { SDKDecimal($0)?.minorUnits(places: 2) } == 200)
    }

    @Test func total_withTheDustOfABinaryNumber_isTaken() throws {
        let till = ARISEKitTill()
        let phone = try Phone(till) { $0.dust = "000000000001" }
        let result = try phone.play { client in
            let quote = try #require(
                try await client.provider("arise").pricing?.quote(QuoteRequest(.dollars(1_500))))
            return try await client.sale(try SaleRequest(quote, .credit, from: .reader, reference: "dust-1"))
        }
        #expect(result.payment?.approved == .dollars(1_500) && till.charged == [1_500])
    }

    /// The kit is asked with what the quote was asked with; the unit of the rates in its answer is in no document.
    @Test func tapByAQuote_isCalculatedOfTheQuotesOwnInputs() throws {
        let phone = try Phone { _ in }
        _ = try? phone.play { client in
            var asked = QuoteRequest(.dollars(2_000))
            (asked.discountPercent, asked.tipPercent) = ("10", "0")
            let quote = try #require(try await client.provider("arise").pricing?.quote(asked))
            return try await client.sale(try SaleRequest(quote, .debit, from: .reader, reference: "quote-1"))
        }
        let asked = try #require(phone.kit.calculated.withLock { $0.last })
        #expect(asked.amount.minorUnits(places: 2) == 2_000 && asked.percentageOffRate?.text == "10")
        #expect(asked.tipRate?.text == "0" && asked.surchargeRate == nil)
    }

    // MARK: Events

    /// The last events of a call, handed on by a task that had no turn yet, still take certainty away.
    @Test func lastEvents_onTheirWayAtTheEnd_areTaken() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        let phone = try Phone(till) {
            $0.events = [.readerEvent(.cardDetected), .readerEvent(.readCompleted), .customEvent(.authorizing)]
            $0.end = .cardReader(.init(rawValue: "readerMemoryFull"))
        }
        #expect(try phone.told() == "readerUnavailable unknown" && till.charged == [1_500])
    }

    /// No document names the thread of the events, so that they can come after the end of the call that they are about.
    @Test(arguments: [ARISEPhoneSDK.Failure?.none, .cardReader(.init(rawValue: "readerMemoryFull"))])
    func lastEvents_shortlyAfterTheEnd_areTaken(_ end: ARISEPhoneSDK.Failure?) throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        let phone = try Phone(till) {
            $0.events = [.readerEvent(.readCompleted), .customEvent(.authorizing)]
            $0.eventsAfter = 100
            $0.end = end
            $0.bend = { result in
                result.status = .cancelled
                (result.transactionOutcome, result.transactionId, result.orderId) = (nil, nil, nil)
            }
        }
        let told = try phone.told()
        #expect(told.hasSuffix(" unknown") && till.charged == [1_500], "\(told)")
    }

    /// No document says that a reader's error comes before the submission; without any event nothing shows that it did.
    @Test(arguments: ["requestInterrupted", "backgroundRequestNotAllowed", "networkError", "unknown"])
    func readersError_withoutAnyEvent_isUnknown(_ name: String) throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        let phone = try Phone(till) { ($0.events, $0.end) = ([], .cardReader(.init(rawValue: name))) }
        let told = try phone.told()
        #expect(told.hasSuffix(" unknown") && till.charged == [1_500], "\(told)")
    }

    /// No document says at which moment a payment is in progress; without a card nothing left the phone.
    @Test func inProgress_beforeACard_provesNoSubmission() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        let phone = try Phone(till) {
            $0.events = [.customEvent(.inProgress)]
            $0.end = .cardReader(.init(rawValue: "readerMemoryFull"))
        }
        #expect(try phone.told() == "readerUnavailable notExecuted")
        let later = try Phone(ARISEKitTill()) {
            $0.events = [.readerEvent(.cardDetected), .customEvent(.inProgress)]
            $0.end = .cardReader(.init(rawValue: "readerMemoryFull"))
        }
        #expect(try later.told() != "readerUnavailable notExecuted")
    }

    // MARK: Permissions

    @Test func permissions_inWordsAndObjects_areRead() throws {
        let till = ARISEBench()
        till.overriding.withLock { hook in
            hook = { request in
                guard request.target.hasSuffix("/available-api-permissions") else { return nil }
                var response = HTTPResponse(200)
                response.headers["Content-Type"] = "application/json"
                response.body = Array(
                    #"{"permissions":[{"id":1},{"name":"somethingNew"},{"id":2,"enabled":false},"3"]}"#.utf8)
                return response
            }
        }
        let client = try till.client()
        let read = try till.play { _ in try await client.settings?.permissions() }
        #expect(read?.contains("somethingNew") == true && read?.count == 3, "\(read ?? [])")
        let sent = try #require(till.sent("/available-api-permissions").last)
        #expect(sent.headers["x-api-version"] == "1.0")
    }
}
