import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

@Suite struct EcommpayPushTests {
    private func slowly(_ milliseconds: Int64, cutAfter: Int? = nil) -> (EcommpayTill, EcommpaySockets) {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = milliseconds
        var till = EcommpayTill(rules: rules)
        let sockets = EcommpaySockets(till.scheduler, till.backend, cutAfter: cutAfter)
        till.tools.webSockets = sockets
        return (till, sockets)
    }

    @Test func aPushReportsAtOnceWhatPollingFindsLate() throws {
        func took(_ till: EcommpayTill) throws -> Int64 {
            let (client, scheduler, request) = (try till.client(), till.scheduler, try EcommpayTill.request())
            return try scheduler.run {
                let start = scheduler.now
                let result = try await client.sale(request)
                guard case .approved = result else { throw CancellationError() }
                return scheduler.now - start
            }
        }
        let (pushed, sockets) = slowly(7_300)
        var polled = pushed
        polled.tools.webSockets = nil
        #expect(try took(pushed) == 7_300)
        #expect(sockets.heard.withLock { $0.count } == 2)
        let (other, _) = slowly(7_300)
        polled = other
        polled.tools.webSockets = nil
        #expect(try took(polled) > 7_300)
    }

    /// Wherever the line is cut: the session is asked again at once, nothing is lost and nothing happens twice.
    @Test(arguments: 0...8) func aLineThatIsCutAtAnyMessageLosesNothing(_ count: Int) throws {
        for (number, units) in [("5413330000000019", 5_000), ("5555555555554444", 5_031), ("5544330000000029", 5_000)] {
            var (till, sockets) = slowly(3_500, cutAfter: count)
            till.answers.handle(RequestedFields.self) { _ in ["avs_post_code": "SW1", "avs_street_address": "Main"] }
            let payment = try #require(try till.sell(Int64(units), number).payment)
            #expect(payment.approved.minorUnits == Int64(units))
            #expect(till.backend.ledger.balance(.merchant) == ["EUR": Int64(units)])
            #expect(sockets.heard.withLock { $0.count } <= count)
            sockets.cutAfter = nil
        }
    }

    @Test func withoutALineTheSessionIsAsked() throws {
        var (till, _) = slowly(3_500)
        till.tools.webSockets = NoLine()
        #expect(try till.sell().payment != nil)
        till.configuration.events = nil
        #expect(EcommpayEvents(NoLine(), till.configuration, Secret("s")) == nil)
    }

    private struct NoLine: WebSocketTransport {
        func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
            throw .notSent(.connectionRefused)
        }
    }

    /// What is pushed is exactly what the session answers.
    @Test func theProviderPushesWhatTheSessionAnswers() throws {
        let (till, sockets) = slowly(0)
        let states = Locked([JSON]())
        var watched = till
        watched.tools.transport = Overhearing(till.tools.transport) { path, body in
            if path == "/msdk/v1/status" { states.withLock { $0.append(body) } }
        }
        #expect(try watched.sell(5_000, "5413330000000019").payment != nil)
        let pushed = try sockets.heard.withLock { $0 }.map { try JSONReader().read(Array($0.utf8)) }
        #expect(!pushed.isEmpty)
        for message in pushed { #expect(states.withLock { $0.contains(message) }) }
    }

    /// Real sockets: the provider's line and the client's own.
    @Test func theLineWorksOverSockets() async throws {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = 3_600_000
        let provider = EcommpaySimulator(clock: SystemClock(), crypto: OpenSSLCrypto(), rules: rules)
        let server = try SimulatorServer()
        let origin = try await server.listen(provider)
        var configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        configuration.secret = rules.secret
        var tools = ProviderDependencies(transport: CurlTransport())
        tools.crypto = OpenSSLCrypto()
        let lines = CountedLines(CurlWebSocketTransport(), whenHeard: 2) {
            _ = provider.decide("pushed-1", succeeds: true)
        }
        tools.webSockets = lines
        let client = try PaymentClient(
            try EcommpayDriver(configuration, tools), ClientOptions(journal: InMemoryJournal()))
        let result = try await client.sale(
            EcommpayTill.request(5_000), attempt: AttemptID("pushed-1"), timeout: .milliseconds(20_000))
        // Nothing but the first push lets it be decided; whether the second one arrives before the driver, which asks
        // at once, is done is a matter of speed.
        #expect(result.payment != nil && lines.heard >= 1)
        await server.stop()
    }
}

