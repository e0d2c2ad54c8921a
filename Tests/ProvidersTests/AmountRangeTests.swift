import ARISEProvider
import HaloProvider
import MemoryProvider
import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider
@testable import EcommpayProvider
@testable import NetworkInternationalProvider

/// Amounts that no payment has, in the replies of each adapter's provider: they end no process and are never believed,
/// and what was done is found out when the provider is itself again.
@Suite struct AmountRangeTests {
    /// The ends of the numbers, what lies below nothing, and one more than is believed.
    private static let units = [Int64.max, .min, .min + 1, -1, -2_500, 1_000_000_000_000_001]

    /// Sells while the amounts of all replies are out of range, asks twice what became of it, and once more when they
    /// are as they should be.
    private func judge(
        _ client: PaymentClient, _ line: HostileLine, _ scheduler: TestScheduler, _ amount: Money,
        from source: PaymentSource = .reader, with extras: (inout SaleRequest) -> Void = { _ in },
        hostile: @escaping @Sendable (JSON) -> JSON
    ) throws {
        var request = SaleRequest(amount, from: source, reference: "order-1")
        extras(&request)
        let attempt = try AttemptID("range-1")
        let outcome = try scheduler.run { [request] in
            // What is needed before a payment is got from a provider that is itself.
            try await client.session?.open()
            line.change.withLock { $0 = hostile }
            do {
                let result = try await client.sale(request, attempt: attempt)
                return "\(result)"
            } catch let error as PaymentError { return "\(error.outcome)" }
        }
        #expect(outcome == "\(PaymentError.Outcome.unknown)")
        for _ in 1...2 {
            scheduler.advance(by: 10_000)
            #expect(try scheduler.run { try await client.recover() } == [attempt])
        }
        line.change.withLock { $0 = nil }
        scheduler.advance(by: 300_000)
        #expect(try scheduler.run { try await client.recover() } == [])
        let found = try scheduler.run { try await client.attempt(attempt)?.verdict }
        guard case .approved(let approval)? = found else {
            Issue.record("it is not approved: \(String(describing: found))")
            return
        }
        #expect(approval.amount == amount)
    }

    /// A number in the place of a number, and a text in the place of a text that is one.
    private static func replacing(_ number: JSONNumber) -> @Sendable (JSON) -> JSON {
        { json in
            if json.number != nil { return .number(number) }
            return json.string.map { (try? JSONNumber($0)) != nil } == true ? .string(number.text) : json
        }
    }

    private static func minor(_ units: Int64) -> @Sendable (JSON) -> JSON { replacing(JSONNumber(units)) }

    /// An amount as providers write it that count in major units.
    private static func major(_ units: Int64, _ currency: Currency) -> @Sendable (JSON) -> JSON {
        replacing(JSONNumber(units: units, places: currency.exponent))
    }

    @Test(arguments: units) func memory_amountOutOfRange_isNoApproval(_ units: Int64) throws {
        let till = Till()
        let line = HostileLine(till.transport, ["amount.minorUnits"])
        try judge(
            till.client(line), line, till.scheduler, Money(minorUnits: 5_000, .eur), hostile: Self.minor(units))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    @Test(arguments: units) func memory_sumsOutOfRange_endNoDetails(_ units: Int64) throws {
        let till = Till()
        let line = HostileLine(till.transport, ["captured", "refunded"])
        let client = try till.client(line)
        let payment = try #require(
            try till.play {
                try await client.sale(Money(minorUnits: 5_000, .eur), from: .reader, reference: "o")
            }.payment)
        for names in [["captured"], ["refunded"]] {
            let line = HostileLine(till.transport, names)
            let client = try till.client(line)
            line.change.withLock { $0 = Self.minor(units) }
            let details = try till.play {
                try await client.provider("memory").transactions?.details(payment.references)
            }
            #expect(details?.operations.contains { $0.operation == .refund } != true, "\(names)")
        }
    }

    private static let adyenMembers = ["AmountsResp.AuthorizedAmount", "Response.AdditionalResponse"]

