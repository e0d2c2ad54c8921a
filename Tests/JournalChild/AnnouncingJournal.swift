import PaymentAbstraction

/// A journal that announces every call, before and after.
struct AnnouncingJournal: Journal {
    private let inner: any Journal
    private let announcer: Announcer

    init(_ inner: any Journal, _ announcer: Announcer) { (self.inner, self.announcer) = (inner, announcer) }

    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await announcer.around("journal begin") { try await inner.begin(intent, terms, at: instant) }
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await announcer.around("journal mark") { try await inner.mark(attempt, round: round, mark) }
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await announcer.around("journal conclude") {
            try await inner.conclude(attempt, round: round, conclusion)
        }
    }

    func append(_ events: [PaymentEvent]) async throws {
        try await announcer.around("journal append") { try await inner.append(events) }
    }

    func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        try await announcer.around("journal records") { try await inner.records(query) }
    }

    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        try await announcer.around("journal timeline") { try await inner.timeline(of: payment) }
    }
}
