internal import PaymentAbstraction

extension Journal {
    /// An attempt as the journal has it.
    func record(_ attempt: AttemptID) async throws -> Attempt? {
        try await attempts(.attempt(attempt), after: nil, limit: 1).attempts.first
    }

    /// A payment's attempts, the origin first.
    func records(of payment: PaymentID) async throws -> [Attempt] {
        try await self.payment(payment).map { PaymentRecord($0.attempts).attempts } ?? []
    }

    /// Attempts of one kind, at most so many.
    func records(_ query: JournalQuery, limit: Int) async throws -> [Attempt] {
        try await attempts(query, after: nil, limit: limit).attempts
    }
}