/// Counts what arrives, and does something when it was enough.
private final class CountedLines: WebSocketTransport {
    private let inner: any WebSocketTransport
    private let count = Locked(0)
    private let enough: Int
    private let then: @Sendable () -> Void

    init(_ inner: any WebSocketTransport, whenHeard enough: Int, _ then: @escaping @Sendable () -> Void) {
        (self.inner, self.enough, self.then) = (inner, enough, then)
    }

    var heard: Int { count.withLock { $0 } }

    func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
        Line(try await inner.connect(request)) { [self] in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == enough - 1 { then() }
        }
    }

    private final class Line: WebSocketConnection {
        let inner: any WebSocketConnection
        let tell: @Sendable () -> Void

        init(_ inner: any WebSocketConnection, _ tell: @escaping @Sendable () -> Void) {
            (self.inner, self.tell) = (inner, tell)
        }

        func send(_ text: String) async throws(TransportFailure) { try await inner.send(text) }
        func receive() async throws(TransportFailure) -> WebSocketMessage? {
            let message = try await inner.receive()
            tell()
            return message
        }
        func close() async { await inner.close() }
    }
}

/// Callbacks that a stranger sends once more in another form: the signature covers paths and values as one text, so that
/// some forms of a message have the signature of another.
@Suite struct EcommpayReplayTests {
    /// The forms that keep the signature.
    enum Form: String, CaseIterable, Sendable {
        case same, dateAsObject, listBesideOperation, emptyRefundName, amountAsText

        func applied(to callback: JSON) throws -> JSON {
            let operation = try #require(callback["operation"])
            switch self {
            case .same: return callback
            case .dateAsObject:
                let date = try #require(operation["date"]?.string)
                let mark = try #require(date.firstIndex(of: ":"))
                let split: JSON = .object([String(date[..<mark]): .string(String(date[date.index(after: mark)...]))])
                return callback.adding("operation", operation.adding("date", split))
            case .listBesideOperation: return callback.adding("operations", [])
            case .emptyRefundName: return callback.adding("operation", operation.adding("merchant_id", [:]))
            case .amountAsText:
                let sum = try #require(operation["sum_initial"])
                let text = try #require(sum["amount"]?.number?.text)
                return callback.adding(
                    "operation", operation.adding("sum_initial", sum.adding("amount", .string(text))))
            }
        }
    }

    @Test(arguments: Form.allCases)
    func refundThatCameBack_approvalSentAgainInAnotherForm_staysDeclined(_ form: Form) throws {
        let till = EcommpayTill()
        let (scheduler, provider, client) = (till.scheduler, till.backend, try till.client())
        let (request, sale, refund) = (
            try EcommpayTill.request(5_015), try AttemptID("sale-1"), try AttemptID("refund-1")
        )
        try scheduler.run {
            _ = try await client.sale(request, attempt: sale)
            let sold = try #require(provider.decide("sale-1", succeeds: true))
            try await client.receiveWebhook(sold.body, from: "ecommpay")
            let payment = try #require(try await client.status(sale).payment)
            scheduler.advance(by: 5_000)
            _ = try await client.refund(payment.id, of: Money(minorUnits: 1_015, .eur), attempt: refund)
            scheduler.advance(by: 5_000)
            let done = try #require(provider.decide("refund-1", succeeds: true))
            try await client.receiveWebhook(done.body, from: "ecommpay")
            #expect(try await client.payment(payment.id).amounts.refunded.minorUnits == 1_015)
            scheduler.advance(by: 5_000)
            let back = try #require(provider.failLater("refund-1"))
            try await client.receiveWebhook(back.body, from: "ecommpay")
            #expect(try await client.payment(payment.id).amounts.refunded.isZero)
            scheduler.advance(by: 5_000)
            let replay = try form.applied(to: try JSONReader().read(done.body))
            let effects = try await client.receiveWebhook(replay.bytes(), from: "ecommpay").items
            #expect(!effects.isEmpty)
            let reports = try await till.journal.record(refund)?.reports.count
            let amounts = try await client.payment(payment.id).amounts
            #expect(amounts.refunded.isZero, "\(form): \(amounts.refunded), \(reports ?? 0) reports")
        }
    }

