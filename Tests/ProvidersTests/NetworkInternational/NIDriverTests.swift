import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

@testable import NetworkInternationalProvider

@Suite struct NIDriverTests {
    @Test func theKeyGoesOutAsTheSettingSays() throws {
        for scheme in NIConfiguration.Scheme.allCases {
            var till = NITill()
            till.configuration.scheme = scheme
            let seen = Locked("")
            till.tools.transport = ObservedKey(till.tools.transport) { value in seen.withLock { $0 = value } }
            try till.play { client in try await client.session?.open() }
            #expect(seen.withLock { $0 } == "\(scheme.rawValue) ni-simulated-api-key")
        }
    }

    @Test func aWrongKeyIsAnAuthenticationErrorBeforeAnythingMoves() {
        var rules = NISimulator.Rules()
        rules.apiKey = Secret("another")
        var till = NITill(rules: rules)
        till.configuration = NITill().configuration
        let error = till.failure { client in
            _ = try await client.sale(.aed(5_000), from: .reader, reference: "o")
        }
        #expect(error == PaymentError(.authentication, outcome: .notExecuted))
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func bothReferencesAreKept() throws {
        let till = NITill()
        let payment = try #require(
            try till.play { try await $0.sale(.aed(5_000), from: .reader, reference: "o") }.payment)
        #expect(Set(payment.references.keys) == ["order", "payment"])
        #expect(payment.receipt?.authorizationCode != nil && payment.receipt?.responseCode == "00")
        #expect(payment.receipt?.merchant?.merchantID == "434334344242")
    }

    @Test func aDryRunReadsACardAndIsInNoBookOrTotal() throws {
        let till = NITill()
        var request = SaleRequest(.aed(5_000), from: .reader, reference: "o")
        request.isDryRun = true
        let asked = request
        let payment = try #require(try till.play { try await $0.sale(asked) }.payment)
        #expect(payment.isDryRun)
        #expect(till.backend.ledger.movements.isEmpty)
        #expect(try till.play { try await $0.payments() }.payments.isEmpty)
    }

