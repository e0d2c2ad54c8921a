import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTransport
import Testing

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
