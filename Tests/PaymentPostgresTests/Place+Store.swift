import PaymentAbstraction
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres

extension Place {
    /// The same for plays that kill processes. Each opens it as a process of another name.
    ///
    /// - Parameters:
    ///   - lease: How many milliseconds a process is waited for: short where one dies that others wait for, and longer than
    ///     a full machine may leave a thread waiting where none does.
    ///   - change: Further options.
    func store(
        lease: Int = 500, _ change: @escaping @Sendable (inout PostgresJournal.Options) -> Void = { _ in }
    ) -> StorePlace {
        let word = "postgres:\(options.schema):\(lease):\(server.connection())"
        let place = self
        return StorePlace(word) { owner in
            let journal = try await place.open(owner) { options in
                options.lease = .milliseconds(lease)
                change(&options)
            }
            return OpenedStore(
                journal,
                awaitDeath: { name in while journal.processes.isAlive(name) { await journal.refreshOwners() } },
                problems: { try await Place.problems(journal) }, close: { await journal.close() })
        }
    }
}
