import PaymentAbstraction
import PaymentBase
import PaymentJournal

/// What is done with a journal that is measured.
enum JournalWork {
    /// Numbers that nobody has had before.
    final class Numbers: Sendable {
        private let last = Locked(10_000_000)
        func next() -> Int {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }

    /// One kind of use.
    struct Use: Sendable {
        let name: String
        let body: @Sendable (any Journal, Int, Int) async throws -> Void
    }

    /// The journal did not give what it must.
    struct Missing: Error {}

    static let provider = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
    private static let terms = AdmissionTerms(provider, owner: "benchmark")
    private static let random = SeededRandom(seed: 1)
    private static let pageCount = 20
    private static let untold = Locked([ObjectIdentifier: Set<AttemptKey>]())
    /// How many payments stay open in a journal whose uses are measured.
    static let open = 100
    private static let start: Int64 = 1_700_000_000_000

    static let uses: [Use] = [
        Use(name: "sale: begin and open, close and word") { journal, _, number in try await sell(journal, number) },
        Use(name: "refund: the same two writes") { journal, size, number in
            try await refund(journal, number, of: try attempt(number &* 7_919 % size))
        },
        Use(name: "status of one") { journal, size, number in
            let key = AttemptKey(try attempt(number &* 7_919 % size))
            guard try await journal.facts(key) != nil else { throw Missing() }
        },
        Use(name: "page 1") { journal, _, _ in
            let page = try await journal.page(.origins, scope: "", after: nil, limit: pageCount)
            guard page.rows.count == pageCount else { throw Missing() }
        },
        Use(name: "page 10,000 or the last full one") { journal, size, _ in
            let after = JournalCursor(Int64(max(2 * pageCount, size - 10_000 * pageCount)))
            let page = try await journal.page(.origins, scope: "", after: after, limit: pageCount)
            guard page.rows.count == pageCount else { throw Missing() }
        },
        Use(name: "found by a name") { journal, size, number in
            let value = "reference-\(number &* 7_919 % size)"
            guard try await journal.holders(value, of: provider).count == 1 else { throw Missing() }
        },
        Use(name: "found by a reference") { journal, size, number in
            let reference = "order-\(try attempt(number &* 7_919 % size))"
            let page = try await journal.page(.reference(reference), scope: "", after: nil, limit: pageCount)
            guard page.rows.count == 1 else { throw Missing() }
        },
        // Each time a day later, when all of them are due again.
        Use(name: "\(open) open ones taken for recovery") { journal, _, number in
            let day = instant(Int64(number) * 2 * 86_400_000)
            guard try await journal.due(scope: "", limit: open, at: day).rows.count == open else { throw Missing() }
        },
    ]

    private static func instant(_ milliseconds: Int64) -> JournalInstant {
        JournalInstant(wall: start + milliseconds, uptime: milliseconds)
    }

    /// The id of a payment that was filled in; sorted by time, as ours are.
    static func attempt(_ number: Int) throws -> AttemptID {
        try AttemptID(TimeOrderedID.make(now: start + Int64(number), random: Fixed(number: number)))
    }

    private struct Fixed: RandomSource {
        let number: Int
        func next() -> UInt64 { SeededRandom(seed: UInt64(number)).next() }
    }

    /// A payment that was made and told.
    static func filled(_ number: Int) throws -> [JournalFact] {
        let at = instant(Int64(number))
        return [
            .intent(try intent(try attempt(number))), FactCodec.round(1, provider, owner: "filled", at: at),
            FactCodec.send(round: 1, number: 1, leavesWithin: 60_000, at: at), FactCodec.close(1, .answered, at: at),
            FactCodec.end(1, by: .owner, at: at), .word(word(number, at)),
            FactCodec.name("reference-\(number)", of: provider, send: 1), .told(at: at),
        ]
    }

    private static func word(_ number: Int, _ at: JournalInstant, _ units: Int64 = 2_500) -> AttemptFacts.Word {
        var word = AttemptFacts.Word(.reply, .verdict(.approved(approval(number, units))), at: at)
        word.send = 1
        return word
    }

    static func begin(_ journal: any Journal, _ number: Int) async throws {
        let fresh = try intent(AttemptID(now: 1_800_000_000_000 + Int64(number), random: random))
        _ = try await begin(journal, fresh)
    }

    private static func begin(_ journal: any Journal, _ intent: AttemptIntent) async throws -> AttemptKey {
        let opening = JournalEntry.Part.open(owner: "benchmark", SendTerms(leavesWithin: 60_000))
        let entry = JournalEntry(intent.key, [.begin(intent, terms), opening])
        guard case .accepted = try await journal.write(entry, WriteID("b-\(intent.attempt)"), at: instant(1)) else {
            throw Missing()
        }
        return intent.key
    }

    /// Makes a payment as a client does; what was filled in looks the same.
    static func sell(_ journal: any Journal, filled number: Int) async throws {
        try await sell(journal, number, try attempt(number), "reference-\(number)")
    }

    /// A sale as a client writes it: two durable writes.
    static func sell(_ journal: any Journal, _ number: Int) async throws {
        try await sell(
            journal, number, AttemptID(now: 1_800_000_000_000 + Int64(number), random: random), "new-\(number)")
    }

    private static func sell(
        _ journal: any Journal, _ number: Int, _ attempt: AttemptID, _ name: String
    ) async throws {
        try await end(try await begin(journal, try intent(attempt)), journal, number, name)
    }

    /// Gives back a cent of a payment that was filled in.
    static func refund(_ journal: any Journal, _ number: Int, of origin: AttemptID) async throws {
        let fresh = AttemptIntent(
            AttemptID(now: 1_800_000_000_000 + Int64(number), random: random), .refund, Money(minorUnits: 1, .eur),
            reference: "order-\(origin)", payment: PaymentID(origin))
        try await end(try await begin(journal, fresh), journal, number, "back-\(number)", units: 1)
    }

    private static func end(
        _ key: AttemptKey, _ journal: any Journal, _ number: Int, _ name: String, units: Int64 = 2_500
    ) async throws {
        var entry = JournalEntry(
            key,
            [
                .close(send: nil, .answered), .names(provider, [name]), .end(round: nil, .owner),
                .word(word(number, instant(3), units)),
            ])
        // Whoever asked is told, which the journal hears with a later entry.
        let place = ObjectIdentifier(journal as AnyObject)
        entry.told = untold.withLock { untold in untold.removeValue(forKey: place) ?? [] }
        guard case .accepted = try await journal.write(entry, WriteID("c-\(key.attempt)"), at: instant(3)) else {
            throw Missing()
        }
        untold.withLock { $0[place, default: []].formUnion([key]) }
    }

    private static func intent(_ attempt: AttemptID) throws -> AttemptIntent {
        var intent = AttemptIntent(
            attempt, .sale, Money(minorUnits: 2_500, .eur), reference: "order-\(attempt)", source: .card, last4: "1111")
        intent.content = "0123456789abcdef"
        return intent
    }

    private static func approval(_ number: Int, _ units: Int64) -> Approval {
        var card = CardSummary(brand: "visa", last4: "1111")
        card.expiry = "12/30"
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.responseText) = ("A12345", "00", "APPROVED")
        return Approval(
            Money(minorUnits: units, .eur), references: ["payment": "reference-\(number)"], card: card, receipt: receipt
        )
    }
}
