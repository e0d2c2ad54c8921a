import PaymentBase
import PaymentTestTill
import Testing

@testable import PaymentCore
@testable import PaymentModel

@Suite struct MultiPatternMatcherTests {
    private static func sieve(_ needles: [String]) -> MultiPatternMatcher {
        var sieve = MultiPatternMatcher()
        for needle in needles { sieve.add(Array(needle.utf8)) }
        return sieve
    }

    private static func text(_ length: Int, _ random: SeededRandom) -> String {
        String(decoding: (0..<length).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 3) }, as: UTF8.self)
    }

    /// Few letters and short texts, so that about half of them hold a needle.
    @Test func itRulesOutWhatIsNotThereAndNothingElse() {
        let random = SeededRandom(seed: 11)
        var (held, free) = (0, 0)
        for _ in 0..<2_000 {
            let needles = (0..<4).map { _ in Self.text(3 + Int(random.next() % 4), random) }
            let text = Self.text(Int(random.next() % 24), random)
            let isThere = needles.contains { text.contains($0) }
            #expect(Self.sieve(needles).mayStand(in: Array(text.utf8)) == isThere, "\(needles) in \(text)")
            if isThere { held += 1 } else { free += 1 }
        }
        #expect(held > 400 && free > 400)
    }

    @Test func whatMayBeWrittenInOtherBytesIsNeverRuledOut() {
        #expect(Self.sieve(["secret"]).mayStand(in: Array("caf\u{E9}".utf8)))
        #expect(Self.sieve(["se\u{212A}ret"]).mayStand(in: Array("seKret".utf8)))
        #expect(Self.sieve(["secret", "caf\u{E9}"]).mayStand(in: Array("nothing".utf8)))
        #expect(Self.sieve(["ab"]).mayStand(in: Array("nothing".utf8)))
        #expect(!Self.sieve(["secret"]).mayStand(in: Array("nothing".utf8)))
        #expect(Self.sieve(["secret", "caf\u{E9}"]).bytesMin == 0)
        #expect(Self.sieve(["ab", "secret"]).bytesMin == 0)
        #expect(Self.sieve(["secret", "word"]).bytesMin == 4)
    }

    @Test func whatIsEchoedIsTakenOutInEveryForm() {
        let secrets = [Secret("4111111111111111"), Secret("737"), Secret("p\u{E4}ssword-1")]
        let scrub = SecretScrubber(secrets)
        for secret in secrets {
            let text = secret.expose()
            for form in [text, Base64.standard.encode(Array(text.utf8)), Hex.encode(Array(text.utf8))] {
                #expect(scrub("it was \(form), you know") == "it was <secret>, you know")
                #expect(scrub.isSecret(form))
            }
        }
        #expect(scrub("order 17375") == "order 17375")
        #expect(!scrub.isSecret("order-17375"))
        #expect(scrub.isSecret("order-4111111111111111"))
    }

    @Test func people_areTakenOutOfWords_andOfNoNameThatLeadsToMoney() throws {
        let card = try KeyedCard(
            number: "4111111111111111", expiryMonth: 1, expiryYear: 30, holder: "Ann Bankmann")
        var request = SaleRequest(Money(minorUnits: 100, .eur), from: .card(card), reference: "order-1")
        var contact = CustomerContact()
        (contact.firstName, contact.email) = (PersonalData("Ann"), PersonalData("ann@x.example"))
        request.contact = contact
        var address = PostalAddress()
        (address.line1, address.city) = (PersonalData("Hill 7"), PersonalData("Hamburg"))
        (request.billing, request.shipping) = (address, address)
        let scrub = SecretScrubber([Secret("737")]).hiding(people: request.people)
        #expect(scrub("ANN BANKMANN of Hill 7, Hamburg, 737") == "<secret> of <secret>, Hamburg, <secret>")
        #expect(scrub("Ann, the Bank says: UpHill 77") == "Ann, the Bank says: UpHill 77")
        #expect(!scrub.isSecret("token/ann@x.example"))
        let references: PaymentReferences = ["payment": "token/ann@x.example"]
        #expect(scrub(references) == references)
    }

    @Test(arguments: 0...5, 0...3) func secret_withinTheBase64OfALongerText_isTakenOut(_ before: Int, _ behind: Int) {
        let secret = "sk_live_a?b>cdef12345"
        let scrub = SecretScrubber([Secret(secret)])
        let text = Array((String(repeating: "x", count: before) + secret + String(repeating: "y", count: behind)).utf8)
        for form in [Base64.standard.encode(text), Base64.urlSafe.encode(text)] {
            let shown = scrub("it was \(form)")
            #expect(shown.contains("<secret>") && !shown.contains(form.dropFirst(before + 6).prefix(16)), "\(shown)")
        }
    }

    @Test func secret_ofSeveralLines_isTakenOutOfJSON() {
        let key = "-----BEGIN KEY-----\nMIIB\"8\n-----END KEY-----"
        let scrub = SecretScrubber([Secret(key)])
        let echo = String(decoding: JSON.object(["sent": .string(key)]).bytes(), as: UTF8.self)
        #expect(scrub(echo) == #"{"sent":"<secret>"}"#)
    }

    /// Libraries of other languages write the same text in other ways, and gateways write it once more.
    @Test(arguments: [
        #"tok-SECRET-123456%2b%2f%3d%26%22x\u00a7"#, #"tok-SECRET-123456+\/=&\"x\u00A7"#,
        #"tok-SECRET-123456\u002B\u002f=\u0026\u0022x%c2%a7"#, "tok-SECRET-123456+/=&amp;&quot;x&#167;",
        "tok-SECRET-123456&#x2b;/=&#38;&#34;x&#xA7;", #"tok-SECRET-123456%252b%252f%253d%2526%2522x%25C2%25A7"#,
        #"tok-SECRET-123456\\u002B\\/=\\u0026\\\"x\\u00a7"#, #"\x74ok-SECRET-123456+/=&\x22x§"#,
    ])
    func secret_inAnotherWriting_isTakenOut(_ form: String) {
        let scrub = SecretScrubber([Secret("tok-SECRET-123456+/=&\"x§"), Secret("737")])
        #expect(scrub("err \(form) 50%\\ &c.") == "err <secret> 50%\\ &c.")
        #expect(scrub.isSecret("name-\(form)"))
        #expect(scrub("%37%33%37, 7%37") == "<secret>, 7%37")
    }

    @Test func secret_inFourWritingsWithinEachOther_isTakenOut() {
        let scrub = SecretScrubber([Secret("tok-SECRET/123456")])
        #expect(scrub("tok-SECRET%2525252f123456") == "<secret>")
        #expect(scrub("tok-SECRET%252525252f123456") != "<secret>")
    }

    /// What is undone in the text is undone in the secret, too.
    @Test(arguments: [
        #"AQE\u002Bm/n3-x%41yz"#, #"AQE+m\/n3-x%41yz"#, "AQE&#43;m/n3-x%41yz", "AQE%2bm/n3-x%41yz",
        #"AQE\\u002Bm/n3-x%41yz"#,
        "AQE+m/n3-x%41yz", "AQE%2Bm%2Fn3-x%2541yz",
    ])
    func secret_withAWritingInIt_isTakenOut(_ form: String) {
        let scrub = SecretScrubber([Secret("AQE+m/n3-x%41yz")])
        #expect(scrub("err \(form).") == "err <secret>." && scrub.isSecret(form))
    }

    /// .NET writes percent in small letters and spaces as a plus; C, Python and nginx write bytes.
    @Test func secret_asFormsAndProgramsWriteIt_isTakenOut() {
        #expect(SecretScrubber([Secret("my pass/word 2024")])("q=my+pass%2fword+2024&x") == "q=<secret>&x")
        let scrub = SecretScrubber([Secret("p\u{E4}sswort-2024")])
        for form in [#"p\xc3\xa4sswort-2024"#, #"p\303\244sswort-2024"#, "p%c3%a4sswort-2024"] {
            #expect(scrub("(\(form))") == "(<secret>)")
        }
    }

    @Test func text_thatBeginsAWritingAndDoesNotEndIt_staysAsItIs() {
        let scrub = SecretScrubber([Secret("tok-SECRET-123456")])
        for text in [
            "%", "%4", "%+4", "%zz", "\\", "\\u", "\\u12", "\\ud800", "\\ud800\\u0041", "\\udc00", "\\x", "\\x4", "&",
            "&;",
            "&#;", "&#x;", "&#xFFFFFFFFF;", "&#-1;", "&amp", "&nothing;", "%c3", "%ff%ff%ff 4111", "\\ud83d\\ude00",
        ] {
            #expect(scrub(text) == text && !scrub.isSecret(text), "\(text)")
        }
    }

    /// A card's number in groups is the number; parts of it far apart from each other are, too.
    @Test(arguments: [
        "4111-1111-1111-1111", "4111 1111 1111 1111", "4111.1111.1111.1111", "4111\u{A0}1111\u{A0}1111\u{A0}1111",
        "\u{FF14}111111111111111", "4111%1111%1111%1111", "4111%2d1111%2D1111-1111", "4111 - 1111\\/1111&#45;1111",
    ])
    func card_inGroups_isNoNameAndStandsInNoText(_ number: String) throws {
        let scrub = SecretScrubber([Secret("4111111111111111"), Secret("sk_live_abcdef12345")])
        #expect(scrub("it was \(number), you know") == "it was <secret>, you know")
        #expect(scrub.isSecret("pay-\(number)"))
        #expect(scrub(["payment": number, "psp": "4111-1111-1111-1112"]) == ["psp": "4111-1111-1111-1112"])
        func saved(_ id: String, _ customer: String) throws -> SavedInstrument? {
            var approval = Approval(.cents(1))
            approval.saved = SavedInstrument(SavedInstrument.ID(rawValue: id))
            approval.saved?.customer = customer
            guard case .approved(let shown) = scrub(.approved(approval)) else { return nil }
            return shown.saved
        }
        #expect(try saved("\(number)-1", "c-1") == nil)
        #expect(try saved("card-1", number)?.customer == nil && saved("card-1", "c-1")?.customer == "c-1")
    }

    /// Text from outside that a receipt, a card or a decline has no room for: secrets, then card numbers, then the end.
    @Test func shortTexts_ofAHostileProvider_areMaskedAndCut() throws {
        let number = "4539 5787 6362 1486"
        let text = String(repeating: "sk_live_abcdef12345 \(number) ", count: 600)
        // Long enough to be cut, and as often as it comes not too long for a build that is not optimised.
        let brief = String(repeating: "sk_live_abcdef12345 \(number) ", count: 12)
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.verification) = (text, text, text)
        (receipt.retrievalReference, receipt.responseText) = (text, text)
        receipt.add((0..<1_000).map { _ in Receipt.EMVTag("9F26", brief) })
        receipt.lines = (0..<1_000).map { _ in Receipt.Line(.merchant, brief, value: brief, key: brief) }
        var merchant = Receipt.Merchant()
        (merchant.name, merchant.terminalID) = (text, text)
        receipt.merchant = merchant
        var card = CardSummary(brand: text)
        (card.entry, card.expiry) = (text, text)
        let approval = Approval(.cents(100), references: ["payment": text, "psp": "p-1"], card: card, receipt: receipt)
        let scrub = SecretScrubber([Secret("sk_live_abcdef12345")])
        guard case .approved(let shown) = scrub(.approved(approval)) else { return }
        #expect(shown.references == ["psp": "p-1"])
        let said = try #require(shown.receipt)
        let short = [
            said.authorizationCode, said.responseCode, said.verification, said.retrievalReference, said.merchant?.name,
            said.merchant?.terminalID, shown.card?.brand, shown.card?.entry, shown.card?.expiry, said.tags.first?.value,
            said.lines.first?.key,
        ]
        for text in short {
            let text = try #require(text)
            #expect(text.unicodeScalars.count <= 256 && !text.contains("sk_live"), "\(text)")
        }
        for text in [said.authorizationCode, said.responseText, said.lines.first?.label, shown.card?.brand] {
            #expect(text.map { Masking.cardNumbers(in: $0) } == text && text?.contains("1486") == true)
        }
        #expect((said.responseText?.count ?? 0) <= 1_024 && said.tags.count == 256 && said.lines.count == 256)
        receipt = Receipt()
        receipt.retrievalReference = "453957876362"
        var plain = approval
        plain.receipt = receipt
        guard case .approved(let kept) = scrub(.approved(plain)) else { return }
        #expect(kept.receipt?.retrievalReference == "453957876362")
    }

    /// A combining scalar makes another character of the letter beside it, and no other secret.
    @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{20E3}"])
    func secret_besideACombiningScalar_isTakenOut(_ mark: String) {
        let scrub = SecretScrubber([Secret("sk_live_abcdef12345"), Secret("737")])
        #expect(Array(scrub("key sk_live_abcdef12345\(mark) ok").utf8) == Array("key <secret>\(mark) ok".utf8))
        #expect(Array(scrub("\u{600}sk_live_abcdef12345").utf8) == Array("\u{600}<secret>".utf8))
        #expect(Array(scrub("code 737\(mark).").utf8) == Array("code <secret>\(mark).".utf8))
        #expect(scrub.isSecret("x-sk_live_abcdef12345\(mark)"))
    }

    /// A letter may come back as two scalars.
    @Test func secret_inOtherBytesOfTheSameLetters_isTakenOut() {
        let scrub = SecretScrubber([Secret("p\u{E4}ssword-1")])
        #expect(scrub("it was pa\u{308}ssword-1.") == "it was <secret>.")
        #expect(scrub.isSecret("pa\u{308}ssword-1"))
    }

    /// A decomposed secret comes back in fewer bytes than it has; one of ASCII can't.
    @Test func secret_inFewerBytesThanItHas_isTakenOut() {
        let scrub = SecretScrubber([Secret("pa\u{308}ssword-1")])
        #expect(scrub("p\u{E4}ssword-1") == "<secret>")
        #expect(scrub.isSecret("p\u{E4}ssword-1"))
        let short = SecretScrubber([Secret("sk_live_abcdef12345")]).hiding([Secret("737")])
        #expect(short("737") == "<secret>")
        #expect(short.isSecret("737"))
    }

    /// What repeats costs no more than its length.
    @Test func secret_ofRepetitions_isFoundAtEachPlace() {
        let secret = String(repeating: "a_", count: 12)
        let scrub = SecretScrubber([Secret(secret)])
        #expect(scrub("a_" + secret + "-" + secret + "a") == "<secret>a_-<secret>a")
    }
}

