import MemoryProvider
import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentJournalKit
import PaymentTesting

extension Mutant {
    /// A mutant of the books: it lets some attempts begin that must not.
    static func forgiving(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ forgives: @escaping @Sendable (Attempt.Intent, JournalAnswer) -> Bool
    ) -> Mutant {
        books(id, sentence, caughtBy: check) { $0.forgive(forgives) }
    }

    /// A mutant of the books that forgives one operation whatever it is refused for.
    static func allows(
        _ operation: PaymentOperation, _ id: String, _ sentence: String, caughtBy check: String
    ) -> Mutant {
        forgiving(id, sentence, caughtBy: check) { intent, answer in
            guard case .refused = answer else { return false }
            return intent.operation == operation
        }
    }

    static let journals: [Mutant] = [
        allows(.capture, "books.capture-more", "Lets more be captured than is held.", caughtBy: "capture.too-much"),
        allows(.capture, "books.capture-sale", "Lets a sale be captured.", caughtBy: "capture.after-sale"),
        allows(.capture, "books.capture-undone", "Lets be captured what was undone.", caughtBy: "void.capture-after"),
        allows(.void, "books.void-again", "Lets be undone what was undone.", caughtBy: "void.twice"),
        allows(.refund, "books.refund-more", "Lets more be given back than was charged.", caughtBy: "refund.too-much"),
        allows(.refund, "books.refund-again", "Lets everything be given back again.", caughtBy: "refund.twice"),
        allows(.refund, "books.refund-undone", "Lets be given back what was undone.", caughtBy: "void.then-refund"),
        allows(.refund, "books.refund-declined", "Lets a decline be given back.", caughtBy: "refund.declined-sale"),
        allows(
            .sale, "books.reference-blind", "Lets a sale begin while another is open under its reference.",
            caughtBy: "attempt.open-reference"),
        forgiving(
            "books.reference-paid", "Lets a sale begin under the reference of a paid one.",
            caughtBy: "sale.reference-already-paid"
        ) { _, answer in
            if case .refused(.referenceInUse(_, .approved), _) = answer { true } else { false }
        },
        books("books.marks-early", "Records what is only asked about.", caughtBy: "attempt.crash-before-mark") {
            $0.onPreview = { (inner, entry, instant) async throws(JournalFailure) in
                try await inner.write(entry, WriteID("early"), at: instant)
            }
        },
        forgetting("books.sells-again", "Sends again what is recorded.", caughtBy: "attempt.replayed") { !$0.isOpen },
        forgetting(
            "books.declines-again", "Sends again what is recorded as a decline.", caughtBy: "attempt.replayed-decline"
        ) { !$0.isOpen && $0.state != .approved },
        forgetting("books.captures-again", "Sends a recorded capture again.", caughtBy: "capture.replayed") {
            !$0.isOpen && $0.intent.operation == .capture
        },
        forgetting(
            "books.memory-only", "Forgets what another process has recorded.", caughtBy: "attempt.after-restart"
        ) { !$0.isOpen },
        forgetting("books.no-conflict", "Takes one name for two things.", caughtBy: "attempt.other-content") { _ in
            true
        },
        books("books.nothing-settled", "Takes what is settled for open.", caughtBy: "lookup.decided") {
            $0.onAttempt = { _, attempt in attempt.map { $0.isOpen ? $0 : doubtful($0) } }
        },
        books("journal.any-round", "A journal that marks whoever comes.", caughtBy: "attempt.lost-round") {
            $0.markAnyone()
        },
        allows(
            .refund, "books.refund-in-doubt", "Lets be given back while another refund is in doubt.",
            caughtBy: "refund.lost-reply-blocks"),
        allows(
            .void, "books.void-refunded", "Lets be undone what was refunded in part.", caughtBy: "void.after-refund"),
        allows(
            .refund, "books.refund-other-currency", "Lets be given back in another currency.",
            caughtBy: "refund.other-currency"),
        books("books.once-only", "Never lets an attempt begin again.", caughtBy: "attempt.begun-again") {
            $0.onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
                guard let begin = entry.beginning,
                    let held = try await inner.attempts(.attempt(begin.intent.attempt), after: nil, limit: 1).attempts
                        .first
                else { return try await inner.write(entry, id, at: instant) }
                return .refused(.notAllowed("it was begun before"), held)
            }
        },
        books("books.loses-sales", "Never writes down that a sale was done.", caughtBy: "cancel.after-mark") {
            $0.lose(.sale)
        },
        books(
            "books.loses-shared-sales", "Never writes down what two callers wait for.", caughtBy: "cancel.one-of-two"
        ) { $0.lose(.sale) },
        books("books.loses-refunds", "Never writes down that a refund was done.", caughtBy: "cancel.refund") {
            $0.lose(.refund)
        },
        knowsPayments("books.any-payment", .authorize, caughtBy: "capture.unknown-payment"),
        knowsPayments("books.any-sale", .sale, caughtBy: "refund.unknown-payment"),
        books("books.any-attempt", "Knows attempts that were never made.", caughtBy: "lookup.unknown-attempt") {
            $0.onAttempt = { id, attempt in
                attempt ?? made(id, .sale, .approved(Approval(Money(minorUnits: 5_000, .eur), references: [:])))
            }
        },
        unlinked,
    ]

    /// Whom the memory driver speaks to.
    private static let identity = try? MemoryHarness().open(TestScheduler()).driver(.open).identity

    /// An attempt that was never made: in doubt, or with a verdict.
    private static func made(_ id: AttemptID, _ operation: PaymentOperation, _ verdict: Verdict?) -> Attempt? {
        guard let identity else { return nil }
        let intent = Attempt.Intent(id, operation, Money(minorUnits: 5_000, .eur), reference: "made-up")
        let now = Attempt.Instant(wall: 0, uptime: 0)
        var attempt = Attempt(intent)
        attempt.apply(.run(.init(number: 1, account: identity, owner: "", begunAt: now)))
        attempt = doubtful(attempt)
        if let verdict { attempt.apply(.report(.init(.verdict(verdict), .reply, run: 1, entry: 1, at: now))) }
        return attempt
    }

    /// The same attempt as if it were not known what became of it.
    private static func doubtful(_ held: Attempt) -> Attempt {
        guard let run = held.newest else { return held }
        var doubtful = Attempt(held.intent)
        doubtful.apply(.run(.init(number: 1, account: run.account, owner: run.owner, begunAt: run.begunAt)))
        doubtful.apply(.request(.init(number: 1, run: 1, key: nil, sendLimit: nil, openedAt: run.begunAt)))
        doubtful.apply(.closed(request: 1, .lost, at: run.begunAt))
        doubtful.apply(.ended(run: 1, .owner, at: run.begunAt))
        return doubtful
    }

    /// A mutant of the books that forgets some attempts, and lets them begin once more.
    static func forgetting(
        _ id: String, _ sentence: String, caughtBy check: String, _ forgets: @escaping @Sendable (Attempt) -> Bool
    ) -> Mutant {
        books(id, sentence, caughtBy: check) {
            $0.onAttempt = { _, attempt in attempt.flatMap { forgets($0) ? nil : $0 } }
            $0.forgive { _, answer in
                switch answer {
                case .known(let held), .refused(.conflict, let held?): forgets(held)
                case .written, .refused, .kept, .hint: false
                }
            }
        }
    }

    /// A mutant of the books that knows every payment, and lets operations follow it.
    private static func knowsPayments(
        _ id: String, _ operation: PaymentOperation, caughtBy check: String
    ) -> Mutant {
        books(id, "Knows payments that were never made.", caughtBy: check) {
            $0.forgive { _, answer in
                if case .refused = answer { true } else { false }
            }
            $0.onPayment = { id, stored in
                if let stored { return stored }
                let approval = Approval(Money(minorUnits: 5_000, .eur))
                return made(id.attempt, operation, .approved(approval)).map { StoredPayment([$0], entry: 1) }
            }
        }
    }

    /// Refunds without naming the payment, so that the provider can't see that it is too much.
    private static var unlinked: Mutant {
        var mutant = allows(
            .refund, "books.refund-unlinked", "Gives back twice without naming the payment.",
            caughtBy: "concurrency.last-euro")
        mutant.wrapDriver = HookedDriver.over {
            $0.onRefund = { inner, request, context in
                let card = PaymentSource.token(Secret("card-token"), last4: "1111")
                let request = UnlinkedRefundRequest(request.amount, to: card, reference: "back")
                return try await inner.refundUnlinked(request, context)
            }
        }
        return mutant
    }
}

