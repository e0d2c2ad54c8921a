import PaymentAbstraction
import PaymentConformance
import PaymentHarnesses
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import PaymentTesting
import Testing

/// The suite of providers over two journals at once that are told the same: the one in memory and a store. What both answer
/// and keep is the same after every write.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct TwinTests {
    /// All checks of the memory provider, and a part of those of links of three others.
    private static let links = [("memory", 1), ("adyen", 4), ("ecommpay", 4), ("halo", 4)]

    @Test(arguments: links) func suite_overMemoryAndPostgres_differsNowhere(_ name: String, _ every: Int) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        var passed = 0
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: every) {
            let place = try await Place()
            let table = LateRegistry()
            let store = try await place.open { $0.processes = table }
            passed += try await play(check, harness, table, store) ? 1 : 0
            await store.close()
            try place.server.sql("DROP SCHEMA \(place.options.schema) CASCADE")
        }
        print("memory and PostgreSQL side by side, \(name): \(passed) checks passed")
    }

    /// Two processes of which each makes every other call, on one database.
    @Test func suite_overMemoryAndSharedPostgres_differsNowhere() async throws {
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: 5) {
            let place = try await Place()
            let table = LateRegistry()
            let stores = [try await place.open { $0.processes = table }, try await place.open { $0.processes = table }]
            _ = try await play(check, MemoryHarness(), table, TurnsJournal(stores))
            for store in stores { await store.close() }
            try place.server.sql("DROP SCHEMA \(place.options.schema) CASCADE")
        }
    }

    /// Plays one check; says whether it passed.
    private func play(
        _ check: Check, _ harness: any ConformanceHarness, _ table: LateRegistry, _ store: any Journal
    ) async throws -> Bool {
        let (passed, differences) = try await TwinPlay(harness, store, table).play(check)
        #expect(differences.isEmpty, "\(harness.name) \(check.id): \(differences.joined(separator: "\n"))")
        return passed
    }
}
