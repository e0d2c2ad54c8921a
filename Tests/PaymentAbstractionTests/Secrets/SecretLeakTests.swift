import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

/// What came out although it must not; each test fails until its leak is closed.
@Suite struct SecretLeakTests {
    private static func findings(
        _ forms: [Planted.Form], _ fields: [EchoTransport.Field], _ routes: [EchoRun.Route]
    ) throws -> [String] {
        var run = EchoRun()
        for source in try Planted.sources() {
            for needle in EchoTests.carried(by: source) {
                for field in fields {
                    for route in routes { try run.run(needle, forms, from: source, field, route) }
                }
            }
        }
        return run.findings.map { "\($0.needle) \($0.form) \($0.field) \($0.route)" }.sorted()
    }

    @Test func receiptCardAndSavedInstrumentHoldNoSecrets() throws {
        let leaks = try Self.findings(
            [.plain], [.authorization, .code, .brand, .entry, .saved], [.approved, .declined])
        #expect(leaks.isEmpty)
    }

    @Test func whatALookupBringsHoldsNoSecrets() throws {
        let leaks = try Self.findings([.plain], EchoTransport.Field.allCases, [.byLookup, .brokenThenLookup])
        #expect(leaks.isEmpty)
    }

    @Test func noEncodedSecretComesOut() throws {
        let leaks = try Self.findings(
            [.base64, .percent, .hex], [.message, .id, .refusedMessage], [.approved, .declined])
        #expect(leaks.isEmpty)
    }

