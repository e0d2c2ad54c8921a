import Dispatch
import PaymentJournalKit
import PaymentPostgres
import PaymentProviderKit
import PaymentTestPostgres
import PaymentTesting

/// A PostgreSQL for simulated worlds: each of them has a schema of its own.
struct WorldServer {
    private let server: PostgresServer

    /// Starts it.
    ///
    /// - Throws: Why there can be none.
    init() throws {
        guard PostgresServer.programs != nil else {
            throw Options.Wrong("there is no PostgreSQL 15 in /usr/lib/postgresql; install postgresql")
        }
        server = try PostgresServer()
    }

    /// The journal of a world, empty.
    func journal(_ scheduler: TestScheduler, _ processes: any ProcessRegistry) -> any Journal {
        let found = Locked((any Journal)?.none)
        let done = DispatchSemaphore(value: 0)
        var options = PostgresJournal.Options(connection: Secret(server.connection()))
        (options.schema, options.durability, options.processes) = (server.freshSchema(), .local, processes)
        let place = options
        Task.detached {
            defer { done.signal() }
            do throws(PaymentError) {
                try await PostgresJournal.prepare(place)
                let journal = try await PostgresJournal.open(place)
                found.withLock { $0 = journal }
            } catch { print("no journal: \(error.detail)") }
        }
        done.wait()
        guard let journal = found.withLock({ $0 }) else { preconditionFailure("a world has no journal") }
        return ClockPausingJournal(journal, scheduler)
    }

    func stop() { server.stop() }
}
