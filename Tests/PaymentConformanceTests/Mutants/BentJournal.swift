import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTesting

/// A journal with some of its answers replaced; everything else is the answer of the journal behind it.
struct BentJournal: JournalWrapper {
    typealias Write =
        @Sendable (any Journal, JournalEntry, WriteID, JournalInstant) async throws(JournalFailure) -> JournalAnswer
    typealias Preview =
        @Sendable (any Journal, JournalEntry, JournalInstant) async throws(JournalFailure) -> JournalAnswer

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
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await onWrite(inner, entry, id, instant)
    }

    func preview(_ entry: JournalEntry, at instant: JournalInstant) async throws(JournalFailure) -> JournalAnswer {
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
        _ entry: JournalEntry, _ known: Attempt?, _ own: Locked<[AttemptID: Attempt]>, _ now: JournalInstant
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
