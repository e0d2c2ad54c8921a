public import PaymentAbstraction

extension SQLiteJournal {
    /// Removes the locks of processes that are gone and of which nothing is under way any more.
    ///
    /// - Returns: How many were removed.
    /// - Throws: When what is open can't be read; nothing is removed then.
    @discardableResult
    public func clearOwners(_ locks: ProcessLocks) async throws(JournalFailure) -> Int {
        try await locks.clear { () async throws(JournalFailure) in try await openOwners() }
    }

    /// Who runs, or ran, what isn't over.
    private func openOwners() async throws(JournalFailure) -> Set<String> {
        try await reading { connection in
            let open = try FactReader(connection: connection).find("is_open = 1 ORDER BY scope, seq", [])
            return Set(try open.map { try $0.get().facts }.filter { !$0.isEnded }.map(\.newest.owner))
        }
    }
}
