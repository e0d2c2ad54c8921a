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
        let body: @Sendable (SQLiteJournal, Int, Int) async throws -> Void
    }

    /// The journal did not give what it must.
    struct Missing: Error {}

    static let provider = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
    private static let terms = AdmissionTerms(provider, owner: "benchmark")
    private static let random = SeededRandom(seed: 1)
    private static let pageCount = 20

    static let uses: [Use] = [
        Use(name: "sale: begin, mark, conclude") { journal, _, number in try await sell(journal, number) },
        Use(name: "status of one") { journal, size, number in
            let records = try await journal.records(.attempt(try attempt(number &* 7_919 % size)))
            guard records.count == 1 else { throw Missing() }
        },
        Use(name: "page 1") { journal, _, _ in
            guard try await journal.records(.page(after: nil, limit: pageCount)).count == pageCount else {
                throw Missing()
            }
        },
        Use(name: "page 1,000 or the last full one") { journal, size, _ in
            let after = try attempt(max(2 * pageCount, size - 1_000 * pageCount))
            guard try await journal.records(.page(after: after, limit: pageCount)).count == pageCount else {
                throw Missing()
            }
        },
        Use(name: "found by a reference") { journal, size, number in
            let value = "reference-\(number &* 7_919 % size)"
            guard try await journal.records(.holding(provider, [value])).count == 1 else { throw Missing() }
        },
    ]

    /// The id of a payment that was filled in; sorted by time, as ours are.
    static func attempt(_ number: Int) throws -> AttemptID {
        try AttemptID(TimeOrderedID.make(now: 1_700_000_000_000 + Int64(number), random: Fixed(number: number)))
    }

    private struct Fixed: RandomSource {
        let number: Int
        func next() -> UInt64 { SeededRandom(seed: UInt64(number)).next() }
    }

    static func filled(_ number: Int) throws -> AttemptRecord {
        let instant = 1_700_000_000_000 + Int64(number)
        var record = AttemptRecord(try intent(try attempt(number)), provider, round: 1, at: instant, owner: "filled")
        record.state = .concluded(.approved(approval(number)))
        (record.submittedAt, record.eventAt, record.evidence) = (instant, instant, .reply)
        return record
    }

    static func begin(_ journal: SQLiteJournal, _ number: Int) async throws {
        let fresh = try intent(AttemptID(now: 1_800_000_000_000 + Int64(number), random: random))
        guard case .fresh = try await journal.begin(fresh, terms, at: 1) else { throw Missing() }
    }

    private static func sell(_ journal: SQLiteJournal, _ number: Int) async throws {
        let intent = try intent(AttemptID(now: 1_800_000_000_000 + Int64(number), random: random))
        guard case .fresh = try await journal.begin(intent, terms, at: 1) else { throw Missing() }
        try await journal.mark(intent.attempt, round: 1, .submitted(at: 2))
        let conclusion = Conclusion(.concluded(.approved(approval(number))), by: .reply, at: 3)
        _ = try await journal.conclude(intent.attempt, round: 1, conclusion)
    }

    private static func intent(_ attempt: AttemptID) throws -> AttemptIntent {
        AttemptIntent(
            attempt, .sale, Money(minorUnits: 2_500, .eur), reference: "order-\(attempt)", source: .card, last4: "1111")
    }

    private static func approval(_ number: Int) -> Approval {
        var card = CardSummary(brand: "visa", last4: "1111")
        card.expiry = "12/30"
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.responseText) = ("A12345", "00", "APPROVED")
        return Approval(
            Money(minorUnits: 2_500, .eur), references: ["payment": "reference-\(number)"], card: card, receipt: receipt
        )
    }
}