/// A journal with some of its answers replaced; everything else is the answer of the journal behind it.
struct BentJournal: JournalWrapper {
    typealias Write =
        @Sendable (any Journal, JournalEntry, WriteID, Attempt.Instant) async throws(JournalFailure) -> JournalAnswer
    typealias Preview =
        @Sendable (any Journal, JournalEntry, Attempt.Instant) async throws(JournalFailure) -> JournalAnswer

    let inner: any Journal
    var onWrite: Write = { (inner, entry, id, instant) async throws(JournalFailure) in
        try await inner.write(entry, id, at: instant)
    }
    var onPreview: Preview = { (inner, entry, instant) async throws(JournalFailure) in
        try await inner.preview(entry, at: instant)
    }
    var onAttempt: @Sendable (AttemptID, Attempt?) -> Attempt? = { $1 }
    var onPayment: @Sendable (PaymentID, StoredPayment?) -> StoredPayment? = { $1 }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await onWrite(inner, entry, id, instant)
    }

    func preview(_ entry: JournalEntry, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalAnswer {
        try await onPreview(inner, entry, instant)
    }

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        var page = try await inner.attempts(query, after: cursor, limit: limit)
        guard case .attempt(let id) = query else { return page }
        page.attempts = onAttempt(id, page.attempts.first).map { [$0] } ?? []
        return page
    }

    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        onPayment(id, try await inner.payment(id))
    }
}

