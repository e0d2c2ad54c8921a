import PaymentBase
import PaymentConformance
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@testable import PaymentPostgres

/// Each role may do what it is for, and fails at whatever it is not for.
@Suite(.enabled(if: PostgresServer.programs != nil)) struct RoleTests {
    /// A journal with one payment, and roles for it.
    private struct Shop {
        let place: Place
        let schema: String

        init() async throws {
            place = try await Place()
            schema = place.options.schema
            for role in PostgresRole.allCases where role != .owner {
                let grants = role.grants(to: name(role), schema: schema).joined(separator: " ")
                try place.server.sql("CREATE ROLE \(name(role)) LOGIN; \(grants)")
            }
            let journal = try await place.open()
            try await JournalTestWriter(journal, name: "first").done(
                try JournalTestWriter.intent("a"), JournalTestWriter.approved())
            await journal.close()
        }

        func name(_ role: PostgresRole) -> String { "\(schema)_\(role.rawValue)" }

        func open(_ role: PostgresRole) async throws -> PostgresJournal {
            try await place.open { $0.connection = Secret(place.server.connection(user: name(role))) }
        }

        /// Whether the server lets a role run a statement.
        func allows(_ role: PostgresRole, _ sql: String) -> Bool {
            let words = "SET ROLE \(name(role)); SET search_path = pg_catalog, \(schema); \(sql)"
            return (try? place.server.sql(words)) != nil
        }
    }

    /// What no role but the owner may do.
    private static let forbidden = [
        "UPDATE entry SET events = events", "UPDATE attempt SET scope = 'x'", "UPDATE name SET payment = 1",
        "UPDATE forgotten SET id = 'x'", "DELETE FROM forgotten", "TRUNCATE entry", "DROP TABLE waiting",
        "DELETE FROM owner", "DELETE FROM counter", "INSERT INTO counter (name, value) VALUES ('x', 1)",
        "UPDATE version SET number = 9", "DELETE FROM version", "INSERT INTO version (number) VALUES (9)",
        "CREATE TABLE planted (a int)", "CREATE FUNCTION planted() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE owner DISABLE TRIGGER owner_guard", "DROP TRIGGER counter_guard ON counter",
        "ALTER FUNCTION owner_guard() RESET ALL",
        "CREATE TRIGGER mine BEFORE INSERT ON entry EXECUTE FUNCTION owner_guard()",
        "SET session_replication_role = replica", "UPDATE owner SET lock = lock + 1",
        "UPDATE owner SET name = name || 'x'",
        "UPDATE owner SET is_gone = false WHERE is_gone",
    ]

    @Test(arguments: [PostgresRole.till, .office, .pruning])
    func role_takesAPaymentAndGivesItBack(_ role: PostgresRole) async throws {
        let shop = try await Shop()
        let journal = try await shop.open(role)
        let desk = JournalTestWriter(journal, name: "desk")
        try await desk.done(try JournalTestWriter.intent("b"), JournalTestWriter.approved())
        try await desk.done(try JournalTestWriter.intent("c", .refund, 100, of: "b"), JournalTestWriter.approved(100))
        #expect(try await desk.held("c").state == .approved)
        await journal.close()
    }

    @Test(arguments: [PostgresRole.till, .office, .pruning])
    func role_doesNothingOfTheOwners(_ role: PostgresRole) async throws {
        let shop = try await Shop()
        // A process that is gone, which no role brings back.
        for sql in Self.forbidden { #expect(!shop.allows(role, sql), "\(role.rawValue): \(sql)") }
        #expect(shop.allows(role, "SELECT count(*) FROM entry"))
    }

    @Test func till_restoredJournal_isNotAccepted() async throws {
        let shop = try await Shop()
        for sql in [
            "UPDATE counter SET value = 0 WHERE name = 'closed' AND value <> 0",
            "UPDATE counter SET value = 1 WHERE name = 'gap'",
            "UPDATE counter SET value = value + 1 WHERE name = 'generation'",
            "UPDATE counter SET value = 1 WHERE name = 'number'",
            "UPDATE counter SET name = 'x' WHERE name = 'gap'",
        ] {
            try shop.place.server.sql("UPDATE \(shop.schema).counter SET value = 7 WHERE name IN ('closed', 'number')")
            #expect(!shop.allows(.till, sql), "\(sql)")
            #expect(!shop.allows(.pruning, sql), "\(sql)")
        }
        #expect(shop.allows(.office, "UPDATE counter SET value = 0 WHERE name = 'closed'"))
        var options = shop.place.options
        options.connection = Secret(shop.place.server.connection(user: shop.name(.till)))
        await #expect(throws: (any Error).self) { try await PostgresJournal.acceptRestored(options, anyway: true) }
        options.connection = Secret(shop.place.server.connection(user: shop.name(.office)))
        #expect(try await PostgresJournal.acceptRestored(options, anyway: true))
    }

    @Test func pruning_decidedPayment_isForgotten_andByNoOtherRole() async throws {
        let shop = try await Shop()
        for role in [PostgresRole.till, .office] {
            let journal = try await shop.open(role)
            await #expect(throws: JournalFailure.self) { try await journal.prune(before: 4_000_000_000_000) }
            await journal.close()
        }
        let journal = try await shop.open(.pruning)
        #expect(try await journal.prune(before: 4_000_000_000_000).payments == 1)
        #expect(try await Place.problems(journal) == [])
        await journal.close()
    }

    /// A till can't say of a process that lives that it is dead.
    @Test func till_processThatHoldsItsLock_isNotDeclaredDead() async throws {
        let shop = try await Shop()
        let living = try await shop.place.open("living-1")
        let gone = "UPDATE owner SET is_gone = true WHERE name = 'living-1'"
        #expect(!shop.allows(.till, gone))
        #expect(try shop.place.server.sql("SELECT is_gone FROM \(shop.schema).owner WHERE name = 'living-1'") == ["f"])
        await living.close()
        // It has left on its own.
        #expect(try shop.place.server.sql("SELECT is_gone FROM \(shop.schema).owner WHERE name = 'living-1'") == ["t"])
        #expect(!shop.allows(.till, "UPDATE owner SET is_gone = false WHERE name = 'living-1'"))
    }

    /// Functions with their maker's rights, or without a search path of their own, could be made to call others'.
    @Test func functionsOfTheSchema_haveTheirSearchPath_andNoOtherRights() async throws {
        let shop = try await Shop()
        let functions = try shop.place.server.sql(
            """
            SELECT proname || ' ' || prosecdef || ' ' || coalesce(array_to_string(proconfig, ','), '') FROM pg_proc \
            WHERE pronamespace = '\(shop.schema)'::regnamespace ORDER BY proname
            """)
        #expect(
            functions == [
                "counter_guard false search_path=pg_catalog, pg_temp",
                "owner_guard false search_path=pg_catalog, pg_temp",
            ])
    }
}
