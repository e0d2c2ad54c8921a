import PaymentAbstraction
import PaymentBase
import PaymentTestJournal

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

    private static let at = JournalInstant(wall: .min, uptime: .max, boot: "b\"ü")
    private static let bareAt = JournalInstant(wall: 1, uptime: 2)

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
        var breakdown = AmountBreakdown(base: cents(90), total: cents(100))
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
