import PaymentAbstraction
import PaymentBase
import PaymentPostgres
import PaymentProviderKit
import PaymentTestJournal
import PaymentTestPostgres
import Testing

/// What is refused when a journal is opened, and what is only told.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct OpeningTests {
    private func refusal(_ place: Place, _ change: (inout PostgresJournal.Options) -> Void) async throws -> String {
        do {
            let journal = try await place.open(nil, change)
            await journal.close()
            return ""
        } catch let breach as JournalViolation { return breach.description }
    }

    @Test func withoutAStandbyNothingIsAcknowledged() async throws {
        let place = try await Place()
        let server = try PostgresServer([])
        var options = PostgresJournal.Options(connection: Secret(server.connection()))
        try await PostgresJournal.prepare(options)
        let words = try await refusal(place) { $0 = options }
        #expect(words.contains("no synchronous standby"))
        options.durability = .local
        let journal = try await PostgresJournal.open(options)
        #expect(journal.warnings.contains { $0.contains("no synchronous standby") })
        // What waits for a standby is of unknown fate when somebody ends that wait.
        try server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try server.sql("SELECT pg_reload_conf()")
        let desk = JournalTestWriter(journal)
        let writes = Task {
            // The server hears of its new setting when it likes.
            for number in 0... { try await desk.send(try JournalTestWriter.intent("a-\(number)")) }
        }
        var isWaiting = false
        while !isWaiting {
            isWaiting = try !server.sql(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            ).isEmpty
        }
        let failure = await #expect(throws: JournalFailure.self) { try await writes.value }
        if case .writeUnconfirmed? = failure {} else { Issue.record("it was \(String(describing: failure))") }
        try server.sql("ALTER SYSTEM RESET synchronous_standby_names")
        try server.sql("SELECT pg_reload_conf()")
        await journal.close()
    }

    @Test func aServerThatForgetsIsRefused() async throws {
        let place = try await Place()
        #expect(try await refusal(place) { $0.durability = .standby }.contains("fsync is off"))
    }

    @Test func whatIsMissingIsNamed() async throws {
        let place = try await Place()
        #expect(try await refusal(place) { $0.schema = "elsewhere" }.contains("payctl journal init"))
        #expect(try await refusal(place) { $0.schema = "Not-Plain" }.contains("small letters"))
        #expect(try await refusal(place) { $0.connection = Secret("host") }.contains("no connection string"))
        let name = place.options.schema
        try place.server.sql("INSERT INTO \(name).version (number) VALUES (5)")
        #expect(try await refusal(place) { _ in }.contains("Use the newer software"))
        try place.server.sql("DELETE FROM \(name).version WHERE number = 5")
    }

    @Test func aRoleWithoutARightIsToldWhich() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql(
            """
            CREATE ROLE \(name) LOGIN; GRANT USAGE ON SCHEMA \(name) TO \(name); \
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(name) TO \(name); \
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(name) TO \(name); \
            REVOKE INSERT ON \(name).entry FROM \(name)
            """)
        let connection = Secret(place.server.connection(user: name))
        #expect(try await refusal(place) { $0.connection = connection }.contains("INSERT on entry"))
        try place.server.sql("GRANT INSERT ON \(name).entry TO \(name)")
        // With what is asked for, and no more, it works.
        let journal = try await place.open { $0.connection = connection }
        try await JournalTestWriter(journal).done(
            try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        // A write that comes again is made as durable as it was.
        let entry = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("b")))
        let first = try await journal.write(entry, WriteID("again"), at: JournalTestWriter.at(5))
        #expect(try await journal.write(entry, WriteID("again"), at: JournalTestWriter.at(6)) == first)
        // Messages that wait and then count, a name, a lookup that is owed, and steps of the timeline.
        let desk = JournalTestWriter(journal, name: "messages")
        #expect(try await desk.write(JournalTestWriter.notice("m", "late", JournalTestWriter.approved())) == .kept)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("b"), nil, names: ["late"]))
        #expect(try await desk.held("b").state == .approved)
        try await journal.add(
            [try JournalTestWriter.event("seen", of: "b")], to: PaymentID(try JournalTestWriter.id("b")))
        _ = try await desk.write(JournalTestWriter.notice("h", "late", nil))
        #expect(try await journal.takeDue(limit: 5, at: JournalTestWriter.at(9_000_000)).attempts.count == 1)
        await journal.close()
    }

    // MARK: Others who may create something

    /// What a statement names without a schema is the server's own, whatever else has that name.
    @Test func functionInTheSchema_namedLikeTheServers_isNotCalled() async throws {
        let place = try await Place()
        let name = place.options.schema
        for function in ["current_setting(text)", "pg_try_advisory_lock(bigint)", "has_table_privilege(text, text)"] {
            try place.server.sql(
                """
                CREATE FUNCTION \(name).\(function) RETURNS text LANGUAGE plpgsql \
                AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$
                """)
        }
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        await journal.close()
        #expect(try await PostgresJournal.prepare(place.options) == 4)
    }

    @Test func schemaInWhichAnotherRoleMayCreate_isRefused() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql("CREATE ROLE \(name)_m LOGIN; GRANT CREATE ON SCHEMA \(name) TO \(name)_m")
        let words = try await refusal(place) { _ in }
        #expect(words.contains("\(name)_m may create") && words.contains("REVOKE CREATE"), "\(words)")
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        #expect(error?.detail.contains("\(name)_m may create") == true, "\(error?.detail ?? "")")
        try place.server.sql("REVOKE CREATE ON SCHEMA \(name) FROM \(name)_m; GRANT CREATE ON SCHEMA \(name) TO PUBLIC")
        #expect(try await refusal(place) { _ in }.contains("every role may create"))
        try place.server.sql("REVOKE CREATE ON SCHEMA \(name) FROM PUBLIC")
        #expect(try await refusal(place) { _ in } == "")
    }

    /// The role that made the tables may go on making them, and a superuser may anyway.
    @Test func schemaOfAnotherOwner_inWhichTheTablesOwnerMayCreate_isOpened() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql(
            "CREATE ROLE \(name)_a; CREATE ROLE \(name)_s SUPERUSER; GRANT CREATE ON SCHEMA \(name) TO \(name)_a, \(name)_s;"
                + "ALTER TABLE \(name).version OWNER TO \(name)_a")
        #expect(try await refusal(place) { _ in } == "")
    }

    @Test func preparingASchemaWithWhatOtherRolesMade_isRefused() async throws {
        var place = try await Place()
        let name = place.server.freshSchema()
        place.options.schema = name
        try place.server.sql(
            "CREATE ROLE \(name)_m; CREATE SCHEMA \(name); GRANT CREATE ON SCHEMA \(name) TO \(name)_m; SET ROLE \(name)_m;"
                + "CREATE FUNCTION \(name).pg_control_system() RETURNS bigint LANGUAGE sql AS 'SELECT 1';"
                + "RESET ROLE; REVOKE CREATE ON SCHEMA \(name) FROM \(name)_m")
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        #expect(error?.detail.contains("other roles have made something") == true, "\(error?.detail ?? "")")
        let tables = try place.server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(name)'")
        #expect(tables == ["0"])
    }

    /// In the schema of another name that is there already nothing is made either.
    @Test func preparingASchemaOfEverybody_isRefused() async throws {
        var place = try await Place()
        place.options.schema = place.server.freshSchema()
        try place.server.sql(
            "CREATE SCHEMA \(place.options.schema); GRANT CREATE ON SCHEMA \(place.options.schema) TO PUBLIC")
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        #expect(error?.detail.contains("every role may create") == true, "\(error?.detail ?? "")")
        let tables = try place.server.sql(
            "SELECT count(*) FROM pg_tables WHERE schemaname = '\(place.options.schema)'")
        #expect(tables == ["0"])
    }

    @Test(arguments: ["information_schema", "pg_catalog", "pg_temp"])
    func schemaOfTheServersOwn_isRefused(_ name: String) async throws {
        let place = try await Place()
        #expect(try await refusal(place) { $0.schema = name }.contains("small letters"))
    }

    @Test func overANetworkTheServerHasToProveItself() async throws {
        let place = try await Place()
        let words = try await refusal(place) { $0.connection = Secret("host=db.example sslmode=require") }
        #expect(words.contains("verify-full"))
    }

    @Test func preparingTwiceChangesNothingAndManyAtOnceMakeOne() async throws {
        var place = try await Place()
        #expect(try await PostgresJournal.prepare(place.options) == 4)
        place.options.schema = place.server.freshSchema()
        let options = place.options
        let versions = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for _ in 0..<8 { group.addTask { try await PostgresJournal.prepare(options) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(versions.count { $0 == nil } == 1 && versions.count { $0 == 4 } == 7)
    }
}
