import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentSQLite

/// What is done with a journal that is measured.
enum JournalWork {
    /// Numbers that no payment has had before.
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
    struct Missing: Error {
        var line: Int
        init(_ line: Int = #line) { self.line = line }
    }

    static let provider = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
    private static let random = SeededRandom(seed: 1)
    private static let pageCount = 20
    /// How many payments stay open in a journal whose uses are measured.
    static let open = 100
    private static let start: Int64 = 1_700_000_000_000

    static let uses: [Use] = [
        Use(name: "sale: request and finish") { journal, _, number in try await sell(journal, number) },
        Use(name: "refund: the same two writes") { journal, size, number in
            try await refund(journal, number, of: try attempt(number &* 7_919 % size))
        },
        Use(name: "status of one") { journal, size, number in
            let id = try attempt(number &* 7_919 % size)
            guard try await journal.payment(PaymentID(id)) != nil else { throw Missing() }
        },
        Use(name: "page 1") { journal, _, _ in
            let page = try await journal.attempts(.origins(scope: ""), after: nil, limit: pageCount)
            guard page.attempts.count == pageCount else { throw Missing() }
        },
        Use(name: "page 10,000 or the last full one") { journal, size, _ in
            let after = JournalCursor(Int64(max(2 * pageCount, size - 10_000 * pageCount)))
            let page = try await journal.attempts(.origins(scope: ""), after: after, limit: pageCount)
            guard page.attempts.count == pageCount else { throw Missing() }
        },
        Use(name: "found by a name") { journal, size, number in
            let name = ProviderName(provider, "reference-\(number &* 7_919 % size)")
            guard try await journal.attempts(.named(name), after: nil, limit: 2).attempts.count == 1 else {
                throw Missing()
            }
        },
        Use(name: "found by a reference") { journal, size, number in
            let reference = "order-\(try attempt(number &* 7_919 % size))"
            let page = try await journal.attempts(.reference(scope: "", reference), after: nil, limit: pageCount)
            guard page.attempts.count == 1 else { throw Missing() }
        },
        // Each time a day later, when all of them are due again.
        Use(name: "\(open) open ones taken for recovery") { journal, _, number in
            let day = instant(Int64(number) * 2 * 86_400_000)
            let due = try await journal.takeDue(DueTerms(limit: open), at: day)
            guard due.attempts.count == open else { throw Missing() }
        },
    ]

    private static func instant(_ milliseconds: Int64) -> Attempt.Instant {
        Attempt.Instant(wall: start + milliseconds, uptime: milliseconds)
    }

    /// The id of a payment that was filled in; sorted by time, as ours are.
    static func attempt(_ number: Int) throws -> AttemptID {
        try AttemptID(TimeOrderedID.make(now: start + Int64(number), random: Fixed(number: number)))
    }

    private struct Fixed: RandomSource {
        let number: Int
        func next() -> UInt64 { SeededRandom(seed: UInt64(number)).next() }
    }

    /// A payment as a store has it that was made by two writes.
    static func filled(_ number: Int) throws -> StoredLog {
        let (id, at) = (try attempt(number), instant(Int64(number)))
        let begun: [Attempt.Event] = [
            .created(intent(id)), .run(.init(number: 1, account: provider, owner: "filled", begunAt: at)),
            .request(.init(number: 1, run: 1, key: nil, sendLimit: 60_000, openedAt: at)),
        ]
        let ended: [Attempt.Event] = [
            .closed(request: 1, .answered, at: at),
            .named(.init(account: provider, value: "reference-\(number)", request: 1)),
            .report(.init(.verdict(.approved(approval(number, 2_500))), .reply, run: 1, request: 1, entry: 2, at: at)),
            .ended(run: 1, .owner, at: at),
        ]
        guard let attempt = Attempt(begun + ended) else { throw Missing() }
        var log = StoredLog(number: Int64(number + 1), id: id.text)
        for (place, events) in [begun, ended].enumerated() {
            let answer = StoredAnswer(.written(attempt, WriteReceipt(run: 1, request: 1)))
            log.entries.append(
                .init(
                    write: "filled-\(number)-\(place)", content: 0, at: at.wall,
                    events: EventCodec.bytes([.init(id, events)]), answer: answer?.bytes ?? [], timeline: []))
        }
        return log
    }

    /// A payment whose reply was lost: it stays open, and no process works on it.
    static func lose(_ journal: any Journal, _ number: Int) async throws {
        let id = try await begin(journal, intent(AttemptID(now: 1_800_000_000_000 + Int64(number), random: random)))
        var finish = Finish(id, owner: "benchmark", account: provider)
        (finish.run, finish.closing) = (1, Closing(1, .lost, names: []))
        let answer = try await journal.write(JournalEntry(.finish(finish)), WriteID("l-\(id)"), at: instant(2))
        guard case .written = answer else { throw Missing() }
    }

    static func begin(_ journal: any Journal, _ number: Int) async throws {
        _ = try await begin(journal, intent(AttemptID(now: 1_800_000_000_000 + Int64(number), random: random)))
    }

    private static func begin(_ journal: any Journal, _ intent: Attempt.Intent) async throws -> AttemptID {
        let open = OpenRequest(Begin(intent, provider), owner: "benchmark", sendLimit: 60_000)
        let answer = try await journal.write(
            JournalEntry(.request(open)), WriteID("b-\(intent.attempt)"), at: instant(1))
        guard case .written = answer else { throw Missing() }
        return intent.attempt
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
        try await end(try await begin(journal, intent(attempt)), journal, number, name)
    }

    /// Refunds a cent of a payment that was filled in.
    static func refund(_ journal: any Journal, _ number: Int, of origin: AttemptID) async throws {
        let fresh = Attempt.Intent(
            AttemptID(now: 1_800_000_000_000 + Int64(number), random: random), .refund, Money(minorUnits: 1, .eur),
            reference: "item \(number)", payment: PaymentID(origin))
        try await end(try await begin(journal, fresh), journal, number, "back-\(number)", units: 1)
    }

    private static func end(
        _ id: AttemptID, _ journal: any Journal, _ number: Int, _ name: String, units: Int64 = 2_500
    ) async throws {
        var finish = Finish(id, owner: "benchmark", account: provider)
        (finish.run, finish.closing) = (1, Closing(1, .answered, names: [name]))
        finish.verdict = .approved(approval(number, units, name))
        let answer = try await journal.write(JournalEntry(.finish(finish)), WriteID("c-\(id)"), at: instant(3))
        guard case .written = answer else { throw Missing() }
    }

    private static func intent(_ attempt: AttemptID) -> Attempt.Intent {
        var intent = Attempt.Intent(
            attempt, .sale, Money(minorUnits: 2_500, .eur), reference: "order-\(attempt)", digest: "0123456789abcdef")
        (intent.source, intent.last4) = (.card, "1111")
        return intent
    }

    private static func approval(_ number: Int, _ units: Int64, _ name: String? = nil) -> Approval {
        var card = CardSummary(brand: "visa", last4: "1111")
        card.expiry = "12/30"
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.responseText) = ("A12345", "00", "APPROVED")
        return Approval(
            Money(minorUnits: units, .eur), references: ["payment": name ?? "reference-\(number)"], card: card,
            receipt: receipt)
    }
}