    /// The terminal's figure, and the one beside it.
    private static func figures(_ units: Int64, beside: Int64?) -> @Sendable (JSON) -> JSON {
        { json in
            guard let text = json.string else { return major(units, .eur)(json) }
            let other = beside.map { "posAuthAmountValue=\($0)" } ?? "x=y"
            return .string(text.replacing(/posAuthAmountValue=[0-9]+/, with: other))
        }
    }

    @Test(arguments: units) func adyen_amountOutOfRange_isNoApproval(_ units: Int64) throws {
        for beside in [nil, units] {
            let till = AdyenTill()
            let line = HostileLine(till.transport, Self.adyenMembers)
            try judge(
                try till.client(over: line), line, till.scheduler, Money(minorUnits: 5_000, .eur),
                hostile: Self.figures(units, beside: beside))
            #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
        }
    }

    @Test(arguments: units) func adyen_figureBesideTheAmountOutOfRange_isNoApproval(_ units: Int64) throws {
        let till = AdyenTill()
        let line = HostileLine(till.transport, Self.adyenMembers)
        try judge(
            try till.client(over: line), line, till.scheduler, Money(minorUnits: 5_000, .eur),
            hostile: Self.figures(5_000, beside: units))
    }

    @Test(arguments: units) func adyen_tipOutOfRange_isNoApproval(_ units: Int64) throws {
        let till = AdyenTill()
        let line = HostileLine(till.transport, ["AmountsResp.TipAmount"])
        try judge(
            try till.client(over: line), line, till.scheduler, Money(minorUnits: 5_000, .eur),
            with: { $0.tip = Money(minorUnits: 500, .eur) }, hostile: Self.major(units, .eur))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    @Test(arguments: units) func adyen_savedCardsAmountOutOfRange_isNoApproval(_ units: Int64) throws {
        let till = AdyenTill()
        let line = HostileLine(till.transport, ["amount.value"])
        let client = try till.client(over: line)
        line.change.withLock { $0 = Self.minor(units) }
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let error = #expect(throws: PaymentError.self) {
            try till.play {
                _ = try await client.sale(Money(minorUnits: 5_000, .eur), from: .saved(id), reference: "o")
            }
        }
        #expect(error?.outcome == .unknown)
    }

