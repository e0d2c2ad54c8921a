internal import PaymentAbstraction
internal import PaymentBase

extension CommandSession {
    /// Every attempt of the journal, of every scope; a client reads those of its own scope alone.
    ///
    /// - Throws: `journal`, nothing moved, if one of them can't be read: a part of the journal is no journal.
    func everyAttempt() async throws -> [Attempt] {
        if let store = journal as? any JournalMaintenance { return try await store.everyAttempt() }
        return try await Self.everyAttempt(of: journal)
    }

    /// Every attempt of a journal in memory, which only this process knows.
    static func everyAttempt(of journal: any Journal) async throws -> [Attempt] {
        var (attempts, cursor) = ([Attempt](), JournalCursor?.none)
        repeat {
            let page = try await journal.attempts(.origins(scope: nil), after: cursor, limit: ListQuery.limitMax)
            for origin in page.attempts {
                attempts += try await journal.payment(origin.intent.paymentID)?.attempts ?? []
            }
            cursor = page.next
        } while cursor != nil
        return attempts
    }

    /// Attempts of the journal that belong to other scopes than the one that a command line uses.
    func attemptsOfOtherScopes() async throws -> [Attempt] {
        try await everyAttempt().filter { !$0.intent.scope.isEmpty }
    }
}

extension [Attempt] {
    /// Their scopes, in order.
    var scopes: [String] { Set(map(\.intent.scope)).sorted() }
}
