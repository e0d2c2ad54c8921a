import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// What a request carried in secret, and the provider says back, comes out nowhere.
@Suite struct EchoTests {
    /// The secrets that each kind of source carries.
    static func carried(by source: PaymentSource) -> [Planted.Needle] {
        let names: Set<String>
        switch source {
        case .reader, .hostedPage: names = []
        case .card: names = ["PAN", "CVV"]
        case .external: names = ["track 1", "track 2", "EMV data", "PIN block", "KSN"]
        case .wallet: names = ["wallet"]
        case .saved: names = ["CVV"]
        case .token: names = ["token", "CVV"]
        case .bank: names = ["account", "routing", "tax id"]
        }
        return Planted.secrets.filter { names.contains($0.name) }
    }

    /// Fields that a driver hands on as words or references of the provider.
    static let words: [EchoTransport.Field] = [.message, .id, .movement, .state, .refusedCode, .refusedMessage]

    @Test(arguments: [EchoRun.Route.approved, .declined])
    func theProvidersWordsAndReferencesHoldNoneOfIt(_ route: EchoRun.Route) throws {
        var run = EchoRun()
        for source in try Planted.sources() {
            for needle in Self.carried(by: source) {
                for field in Self.words { try run.run(needle, [.plain], from: source, field, route) }
            }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
        #expect(run.count > 10_000)
        print("secrets echoed, \(route): \(run.count) parts walked")
    }

    /// The code of a decline goes into results, events and the journal.
    @Test func theCodeOfADeclineHoldsNoneOfIt() throws {
        var run = EchoRun()
        for source in try Planted.sources() {
            for needle in Self.carried(by: source) { try run.run(needle, [.plain], from: source, .code, .declined) }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    /// The provider says nothing back: of the request itself, nothing about people is in what comes out.
    @Test func people_ofTheRequestItself_comeOutNowhere() throws {
        var run = EchoRun()
        let card = PaymentSource.card(try Planted.card())
        for needle in Planted.people {
            for route in EchoRun.Route.allCases { try run.run(needle, [], from: card, .message, route) }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    /// What the request says of people, and the provider says back in words. A town and a postal code are those of many.
    @Test(arguments: [EchoRun.Route.approved, .declined, .byLookup, .brokenThenLookup])
    func people_saidBackInWords_comeOutNowhere(_ route: EchoRun.Route) throws {
        var run = EchoRun()
        let card = PaymentSource.card(try Planted.card())
        for needle in Planted.people where needle.text != Planted.city && needle.text != Planted.postalCode {
            for field in [EchoTransport.Field.message, .refusedMessage] {
                try run.run(needle, [.plain], from: card, field, route)
            }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    /// The client, the journal and the stores after a sale with an access in them.
    @Test func whatIsHeldAfterASaleShowsNothing() throws {
        let till = Till()
        let tokens = InMemoryTokenStore()
        var dependencies = till.dependencies
        (dependencies.tokens, dependencies.executor, dependencies.reader) = (tokens, till.scheduler, nil)
        let driver = till.driver(EchoTransport(till.transport, .event, ""))
        let client = try PaymentClient(driver, dependencies)
        let card = PaymentSource.card(try Planted.card())
        let result = try till.play { try await client.sale(Planted.sale(.cents(2_000), from: card)) }
        #expect(result.payment != nil)
        let kept = try till.play { try await tokens.load(driver.identity) }
        #expect(kept?.value.expose() == Planted.access)
        (dependencies.clock, dependencies.executor) = (SystemClock(), nil)
        var walk = SecretWalk()
        for value in [tokens, dependencies.journal, dependencies, driver] as [Any] { walk.walk(value) }
        #expect(walk.leaks.isEmpty, "\(walk.leaks)")
        #expect(walk.count > 100)
        print("secrets held: \(walk.count) parts walked")
    }
}

/// Texts of a provider's that are longer than what is kept of them: the end must not split what has to be found.
@Suite struct LongEchoTests {
    private static let max = ProviderMessage.charactersMax

    /// A decline whose words are made of the request's card number; everything that a caller, the journal and the timeline
    /// have of it.
    private func told(
        _ words: @escaping @Sendable (_ number: String) -> (code: String, message: String)
    ) throws -> (provider: ProviderMessage?, everything: String) {
        let till = Till()
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                var response = try await next(request)
                guard request.target == "/payments", let sent = try? JSONReader().read(request.body),
                    let body = try? JSONReader().read(response.body)
                else { return response }
                let said = words(sent["source"]?["number"]?.string ?? "")
                response.body = body.adding("state", "declined").adding("code", .string(said.code))
                    .adding("message", .string(said.message)).bytes()
                return response
            })
        let request = Planted.sale(.cents(2_000), from: .card(try Planted.card()))
        let (provider, values) = try till.play {
            let attempt = try AttemptID("long-echo")
            let result = try await client.sale(request, attempt: attempt)
            var provider: ProviderMessage?
            if case .declined(let decline) = result { provider = decline.provider }
            let record = try await client.attempt(attempt)
            let timeline = try await client.timeline(of: PaymentID(attempt))
            return (provider, [result, record, timeline] as [any Sendable])
        }
        var everything = ""
        for value in values { dump(value, to: &everything) }
        return (provider, everything)
    }

    private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(arguments: [1_000, 1_005, 1_008, 1_009, 1_010, 1_012, 1_015, 1_020, 1_023, 1_024])
    func decline_cardNumberAcrossTheEnd_showsNoneOfIt(_ lead: Int) throws {
        let (provider, everything) = try told { number in ("05", Self.letters(lead) + number + " was refused") }
        #expect(provider?.message.hasPrefix(Self.letters(1_000)) == true)
        for count in [5, 11, 12, 15, 16] { #expect(!everything.contains(Planted.number.prefix(count)), "\(count)") }
    }

    @Test(arguments: ["4539 5787 6362 1486", "4539-5787-6362-1486", "6011000990139424"])
    func decline_otherCardNumberAcrossTheEnd_isMaskedOrLeftOut(_ number: String) throws {
        for lead in 1_004...1_024 {
            let message = ProviderMessage(code: "05", message: Self.letters(lead) + number + " was refused").message
            #expect(message.unicodeScalars.count <= Self.max && message.hasPrefix(Self.letters(1_004)))
            #expect(message.utf8.count { (48...57).contains($0) } <= 4, "\(lead): \(message.suffix(24))")
            // A masked number is shown as a whole or not at all.
            #expect(!message.contains("*") || message.contains(String(number.suffix(4))), "\(lead)")
        }
    }

    /// The client's own secret but its last letter stood before the end.
    @Test(arguments: 1...20) func decline_secretAcrossTheEnd_showsNoneOfIt(_ within: Int) throws {
        let secret = Planted.clientSecret
        let lead = Self.max - secret.utf8.count + within
        let (provider, everything) = try told { _ in ("05", Self.letters(lead) + secret + " is yours") }
        #expect(provider?.message.contains("x") == true)
        for count in [10, secret.count - 1] { #expect(!everything.contains(secret.prefix(count)), "\(count)") }
    }

    @Test func decline_secretWithDigitsOfACard_isTakenOutAsAWhole() throws {
        let card = Planted.number
        let (provider, _) = try told { number in ("05", "your \(number)") }
        #expect(provider?.message == "your <secret>")
        #expect(ProviderMessage(code: "05", message: "your \(card)").message == "your ************1486")
    }

    @Test func cardNumber_splitOverCodeAndMessage_isMaskedInBoth() throws {
        for (code, message) in [("45395787", "63621486 was refused"), ("453957876362", "1486 was refused")] {
            let said = ProviderMessage(code: code, message: message)
            #expect(said.code.utf8.allSatisfy { $0 == UInt8(ascii: "*") } && said.message.hasSuffix("1486 was refused"))
            let (_, everything) = try told { _ in (code, message) }
            #expect(!everything.contains("453957"))
        }
        // Code and text of every day stay as they are.
        let plain = ProviderMessage(code: "10105", message: "4 tries left")
        #expect(plain.code == "10105" && plain.message == "4 tries left")
    }

    @Test func secret_splitOverCodeAndMessage_isTakenOut() throws {
        let secret = Planted.clientSecret
        let (provider, everything) = try told { _ in (String(secret.prefix(12)), secret.dropFirst(12) + " is yours") }
        #expect(provider?.message == "<secret> is yours" && provider?.code.isEmpty == true)
        #expect(!everything.contains(secret.prefix(12)))
    }

    // MARK: - The end itself

    @Test func message_lettersOfSeveralBytes_isCutBetweenLetters() {
        let long = ProviderMessage(code: "05", message: String(repeating: "é", count: 3_000))
        #expect(long.message == String(repeating: "é", count: Self.max))
        for number in ["4539578763621486", "4539 5787 6362 1486"] {
            for lead in 1_004...1_024 {
                let text = String(repeating: "日", count: lead) + number
                let message = ProviderMessage(code: "05", message: text).message
                #expect(message.unicodeScalars.count <= Self.max && !message.contains("\u{FFFD}"))
                #expect(message.utf8.count { (48...57).contains($0) } <= 4)
            }
        }
    }

    /// One letter with very many marks is one character, and not short.
    @Test func message_oneLetterWithManyMarks_isCutAsWell() {
        for count in [1_100, 30_000, 300_000] {
            let text = "a" + String(repeating: "\u{301}", count: count)
            let message = ProviderMessage(code: text, message: text)
            #expect(message.message.unicodeScalars.count <= Self.max && message.code.unicodeScalars.count <= Self.max)
            #expect(!message.message.isEmpty)
        }
    }

    @Test func message_digitsAcrossTheEnd_endsBeforeThem() {
        for digits in ["1234567890", "12-34-56-78-90", "12 34 56 78 90", String(repeating: "7", count: 3_000)] {
            let message = ProviderMessage(code: "05", message: Self.letters(1_020) + digits + " and more").message
            #expect(message == Self.letters(1_020), "\(message.suffix(12))")
        }
        let whole = Self.letters(1_010) + " 1234567 and more of it"
        #expect(ProviderMessage(code: "05", message: whole).message == whole.prefix(1_024))
    }

    /// What is too long to be looked through is left out, not passed on.
    @Test func message_longerThanWhatIsRead_isLeftOut() throws {
        let text = "k" + String(repeating: "y", count: 70_000)
        let (provider, everything) = try told { number in ("05", text + number) }
        #expect(provider?.message == "(a text of 70017 bytes, which is too long to be shown)")
        #expect(!everything.contains("yyyy"))
    }
}

/// One sale at a provider that echoes a text, and a walk through everything that came of it.
struct EchoRun {
    /// What came out, by what was planted and where.
    struct Finding: Hashable, CustomStringConvertible {
        let needle: String
        let form: String
        let field: String
        let route: String
        let ways: String
        var description: String { "\(needle) as \(form) in \(field), \(route): \(ways)" }
    }

    /// How the answer comes.
    enum Route: Int64, CaseIterable {
        case approved = 2_000
        case declined = 1_051
        case pending = 1_015
        case byLookup = 1_013
        case brokenThenLookup = 1_017
    }

    private(set) var findings: [Finding] = []
    private(set) var count = 0

    /// Sells once and walks through result or error, events, journal, timeline and client.
    mutating func run(
        _ needle: Planted.Needle, _ forms: [Planted.Form], from source: PaymentSource, _ field: EchoTransport.Field,
        _ route: Route
    ) throws {
        let till = Till()
        let echo = EchoTransport(till.transport, field, forms.map { $0.write(needle.text) }.joined(separator: " "))
        let client = try till.client(echo)
        let events = client.events()
        let values = Locked([any Sendable]())
        let request = Planted.sale(.cents(route.rawValue), from: source)
        try till.play {
            func keep(_ value: any Sendable) { values.withLock { $0.append(value) } }
            let attempt = try AttemptID("planted-1")
            do { keep(try await client.sale(request, attempt: attempt)) } catch { keep(error) }
            do { keep(try await client.status(attempt)) } catch { keep(error) }
            do { keep(try await client.payment(PaymentID(attempt))) } catch { keep(error) }
            keep(try await client.attempt(attempt))
            keep(try await client.timeline(of: PaymentID(attempt)))
            keep(try await till.journal.openRecords())
            keep(till.journal)
        }
        till.scheduler.drain()
        let told = try till.play {
            // A last event of our own, so that the stream of earlier events can be read to its end.
            try await client.addEvent(PaymentEvent.Kind(rawValue: "end"), to: PaymentID(try AttemptID("planted-1")))
            var told: [PaymentEvent] = []
            for await event in events {
                if event.kind.rawValue == "end" { break }
                told.append(event)
            }
            return told
        }
        #expect(!told.isEmpty)
        var walk = SecretWalk([needle])
        for value in values.withLock({ $0 }) + [told] { walk.walk(value) }
        count += walk.count
        for (form, leaks) in Dictionary(grouping: walk.leaks, by: \.form) {
            let ways = Set(leaks.map(\.type)).sorted().prefix(3).joined(separator: ", ")
            findings.append(
                Finding(needle: needle.name, form: form, field: field.rawValue, route: "\(route)", ways: ways))
        }
    }
}

/// A provider that says back what it received: every reply carries a text in one of its fields.
final class EchoTransport: HTTPTransport, CustomReflectable, CustomStringConvertible {
    /// Where the text is put.
    enum Field: String, CaseIterable, Sendable {
        case code, message, id, movement, authorization, brand, entry, saved, event
        /// The state itself, which then is in no table.
        case state
        /// The codes and the messages of refusals.
        case refusedCode, refusedMessage
    }

    private struct State {
        /// The provider's own token for the one that was given out.
        var tokens: [String: String] = [:]
        var isEchoing = true
    }

    private let line: any HTTPTransport
    private let field: Field
    private let text: String
    private let state = Locked(State())

    init(_ line: any HTTPTransport, _ field: Field, _ text: String) {
        (self.line, self.field, self.text) = (line, field, text)
    }

    var description: String { "a line" }
    var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }

    /// Makes the provider stop saying things back.
    func stop() { state.withLock { $0.isEchoing = false } }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        let given = request.headers["Authorization"] ?? ""
        if let own = state.withLock({ $0.tokens[given] }) { request.headers["Authorization"] = own }
        var response = try await line.send(request)
        guard let body = try? JSONReader().read(response.body), let object = body.object else { return response }
        if request.target == "/token" {
            guard let token = object["token"]?.string else { return response }
            state.withLock { $0.tokens["Bearer \(Planted.access)"] = "Bearer \(token)" }
            response.body = JSON.object(Self.with(object, "token", Planted.access)).bytes()
        } else if request.target == "/reader/token" {
            response.body = JSON.object(Self.with(object, "token", Planted.readerToken)).bytes()
        } else if state.withLock({ $0.isEchoing }) {
            if field == .refusedCode || field == .refusedMessage { response.status = 400 }
            response.body = echo(body)
        }
        return response
    }

    private static func with(_ object: JSONObject, _ name: String, _ value: String) -> JSONObject {
        var copy = object
        copy[name] = .string(value)
        return copy
    }

    /// The same reply with the text in its field.
    func echo(_ body: JSON) -> [UInt8] {
        guard var object = body.object else { return body.bytes() }
        switch field {
        case .code, .message, .id, .movement, .authorization, .saved, .event, .state:
            object[field.rawValue] = .string(text)
        case .brand, .entry:
            var card = object["card"]?.object ?? [:]
            card[field.rawValue] = .string(text)
            object["card"] = .object(card)
        case .refusedCode: object["error"] = ["code": .string(text), "message": "no"]
        case .refusedMessage: object["error"] = ["code": "cardData", "message": .string(text)]
        }
        return JSON.object(object).bytes()
    }
}
