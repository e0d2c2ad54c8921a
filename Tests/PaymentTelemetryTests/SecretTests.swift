import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentTelemetry
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct SecretTests {
    /// 200 texts that no telemetry may have: cards, keys, tokens, fields with a bearer, addresses with a password.
    static let planted: [String] = {
        let random = SeededRandom(seed: 200)
        return (0..<40).flatMap { number in
            let digits = "4" + String(String(random.next() % 100_000_000_000_000 + 100_000_000_000_000).prefix(14))
            let word = Hex.encode(random.bytes(20))
            return [
                digits + String(check(digits)), "sk_live_\(word)", "eyJhbGciOiJub25lIn0.\(word)", "Bearer \(word)",
                "https://user:\(word)@host.example/\(number)",
            ]
        }
    }()

    /// The last digit of a card's number.
    private static func check(_ digits: String) -> Int {
        let sum = digits.reversed().enumerated().reduce(0) { sum, next in
            let value = (next.element.wholeNumberValue ?? 0) * (next.offset % 2 == 0 ? 2 : 1)
            return sum + value / 10 + value % 10
        }
        return (10 - sum % 10) % 10
    }

    /// A secret as others may write it.
    private static func forms(_ secret: String) -> [[UInt8]] {
        let bytes = Array(secret.utf8)
        let base64 = Data(bytes).base64EncodedString().filter { $0 != "=" }
        let percent = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
        let words = [
            secret, secret.lowercased(), secret.uppercased(), String(secret.reversed()), base64, percent,
            base64.replacing("+", with: "-").replacing("/", with: "_"), Hex.encode(bytes),
            Hex.encode(bytes, uppercase: true),
            secret.replacing("/", with: "\\/"), secret.split(separator: " ").last.map(String.init) ?? secret,
        ]
        return words.map { Array($0.utf8) } + [bytes.flatMap { [$0, 0] }]
    }

    /// How a provider or a line shows a secret that a client sent, or one of its own.
    private static func line(_ secret: String, _ way: Int, _ inner: any HTTPTransport) -> HookTransport {
        HookTransport(inner) { (request, next) async throws(TransportFailure) in
            guard request.path.hasPrefix("/payments") else { return try await next(request) }
            let body = Array(
                #"{"error":"\#(secret)","message":"\#(secret)","code":"\#(secret)","state":"\#(secret)"}"#.utf8)
            let headers: HTTPHeaders = ["X-Request-Id": secret, "Location": secret, "traceparent": secret]
            switch way {
            case 0: return HTTPResponse(400, headers: headers, body: body)
            case 1: return HTTPResponse(500, headers: headers, body: body)
            case 2: return HTTPResponse(200, headers: headers, body: body)
            case 3: return HTTPResponse(200, headers: headers, body: Array(secret.utf8))
            case 4: throw .maybeSent(TransportFailure.Reason(rawValue: secret).withDetail(secret))
            case 5: throw .notSent(TransportFailure.Reason(rawValue: secret).withDetail(secret))
            case 6: return HTTPResponse(401, headers: headers, body: body)
            default: return try await next(request)
            }
        }
    }

    /// Everything that a merchant's program, a provider and a line can put a secret into.
    private func play(_ secret: String, _ way: Int, _ observer: any PaymentObserver, name: String) throws {
        let till = Till()
        var options = till.dependencies
        (options.observer, options.reader) = (observer, LeakingReader(secret))
        let driver = till.driver(Self.line(secret, way, till.transport), name: name)
        let client = try PaymentClient(driver, options)
        let (attempt, card) = (try till.play { try await client.newAttempt() }, try Cards.good())
        _ = till.failure { _ = try await client.sale(.cents(1_000), from: card, reference: secret, attempt: attempt) }
        _ = till.failure { _ = try await client.sale(.cents(1_001), from: .reader, reference: secret + "r") }
        let own = try? AttemptID(String(secret.filter { $0.isLetter || $0.isNumber }.prefix(36)))
        _ = till.failure { _ = try await client.sale(.cents(1_002), from: card, reference: secret + "o", attempt: own) }
        _ = till.failure {
            _ = try await client.receiveWebhook(Array(secret.utf8), headers: [:], from: ProviderID(rawValue: name))
        }
        _ = try till.play { try? await client.recover() }
        _ = till.failure {
            let kind = PaymentEvent.Kind(rawValue: secret)
            try await client.addEvent(kind, to: PaymentID(attempt), attributes: [secret: secret])
        }
        _ = till.failure { _ = try await client.resolve(attempt, as: .notExecuted(), by: secret, reason: secret) }
    }

    @Test("Of 200 planted secrets none is in what an observer gets or an exporter sends, in any encoding")
    func secrets_planted_noneInTelemetry() throws {
        let (observer, line) = (RecordingObserver(namesTraces: true), FixedTransport { _ in HTTPResponse(200) })
        let (secrets, clock) = (Self.planted, TestScheduler())
        #expect(secrets.count == 200 && Set(secrets).count == 200)
        var options = OTLPExporter.Options()
        (options.queueMax, options.sendsTraceContext) = (1_000_000, true)
        let exporter = OTLPExporter(to: Origin(.http, "collector.test", 4318), over: line, clock: clock, options)
        for (place, secret) in secrets.enumerated() {
            // A card's number is one even as the name of a provider.
            let name = secret.allSatisfy(\.isNumber) ? secret : "memory"
            for way in [place % 8, (place + 3) % 8] {
                try play(secret, way, Both(one: observer, other: exporter), name: name)
            }
        }
        try clock.run { await exporter.flush() }
        #expect(observer.ended.count > 2_000 && observer.records.count > 2_000)
        #expect(exporter.droppedCount == 0)
        let shown = Set(
            observer.ended.flatMap(\.attributes) + observer.records.flatMap(\.attributes)
                + observer.counts.flatMap(\.attributes))
        let names = Set(observer.records.map(\.event))
        let haystack = Data(line.requests.flatMap(\.body) + Array("\(shown) \(names)".utf8))
        for secret in secrets {
            for form in Self.forms(secret) where haystack.range(of: Data(form)) != nil {
                Issue.record("telemetry has \(String(decoding: form, as: UTF8.self))")
            }
        }
        // The search finds what is there.
        #expect(haystack.range(of: Data("memory.test".utf8)) != nil)
    }

    @Test("What drivers and applications call an event, a code or a cause is shown as other")
    func openSets_unknownWord_isOther() throws {
        let observer = RecordingObserver()
        try play("sk_live_0123456789", 4, observer, name: "memory")
        #expect(observer.records.contains { $0.event == "other" })
        #expect(observer.ended.contains { $0.text(.cause) == "other" })
        #expect(observer.ended.contains { $0.text(.code) == "other" })
    }
}

/// Shows everything to two observers.
private struct Both: PaymentObserver {
    let one: any PaymentObserver
    let other: any PaymentObserver

    func began(_ span: ObservedSpan) {
        one.began(span)
        other.began(span)
    }
    func ended(_ span: ObservedSpan) {
        one.ended(span)
        other.ended(span)
    }
    func counted(_ count: ObservedCount) {
        one.counted(count)
        other.counted(count)
    }
    func logged(_ record: ObservedRecord) {
        one.logged(record)
        other.logged(record)
    }
    func traceContext(for span: ObservedSpan) -> TraceContext? { other.traceContext(for: span) }
}

/// A reader whose failures hold a secret.
private struct LeakingReader: CardReader {
    let error: PaymentError

    init(_ secret: String) {
        error = PaymentError(PaymentError.Code(rawValue: secret), outcome: .notExecuted, detail: secret)
    }

    func compatibility() async -> ReaderCompatibility { ReaderCompatibility([]) }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {}
    func prepare(token: Secret) async throws {}
    func read(_ request: CardReadRequest) async throws -> CardReadResult { throw error }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult { throw error }
    func cancel() async throws -> CancelResult { throw error }
}