    /// A genuine message in another form decides nothing on its own, also if it comes first.
    @Test(arguments: Form.allCases.filter { $0 != .same && $0 != .emptyRefundName })
    func callback_inAnotherFormThanDocumented_isAHint(_ form: Form) throws {
        let till = EcommpayTill()
        let client = try till.client()
        let request = try EcommpayTill.request(5_015)
        let driver = try EcommpayDriver(till.configuration, till.tools)
        try till.scheduler.run {
            _ = try await client.sale(request, attempt: try AttemptID("sale-1"))
            let sold = try #require(till.backend.decide("sale-1", succeeds: true))
            let body = try form.applied(to: try JSONReader().read(sold.body)).bytes()
            let notices = try driver.notices(in: WebhookMessage(body: body, at: till.scheduler.now))
            #expect(notices.count == 1 && notices.allSatisfy { $0.verdict == nil }, "\(form): \(notices)")
        }
    }

    @Test func callback_withoutADate_isAHintAndNotOfNow() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "project_id": .number(JSONNumber(Int64(till.backend.rules.project))),
            "payment": ["id": "sale-1", "status": "success", "sum": ["amount": 100, "currency": "EUR"]],
            "operation": [
                "id": 1, "type": "sale", "status": "success", "sum_initial": ["amount": 100, "currency": "EUR"],
            ],
        ]
        let proof = try EcommpaySigning.signature(
            EcommpaySigning.text(body), till.backend.rules.secret, OpenSSLCrypto())
        let signed = body.adding("signature", .string(proof)).bytes()
        let notices = try driver.notices(in: WebhookMessage(body: signed, at: till.scheduler.now))
        #expect(notices.count == 1 && notices.first?.verdict == nil && notices.first?.at == nil, "\(notices)")
    }
}

/// Callbacks that anyone may send: what they cost before their signature is checked.
@Suite struct EcommpayHostileCallbackTests {
    /// What is made of a message of so many bytes: of an honest one no more than this many times as much is signed.
    private static let growthMax = 16

    /// How a client refuses a body, and how many bytes it authenticated for it.
    private func refusal(_ body: [UInt8]) throws -> (error: PaymentError?, bytes: Int) {
        var till = EcommpayTill()
        let crypto = CountingCrypto(OpenSSLCrypto())
        till.tools.crypto = crypto
        let error = till.failure { client in try await client.receiveWebhook(body, from: "ecommpay") }
        return (error, crypto.authenticatedBytes)
    }

    @Test(arguments: HostileMessage.allCases)
    func callback_signatureWithoutItsForm_isRefusedBeforeAnyWork(_ shape: HostileMessage) throws {
        for place in [nil, "general"] {
            let (error, bytes) = try refusal(shape.body(3_600, signature: "AAAA", in: place))
            #expect(error == PaymentError(.signatureInvalid, outcome: .notExecuted))
            #expect(bytes == 0, "\(shape)")
        }
    }

    @Test(arguments: HostileMessage.allCases)
    func callback_forgedAndHostile_costsNoMoreThanItsSize(_ shape: HostileMessage) throws {
        let body = shape.body(3_600, signature: HostileMessage.wellFormedSignature)
        let (error, bytes) = try refusal(body)
        #expect(error == PaymentError(.signatureInvalid, outcome: .notExecuted))
        // Each of the three orders has a text.
        #expect(bytes <= 3 * Self.growthMax * body.count && bytes <= 3 * 1_048_576, "\(shape): \(bytes) bytes")
    }