    @Test(arguments: ["access", "client secret", "webhook secret"])
    func noSecretOfTheSessionComesOut(_ name: String) throws {
        let needle = try #require(Planted.secrets.first { $0.name == name })
        var run = EchoRun()
        for field in [EchoTransport.Field.message, .refusedMessage, .id, .state] {
            try run.run(needle, [.plain], from: .reader, field, .declined)
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    @Test func whatAPersonAnsweredDoesNotComeOut() throws {
        var till = Till()
        till.answers.handle(RequestedFields.self) { _ in ["email": PersonalData(Planted.email)] }
        let client = try till.client(EchoTransport(till.transport, .authorization, Planted.email))
        let card = PaymentSource.card(try Planted.card())
        let result = try till.play { try await client.sale(.cents(1_031), from: card, reference: "o") }
        var walk = SecretWalk()
        walk.walk(result)
        #expect(walk.leaks.isEmpty, "\(walk.leaks.map(\.description).sorted().prefix(3))")
    }

    /// A verified webhook's kind goes into events as it came, a card number in it too.
    @Test func theKindOfAWebhookIsMasked() throws {
        let till = Till()
        let client = try till.client()
        let events = client.events()
        let body: JSON = [
            "attempt": "unknown-1", "state": "approved", "event": .string("sale \(Planted.number)"), "at": 1,
            "amount": ["minorUnits": 1, "currency": "EUR"],
        ]
        let first = try till.play {
            try await client.receiveWebhook(
                body.bytes(), headers: ["x-memory-secret": Planted.webhookSecret], from: "memory")
            for await event in events { return event as PaymentEvent? }
            return nil
        }
        var walk = SecretWalk()
        walk.walk(try #require(first))
        #expect(walk.leaks.isEmpty, "\(walk.leaks.map(\.description).sorted().prefix(3))")
    }

    @Test func noOtherValueShowsASecret() throws {
        var values: [(String, Any)] = [
            ("FormField", FormField("number", Planted.number)), ("EMVTag", Receipt.EMVTag("5A", Planted.number)),
            ("CardSummary.expiry", CardSummary(maskedNumber: Planted.number)),
            ("NoticeKind", ProviderNotice(.reference("mp_1", [.sale]), nil, at: 0, kind: Planted.number)),
            (
                "ThreeDSecureChallenge",
                ThreeDSecureChallenge(.legacy, address: "https://bank.example", fields: ["PaReq": Planted.token])
            ),
        ]
        for text in [Planted.number + "x", Planted.number + Planted.number] {
            do { _ = try Money(text, .eur) } catch { values.append(("Money", error)) }
        }
        for (name, value) in values {
            var walk = SecretWalk()
            walk.walk(value)
            #expect(walk.leaks.isEmpty, "\(name): \(walk.leaks.map(\.description).sorted().prefix(2))")
        }
    }

    /// Three sums at the top wrap, and two cents can be refunded although nothing is left.
    @Test func theSumsBehindWhatIsLeftDoNotWrap() throws {
        let (most, at) = (Money(minorUnits: .max, .eur), Attempt.Instant(wall: 1_000, uptime: 1_000))
        let account = ProviderIdentity("p", adapter: "p", environment: "test", merchant: "m-1")
        func attempt(_ name: String, _ operation: PaymentOperation, _ verdict: Verdict?) throws -> Attempt {
            let sale = PaymentID(try AttemptID("sale"))
            var attempt = Attempt(
                .init(try AttemptID(name), operation, most, payment: operation == .sale ? nil : sale))
            let end: Attempt.Run.Cause? = verdict == nil ? nil : .owner
            attempt.apply(.run(.init(number: 1, account: account, owner: "till", begunAt: at, end: end)))
            attempt.apply(.request(.init(number: 1, run: 1, key: nil, sendLimit: 0, openedAt: at)))
            guard let verdict else { return attempt }
            attempt.apply(.closed(request: 1, .answered, at: at))
            attempt.apply(.report(.init(.verdict(verdict), .reply, run: 1, request: 1, entry: 1, at: at)))
            return attempt
        }
        let attempts = [
            try attempt("sale", .sale, .approved(Approval(most))),
            try attempt("refund-1", .refund, .approved(Approval(most))),
            try attempt("refund-2", .refund, .pending(Pending(shouldPoll: false))),
            try attempt("refund-3", .refund, nil),
        ]
        #expect(attempts.map(\.state) == [.approved, .approved, .pending, .running])
        #expect(PaymentRecord(attempts).amounts.refundable == .zero(.eur))
    }
}

/// Walks a value in every way in which it could be printed, and names what it should not have shown.
struct SecretWalk {
    /// Something that came out.
    struct Leak: Hashable, CustomStringConvertible {
        let needle: String
        let form: String
        let way: String
        let type: String
        var description: String { "\(needle) as \(form) in \(way) of \(type)" }
    }

    private static let depthMax = 24
    private let needles: [(name: String, form: Planted.Form, text: String)]
    private(set) var leaks: Set<Leak> = []
    /// How many values were looked at.
    private(set) var count = 0
    private var seen: Set<ObjectIdentifier> = []

    init(_ needles: [Planted.Needle] = Planted.everything) {
        self.needles = needles.flatMap { needle in needle.forms.map { (needle.name, $0.form, $0.text) } }
    }

    mutating func walk(_ value: Any) {
        seen = []
        look(at: "\(value)", "description", value)
        look(at: String(reflecting: value), "debugDescription", value)
        var text = ""
        dump(value, to: &text)
        look(at: text, "dump", value)
        children(of: value, depth: 0)
    }

    private mutating func children(of value: Any, depth: Int) {
        count += 1
        if let text = value as? String { look(at: text, "a text", value) }
        if let error = value as? PaymentError { look(at: error.message, "the message", value) }
        if let bytes = value as? [UInt8] { return look(at: String(decoding: bytes, as: UTF8.self), "bytes", value) }
        if depth > 0, depth < 4 {
            look(at: "\(value)", "a part's description", value)
            look(at: String(reflecting: value), "a part's debugDescription", value)
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return }
        guard depth < Self.depthMax else { return }
        for child in mirror.children { children(of: child.value, depth: depth + 1) }
    }

    private mutating func look(at text: String, _ way: String, _ value: Any) {
        for needle in needles where Self.holds(text, needle.text) {
            let type = "\(Mirror(reflecting: value).subjectType)"
            leaks.insert(Leak(needle: needle.name, form: needle.form.rawValue, way: way, type: type))
        }
    }

    /// Whether a text is in another: its bytes, or, where it has letters that can be written in several ways, its letters.
    /// Letter by letter takes long, and most needles are ASCII.
    private static func isThere(_ needle: String, in text: String) -> Bool {
        if Data(text.utf8).range(of: Data(needle.utf8)) != nil { return true }
        return !needle.utf8.allSatisfy { $0 < 0x80 } && text.contains(needle)
    }

    /// Whether a text holds another; a short one only counts as a word of its own, since digits meet by chance, and not
    /// between two hyphens, where ids have four digits of a time or of chance.
    private static func holds(_ text: String, _ needle: String) -> Bool {
        guard isThere(needle, in: text) else { return false }
        if needle.utf8.count >= 8 { return true }
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        return text.ranges(of: needle).contains { range in
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
            return !isWord(before) && !isWord(after) && !(before == "-" && after == "-")
        }
    }
}

/// Texts that can be recognised wherever they come out, and the sources and people that they are planted in.
enum Planted {
    /// One secret, or one thing about a person.
    struct Needle: Sendable, CustomStringConvertible {
        let name: String
        let text: String
        var description: String { name }

        /// The text as it is and as it may be written otherwise.
        var forms: [(form: Form, text: String)] { Form.allCases.map { ($0, $0.write(text)) } }
    }

    /// How a text can be written.
    enum Form: String, CaseIterable, Sendable {
        case plain, percent, base64, base64Safe, hex, hexCapital

        func write(_ text: String) -> String {
            let bytes = Array(text.utf8)
            switch self {
            case .plain: return text
            case .percent: return PercentEncoding.queryComponent(text)
            case .base64: return Base64.standard.encode(bytes)
            case .base64Safe: return Base64.urlSafe.encode(bytes)
            case .hex: return Hex.encode(bytes)
            case .hexCapital: return Hex.encode(bytes, uppercase: true)
            }
        }
    }

    static let number = "4539578763621486"
    static let code = "9137"
    static let track1 = "%B\(number)^PLANTED/CARD^30121010000000000?"
    static let track2 = ";\(number)=30121010000000000?"
    static let tags = "5A08\(number)5F3401"
    static let pinBlock = "0412AC89ABCDEF67"
    static let keySerial = "FFFF9876543210E00001"
    static let account = "DE89PLANTED0440532013"
    static let routing = "PLANTED-021000021"
    static let taxID = "PLANTED-987-65-4329"
    static let wallet = "{\"wallet\": \"PLANTED payload/+?\"}"
    static let token = "tok_PLANTED+payment/token=="
    static let access = "at_PLANTED.access.token"
    static let refresh = "rt_PLANTED.refresh.token"
    static let clientSecret = "memory-client-secret"
    static let webhookSecret = "memory-webhook-secret"
    static let readerToken = "reader_PLANTED_token"
    static let cardData = "PLANTED opaque card data"
    static let signature = "PLANTED signature image"

    static let secrets: [Needle] = [
        Needle(name: "PAN", text: number), Needle(name: "CVV", text: code), Needle(name: "track 1", text: track1),
        Needle(name: "track 2", text: track2), Needle(name: "EMV data", text: tags),
        Needle(name: "PIN block", text: pinBlock), Needle(name: "KSN", text: keySerial),
        Needle(name: "account", text: account), Needle(name: "routing", text: routing),
        Needle(name: "tax id", text: taxID), Needle(name: "wallet", text: wallet), Needle(name: "token", text: token),
        Needle(name: "access", text: access), Needle(name: "refresh", text: refresh),
        Needle(name: "client secret", text: clientSecret), Needle(name: "webhook secret", text: webhookSecret),
        Needle(name: "reader token", text: readerToken), Needle(name: "card data", text: cardData),
        Needle(name: "signature", text: signature),
    ]

    static let firstName = "Plantina"
    static let lastName = "Personova"
    static let email = "plantina@personal.example"
    static let phone = "+49 170 5550199"
    static let street = "Planting Street 77"
    static let city = "Plantsville"
    static let postalCode = "PL4 NT5"

    static let people: [Needle] = [
        Needle(name: "first name", text: firstName), Needle(name: "last name", text: lastName),
        Needle(name: "e-mail", text: email), Needle(name: "phone", text: phone), Needle(name: "street", text: street),
        Needle(name: "city", text: city), Needle(name: "postal code", text: postalCode),
    ]

    static let everything = secrets + people

    // MARK: - Where they are planted

    static func card() throws -> KeyedCard {
        try KeyedCard(
            number: number, expiryMonth: 12, expiryYear: 30, securityCode: code, holder: "\(firstName) \(lastName)")
    }

    static var read: ExternalCardData {
        var read = ExternalCardData(.chip)
        (read.track1, read.track2, read.tags) = (Secret(track1), Secret(track2), [Secret(tags)])
        (read.pinBlock, read.pinKeySerial) = (Secret(pinBlock), Secret(keySerial))
        return read
    }

    static var bank: BankAccount {
        var bank = BankAccount(number: Secret(account), routing: Secret(routing))
        (bank.taxID, bank.name) = (Secret(taxID), PersonalData("\(firstName) \(lastName)"))
        return bank
    }

    static func sources() throws -> [PaymentSource] {
        [
            .card(try card()), .external(read), .wallet(WalletToken(.applePay, payload: Secret(wallet))),
            .saved(.init(rawValue: "i-1"), securityCode: Secret(code)),
            .token(Secret(token), last4: "1111", securityCode: Secret(code)),
            .bank(bank),
        ]
    }

    static var contact: CustomerContact {
        var contact = CustomerContact()
        (contact.firstName, contact.lastName) = (PersonalData(firstName), PersonalData(lastName))
        (contact.email, contact.phone) = (PersonalData(email), PersonalData(phone))
        contact.additional = ["second": PersonalData(email)]
        return contact
    }

    static var address: PostalAddress {
        var address = PostalAddress()
        (address.line1, address.city, address.postalCode) = (
            PersonalData(street), PersonalData(city), PersonalData(postalCode)
        )
        (address.line2, address.region, address.country) = (PersonalData(street), PersonalData(city), "DE")
        return address
    }

    static var accessToken: AccessToken {
        var made = AccessToken(Secret(access), expiresAt: .max, refreshToken: Secret(refresh))
        made.additional = ["reader": Secret(readerToken)]
        return made
    }

    static func sale(_ amount: Money, from source: PaymentSource) -> SaleRequest {
        var request = SaleRequest(amount, from: source, reference: "o")
        (request.contact, request.recipient) = (contact, contact)
        (request.billing, request.shipping) = (address, address)
        return request
    }
}
