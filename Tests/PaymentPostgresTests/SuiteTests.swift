import PaymentConformance
import PaymentHarnesses
import PaymentJournalKit
import PaymentPostgres
import PaymentProviderKit
import PaymentTestJournal
import PaymentTestPostgres
import PaymentTesting
import Testing

/// The suite of providers with a database in the place of the journal in memory. The checks' time is simulated and the database
/// is real.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct SuiteTests {
    private static let companies = ["memory", "adyen", "arise", "ecommpay", "halo", "ni"]

    /// The suite, in process: a sixth of it for each provider, all of it for all of them.
    @Test(arguments: companies) func theSuiteOfAProviderPasses(_ name: String) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let share = try #require(Self.companies.firstIndex(of: name))
        var passed = 0
        for (number, check) in Check.all.enumerated() where number % Self.companies.count == share {
            let place = try await Place()
            let table = LateRegistry()
            let journal = try await place.open { $0.processes = table }
            var conformance = ConformanceRunner(harness)
            conformance.makeJournal = { scheduler, processes in
                table.follow(processes)
                return ClockPausingJournal(journal, scheduler)
            }
            let result = conformance.run(check)
            #expect(
                result.status == .passed || result.status == .notApplicable || result.status == .waived,
                "\(check.id): \(result.detail)")
            if result.status == .passed { passed += 1 }
            await journal.close()
            try place.server.sql("DROP SCHEMA \(place.options.schema) CASCADE")
        }
        #expect(passed > 5)
        print("the suite over PostgreSQL, \(name): \(passed) checks passed")
    }
}

/// An empty journal in a schema of its own, on the server that all tests share.
struct Place {
    let server: PostgresServer
    var options: PostgresJournal.Options

    init() async throws {
        server = try #require(PostgresServer.shared)
        options = PostgresJournal.Options(connection: Secret(server.connection()))
        (options.schema, options.durability) = (server.freshSchema(), .local)
        _ = try await Self.explaining { [options] in try await PostgresJournal.prepare(options) }
    }

    /// Opens the journal; as a process of a name, if one is given.
    func open(_ owner: String? = nil, _ change: (inout PostgresJournal.Options) -> Void = { _ in }) async throws
        -> PostgresJournal
    {
        var options = options
        options.owner = owner
        change(&options)
        return try await Self.explaining { [options] in try await PostgresJournal.open(options) }
    }

    /// Shows what an error says, which it keeps to itself when it is printed.
    private static func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as PaymentError {
            throw JournalViolation(error.detail)
        }
    }
}

extension Place {
    /// Takes the newest payment away, as a standby that lacks the last commit.
    func loseNewestPayment() throws {
        let name = options.schema
        try server.sql(
            """
            WITH last AS (SELECT max(payment) AS number FROM \(name).attempt), \
            one AS (DELETE FROM \(name).entry USING last WHERE payment = last.number), \
            two AS (DELETE FROM \(name).open USING last WHERE payment = last.number), \
            three AS (DELETE FROM \(name).reference USING last WHERE payment = last.number) \
            DELETE FROM \(name).attempt USING last WHERE payment = last.number
            """)
    }
}

extension Place {
    /// Everything that is wrong with the journal: every payment is read again, and every row that is computed from it compared.
    static func problems(_ journal: any JournalMaintenance) async throws -> [String] {
        try await journal.check(at: JournalTestWriter.at(0)).problems.map { "\($0)" }
    }
}

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