    @Test func callback_aboveALimit_isRefusedWithTheLimit() throws {
        let cases: [(HostileMessage, String)] = [
            (.longNameOverManyValues, "a name in it has more than 256 bytes"),
            (.longPathOverManyValues, "its text to be signed has more than 1048576 bytes"),
            (.deepObjects, "it is nested more than 32 levels deep"),
            (.deepLists, "it is nested more than 32 levels deep"),
            (.manyLongNames, "a name in it has more than 256 bytes"),
        ]
        for (shape, reason) in cases {
            let (error, bytes) = try refusal(shape.body(3_600, signature: HostileMessage.wellFormedSignature))
            #expect(error?.code == .signatureInvalid)
            #expect(error?.detail.contains(reason) == true, "\(shape): \(error?.detail ?? "")")
            #expect(bytes == 0)
        }
    }

    /// Sorting costs more than reading: a message of very many values is refused before they are put in order.
    @Test func callback_withMoreValuesThanAreSigned_isRefused() throws {
        let body = HostileMessage.manyNames.body(300_000, signature: HostileMessage.wellFormedSignature)
        let (error, bytes) = try refusal(body)
        #expect(error?.code == .unreadableReply && bytes == 0)
        #expect(error?.detail.contains("more than 2048 values") == true, "\(error?.detail ?? "")")
    }

    /// An answer of the Gate is measured like a callback, by a server that signs elsewhere, too.
    @Test func statusAnswer_aboveALimit_isNotBelievedAndAsksNoSigner() async throws {
        let asked = Locked(0)
        let seal = EcommpaySignatureMode.bytes(
            { _ in
                asked.withLock { $0 += 1 }
                return Secret("x")
            }, OpenSSLCrypto())
        for shape in [HostileMessage.longNameOverManyValues, .longPathOverManyValues, .deepObjects] {
            let body = shape.body(3_600, signature: HostileMessage.wellFormedSignature)
            #expect(try await !seal.isGenuine(try JSONReader().read(body)))
        }
        #expect(asked.withLock { $0 } == 0)
    }

    // MARK: - What has to pass

    @Test func documentedMessages_stayFarBelowEveryLimit() throws {
        for file in ["refund.callback.json", "unconfirmed.status.json", "method.step.json"] {
            let json = try JSONReader().read(try Golden.reply("Ecommpay/\(file)").body)
            let size = Self.size(json)
            #expect(try EcommpaySigning.text(json).utf8.count * 100 < SignedFieldList.textBytesMax, "\(file)")
            #expect(size.name * 4 < SignedFieldList.nameBytesMax && size.path * 4 < SignedFieldList.pathBytesMax)
            #expect(size.levels * 4 < SignedFieldList.levelsMax, "\(file): \(size)")
        }
    }

    /// The longest name and path of a message, in bytes, and how deep it is nested.
    private static func size(_ json: JSON, _ path: Int = 0) -> (name: Int, path: Int, levels: Int) {
        let members: [(String, JSON)] =
            json.object?.members.map { ($0.key, $0.value) } ?? json.array?.enumerated().map { (String($0), $1) } ?? []
        return members.reduce((0, path, 0)) { size, member in
            let inner = Self.size(member.1, path + member.0.utf8.count + 1)
            return (
                max(size.0, inner.name, member.0.utf8.count), max(size.1, inner.path), max(size.2, inner.levels + 1)
            )
        }
    }

    @Test func genuineStatus_fiveHundredOperations_isBelieved() throws {
        let operation: JSON = [
            "id": 5_028_800_010_128_225, "type": "refund", "status": "success", "date": "2026-01-05T10:00:05+0000",
            "created_date": "2026-01-05T10:00:01+0000", "request_id": "e5f2b6f1e7a14ab1a0f0b0f5f8a3f7a2-00000001",
            "sum_initial": ["amount": 400, "currency": "EUR"], "sum_converted": ["amount": 400, "currency": "EUR"],
            "code": "0", "message": "Success", "eci": "05", "operation_fee": ["amount": 4, "currency": "EUR"],
            "provider": [
                "id": 6, "payment_id": "16784511766816", "auth_code": "563253", "endpoint_id": 12, "result_code": "00",
                "result_message": "Approved", "date": "2026-01-05T10:00:03+0000",
            ],
        ]
        let message: JSON = [
            "project_id": 1_234, "payment": ["id": "p", "status": "partially refunded"],
            "operations": .array(Array(repeating: operation, count: 500)),
        ]
        let (secret, crypto) = (Secret("secret"), OpenSSLCrypto())
        let proof = try EcommpaySigning.signature(EcommpaySigning.text(message), secret, crypto)
        #expect(EcommpaySigning.isGenuine(message.adding("signature", .string(proof)), secret, crypto))
    }

