import PaymentAbstraction
import PaymentBase
import PaymentConformance

/// A journal with some of its answers replaced; everything else is the journal's that it stands before.
struct BentJournal: Journal {
    let inner: any Journal
    var onBegin: @Sendable (any Journal, AttemptIntent, AdmissionTerms, Int64) async throws -> Beginning = {
        try await $0.begin($1, $2, at: $3)
    }
    var onMark: @Sendable (any Journal, AttemptID, Int, Mark) async throws -> Void = {
        try await $0.mark($1, round: $2, $3)
    }
    var onConclude: @Sendable (any Journal, AttemptID, Int, Conclusion) async throws -> AttemptRecord = {
        try await $0.conclude($1, round: $2, $3)
    }
    var onRecords: @Sendable (JournalQuery, [AttemptRecord]) -> [AttemptRecord] = { $1 }

    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await onBegin(inner, intent, terms, instant)
    }
    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await onMark(inner, attempt, round, mark)
    }
    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await onConclude(inner, attempt, round, conclusion)
    }
    func append(_ events: [PaymentEvent]) async throws { try await inner.append(events) }
    func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        onRecords(query, try await inner.records(query))
    }
    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] { try await inner.timeline(of: payment) }
}

extension BentJournal {
    /// Lets attempts begin that the books forbid.
    mutating func forgive(_ forgives: @escaping @Sendable (AttemptIntent, Beginning) -> Bool) {
        onBegin = { inner, intent, terms, instant in
            let answer = try await inner.begin(intent, terms, at: instant)
            guard forgives(intent, answer) else { return answer }
            return .fresh(AttemptRecord(intent, terms.provider, round: 1, at: instant, owner: terms.owner))
        }
        markAnyone()
    }

    /// Lets whoever lost the round go on.
    mutating func markAnyone() {
        onMark = { inner, attempt, round, mark in try? await inner.mark(attempt, round: round, mark) }
    }

    /// Never writes down what became of one operation.
    mutating func lose(_ operation: PaymentOperation) {
        onConclude = { inner, attempt, round, conclusion in
            if let record = try await inner.records(.attempt(attempt)).first, record.intent.operation == operation {
                return record
            }
            return try await inner.conclude(attempt, round: round, conclusion)
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
            var bent = BentJournal(inner: given.journal)
            change(&bent)
            given.journal = bent
        }
    }
}