    @Test func order_sameDayVoids_nextDayRefunds() throws {
        // Eleven in the morning in Dubai.
        let till = NITill(now: 1_767_250_800_000)
        let client = try till.client()
        let one = try #require(
            try till.scheduler.run { try await client.sale(.aed(5_000), from: .reader, reference: "a") }.payment)
        let two = try #require(
            try till.scheduler.run { try await client.sale(.aed(4_000), from: .reader, reference: "b") }.payment)
        let early = try till.scheduler.run { try await client.provider("ni").transactions?.details(one.references) }
        #expect(early?.operations.map(\.name) == ["void"] && early?.isSettled == false)
        let refused = #expect(throws: PaymentError.self) {
            try till.scheduler.run { _ = try await client.refund(one.id) }
        }
        // A copy of a refund that was executed gets this as well, and the order can't show which it was.
        #expect(refused == PaymentError(.conflict, outcome: .unknown) && refused?.provider?.code == "119")
        let resolve = { @Sendable (_ id: AttemptID?) in
            try await till.scheduler.sleep(until: till.scheduler.now + 240_000)
            _ = try await client.resolve(
                try #require(id), as: .notExecuted(), by: "Ann", reason: "the portal shows none")
        }
        try till.scheduler.run { try await resolve(refused?.attempt) }
        #expect(try till.scheduler.run { try await client.void(one.id) }.payment?.amounts.isVoided == true)
        till.advance(hours: 13)
        let late = #expect(throws: PaymentError.self) { try till.scheduler.run { _ = try await client.void(two.id) } }
        #expect(late == PaymentError(.conflict, outcome: .unknown) && late?.provider?.code == "119")
        try till.scheduler.run { try await resolve(late?.attempt) }
        let settled = try till.scheduler.run { try await client.provider("ni").transactions?.details(two.references) }
        #expect(settled?.operations.map(\.name) == ["refund"] && settled?.isSettled == true)
        #expect(settled?.operations.first?.amount == .aed(4_000))
        #expect(try till.scheduler.run { try await client.refund(two.id, of: .aed(1_000)) }.payment != nil)
        #expect(till.backend.ledger.balance(.merchant) == ["AED": 3_000])
    }

    /// A capture has no name but its time, which another order's may have as well.
    @Test func captures_ofTwoOrdersInOneMoment_areTwo() throws {
        var till = NITill()
        let moment: JSON = "2026-01-01T08:00:00Z"
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard let said = try? JSONReader().read(response.body) else { return nil }
            let bent: JSON
            if request.path.hasSuffix("/capture"), let list = said["_embedded"]?["cnp:capture"]?.array {
                let alike = JSON.array(list.map { $0.adding("createdTime", moment) })
                bent = said.adding("_embedded", ["cnp:capture": alike])
            } else if let list = said["capturesNRefunds"]?.array {
                bent = said.adding("capturesNRefunds", .array(list.map { $0.adding("timestamp", moment) }))
            } else {
                return nil
            }
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        let shop = till
        try shop.play { client in
            let one = try #require(try await client.authorize(.aed(2_000), from: .reader, reference: "a").payment)
            let two = try #require(try await client.authorize(.aed(3_000), from: .reader, reference: "b").payment)
            #expect(try await client.capture(one.id).payment?.amounts.captured == .aed(2_000))
            #expect(try await client.capture(two.id).payment?.amounts.captured == .aed(3_000))
        }
        #expect(shop.backend.ledger.balance(.merchant) == ["AED": 5_000])
    }

    @Test func detailsNameTheFiveAmountsAndEveryCapture() throws {
        let till = NITill()
        let client = try till.client()
        let details = try till.scheduler.run {
            let held = try await client.authorize(.aed(10_100), from: .reader, reference: "r").payment
            guard let held else { return PaymentDetails?.none }
            try await client.capture(held.id, of: .aed(3_300), reference: "1")
            try await client.capture(held.id, of: .aed(3_300), reference: "2")
            return try await client.provider("ni").transactions?.details(held.references)
        }
        let found = try #require(details)
        #expect(found.amount == .aed(10_100) && found.captured == .aed(6_600) && found.refunded == .aed(0))
        #expect(found.additional["authorised"] == "101.00 AED" && found.additional["pending"] == "35.00 AED")
        #expect(found.additional["net"] == "66.00 AED" && found.kind == "AUTH" && found.state == "PARTIALLY_CAPTURED")
        #expect(found.captures.map(\.amount) == [.aed(3_300), .aed(3_300)])
        #expect(found.captures.allSatisfy { $0.state == "SUCCESS" && $0.followUp == "VOID_CAPTURE" && $0.at != nil })
        #expect(found.device?.id == "000C69" && found.device?.terminalID == "434334344299")
        #expect(found.card?.brand == "VISA" && found.card?.last4 == "1111" && found.card?.expiry == "12/30")
        #expect(found.additional["events"] == "PARTIALLY_CAPTURED")
        #expect(found.operations.map(\.name) == ["void", "capture"])
    }

    @Test func onlyTheReportWritesMajorUnits() throws {
        let till = NITill()
        let page = try till.play { client in
            for (number, money) in [Money.aed(12_550), Money(minorUnits: 1_234, .kwd), Money(minorUnits: 150, .jpy)]
                .enumerated()
            {
                _ = try await client.sale(money, from: .reader, reference: "o-\(number)")
            }
            return try await client.provider("ni").transactions?.list()
        }
        #expect(
            page?.items.map(\.amount) == [
                Money(minorUnits: 150, .jpy), Money(minorUnits: 1_234, .kwd), .aed(12_550),
            ])
        #expect(page?.items.first?.card?.last4 == "1111")
    }

    @Test func decimalsThatAreNotOursMakeAnOrderUnreadable() throws {
        var till = NITill()
        till.tools.transport = ReplacedText(till.tools.transport, #""minorUnit":2"#, #""minorUnit":3"#)
        let error = till.failure { client in
            let payment = try await client.sale(.aed(5_000), from: .reader, reference: "o").payment
            _ = try await client.provider("ni").transactions?.details(payment?.references ?? [:])
        }
        #expect(error == PaymentError(.unreadableReply, outcome: .notExecuted))
    }

    @Test func aTerminalIsBoundToOneDeviceUntilItIsUnbound() throws {
        var till = NITill()
        let first = try till.client()
        try till.scheduler.run { try await first.session?.open() }
        till.configuration.deviceIdentifier = "till-2"
        let second = try till.client()
        let error = #expect(throws: PaymentError.self) { try till.scheduler.run { try await second.session?.open() } }
        #expect(error?.code == .configuration && error?.provider?.code == "115")
        try till.scheduler.run { try await first.provider("ni").devices?.unbind(terminal: "434334344299") }
        try till.scheduler.run { try await second.session?.open() }
        #expect(try till.scheduler.run { try await second.provider("ni").devices?.list().map(\.id) } == ["000C69"])
    }

    @Test(
        arguments: [
            (nil, "801", false), (LocationFailure.notReady, "801", false), (.denied, "802", true),
            (.unavailable, "803", false), (.countryUnknown, "810", false),
        ] as [(LocationFailure?, String, Bool)])
    func withoutTheLocationNoCardIsRead(_ failure: LocationFailure?, _ code: String, _ needsPerson: Bool) {
        var till = NITill()
        till.configuration.tracksLocation = true
        if let failure { till.tools.location = { () async throws(LocationFailure) in throw failure } }
        let error = till.failure { client in
            _ = try await client.sale(.aed(5_000), from: .reader, reference: "o")
        }
        #expect(error == PaymentError(.locationRequired, outcome: .notExecuted))
        #expect(error?.provider?.code == code)
        #expect(!needsPerson || error?.requiresUserAction == true)
    }

    @Test func theDeviceSaysWhyItCannotTakeCards() throws {
        var till = NITill()
        till.configuration.tracksLocation = true
        till.tools.location = { () async throws(LocationFailure) in
            DeviceLocation(latitude: "25.2048", longitude: "55.2708", country: "SA")
        }
        let abroad = try till.play { try await $0.reader?.compatibility() }
        #expect(abroad?.reasons == ["country: found SA, required AE"])
        till.tools.location = { () async throws(LocationFailure) in throw .denied }
        #expect(try till.play { try await $0.reader?.compatibility() }?.isCompatible == false)
        // What the hardware finds comes through: account, passcode, a system that is a trial version.
        let kinds: [ReaderCompatibility.Check.Kind] = [.account, .passcode, .betaSystem, .country, .model]
        var given = ClientOptions(journal: till.journal)
        given.clock = till.scheduler
        given.executor = till.scheduler
        given.reader = PoorReader(kinds)
        let client = try PaymentClient(NIDriver(till.configuration, till.tools), given)
        let poor = try till.scheduler.run { try await client.reader?.compatibility() }
        #expect(poor?.checks.filter { !$0.passed }.map(\.kind).starts(with: kinds) == true)
    }

    @Test func aCardOfAnotherSchemeIsADecline() throws {
        let till = NITill()
        till.reader.present(SimulatedReader.Card(number: "371449635398431"))
        let result = try till.play { try await $0.sale(.aed(5_000), from: .reader, reference: "o") }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .cardNotSupported && decline.provider.code == "114")
    }

    /// As by the kit: the order of a refused payment is in the list, and no lost one is found in it.
    @Test func sale_aboveTheLimit_isADecline() throws {
        let till = NITill()
        let result = try till.play { client in
            try await client.sale(.aed(NISimulator.amountMax + 1), from: .reader, reference: "o")
        }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .limitExceeded && decline.provider.code == "118")
    }

    @Test func theReaderIsPreparedOnceUntilItsTokenLapses() throws {
        let till = NITill()
        let client = try till.client()
        for hour in [0, 24, 47] as [Int64] {
            till.advance(hours: hour)
            let result = try till.scheduler.run {
                try await client.sale(.aed(5_000), from: .reader, reference: "o-\(hour)")
            }
            #expect(result.payment != nil)
        }
        #expect(till.backend.readerTokenCount == 2)
    }
}