extension BentJournal {
    /// Lets attempts begin that the books forbid; from then on it keeps books of its own about them.
    mutating func forgive(_ forgives: @escaping @Sendable (Attempt.Intent, JournalAnswer) -> Bool) {
        let own = Locked([AttemptID: Attempt]())
        onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
            if let id = entry.command.attempt, let known = own.withLock({ $0[id] }), entry.beginning == nil {
                return Self.write(entry, known, own, instant)
            }
            let answer = try await inner.write(entry, id, at: instant)
            guard let begin = entry.beginning, forgives(begin.intent, answer) else { return answer }
            return Self.write(entry, nil, own, instant)
        }
        onPreview = { (inner, entry, instant) async throws(JournalFailure) in
            let answer = try await inner.preview(entry, at: instant)
            guard let begin = entry.beginning, forgives(begin.intent, answer) else { return answer }
            return .written(Attempt(begin.intent), WriteReceipt(run: 1, request: 1))
        }
    }

    /// Applies an entry as if nothing stood in its way.
    private static func write(
        _ entry: JournalEntry, _ known: Attempt?, _ own: Locked<[AttemptID: Attempt]>, _ now: Attempt.Instant
    ) -> JournalAnswer {
        guard var attempt = known ?? entry.beginning.map({ Attempt($0.intent) }) else { return .kept }
        var receipt = WriteReceipt(run: 1)
        switch entry.command {
        case .request(let open):
            if attempt.runs.isEmpty {
                attempt.apply(.run(.init(number: 1, account: open.account, owner: open.owner, begunAt: now)))
            }
            let number = attempt.requests.count + 1
            attempt.apply(
                .request(.init(number: number, run: 1, key: open.key, sendLimit: open.sendLimit, openedAt: now)))
            receipt.request = number
        case .finish(let finish):
            if attempt.runs.isEmpty {
                attempt.apply(.run(.init(number: 1, account: finish.account, owner: finish.owner, begunAt: now)))
            }
            if let closing = finish.closing {
                attempt.apply(.closed(request: closing.request, closing.ending, at: now))
            }
            if let verdict = finish.verdict {
                attempt.apply(.report(.init(.verdict(verdict), .reply, run: 1, entry: 1, at: now)))
            }
            if finish.endsRun { attempt.apply(.ended(run: 1, .owner, at: now)) }
        case .report, .notice, .takeOver, .closeGap: break
        }
        own.withLock { $0[attempt.intent.attempt] = attempt }
        return .written(attempt, receipt)
    }

    /// Lets a process continue that lost its run.
    mutating func markAnyone() {
        onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
            let answer = try await inner.write(entry, id, at: instant)
            guard case .refused(let why, let held) = answer, why.isByAnother, case .request(let open) = entry.command,
                let intent = held?.intent ?? open.begin?.intent
            else { return answer }
            // It says that the caller's run is the newest and not over.
            let run = open.run ?? held?.runs.count ?? 1
            var pretended = Attempt(intent)
            pretended.apply(.run(.init(number: run, account: open.account, owner: open.owner, begunAt: instant)))
            let number = (held?.requests.count ?? 0) + 1
            pretended.apply(.request(.init(number: number, run: run, key: nil, sendLimit: 0, openedAt: instant)))
            return .written(pretended, WriteReceipt(run: run, request: number))
        }
    }

    /// Never writes down what became of one operation.
    mutating func lose(_ operation: PaymentOperation) {
        onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
            guard let attempt = entry.command.attempt,
                let held = try await inner.attempts(.attempt(attempt), after: nil, limit: 1).attempts.first,
                held.intent.operation == operation, case .finish(var finish) = entry.command
            else { return try await inner.write(entry, id, at: instant) }
            finish.verdict = nil
            return try await inner.write(JournalEntry(.finish(finish)), id, at: instant)
        }
    }
}

extension JournalEntry {
    /// What it begins, if it begins an attempt.
    var beginning: Begin? {
        switch command {
        case .request(let open): open.begin
        case .finish(let finish): finish.begin
        case .report, .notice, .takeOver, .closeGap: nil
        }
    }
}

extension Mutant {
    /// A mutant of the books.
    static func books(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout BentJournal) -> Void
    ) -> Mutant {
        around(id, sentence, caughtBy: check) { given in
            var bent = BentJournal(inner: given.journal.journal)
            change(&bent)
            given.journal = JournalStore(bent)
        }
    }
}

extension JournalRefusal {
    /// Whether another process or another attempt was first.
    fileprivate var isByAnother: Bool {
        switch self {
        case .fenced, .referenceInUse: true
        default: false
        }
    }
}
