import PaymentAbstraction
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres

extension Place {
    /// How long the processes of a test are waited for, in milliseconds.
    private static let lease = 300

    /// The same for plays that kill processes. Each opens it as a process of another name.
    func store(_ change: @escaping @Sendable (inout PostgresJournal.Options) -> Void = { _ in }) -> StorePlace {
        let word = "postgres:\(options.schema):\(Self.lease):\(server.connection())"
        let place = self
        return StorePlace(word) { owner in
            let journal = try await place.open(owner) { options in
                options.lease = .milliseconds(Self.lease)
                change(&options)
            }
            return OpenedStore(
                journal, journal.owners,
                awaitDeath: { name in while journal.owners.isAlive(name) { await journal.refreshOwners() } },
                problems: { try await journal.check().problems }, close: { await journal.close() })
        }
    }
}
