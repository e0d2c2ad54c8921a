package import PaymentAbstraction

extension SQLiteJournal {
    /// Removes the locks of processes that are gone and of which nothing is under way any more.
    ///
    /// - Returns: How many were removed.
    /// - Throws: When what is open can't be read; nothing is removed then.
    @discardableResult
    package func clearOwners(_ locks: ProcessLocks) async throws(JournalFailure) -> Int {
        try await locks.clear { () async throws(JournalFailure) in try await openOwners() }
    }

    /// The processes that run, or ran, what is not over.
    private func openOwners() async throws(JournalFailure) -> Set<String> {
        var owners: Set<String> = []
        var cursor: JournalCursor?
        repeat {
            let page = try await attempts(.open(scope: nil), after: cursor, limit: 500)
            if let damaged = page.unreadable.first { throw .unreadable(damaged) }
            owners.formUnion(page.attempts.flatMap(\.runs).filter { $0.end == nil }.map(\.owner))
            cursor = page.next
        } while cursor != nil
        return owners
    }
}