    @Test func message_atALimit_isSignedAndOneByteMoreIsNot() throws {
        func nested(_ levels: Int) -> JSON { (0..<levels).reduce(JSON.string("x")) { inner, _ in ["k": inner] } }
        func named(_ count: Int) -> JSON { .object([String(repeating: "k", count: count): 1]) }
        func pathed(_ last: Int) -> JSON {
            let inner: JSON = .object([String(repeating: "k", count: last): 1])
            return (0..<4).reduce(inner) { inner, _ in .object([String(repeating: "k", count: 200): inner]) }
        }
        func long(_ count: Int) -> JSON { ["k": .string(String(repeating: "v", count: count))] }
        let cases: [(fits: JSON, exceeds: JSON)] = [
            (nested(32), nested(33)), (named(256), named(257)), (pathed(220), pathed(221)),
            (long(1_048_574), long(1_048_575)),
        ]
        for (fits, exceeds) in cases {
            #expect(try !EcommpaySigning.text(fits).isEmpty)
            let error = #expect(throws: PaymentError.self) { _ = try EcommpaySigningRequest(exceeds) }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        }
    }
}

/// What the provider, or a person at its dashboard, does with our hold is reported by its callbacks alone.
@Suite struct EcommpayHoldLimitTests {
    private static let whole = Money(minorUnits: 5_000, .eur)

    private static func deliver(_ messages: [OutgoingWebhook], to client: PaymentClient) async throws {
        for message in messages { try await client.receiveWebhook(message.body, from: "ecommpay") }
    }

    /// A hold that the provider ends as a reading has it; its callbacks come, each of them twice.
    private func ended(_ reading: String) throws -> (till: EcommpayTill, record: PaymentRecord) {
        let till = EcommpayTill()
        #expect(till.backend.play("ecommpay.hold.limit.\(reading)"))
        let request = try EcommpayTill.request()
        let record = try till.play { [scheduler = till.scheduler] client in
            let held = try #require(try await client.authorize(request).payment)
            try await scheduler.sleep(until: scheduler.now + 10 * 86_400_000)
            // A client looks, and the simulated provider ends what is over.
            _ = try await client.provider("ecommpay").transactions?.details(held.references)
            let messages = till.backend.takeMessages()
            #expect(!messages.isEmpty)
            try await Self.deliver(messages + messages, to: client)
            return try await client.payment(held.id)
        }
        return (till, record)
    }

    @Test func aHoldThatTheProviderCapturesIsCaptured() throws {
        let (till, record) = try ended("captured-by-company")
        #expect(record.amounts.captured == Self.whole && record.amounts.capturable.minorUnits == 0)
        #expect(record.attempts.count == 2 && record.attempts.last?.intent.operation == .capture)
        // It is worth as much as a capture of our own: it can be refunded.
        let back = try till.play { try await $0.refund(record.id) }
        #expect(back.payment?.amounts.refunded == Self.whole)
        #expect(till.backend.ledger.balance(.merchant)["EUR", default: 0] == 0)
    }

    @Test func aHoldThatTheProviderLetsGoIsGone() throws {
        let (till, record) = try ended("released-by-company")
        #expect(record.amounts.captured.minorUnits == 0 && record.amounts.capturable.minorUnits == 0)
        #expect(record.attempts.last?.intent.operation == .void)
        let error = till.failure { _ = try await $0.capture(record.id) }
        #expect(error?.outcome == .notExecuted)
    }

