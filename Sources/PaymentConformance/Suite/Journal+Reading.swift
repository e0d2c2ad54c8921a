internal import PaymentAbstraction

extension Journal {
    /// An attempt as the journal has it.
    func record(_ attempt: AttemptID) async throws -> AttemptRecord? {
        try await facts(AttemptKey(attempt)).map(AttemptRecord.init)
    }

    /// A payment's attempts, the origin first.
    func records(of payment: PaymentID) async throws -> [AttemptRecord] {
        try await family(AttemptKey(payment.attempt)).map(AttemptRecord.init)
    }

    /// Attempts of one kind, at most so many.
    func records(_ query: JournalQuery, limit: Int) async throws -> [AttemptRecord] {
        try await page(query, scope: "", after: nil, limit: limit).rows.map(AttemptRecord.init)
    }
}