/// Shows the key that the first request carries.
struct ObservedKey: HTTPTransport {
    let inner: any HTTPTransport
    let saw: @Sendable (String) -> Void

    init(_ inner: any HTTPTransport, _ saw: @escaping @Sendable (String) -> Void) {
        (self.inner, self.saw) = (inner, saw)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.target.hasSuffix("access-token") { saw(request.headers["Authorization"] ?? "") }
        return try await inner.send(request)
    }
}

/// Replaces a text in every answer.
struct ReplacedText: HTTPTransport {
    let inner: any HTTPTransport
    let old: String
    let new: String

    init(_ inner: any HTTPTransport, _ old: String, _ new: String) {
        (self.inner, self.old, self.new) = (inner, old, new)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var response = try await inner.send(request)
        response.body = Array(String(decoding: response.body, as: UTF8.self).replacing(old, with: new).utf8)
        return response
    }
}

/// A device on which some checks fail.
struct PoorReader: CardReader {
    let kinds: [ReaderCompatibility.Check.Kind]

    init(_ kinds: [ReaderCompatibility.Check.Kind]) { self.kinds = kinds }

    func compatibility() async -> ReaderCompatibility {
        ReaderCompatibility(kinds.map { .init($0, passed: false, found: "no", required: "yes") })
    }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {}
    func prepare(token: Secret) async throws {}
    func read(_ request: CardReadRequest) async throws -> CardReadResult { throw CancellationError() }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult { throw CancellationError() }
    func cancel() async throws -> CancelResult { .nothingToCancel }
}

/// What an order allows, and which of its movements is ours.
@Suite struct NIOrderTests {
    private static let day: Int64 = 86_400_000
    private static let start = Timestamp("2026-01-01T10:00:00Z")?.milliseconds ?? 0