    /// Our own changes' callbacks are ours, however late they come, and whatever of them got lost.
    @Test(arguments: [false, true]) func newsOfOurOwnChangesIsNotTheProviders(_ losesAnswers: Bool) throws {
        var till = EcommpayTill()
        if losesAnswers {
            till.tools.transport = Losing(till.tools.transport, "/v2/payment/card/capture") {}
        }
        let request = try EcommpayTill.request()
        let record = try till.play { [backend = till.backend] client in
            let held = try #require(try await client.authorize(request).payment)
            let part = Money(minorUnits: 3_000, .eur)
            #expect(try await client.adjust(held.id, to: part).payment != nil)
            #expect(try await client.capture(held.id, of: part).payment != nil)
            let messages = backend.takeMessages()
            #expect(messages.count >= 3)
            try await Self.deliver(messages + messages, to: client)
            return try await client.payment(held.id)
        }
        #expect(record.attempts.count == 3)
        #expect(record.amounts.captured.minorUnits == 3_000 && record.amounts.capturable.minorUnits == 0)
    }

    /// A hold was captured and refunded at the dashboard, and the refund's callback is the first: only what was captured goes back.
    @Test func refundOfACaptureThatIsNotKnownYet_isNoRelease() throws {
        let till = EcommpayTill()
        let request = try EcommpayTill.request()
        let record = try till.play { [backend = till.backend, crypto = till.tools.crypto] client in
            let held = try #require(try await client.authorize(request).payment)
            for (id, type, status) in [(8, "refund", "partially refunded"), (7, "capture", "success")] {
                let body: JSON = [
                    "project_id": 1_234, "payment": ["id": .string(held.id.attempt.text), "status": .string(status)],
                    "operation": [
                        "id": .number(JSONNumber(Int64(id))), "type": .string(type), "status": "success",
                        "request_id": .string("r-\(id)"), "sum_initial": ["amount": 1_250, "currency": "EUR"],
                        "date": .string("2026-01-01T00:00:0\(id)+0000"),
                        "created_date": .string("2026-01-01T00:00:0\(id)+0000"),
                    ],
                ]
                let proof = try EcommpaySigning.signature(EcommpaySigning.text(body), backend.rules.secret, crypto)
                try await client.receiveWebhook(body.adding("signature", .string(proof)).bytes(), from: "ecommpay")
            }
            return try await client.payment(held.id)
        }
        #expect(record.attempts.map(\.intent.operation) == [.authorize, .refund, .capture], "\(record)")
        #expect(record.amounts.captured == record.amounts.refunded && record.amounts.refunded.minorUnits == 1_250)
    }

    /// A person let a part of a hold go at the dashboard: how much is held then is not reported, so that nothing is changed.
    @Test func aPartThatAnotherPartyLetGoIsNoRelease() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "project_id": 1_234, "payment": ["id": "hold-1", "status": "awaiting capture"],
            "operation": [
                "id": 7, "type": "cancel", "status": "success", "request_id": "r-7",
                "sum_initial": ["amount": 1_000, "currency": "EUR"],
            ],
        ]
        let proof = try EcommpaySigning.signature(
            EcommpaySigning.text(body), till.backend.rules.secret, till.tools.crypto)
        let message = WebhookMessage(body: body.adding("signature", .string(proof)).bytes(), at: 1)
        let notices = try driver.notices(in: message)
        #expect(notices.count == 1 && notices.allSatisfy { $0.verdict == nil && $0.original == nil })
    }
}

/// A journal that shows of every write whether it leaves a mark.
private struct MarkedJournal: JournalWrapper {
    let inner: any Journal
    let written = Locked([PersonMark?]())

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        var mark: PersonMark?
        if case .notice(let notice) = entry.command { mark = notice.mark }
        written.withLock { [mark] in $0.append(mark) }
        return try await inner.write(entry, id, at: instant)
    }
}

/// A journal that writes nothing, and says so late.
private struct LateJournal: JournalWrapper {
    let inner: any Journal
    let scheduler: TestScheduler

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try? await scheduler.sleep(until: scheduler.now + 1_000)
        throw .notWritten("the disk is full")
    }
}

