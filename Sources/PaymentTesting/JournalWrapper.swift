package import PaymentAbstraction

/// A journal in front of another one that changes some of its answers; everything that it does not implement itself goes
/// through.
package protocol JournalWrapper: Journal {
    /// The journal behind it.
    var inner: any Journal { get }
}

extension JournalWrapper {
    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await inner.write(entry, id, at: instant)
    }

    package func preview(
        _ entry: JournalEntry, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await inner.preview(entry, at: instant)
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await inner.attempts(query, after: cursor, limit: limit)
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? { try await inner.payment(id) }

    package func takeDue(_ terms: DueTerms, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        try await inner.takeDue(terms, at: instant)
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        try await inner.timeline(payment)
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        try await inner.add(events, to: payment)
    }

    package func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant {
        try await inner.time(ours)
    }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        try await inner.changed(attempt, after: entry)
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration { try await inner.generation() }

    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 { try await inner.draw(count) }

    package var processes: any ProcessRegistry { inner.processes }
}

/// A journal as one process among several sees it.
package struct ProcessJournal: JournalWrapper {
    package let inner: any Journal
    package let processes: any ProcessRegistry

    package init(_ inner: any Journal, _ processes: any ProcessRegistry) {
        (self.inner, self.processes) = (inner, processes)
    }
}