    private static func movement(_ group: String, _ state: String, _ units: Int64, _ time: String) -> JSON {
        [
            "eventGroupType": .string(group), "status": .string(state), "timestamp": .string(time),
            "payload": [
                "reference": .string("m-\(units)"),
                "amount": ["currencyCode": "AED", "value": .number(JSONNumber(units))],
            ],
        ]
    }

    private static func order(captured: Int64, pending: Int64, refunded: Int64 = 0, _ movements: [JSON]) throws
        -> NIOrder
    {
        func amount(_ units: Int64) -> JSON {
            ["currencyCode": "AED", "value": .number(JSONNumber(units)), "minorUnit": 2]
        }
        return try #require(
            NIOrder([
                "reference": "o", "action": "AUTH", "amount": amount(10_000),
                "captureStatus": pending == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED",
                "createDateTime": "2026-01-01T10:00:00Z", "capturesNRefunds": .array(movements),
                "paymentInfo": [
                    "captured": amount(captured), "refunded": amount(refunded), "pending": amount(pending),
                ],
            ]))
    }

    private func operations(_ order: NIOrder, days: Int64) throws -> [String: Money?] {
        let found = try NIMapping.details(order, now: Self.start + days * Self.day).operations
        return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.amount) })
    }

    @Test func whatIsDecidedLaterReservesItsAmount() throws {
        let done = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 6_000, "2026-01-01T10:01:00Z")
        let refund = Self.movement("PARTIAL_REFUND", "REQUESTED", 1_000, "2026-01-03T10:00:00Z")
        let refunding = try Self.order(captured: 6_000, pending: 0, [done, refund])
        #expect(try operations(refunding, days: 3) == ["refund": .aed(5_000)])
        let capture = Self.movement("PARTIAL_CAPTURE", "REQUESTED", 1_500, "2026-01-01T10:02:00Z")
        let capturing = try Self.order(captured: 6_000, pending: 4_000, [done, capture])
        // What is under way keeps it from being voided.
        #expect(try operations(capturing, days: 0) == ["capture": .aed(2_500)])
    }

    @Test func aCaptureThatFailedDoesNotPutOffTheSettlement() throws {
        let done = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 6_000, "2026-01-01T10:01:00Z")
        let failed = Self.movement("PARTIAL_CAPTURE", "FAILED", 4_000, "2026-01-03T10:00:00Z")
        let order = try Self.order(captured: 6_000, pending: 0, [done, failed])
        let details = try NIMapping.details(order, now: Self.start + 2 * Self.day)
        #expect(details.isSettled == true && details.operations.map(\.name) == ["refund"])
    }

    @Test func theOldestMovementIsFirstInWhateverOrderTheyAreListed() throws {
        let one = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 100, "2026-01-01T10:01:00Z")
        let two = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 200, "2026-01-01T10:02:00Z")
        for listed in [[one, two], [two, one]] {
            let order = try Self.order(captured: 300, pending: 9_700, listed)
            #expect(order.captures.compactMap { $0.amount?.value } == [100, 200])
        }
        let reply: JSON = [
            "reference": "p", "orderReference": "o", "state": "PARTIALLY_CAPTURED",
            "_embedded": [
                "cnp:capture": [
                    ["amount": ["currencyCode": "AED", "value": 200], "createdTime": "2026-01-01T10:02:00Z"],
                    ["amount": ["currencyCode": "AED", "value": 100], "createdTime": "2026-01-01T10:01:00Z"],
                ]
            ],
        ]
        #expect(NIPayment(reply)?.captures?.compactMap { $0.amount?.value } == [100, 200])
    }

    @Test func aRefundThatFailsLaterLeavesTheRestOfAHoldOpen() throws {
        let till = NITill()
        let client = try till.client()
        let held = try till.scheduler.run {
            let payment = try #require(try await client.authorize(.aed(2_500), from: .reader, reference: "h").payment)
            try await client.capture(payment.id, of: .aed(1_000))
            return payment
        }
        till.advance(hours: 48)
        _ = try till.scheduler.run { try await client.refund(held.id, of: .aed(400), attempt: AttemptID("back-1")) }
        let label = try #require(till.backend.ledger.movements.last { $0.cause == "refund" }?.attempt)
        _ = try #require(till.backend.failLater(label))
        let found = try till.scheduler.run { try await client.provider("ni").transactions?.details(held.references) }
        #expect(found?.state == "PARTIALLY_CAPTURED" && found?.refunded == .aed(0))
        #expect(found?.operations.contains { $0.operation == .capture && $0.amount == .aed(1_500) } == true)
    }
}