@Suite struct CardNumberSearchTests {
    @Test func ourIdentifiers_areNotTakenForCards() {
        let random = SeededRandom(seed: 7)
        var (masked, found) = (0, 0)
        for number in 0..<100_000 {
            let id = TimeOrderedID.make(now: 1_795_290_000_000 + Int64(number), random: random)
            if Masking.findsCardNumber(in: id) { found += 1 }
            if Masking.cardNumbers(in: id) != id { masked += 1 }
        }
        #expect(found == 0)
        // Without the exception some of them would be refused as references.
        #expect(masked > 0)
    }

    @Test(arguments: [
        "4111111111111111", "4111 1111 1111 1111", "order-4111-1111-1111-1111", "x4111111111111111y",
        "41111111-1111-1111-0000-00000000000g", "4111111111111111-0000-0000-000000000",
        "411111111-111-1111-0000-000000000000",
        "36-1111-111114", "361111111114",
    ])
    func aCardNumberIsFound(_ text: String) { #expect(Masking.findsCardNumber(in: text)) }

    /// A UUID in either case, what has a digit too few, and twelve that no card has.
    @Test(arguments: [
        "41111111-1111-1111-0000-00000000000A", "41111111-1111-1111-0000-00000000000a", "41111111111",
        "order-36 1111 11111",
        "361111111115", "",
    ])
    func whatIsNoneStaysAsItIs(_ text: String) { #expect(!Masking.findsCardNumber(in: text)) }
}
