import PaymentAbstraction
import PaymentBase
import PaymentConformance

/// Lets an attempt begin that the books forbid.
struct ForgivingJournal: Journal {
    let inner: any Journal
    let forgives: @Sendable (Intent, Beginning) -> Bool

    func begin(_ intent: Intent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        let answer = try await inner.begin(intent, terms, at: instant)
        guard forgives(intent, answer) else { return answer }
        return .fresh(AttemptRecord(intent, terms.provider, round: 1, at: instant, owner: terms.owner))
    }
    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try? await inner.mark(attempt, round: round, mark)
    }
    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await inner.conclude(attempt, round: round, conclusion)
    }
    func append(_ events: [PaymentEvent]) async throws { try await inner.append(events) }
    func records(_ query: JournalQuery) async throws -> [AttemptRecord] { try await inner.records(query) }
    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] { try await inner.timeline(of: payment) }
}

extension Mutant {
    /// A mutant of the books: it lets some attempts begin that must not.
    private static func forgiving(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ forgives: @escaping @Sendable (Intent, Beginning) -> Bool
    ) -> Mutant {
        around(id, sentence, caughtBy: check) { $0.journal = ForgivingJournal(inner: $0.journal, forgives: forgives) }
    }

    /// A mutant of the books that forgives one operation whatever it is refused for.
    private static func allows(
        _ operation: PaymentAbstraction.Operation, _ id: String, _ sentence: String, caughtBy check: String
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
        forgiving("books.sells-again", "Sends again what is recorded.", caughtBy: "attempt.replayed") { _, answer in
            if case .recorded = answer { true } else { false }
        },
        forgiving(
            "books.declines-again", "Sends again what is recorded as a decline.", caughtBy: "attempt.replayed-decline"
        ) { _, answer in
            if case .recorded(let record) = answer { record.approval == nil } else { false }
        },
        forgiving(
            "books.captures-again", "Sends a recorded capture again.", caughtBy: "capture.replayed"
        ) { intent, answer in
            if case .recorded = answer { intent.operation == .capture } else { false }
        },
        forgiving(
            "books.memory-only", "Forgets what another process has recorded.", caughtBy: "attempt.after-restart"
        ) { _, answer in
            if case .recorded = answer { true } else { false }
        },
        forgiving(
            "books.no-conflict", "Takes one name for two things.", caughtBy: "attempt.other-content"
        ) { _, answer in
            if case .conflict = answer { true } else { false }
        },
        around("books.nothing-settled", "Takes what is settled for open.", caughtBy: "lookup.settled") {
            $0.journal = ForgetfulJournal(inner: $0.journal)
        },
    ]
}

/// Reads every settled attempt as one that nobody knows about.
struct ForgetfulJournal: Journal {
    let inner: any Journal
    func begin(_ intent: Intent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await inner.begin(intent, terms, at: instant)
    }
    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await inner.mark(attempt, round: round, mark)
    }
    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await inner.conclude(attempt, round: round, conclusion)
    }
    func append(_ events: [PaymentEvent]) async throws { try await inner.append(events) }
    func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        let records = try await inner.records(query)
        guard case .attempt = query else { return records }
        return records.map { record in
            var record = record
            if case .concluded = record.state { record.state = .inDoubt }
            return record
        }
    }
    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] { try await inner.timeline(of: payment) }
}
