import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentModel
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

@Suite struct EcommpayInspectorTests {
    private let inspector = EcommpayInspector()

    private func inspect(
        _ text: String, _ operation: PaymentOperation? = nil, status: Int? = nil
    ) -> [Inspection] {
        var message = InspectedMessage(Array(text.utf8))
        (message.operation, message.httpStatus) = (operation, status)
        return inspector.inspect(message)
    }

    private func said(_ text: String, status: Int? = nil) -> [String] {
        inspect(text, status: status).map { "\($0.status.rawValue)/\($0.money.rawValue)" }
    }

    @Test func theEntryExplainsSignsAndNamesItsProof() {
        let entry = ProviderDefinition.ecommpay
        #expect(entry.inspector != nil && entry.signatures != nil && entry.webhookCredential == "secret")
        #expect(entry.credentials.map(\.key).contains("secret"))
    }

    @Test(arguments: [
        (#"{"status":"success","request_id":"r","project_id":1,"payment_id":"p"}"#, "pending/unknown"),
        (#"{"status":"success","payment_id":"p"}"#, "unknown/unknown"),
        (#"{"status":"success","sid":"s","payment_methods":[],"accounts":[]}"#, "none/notExecuted"),
        (#"{"status":"success","sid":"s","payment":{"id":"p","status":"awaiting 3ds result"}}"#, "pending/unknown"),
        (#"{"accounts":[],"signature":"x"}"#, "none/notExecuted"),
        (#"{"status":"success","accounts":[]}"#, "none/notExecuted"),
        (#"{"account":{"id":1,"number":"555555******4444"},"signature":"x"}"#, "none/notExecuted"),
        (#"{"customer":{"id":"c","project_id":1,"signature":"x"},"card":{"pan":"1"}}"#, "none/notExecuted"),
        (#"{"customer":{"id":"c","project_id":1},"signature":"x"}"#, "none/notExecuted"),
        (#"{"general":{"project_id":1,"payment_id":"p","signature":"x"},"recurring":{"id":1}}"#, "none/notExecuted"),
        (
            #"{"general":{"project_id":1,"payment_id":"p","signature":"x"},"payment":{"amount":5},"recurring":{"id":1}}"#,
            "none/unknown"
        ),
        (#"{"project_id":1,"recurring":{"id":1,"status":"active","amount":"400"}}"#, "none/notExecuted"),
        (#"{"status":"success"}"#, "none/unknown"),
        (#"{"status":"error","code":"2004","message":"Required field not provided"}"#, "failed/notExecuted"),
        (#"{"status":"error","code":"3041","message":"Payment ID already exists"}"#, "unknown/unknown"),
        (#"{"status":"error","code":"4711","message":"?"}"#, "unknown/unknown"),
        (#"{"errors":[{"code":3284,"message":"currency","field":"x","constraint":"y"}]}"#, "failed/notExecuted"),
        (#"{"code":"NETWORK_TIMEOUT","message":"timeout"}"#, "unknown/unknown"),
        (#"{"code":"ILLEGAL_ARGUMENTS","message":"wrong"}"#, "failed/notExecuted"),
        (
            #"{"code":"Network & Server API","message":"{\"status\":\"validation\",\"code\":\"501\",\"errors\":{\"sid\":\"Make payment before check status\"}}"}"#,
            "unknown/unknown"
        ),
        (#"{"sid":"s","action":"sale","method":"card","card":{"pan":"4000000000000077"}}"#, "none/unknown"),
        (#"{"sid":"s","cres":"x"}"#, "none/unknown"), (#"{"sid":"s"}"#, "none/notExecuted"),
        (#"{"project_id":1,"payment_id":"p","payment_amount":5,"payment_currency":"EUR"}"#, "none/unknown"),
        (#"{"general":{"project_id":1,"payment_id":"p","signature":"x"}}"#, "none/unknown"),
        (#"{"project_id":1,"request_id":"r","signature":"x"}"#, "none/notExecuted"),
        (#"{"project_id":1,"recurring":{"id":1,"status":"cancelled"},"signature":"x"}"#, "none/notExecuted"),
        (#"{"general":{"project_id":1,"signature":"x"},"token":"t","token_status":"active"}"#, "none/notExecuted"),
        (#"{"project_id":1,"payment":{"id":"p","status":"teleported"}}"#, "unknown/unknown"),
        ("", "unknown/unknown"), ("<html>", "unknown/unknown"), ("{}", "unknown/unknown"), ("[]", "unknown/unknown"),
    ]) func everyKindOfMessageIsJudged(_ text: String, _ due: String) {
        #expect(said(text) == [due])
    }

    @Test func theStatusOfTheReplyCounts() {
        let done = #"{"payment":{"id":"p","status":"success"},"operation":{"id":1,"type":"sale","status":"success"}}"#
        #expect(said(done, status: 500) == ["unknown/unknown"] && said(done, status: 400) == ["unknown/unknown"])
        let refused = #"{"status":"error","code":"2004","message":"m"}"#
        #expect(
            said(refused, status: 400) == ["failed/notExecuted"] && said(refused, status: 502) == ["unknown/unknown"])
        #expect(said("{}", status: 403) == ["unknown/unknown"] && said("{}", status: 409) == ["unknown/unknown"])
    }

    /// Every reply and callback that the provider really gives.
    @Test func whatTheProviderSaysIsJudgedAsItsBooksAre() throws {
        let till = EcommpayTill()
        let (states, gate) = (Locked([JSON]()), Locked([JSON]()))
        var watched = till
        watched.tools.transport = Overhearing(till.tools.transport) { path, body in
            if path == "/msdk/v1/status" { states.withLock { $0.append(body) } }
            if path == "/v2/payment/status" { gate.withLock { $0.append(body) } }
        }
        let client = try watched.client()
        let (sale, declined) = (
            try EcommpayTill.request(), try EcommpayTill.request(5_000, "4111111111111111", reference: "d")
        )
        let hold = try EcommpayTill.request(6_000, reference: "h")
        let part = Money(minorUnits: 1_000, .eur)
        try till.scheduler.run {
            let payment = try #require(try await client.sale(sale).payment)
            _ = try await client.refund(payment.id, of: part, attempt: AttemptID("refund-1"))
            _ = try await client.sale(declined)
            let held = try #require(try await client.authorize(hold).payment)
            _ = try await client.void(held.id)
        }
        func verdicts(_ json: JSON) -> [String] { said(String(decoding: json.bytes(), as: UTF8.self)) }
        #expect(
            states.withLock { $0.map { verdicts($0) } } == [
                ["approved/executed"], ["declined/notExecuted"], ["approved/executed"],
            ])
        let last = gate.withLock { $0 }
        #expect(last.contains { verdicts($0) == ["approved/executed", "approved/executed"] })
        let refund = try #require(
            last.first { $0["operations"]?[1]?["type"] == "refund" || $0["operations"]?[1]?["type"] == "reversal" })
        var message = InspectedMessage(refund.bytes())
        message.operation = .refund
        let found = try #require(inspector.inspect(message).first)
        #expect(found.attempt == "refund-1" && found.amount == part && found.unknownFields.isEmpty)
        #expect(states.withLock { $0.allSatisfy { EcommpayMembers.known.unknown(in: $0).isEmpty } })
    }

    @Test func whatNoDocumentNamesIsListed() throws {
        let text = #"{"status":"success","operations":[{"id":1,"odd":2}],"extra":{"a":1},"errors":{"sid":"x"}}"#
        #expect(inspect(text).first?.unknownFields == ["operations.0.odd", "extra"])
    }

    // MARK: Mutations

    /// Whatever is cut out of or written into a message, it never becomes a movement of money that was none.
    @Test func mutatedMessagesNeverBecomeMovements() throws {
        let samples = [
            #"{"project_id":1,"payment":{"id":"p","status":"decline","sum":{"amount":500,"currency":"EUR"}},"operation":{"id":1,"type":"sale","status":"decline","code":"10105","message":"m","sum_initial":{"amount":500,"currency":"EUR"}}}"#,
            #"{"project_id":1,"payment":{"id":"p","status":"awaiting 3ds result"},"operation":{"id":1,"type":"sale","status":"processing"},"acs":{"acs_url":"u","pa_req":"r","md":"m"}}"#,
            #"{"project_id":1,"payment":{"id":"p","status":"success","sum":{"amount":500,"currency":"EUR"}},"operation":{"id":2,"type":"refund","status":"decline","code":"3028","merchant_refund_id":"r","sum_initial":{"amount":500,"currency":"EUR"}}}"#,
            #"{"status":"success","request_id":"r","project_id":1,"payment_id":"p"}"#,
            #"{"project_id":1,"payment":{"id":"p","status":"error"},"operations":[],"errors":[{"code":3061,"message":"Transaction not found"}]}"#,
            #"{"status":"error","code":"3041","message":"Payment ID already exists"}"#,
            #"{"general":{"project_id":1,"payment_id":"p","signature":"s"},"payment":{"amount":400,"currency":"EUR","merchant_refund_id":"r"}}"#,
        ]
        var random = SeededRandom(seed: 20_261_121)
        var count = 0
        for sample in samples {
            let json = try JSONReader().read(Array(sample.utf8))
            for _ in 0..<700 {
                let mutated = mutate(json, &random)
                for bytes in [mutated.bytes(), torn(mutated.bytes(), &random)] {
                    count += 1
                    for item in inspector.inspect(InspectedMessage(bytes)) {
                        #expect(
                            item.money != .executed && item.status != .approved,
                            "\(String(decoding: bytes, as: UTF8.self))")
                    }
                }
            }
        }
        print("ecommpay: \(count) mutated messages")
        #expect(count > 9_000)
    }

    /// An approval that lost or changed something is an approval of an amount, or none.
    @Test func aMutatedApprovalNamesItsAmountOrIsNone() throws {
        let sample =
            #"{"project_id":1,"payment":{"id":"p","status":"success","sum":{"amount":500,"currency":"EUR"}},"operation":{"id":1,"type":"sale","status":"success","code":"0","sum_initial":{"amount":500,"currency":"EUR"}}}"#
        let json = try JSONReader().read(Array(sample.utf8))
        var random = SeededRandom(seed: 7)
        var moved = 0
        for _ in 0..<2_000 {
            let mutated = mutate(json, &random)
            for item in inspector.inspect(InspectedMessage(mutated.bytes())) where item.money == .executed {
                moved += 1
                #expect(item.status == .approved && item.amount != nil)
                #expect(mutated["payment"]?["status"] == "success" && mutated["operation"]?["status"] == "success")
            }
        }
        #expect(moved > 0)
    }

    private static let words: [JSON] = [
        "", "teleported", .null, 0, -1, 1, .bool(true), [], [:], "EUR", "XXX", "p", "processing", "canceled", "decline",
        "expired", "error", "sale", "auth", "capture", "refund", "reversal", "cancel", "refund reverse", "10105",
        "3061",
    ]

    private func mutate(_ json: JSON, _ random: inout SeededRandom) -> JSON {
        func pick(_ count: Int) -> Int { Int(truncatingIfNeeded: random.next() >> 33) % max(1, count) }
        switch json {
        case .object(let object):
            var changed = JSONObject()
            let chosen = pick(object.members.count)
            let way = pick(6)
            for (index, member) in object.members.enumerated() {
                guard index == chosen else {
                    changed[member.key] = member.value
                    continue
                }
                switch way {
                case 0: continue
                case 1: changed[member.key] = Self.words[pick(Self.words.count)]
                case 2: changed[member.key + "x"] = member.value
                default: changed[member.key] = mutate(member.value, &random)
                }
            }
            return .object(changed)
        case .array(let items):
            guard !items.isEmpty else { return Self.words[pick(Self.words.count)] }
            let chosen = pick(items.count)
            return .array(items.enumerated().map { $0.offset == chosen ? mutate($0.element, &random) : $0.element })
        case .null, .bool, .number, .string: return Self.words[pick(Self.words.count)]
        }
    }

    private func torn(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var torn = bytes
        let position = Int(truncatingIfNeeded: random.next() >> 33) % bytes.count
        if random.next() & 1 == 0 { return Array(bytes.prefix(position)) }
        torn[position] ^= UInt8(truncatingIfNeeded: random.next() & 0x0F) | 1
        return torn
    }
}

/// Reports the path and the body of what comes back.
struct Overhearing: HTTPTransport {
    let inner: any HTTPTransport
    let tell: @Sendable (String, JSON) -> Void

    init(_ inner: any HTTPTransport, _ tell: @escaping @Sendable (String, JSON) -> Void) {
        (self.inner, self.tell) = (inner, tell)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let response = try await inner.send(request)
        if let body = try? JSONReader().read(response.body) { tell(request.target, body) }
        return response
    }
}
