import Foundation
import PaymentTestJournal
import Testing

@testable import PaymentBase
@testable import PaymentJournalKit
@testable import PaymentModel

/// What a journal keeps, as bytes and back. What is stored stays readable.
@Suite struct EventCodecTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/Journal/stored.txt").standardized

    /// One kind of content: the samples as they are stored, and how stored bytes are read and written again.
    private struct Kind {
        let name: String
        let samples: [[UInt8]]
        let again: ([UInt8]) throws -> [UInt8]
    }

    private static func kinds() throws -> [Kind] {
        let id = try AttemptID("a")
        let words = EventCodecNames.packed.list.map { Attempt.Event.note(.init(run: 1, name: $0, value: "")) }
        let events = try EventSamples.events() + words
        let receipt = { (refusal: JournalRefusal?) -> JournalAnswer in
            guard let held = Attempt([.created(Attempt.Intent(id, .sale, EventSamples.cents(1)))]) else { return .kept }
            var receipt = WriteReceipt(run: 1, request: refusal == nil ? 2 : nil, refusal: refusal)
            receipt.entry = 3
            return .written(held, receipt)
        }
        let answers = try [receipt(nil), .kept] + EventSamples.refusals().map { receipt($0) }
        return [
            Kind(
                name: "event", samples: events.map { EventCodec.bytes([.init(id, [$0])]) },
                again: { EventCodec.bytes(try EventCodec.appended($0)) }),
            Kind(
                name: "notice", samples: try EventSamples.notices().map { EventCodec.bytes($0) },
                again: { EventCodec.bytes(try EventCodec.notice($0)) }),
            Kind(
                name: "step", samples: try EventSamples.steps().map { EventCodec.bytes([$0]) },
                again: { EventCodec.bytes(try EventCodec.events($0)) }),
            Kind(
                name: "answer", samples: answers.compactMap { StoredAnswer($0)?.bytes },
                again: { try StoredAnswer.read($0).bytes }),
        ]
    }

    private static func lines() throws -> [(kind: String, bytes: [UInt8], json: [UInt8])] {
        try String(contentsOf: golden, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            return (parts[0], try #require(Hex.decode(parts[1])), Array(parts[2].utf8))
        }
    }

    /// A row that any version wrote says the same for ever, packed and as plain JSON.
    @Test func stored_ofAnyVersion_keepsItsMeaning() throws {
        let kinds = Dictionary(try Self.kinds().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for line in try Self.lines() {
            let kind = try #require(kinds[line.kind])
            let text = String(decoding: line.json, as: UTF8.self)
            #expect(try kind.again(line.bytes) == line.bytes, "\(text)")
            #expect(try kind.again(line.json) == line.bytes, "\(text)")
        }
    }

    /// The kept lines cover every kind of event, message, step and answer, and every word of the packed form.
    @Test func stored_everySample_isInTheKeptLines() throws {
        let kept = try Self.lines()
        for kind in try Self.kinds() {
            let lines = Set(kept.filter { $0.kind == kind.name }.map(\.bytes))
            for sample in kind.samples {
                let text = try Self.text(sample)
                #expect(lines.contains(sample), "\(kind.name) \(text)")
            }
        }
        #expect(EventCodecNames.often.count == PackedWords.shortCount)
        #expect(Set(EventCodecNames.packed.list).count == EventCodecNames.packed.list.count)
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        String(decoding: try PackedJSON.value(bytes, EventCodecNames.packed).bytes(), as: UTF8.self)
    }

    @Test func events_readAgain_areTheSame() throws {
        let events = try EventSamples.events()
        let appended = [
            EventCodec.Appended(try AttemptID("a"), events), EventCodec.Appended(try AttemptID("b"), []),
        ]
        #expect(try EventCodec.appended(EventCodec.bytes(appended)) == appended)
        for notice in try EventSamples.notices() { #expect(try EventCodec.notice(EventCodec.bytes(notice)) == notice) }
        let steps = try EventSamples.steps()
        #expect(try EventCodec.events(EventCodec.bytes(steps)) == steps)
    }

    @Test func answers_readAgain_areTheSame() throws {
        let id = try AttemptID("a")
        let held = try #require(Attempt([.created(Attempt.Intent(id, .sale, EventSamples.cents(1)))]))
        let refund = Attempt.Intent(try AttemptID("b"), .refund, EventSamples.cents(1), payment: PaymentID(id))
        let other = try #require(Attempt([.created(refund)]))
        var answers: [JournalAnswer] = [.kept, .hint(held), .known(held), .written(held, WriteReceipt())]
        answers += try EventSamples.refusals().map { .written(held, WriteReceipt(run: 1, refusal: $0)) }
        for answer in answers {
            let stored = try #require(StoredAnswer(answer))
            let read = try StoredAnswer.read(stored.bytes)
            #expect(read == stored)
            #expect(read.answer(among: [held, other]) == answer)
            if let alone = read.answer(among: [held])?.receipt { #expect(alone.isAlone) }
        }
        // A refusal writes nothing, so nothing of it is kept.
        #expect(StoredAnswer(.refused(.fenced, held)) == nil)
    }

    @Test func looks_readAgain_areTheSame() {
        let marks: JournalClock.Marks = ["b": 5, "": -1, "with space": .max]
        #expect(LookCodec.marks(LookCodec.bytes(marks)) == marks)
        for instant in [Attempt.Instant(wall: .min, uptime: .max, boot: "a b"), Attempt.Instant(wall: 1, uptime: 2)] {
            #expect(LookCodec.instant(LookCodec.bytes(instant)) == instant)
        }
        #expect(LookCodec.instant([]) == nil)
    }

    @Test(
        arguments: [
            "", "[", "{}", "null", "[1]", "[{}]", #"[{"attempt":"a"}]"#, #"[{"attempt":"a b","events":[]}]"#,
            #"[{"attempt":"a","events":[],"more":1}]"#, #"[{"attempt":"a","events":[{}]}]"#,
            #"[{"attempt":"a","events":[{"event":"blessing","at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"contradiction"}]}]"#,
            #"[{"attempt":"a","events":[{"event":"contradiction","at":[1]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"contradiction","at":[1,2,3]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"contradiction","at":[1,2],"more":1}]}]"#,
            #"[{"attempt":"a","events":[{"event":"contradiction","at":[1.5,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"end","run":1,"by":"fate","at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"close","request":1,"ending":"eaten","at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"report","says":"moved","evidence":"reply","run":1,"entry":1,"at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"report","says":"notExecuted","evidence":"dream","run":1,"entry":1,"at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"report","verdict":{"kind":"undone"},"evidence":"reply","run":1,"entry":1,"at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"report","verdict":{"kind":"pending","lookAgain":true,"undone":true},"evidence":"reply","run":1,"entry":1,"at":[1,2]}]}]"#,
            #"[{"attempt":"a","events":[{"event":"name","account":["a","b","c"],"value":"x"}]}]"#,
            #"[{"attempt":"a","events":[{"event":"intent","attempt":"a b","operation":"sale","amount":{"minorUnits":1,"currency":"EUR"}}]}]"#,
            #"[{"attempt":"a","events":[{"event":"intent","attempt":"a","operation":"gift","amount":{"minorUnits":1,"currency":"EUR"}}]}]"#,
            #"[{"attempt":"a","events":[{"event":"intent","attempt":"a","operation":"sale","amount":{"minorUnits":1,"currency":"XXX"}}]}]"#,
            #"[{"attempt":"a","events":[{"event":"acknowledge","what":"all","at":[1,2]}]}]"#,
        ])
    func events_notUnderstood_areUnreadable(_ text: String) {
        #expect(throws: EventCodec.DecodingError()) { try EventCodec.appended(Array(text.utf8)) }
    }

    /// What is about a run or a request that is not there makes no attempt: the payment is unreadable, and no process ends.
    @Test func events_aboutAMissingRunOrRequest_makeNoAttempt() throws {
        let intent = Attempt.Event.created(Attempt.Intent(try AttemptID("a"), .sale, EventSamples.cents(1)))
        let at = JournalTestWriter.at(0)
        func run(_ number: Int) -> Attempt.Event {
            .run(.init(number: number, account: JournalTestWriter.one, owner: "o", begunAt: at))
        }
        func request(_ number: Int, of run: Int) -> Attempt.Event {
            .request(.init(number: number, run: run, key: nil, sendLimit: nil, openedAt: at))
        }
        func report(_ run: Int, _ request: Int? = nil) -> Attempt.Event {
            .report(
                .init(
                    .verdict(.approved(Approval(EventSamples.cents(1)))), .reply, run: run, request: request, entry: 1,
                    at: at))
        }
        let whole = [
            intent, run(1), request(1, of: 1), .closed(request: 1, .answered, at: at), report(1, 1),
            .ended(run: 1, .owner, at: at),
        ]
        #expect(Attempt(whole)?.state == .approved)
        for number in [Int.min, -1, 0, 2, Int.max] {
            let missing = [
                [intent, run(number)], [intent, run(1), request(number, of: 1)],
                [intent, run(1), request(1, of: number)],
                [intent, run(1), report(number)], [intent, run(1), request(1, of: 1), report(1, number)],
                [intent, run(1), .closed(request: number, .lost, at: at)],
                [intent, run(1), .ended(run: number, .owner, at: at)],
                [intent, report(number)],
            ]
            for events in missing { #expect(Attempt(events) == nil, "\(events)") }
        }
        #expect(Attempt([intent, intent]) == nil)
        #expect(Attempt(whole.dropFirst()) == nil)
    }

    /// A flipped bit is found or gives other events; it never ends the process.
    @Test func events_damaged_areReadOrRefused() throws {
        let bytes = EventCodec.bytes([.init(try AttemptID("a"), try EventSamples.events())])
        for place in stride(from: 0, to: bytes.count, by: 3) {
            var damaged = bytes
            damaged[place] ^= 1 << UInt8(place % 8)
            _ = try? EventCodec.appended(damaged)
        }
    }

    /// Whatever reaches the store by mistake: tokens, holders' names and what a card's chip says of its number stay out.
    @Test func bytes_secretsInAVerdict_holdNoneOfThem() throws {
        var card = CardSummary(brand: "visa", last4: "1111")
        card.holder = PersonalData("Plantina Personova")
        var receipt = Receipt()
        receipt.add([
            Receipt.EMVTag("5A", "4539578763621486"), Receipt.EMVTag("57", "4539578763621486D3012"),
            Receipt.EMVTag("95", "00"),
        ])
        var approval = Approval(Money(minorUnits: 1, .eur), card: card, receipt: receipt)
        approval.saved = SavedInstrument(.init(rawValue: "i-1"), token: Secret("tok_PLANTED"), card: card)
        var decline = Decline(.lostCard, provider: ProviderMessage(code: "41"))
        (decline.card, decline.receipt) = (card, receipt)
        let events = [Verdict.approved(approval), .declined(decline)].map {
            Attempt.Event.report(.init(.verdict($0), .reply, run: 1, entry: 1, at: JournalTestWriter.at(0)))
        }
        let text = String(decoding: EventCodec.bytes([.init(try AttemptID("a"), events)]), as: UTF8.self)
        for planted in ["PLANTED", "Plantina", "Personova", "4539578763621486"] {
            #expect(!text.contains(planted), "\(planted)")
        }
        #expect(text.contains("i-1"))
    }

    /// However a tag's name is written, and under a name of which nothing is known, the card's number is dropped.
    @Test func tags_cardNumberUnderAnotherSpellingOrName_areDropped() {
        let number = "4539578763621486"
        let written = [
            ("0x5A", number), (" 57", "\(number)D3012"), ("57h", "\(number)D3012"), ("70", "5A08\(number)"),
            ("77", "5A08\(number)"), ("df812b", "00\(number)"), ("DF01", number), ("C1", "\(number)FF"),
            ("C2", "\(number)d3012"), ("DF02", "\(number)=30121011234"),
            ("DF03", "%B\(number)^DOE/JOHN^30121011234"), ("E1", "5A08\(number)"),
        ]
        var receipt = Receipt()
        receipt.add(written.map { Receipt.EMVTag($0.0, $0.1) })
        #expect(receipt.tags.isEmpty, "\(receipt.tags.map(\.tag))")
        // A cryptogram is a proof, whatever its digits look like, and an amount is no number of a card.
        let shown = [("9F26", number), ("9F02", "000000001250"), ("4F", "A0000000041010")]
        receipt.add(shown.map { Receipt.EMVTag($0.0, $0.1) })
        #expect(receipt.tags.map(\.tag) == ["9F26", "9F02", "4F"])
    }

    /// What a sale takes is less than two thirds of what it takes as plain JSON.
    @Test func bytes_packed_areShort() throws {
        let bytes = try EventSamples.events().map { EventCodec.bytes([.init(try AttemptID("a"), [$0])]) }
        let plain = try bytes.map { try Self.text($0).utf8.count }.reduce(0, +)
        #expect(bytes.map(\.count).reduce(0, +) * 3 < plain * 2)
    }
}

/// Contents with everything in them that a journal may hold.
enum EventSamples {
    /// Verdicts: at least one of each kind, bare and full.
    static let verdicts: [Verdict] = {
        var decline = Decline(
            Decline.Reason(rawValue: "of their own"), provider: ProviderMessage(code: "Z9", message: "no 💳"),
            references: ["a": "1"])
        (decline.card, decline.receipt) = (card, receipt)
        let said = ProviderMessage(code: "c", message: "m")
        return [
            .approved(Approval(cents(100))), .approved(full), .declined(decline),
            .declined(Decline(.lostCard, provider: ProviderMessage(code: ""))),
            .cancelled(Cancellation(cause: .timeout)),
            .cancelled(Cancellation(cause: .init(rawValue: "their own"), provider: said, references: ["x": "y"])),
            .pending(Pending(shouldPoll: false)),
            .pending(Pending(references: ["p": "q", "": "ü"], provider: said, shouldPoll: true)),
        ]
    }()

    /// Events of an attempt: one of each kind, bare and full, and each of our own words.
    static func events() throws -> [Attempt.Event] {
        try intents() + runs() + requests() + reports() + said()
    }

    private static let at = Attempt.Instant(wall: .min, uptime: .max, boot: "b\"ü")
    private static let bareAt = Attempt.Instant(wall: 1, uptime: 2)

    private static func intents() throws -> [Attempt.Event] {
        var full = Attempt.Intent(
            try AttemptID("a"), .refund, Money(minorUnits: .min, .jpy), reference: "\u{0}\n\"💶", part: "1 of 2",
            holdsFor: 600_000, payment: PaymentID(try AttemptID("p")), scope: "s", digest: "d")
        (full.isForAll, full.isLastCapture, full.tip) = (true, true, Money(minorUnits: 1, .kwd))
        (full.source, full.last4, full.isDryRun) = (.reader, "0042", true)
        (full.requestedBy, full.reader, full.metadata) = ("till 1", "counter", ["k": "v", "": "ü"])
        let bare = try PaymentOperation.allCases.map {
            Attempt.Event.created(Attempt.Intent(try AttemptID("a"), $0, cents(0)))
        }
        return [.created(full)] + bare
    }

    private static func runs() -> [Attempt.Event] {
        let bare = Attempt.Run(number: 1, account: JournalTestWriter.one, owner: "o", begunAt: bareAt)
        var full = Attempt.Run(number: 7, account: JournalTestWriter.two, owner: "o", begunAt: at, end: .imported)
        (full.generation, full.canLookUp, full.holdLifetime) = ("000000000001", true, 5)
        (full.entry, full.countedUpTo) = (3, -9)
        return [.run(bare), .run(full)] + Attempt.Run.Cause.allCases.map { .ended(run: 1, $0, at: at) }
    }

    private static func requests() -> [Attempt.Event] {
        var full = Attempt.Request(number: 2, run: 1, cards: .several, key: "k", sendLimit: 0, openedAt: at)
        (full.mayBeOffline, full.forwardsWithin) = (true, 86_400_000)
        let bare = Attempt.Request(number: 1, run: 1, key: nil, sendLimit: nil, openedAt: bareAt)
        return [.request(bare), .request(full)]
            + Attempt.Request.Ending.allCases.map { .closed(request: 3, $0, at: at) }
    }

    private static func reports() -> [Attempt.Event] {
        let evidence: [Attempt.Evidence] = [
            .reply, .lookup(askedAt: at, known: 4), .webhook(id: "", providerTime: nil),
            .webhook(id: "m", providerTime: -3), .person(by: "Ann", reason: "seen", known: 2),
            .imported(saidAt: 1_700_000_000_000),
        ]
        let said = evidence.map { Attempt.Report(.notExecuted, $0, run: 1, entry: 2, at: bareAt) }
        let verdicts = verdicts.map { Attempt.Report(.verdict($0), .reply, run: 1, request: 2, entry: 3, at: at) }
        return (said + verdicts + [Attempt.Report(.withdrawn, .reply, run: 2, entry: 1, at: at)]).map { .report($0) }
    }

    private static func said() throws -> [Attempt.Event] {
        let dispute = Attempt.Dispute(
            approval: Approval(cents(5)), evidence: .reply, names: ["n", ""], holder: try AttemptID("h"), entry: 4)
        let bare = Attempt.Dispute(approval: full, evidence: .reply, names: [], holder: nil, entry: 1)
        let acknowledged: [Attempt.Acknowledgement] = [.amount(cents(7)), .contradiction, .reference, .chargeback]
        return [
            .named(.init(account: JournalTestWriter.two, value: "", request: nil)),
            .named(.init(account: JournalTestWriter.one, value: "x", request: 4, isByPerson: true)),
            .note(.init(run: 1, name: "n", value: "")), .disputed(dispute), .disputed(bare),
            .absorbed(by: try AttemptID("b")), .absorbed(by: nil), .released([]), .released(["x", "ü"]),
            .contradiction(at: at),
        ] + acknowledged.map { .acknowledged($0, at: at) }
    }

    /// Messages of a provider, bare and full.
    static func notices() throws -> [Notice] {
        let bare = Notice("m", JournalTestWriter.one, .attempt(try AttemptID("a")), [], nil, at: nil)
        var full = Notice(
            "m\"", JournalTestWriter.two, .name("n\u{0}"), Set(PaymentOperation.allCases), .approved(full), at: .max,
            names: ["n", "ü"], original: "o")
        full.amount = cents(3)
        return [bare, full]
    }

    /// Steps of a timeline, bare and full.
    static func steps() throws -> [PaymentEvent] {
        [
            try JournalTestWriter.event("k", of: "p", at: 3), PaymentEvent(.webhook, at: .max),
            PaymentEvent(
                .approved, sequence: 1, at: 2, payment: PaymentID(try AttemptID("p")), attempt: try AttemptID("a"),
                provider: "x"),
        ]
    }

    /// Every refusal that a receipt can hold.
    static func refusals() throws -> [JournalRefusal] {
        let id = try AttemptID("a")
        let candidates = [JournalRefusal.Candidate("n", cents(1)), .init("", nil)]
        return [
            .conflict, .referenceInUse(id, .pending), .blocked(by: [id]), .blocked(by: []),
            .exceeds(left: cents(1), open: [id]), .notAllowed("w"), .noSuchPayment, .noSuchAttempt,
            .otherAccount([JournalTestWriter.one, JournalTestWriter.two]), .fenced, .inDoubt, .changed, .mayBeLost,
            .claimed(by: id), .claimed(by: nil), .mayBe(id), .couldMatch(candidates), .runs(at: "o"),
            .notWritten("w"), .ofCopy, .noProof(""),
        ]
    }

    static func cents(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }

    private static let card: CardSummary = {
        var card = CardSummary(brand: "visa", last4: "4242")
        (card.expiry, card.entry, card.funding, card.issuerCountry) = ("12/30", "chip", "credit", "DE")
        return card
    }()

    private static let receipt: Receipt = {
        var merchant = Receipt.Merchant()
        (merchant.name, merchant.address, merchant.phone) = ("Käse & Wein", "Weg 1", "+49")
        (merchant.email, merchant.website) = ("a@b", "https://b")
        (merchant.merchantID, merchant.terminalID) = ("m", "t-1")
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.responseText) = ("A1", "00", "APPROVED\nthanks")
        (receipt.retrievalReference, receipt.at, receipt.verification) = ("r", .max, "pin")
        (receipt.signatureRequired, receipt.merchant) = (true, merchant)
        receipt.addressCheck = Receipt.AddressCheck(code: "Y", action: "allow", result: "match")
        receipt.add([Receipt.EMVTag("9F26", "00FF"), Receipt.EMVTag("95", "0000008000")])
        receipt.lines = [
            Receipt.Line(.customer, "Total", value: "1.00", key: "total", isBold: true), .init(.merchant, ""),
        ]
        var breakdown = Quote.Breakdown(base: cents(90), total: cents(100))
        (breakdown.discount, breakdown.cashDiscount, breakdown.tax) = (cents(1), cents(2), cents(4))
        (breakdown.tip, breakdown.surcharge, breakdown.rates) = (cents(7), cents(3), ["surcharge": "3.333"])
        receipt.breakdown = breakdown
        return receipt
    }()

    private static let full: Approval = {
        var full = Approval(cents(100), references: ["a": "1", "b": "2"], card: card, receipt: receipt)
        (full.isPartial, full.isOffline, full.isDryRun) = (true, true, true)
        (full.saved, full.executedAt) = (SavedInstrument(.init(rawValue: "i-1"), card: card), 1_700_000_000_000)
        full.saved?.customer = "c-1"
        return full
    }()
}