    @Test(arguments: units) func arise_amountOutOfRange_isNoApproval(_ units: Int64) throws {
        let till = ARISEBench()
        let line = HostileLine(
            InProcessTransport([ARISEBench.origin: JudgedService(till.backend)], clock: till.scheduler),
            ["processedAmount", "totalAmount", "availableAmount"])
        var given = ClientOptions(journal: till.journal)
        (given.clock, given.executor, given.reader) = (till.scheduler, till.scheduler, till.reader)
        let client = try PaymentClient(ARISEDriver(till.configuration, line, crypto: OpenSSLCrypto()), given)
        try judge(
            client, line, till.scheduler, .dollars(5_000), from: ARISEBench.card(), hostile: Self.major(units, .usd))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    /// Nothing reports then what a refund whose answer is lost has taken.
    @Test(arguments: units) func arise_leftOutOfRangeAfterALostRefund_staysInDoubt(_ units: Int64) throws {
        let till = ARISEBench()
        let line = HostileLine(
            InProcessTransport([ARISEBench.origin: JudgedService(till.backend)], clock: till.scheduler),
            ["availableAmount"])
        let losing = HookTransport(line) { request, next throws(TransportFailure) in
            let reply = try await next(request)
            guard request.path.hasSuffix("/return") else { return reply }
            line.change.withLock { $0 = Self.major(units, .usd) }
            throw .maybeSent(.stalled)
        }
        var given = ClientOptions(journal: till.journal)
        (given.clock, given.executor, given.reader) = (till.scheduler, till.scheduler, till.reader)
        let client = try PaymentClient(ARISEDriver(till.configuration, losing, crypto: OpenSSLCrypto()), given)
        let back = try AttemptID("range-back")
        let error = #expect(throws: PaymentError.self) {
            try till.scheduler.run { [backend = till.backend] in
                let sold = try await client.sale(.dollars(5_000), from: ARISEBench.card(), reference: "o").payment
                backend.settle()
                _ = try await client.refund(#require(sold).id, of: .dollars(1_500), attempt: back)
            }
        }
        #expect(error?.outcome == .unknown)
        till.scheduler.advance(by: 60_000)
        #expect(try till.scheduler.run { try await client.recover() } == [back])
        line.change.withLock { $0 = nil }
        till.scheduler.advance(by: 60_000)
        #expect(try till.scheduler.run { try await client.recover() } == [])
        #expect(try till.scheduler.run { try await client.attempt(back)?.approval?.amount } == .dollars(1_500))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000, 1_500])
    }

    @Test(arguments: units) func ni_amountOutOfRange_isNoApproval(_ units: Int64) throws {
        var till = NITill()
        let line = HostileLine(till.tools.transport, ["value", "amount"])
        till.tools.transport = line
        try judge(till.client(), line, till.scheduler, .aed(5_000), hostile: Self.minor(units))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    @Test(arguments: units) func halo_amountOutOfRange_isNoApproval(_ units: Int64) throws {
        var till = HaloTill()
        let line = HostileLine(till.tools.transport, ["amount"])
        till.tools.transport = line
        let printed = JSON.string("ZAR \(Money(minorUnits: units, .zar).decimalText)")
        try judge(till.client(), line, till.scheduler, Money(minorUnits: 5_000, .zar)) { json in
            json.string?.hasPrefix("ZAR ") == true ? printed : Self.minor(units)(json)
        }
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    @Test(arguments: units) func ecommpay_amountOutOfRange_isNoApproval(_ units: Int64) throws {
        var till = EcommpayTill()
        let line = HostileLine(
            till.tools.transport, ["sum.amount", "sum_initial.amount"], signing: Self.signed(till.backend.rules.secret))
        till.tools.transport = line
        let shown = try EcommpayTill.request()
        try judge(
            till.client(), line, till.scheduler, Money(minorUnits: 5_000, .eur), from: shown.source,
            with: { $0.contact = shown.contact }, hostile: Self.minor(units))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    // MARK: Kits

    @Test(arguments: units) func kits_amountOutOfRange_isReadElsewhere(_ units: Int64) throws {
        let halo = HaloKitTill()
        halo.kit.play(.echoes(units))
        let zar = try halo.play { try await HaloTill.sale($0) }.payment?.approved
        #expect(zar == Money(minorUnits: 1_500, .zar) && halo.charged == [1_500])
        let ni = NIKitTill()
        ni.kit.play(.echoes(units))
        #expect(try ni.told() == "approved 1500" && ni.charged == [1_500])
        let ecommpay = EcommpayKitTill()
        ecommpay.kit.play(.echoes(units))
        #expect(try ecommpay.sell().payment?.approved == Money(minorUnits: 5_000, .eur))
        let blind = EcommpayKitTill(showsStatus: false)
        blind.kit.play(.echoes(units))
        #expect(try blind.told() == "mismatch unknown" && blind.charged == [5_000])
    }

    @Test(arguments: units) func phone_tipOutOfRange_isNoApproval(_ units: Int64) throws {
        let till = AdyenKitTill()
        let line = HostileLine(till.inner.transport, ["AmountsResp.TipAmount"])
        line.change.withLock { $0 = Self.major(units, .eur) }
        let sessions = AdyenSessions(
            at: WebURL(AdyenTill.origin, "/checkout/possdk/v68/sessions"), merchant: till.backend.merchant,
            apiKey: till.backend.apiKey, till.inner.transport)
        let kit = SimulatedAdyenSDK(clock: till.scheduler, transport: line, origin: AdyenTill.origin) { token in
            try await sessions.data(for: token)
        }
        var given = ClientOptions(journal: till.inner.journal)
        (given.clock, given.executor) = (till.scheduler, till.scheduler)
        let driver = try till.configuration.driver(till.inner.transport, OpenSSLCrypto(), kit: kit, server: nil)
        let client = try PaymentClient(driver, given)
        let attempt = try AttemptID("range-1")
        var request = SaleRequest(Money(minorUnits: 1_500, .eur), from: .reader, reference: "order-1")
        request.tip = Money(minorUnits: 500, .eur)
        let error = #expect(throws: PaymentError.self) {
            try till.scheduler.run { [request] in _ = try await client.sale(request, attempt: attempt) }
        }
        #expect(error?.outcome == .unknown && till.charged == [1_500])
        // A phone can't be asked about its payment; the webhook says what became of it.
        try till.scheduler.run {
            #expect(try await client.recover() == [attempt])
            try await till.inner.deliver(till.backend.takeMessages(), to: client)
        }
        let approved = try till.scheduler.run { try await client.attempt(attempt)?.approval?.amount }
        #expect(approved == Money(minorUnits: 1_500, .eur))
    }

    /// Signs a message as the provider would have.
    private static func signed(_ secret: Secret) -> @Sendable (JSON) -> JSON {
        { json in
            guard var object = json.object, object["signature"] != nil else { return json }
            object["signature"] = nil
            let text = try? EcommpaySigning.text(.object(object))
            let signature = text.flatMap { try? EcommpaySigning.signature($0, secret, OpenSSLCrypto()) }
            object["signature"] = signature.map(JSON.string)
            return .object(object)
        }
    }
}

/// Running amounts of an order that no order has, around a refund whose answer is lost.
@Suite struct NIAmountRangeTests {
    private static let wrong = [Int64.max, .min, .min + 1, -1]

    /// What replaces the charged amount of one order, whether answers to refunds are torn, and whether orders leave out
    /// their captures and refunds, so that only the running amounts show them.
    private struct Mood {
        var order = ""
        var captured: Int64?
        var tears = false
        var hides = false
        /// The orders whose answer to a refund was torn, where only these are to say something else.
        var torn: Set<String>?
    }

    /// A line to a provider that is in such a mood.
    private static func line(_ inner: any HTTPTransport, _ mood: Locked<Mood>) -> HookTransport {
        HookTransport(inner) { request, next throws(TransportFailure) in
            var reply = try await next(request)
            let mood = mood.withLock { mood in
                let isRefund = request.method != "GET" && request.path.contains("refund")
                if isRefund, mood.tears { mood.torn?.insert(mood.order) }
                if isRefund, mood.tears { reply.body = Array("torn".utf8) }
                return mood
            }
            guard request.method == "GET", var body = (try? JSONReader().read(reply.body))?.object,
                var info = body["paymentInfo"]?.object, var captured = info["captured"]?.object
            else { return reply }
            if mood.hides { body["capturesNRefunds"] = [] }
            let isMeant = body["reference"]?.string == mood.order && mood.torn?.contains(mood.order) ?? true
            if let units = mood.captured, isMeant {
                captured["value"] = .number(JSONNumber(units))
                info["captured"] = .object(captured)
                body["paymentInfo"] = .object(info)
            }
            reply.body = JSON.object(body).bytes()
            return reply
        }
    }

    /// A till two days after two sales, with their payments.
    private func opened(_ mood: Locked<Mood>) throws -> (NITill, PaymentClient, [Payment]) {
        var till = NITill()
        till.tools.transport = Self.line(till.tools.transport, mood)
        let client = try till.client()
        let payments = try till.scheduler.run {
            var payments: [Payment] = []
            for name in ["a", "b"] {
                let sold = try await client.sale(.aed(5_000), from: .reader, reference: name)
                payments.append(try #require(sold.payment))
            }
            return payments
        }
        till.advance(hours: 48)
        return (till, client, payments)
    }

    @Test(arguments: wrong) func refund_torn_totalsOutOfRangeAfterIt_staysInDoubtAndOthersSettle(
        _ units: Int64
    ) throws {
        let mood = Locked(Mood())
        let (till, client, payments) = try opened(mood)
        let (mine, other) = (try AttemptID("back-a"), try AttemptID("back-b"))
        mood.withLock { ($0.tears, $0.hides, $0.torn) = (true, true, []) }
        for (payment, attempt) in zip(payments, [mine, other]) {
            mood.withLock { ($0.order, $0.captured) = (payment.references["order"] ?? "", units) }
            let error = #expect(throws: PaymentError.self) {
                try till.scheduler.run { _ = try await client.refund(payment.id, of: .aed(1_000), attempt: attempt) }
            }
            #expect(error?.outcome == .unknown)
        }
        mood.withLock { $0.order = payments[0].references["order"] ?? "" }
        for _ in 1...2 {
            till.scheduler.advance(by: 60_000)
            #expect(try till.scheduler.run { try await client.recover() } == [mine])
        }
        #expect(try till.scheduler.run { try await client.attempt(other)?.approval?.amount } == .aed(1_000))
        mood.withLock { $0.captured = nil }
        till.scheduler.advance(by: 60_000)
        #expect(try till.scheduler.run { try await client.recover() } == [])
        #expect(try till.scheduler.run { try await client.attempt(mine)?.approval?.amount } == .aed(1_000))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000, 5_000, 1_000, 1_000])
    }

    /// The driver refunds no order whose amounts can't be believed: it could not find out what became of the refund.
    @Test(arguments: wrong) func refund_totalsOutOfRangeBeforeIt_isNotSent(_ units: Int64) throws {
        let mood = Locked(Mood())
        let (till, client, payments) = try opened(mood)
        mood.withLock { ($0.tears, $0.hides) = (true, true) }
        mood.withLock { ($0.order, $0.captured) = (payments[0].references["order"] ?? "", units) }
        let error = #expect(throws: PaymentError.self) {
            try till.scheduler.run { _ = try await client.refund(payments[0].id, of: .aed(1_000)) }
        }
        #expect(error?.outcome == .notExecuted)
        mood.withLock { $0.captured = .max }
        for _ in 1...2 { #expect(try till.scheduler.run { try await client.recover() } == []) }
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000, 5_000])
    }

    /// A journal may hold what an order said once.
    @Test func change_sinceTotalsOutOfRange_provesNothing() throws {
        func amount(_ units: Int64) -> JSON {
            ["currencyCode": "AED", "value": .number(JSONNumber(units)), "minorUnit": 2]
        }
        let order = try #require(
            NIOrder([
                "reference": "o", "action": "PURCHASE", "amount": amount(5_000), "captureStatus": "PURCHASED",
                "capturesNRefunds": [], "paymentInfo": ["captured": amount(5_000), "refunded": amount(1_000)],
            ]))
        #expect(order.change(since: (.min, 1_000))?.kind != "capture")
        #expect(order.change(since: (5_000, .min))?.kind != "refund")
        #expect(order.change(since: (5_000, 0))?.units == 1_000)
    }

    @Test func details_movementsBeyondEverySum_allowNothing() throws {
        func amount(_ units: Int64) -> JSON {
            ["currencyCode": "AED", "value": .number(JSONNumber(units)), "minorUnit": 2]
        }
        let movement: JSON = [
            "eventGroupType": "PARTIAL_REFUND", "status": "REQUESTED", "timestamp": "2026-01-03T10:00:00Z",
            "payload": ["reference": "m", "amount": amount(1_000_000_000_000_000)],
        ]
        let order = try #require(
            NIOrder([
                "reference": "o", "action": "PURCHASE", "amount": amount(5_000), "captureStatus": "PURCHASED",
                "createDateTime": "2026-01-03T09:00:00Z",
                "capturesNRefunds": .array(Array(repeating: movement, count: 9_300)),
                "paymentInfo": ["captured": amount(5_000), "refunded": amount(0)],
            ]))
        let details = try NIMapping.details(order, now: 4_102_444_800_000)
        #expect(details.operations.isEmpty && details.isSettled == true)
    }
}