/// What customers' banks take back is reported once a day, without a signature, and never again after a refusal.
@Suite struct EcommpayChargebackTests {
    @Test func dailyMessageAboutChargebacks_isTakenAndRaised_andChangesNothing() throws {
        let till = EcommpayTill()
        let heard = Locked([PaymentEvent]())
        let request = try EcommpayTill.request()
        let (response, before, after) = try till.play { [scheduler = till.scheduler] client in
            let stream = client.events()
            _ = Task(executorPreference: scheduler) {
                for await event in stream { heard.withLock { $0.append(event) } }
            }
            let payment = try #require(try await client.sale(request).payment)
            let before = try await client.payment(payment.id).amounts
            let body: JSON = [
                "project_id": 1_234,
                "chargebacks": [["payment_id": .string(payment.id.attempt.text), "amount": 5_000]],
            ]
            let response = try await client.receiveWebhook(body.bytes(), from: "ecommpay")
            // Strangers can send it any number of times.
            _ = try await client.receiveWebhook(body.bytes(), from: "ecommpay")
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return (response, before, try await client.payment(payment.id).amounts)
        }
        #expect(response.status == 200 && response.notices.allSatisfy { $0.verdict == nil })
        #expect(after == before && after.chargedBack.isZero)
        let raised = heard.withLock { $0 }.filter { $0.kind == .messagesDropped }
        #expect(raised.count == 1 && raised.first?.provider == "ecommpay", "\(raised.map(\.kind))")
    }

    /// No subscriber listens: a person finds one mark a day in the journal.
    @Test func dailyMessageAboutChargebacks_withoutASubscriber_leavesOneMarkADay() throws {
        let till = EcommpayTill()
        let journal = MarkedJournal(inner: till.journal)
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor) = (till.scheduler, till.scheduler)
        let client = try PaymentClient(try EcommpayDriver(till.configuration, till.tools), given)
        let body: JSON = ["chargebacks": [["payment_id": "sale-1"]]]
        try till.scheduler.run { [scheduler = till.scheduler] in
            for _ in 1...2 { _ = try await client.receiveWebhook(body.bytes(), from: "ecommpay") }
            try await scheduler.sleep(until: scheduler.now + PersonMark.dayMilliseconds)
            _ = try await client.receiveWebhook(body.bytes(), from: "ecommpay")
        }
        let written = journal.written.withLock { $0 }
        let first = 1_767_225_600_000 / PersonMark.dayMilliseconds
        #expect(written == [.chargebacks(day: first), .chargebacks(day: first + 1)])
    }

    /// The provider sends its list once, and a stranger's may be under way: neither is taken before a mark is there.
    @Test func dailyMessageAboutChargebacks_besideOneWhoseMarkIsNotWrittenYet_isNotTaken() throws {
        let till = EcommpayTill()
        let scheduler = till.scheduler
        var given = ClientOptions(journal: LateJournal(inner: till.journal, scheduler: scheduler))
        (given.clock, given.executor) = (scheduler, scheduler)
        let client = try PaymentClient(try EcommpayDriver(till.configuration, till.tools), given)
        let body: JSON = ["chargebacks": [["payment_id": "sale-1"]]]
        let taken = Locked(0)
        try scheduler.run {
            for _ in 1...2 {
                _ = Task(executorPreference: scheduler) {
                    let response = try? await client.receiveWebhook(body.bytes(), from: "ecommpay")
                    if response?.status == 200 { taken.withLock { $0 += 1 } }
                }
            }
            try await scheduler.sleep(until: scheduler.now + 60_000)
        }
        #expect(taken.withLock { $0 } == 0)
    }

    /// A signature is checked wherever there is one, and any other message without one is refused as before.
    @Test func messageAboutChargebacks_withAWrongSignature_isRefused() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let bodies: [JSON] = [
            ["chargebacks": [["payment_id": "sale-1"]], "signature": "wrong"], ["chargebacks": "sale-1"],
            // Nothing is in it, or it is another project's.
            ["project_id": .number(JSONNumber(Int64(till.configuration.project))), "chargebacks": []],
            ["project_id": 1, "chargebacks": [["payment_id": "sale-1"]]],
        ]
        for body in bodies {
            let error = #expect(throws: PaymentError.self) {
                _ = try driver.notices(in: WebhookMessage(body: body.bytes(), at: 1))
            }
            #expect(error?.code == .signatureInvalid)
        }
    }
}
