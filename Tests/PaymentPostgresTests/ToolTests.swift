import Foundation
import PaymentBase
import PaymentCLI
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@testable import PaymentPostgres

/// What a person does with a journal in a database.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct ToolTests {
    private static let late = JournalTestWriter.at(1_000_000).wall

    private func line(_ attempt: String = "old-1", _ reference: String = "mp_7", more: String = "") -> String {
        """
        {"attempt":"\(attempt)","provider":"one","adapter":"memory","environment":"sandbox","merchant":"m-1",\
        "reference":"order-\(attempt)","minorUnits":5000,"currency":"EUR","takenAt":1700000000000,\
        "last4":"1111","references":{"payment":"\(reference)"}\(more)}
        """
    }

    @Test func pruningLeavesWhatIsOpenOrHeldOrYounger() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        for name in ["a", "b"] {
            try await desk.done(try JournalTestWriter.intent(name), JournalTestWriter.approved(), names: ["n-\(name)"])
        }
        try await desk.done(try JournalTestWriter.intent("r", .refund, 40, of: "a"), JournalTestWriter.approved(40))
        try await desk.done(try JournalTestWriter.intent("young"), JournalTestWriter.approved(), at: 2_000_000)
        try await desk.done(try JournalTestWriter.intent("held", .authorize), JournalTestWriter.approved())
        try await desk.send(try JournalTestWriter.intent("open"), at: 20)
        _ = try await desk.write(JournalTestWriter.notice("w", "unknown", JournalTestWriter.approved()), at: 9)
        // It may be about what is open.
        _ = try await desk.write(JournalTestWriter.notice("later", "unknown", JournalTestWriter.approved()), at: 30)
        let pruned = try await journal.prune(before: Self.late)
        #expect(pruned.payments == 2 && pruned.attempts == 3 && pruned.notices == 1)
        #expect(try await desk.names(.origins(scope: nil)).sorted() == ["held", "open", "young"])
        #expect(try await Place.problems(journal) == [])
        // Ids and names stay taken.
        await #expect(throws: JournalFailure.self) { try await desk.send(try JournalTestWriter.intent("a")) }
        try await desk.send(try JournalTestWriter.intent("thief"))
        try await desk.write(JournalTestWriter.finish(try JournalTestWriter.id("thief"), nil, names: ["n-b"]))
        #expect(try await desk.held("thief").names.isEmpty)
        // A hold lapses where a person says so.
        let held = try await journal.prune(before: Self.late, holdMilliseconds: 1_000)
        #expect(held.payments == 1)
        await journal.close()
    }

    /// Very many messages take longer than a statement may: what was removed before the end stays removed.
    @Test func pruning_manyMessages_removesThemInPieces() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let schema = place.options.schema
        try place.server.sql(
            """
            INSERT INTO \(schema).notice (seq, at, sum, message, body) \
            SELECT g, 0, 0, decode(lpad(to_hex(g), 8, '0'), 'hex'), ''::bytea FROM generate_series(1, 2500) g; \
            INSERT INTO \(schema).notice_name (hash, notice) SELECT g, g FROM generate_series(1, 2500) g; \
            CREATE FUNCTION \(schema).stop() RETURNS trigger LANGUAGE plpgsql AS \
            'BEGIN IF OLD.seq = 2500 THEN RAISE EXCEPTION ''no further''; END IF; RETURN OLD; END'; \
            CREATE TRIGGER stop BEFORE DELETE ON \(schema).notice FOR EACH ROW EXECUTE FUNCTION \(schema).stop()
            """)
        await #expect(throws: JournalFailure.self) { () async throws -> Void in
            _ = try await journal.forgetNotices(before: 1, besides: [])
        }
        #expect(try place.server.sql("SELECT count(*) FROM \(schema).notice") == ["500"])
        #expect(try place.server.sql("SELECT count(*) FROM \(schema).notice_name") == ["500"])
        try place.server.sql("DROP TRIGGER stop ON \(schema).notice")
        #expect(try await journal.forgetNotices(before: 1, besides: []) == 500)
        await journal.close()
    }

    /// The journal was made when there was no note of what was pruned.
    @Test func pruning_journalOfAnEarlierTime_notesWhatWasForgotten() async throws {
        let place = try await Place()
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        try place.server.sql("DELETE FROM \(place.options.schema).counter WHERE name = 'pruned'")
        #expect(try await journal.prunedBefore() == nil)
        #expect(try await journal.prune(before: Self.late).payments == 1)
        #expect(try await journal.prunedBefore() == Self.late)
        await journal.close()
    }

    /// The tills' own role may not forget anything.
    @Test func whoMayOnlyAddForgetsNothing() async throws {
        var place = try await Place()
        let name = place.options.schema
        try place.server.sql(
            """
            CREATE ROLE \(name) LOGIN; GRANT USAGE ON SCHEMA \(name) TO \(name); \
            GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA \(name) TO \(name); \
            GRANT UPDATE ON \(name).open, \(name).reference, \(name).counter, \(name).owner, \(name).feed TO \(name); \
            GRANT UPDATE ON \(name).endpoint, \(name).delivery TO \(name); \
            GRANT DELETE ON \(name).delivery TO \(name); \
            GRANT DELETE ON \(name).open, \(name).notice, \(name).notice_name, \(name).waiting, \(name).feed TO \(name); \
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(name) TO \(name)
            """)
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        place.options.connection = Secret(place.server.connection(user: name))
        let tills = try await place.open()
        do {
            _ = try await tills.prune(before: Self.late)
            Issue.record("it was pruned")
        } catch JournalFailure.notWritten(let words) { #expect(words.contains("permission denied")) }
        await tills.close()
        #expect(try await JournalTestWriter(journal).attempt("a") != nil)
        // But it lets a person accept what was restored.
        #expect(try await PostgresJournal.acceptRestored(place.options, anyway: true))
        await journal.close()
    }

    @Test func anAdoptedPaymentCanBeRefundedOnceAndNoMore() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        // A message from before, and one from afterwards: the first is filed, the second counts.
        for (id, time) in [("before", Int64(1_699_999_999_000)), ("after", 1_700_000_001_000)] {
            let notice = Notice(
                id, JournalTestWriter.one, .name("mp_7"), [.sale], JournalTestWriter.approved(5_000), at: time,
                names: ["mp_7"])
            _ = try await desk.write(.notice(notice), at: 1)
        }
        let lines =
            [line("old-1", "mp_7", more: #","refunded":1000,"holdsUntil":1700000000000"#)]
            + (2..<300).map { line("old-\($0)", "mq_\($0)") }
        #expect(try await journal.adopt(lines, at: JournalTestWriter.at(2)) == 299)
        let sale = try await desk.held("old-1")
        #expect(sale.state == .approved && sale.isEnded && sale.requests.isEmpty && sale.isImported)
        #expect(try await desk.holders("mp_7") == ["old-1"])
        #expect(try await desk.timeline("old-1").count >= 1)
        let left = try await desk.write(
            JournalTestWriter.request(try JournalTestWriter.intent("r2", .refund, 4_001, of: "old-1")))
        if case .refused(.exceeds(let money, []), nil) = left {
            #expect(money.minorUnits == 4_000)
        } else {
            Issue.record("more than was left could be given back: \(left)")
        }
        try await desk.done(
            try JournalTestWriter.intent("r1", .refund, 3_000, of: "old-1"), JournalTestWriter.approved(3_000))
        for again in [[line("new-1", "mp_new"), line("y", "mq_9")], [line("y", "mq_9")], [line("z"), "{"]] {
            await #expect(throws: PaymentError.self) { try await journal.adopt(again, at: JournalTestWriter.at(3)) }
        }
        #expect(try await desk.attempt("new-1") == nil)
        #expect(try await Place.problems(journal) == [])
        await journal.close()
    }

    @Test func theCommandsWorkOnADatabase() async throws {
        let place = try await Place()
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(
            try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        await journal.close()
        let folder = NSTemporaryDirectory() + "tools-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func file(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
        }
        try file("url", place.server.connection())
        try file(
            "providers.json",
            """
            {"active": "one", "journal": {"kind": "postgres", "connection": "file:url", \
            "schema": "\(place.options.schema)", "durability": "local"}, \
            "providers": {"one": {"adapter": "memory", "environment": "sandbox", "merchant": "m-1"}}}
            """)
        func run(_ words: String...) async -> (status: Int32, out: String) {
            let said = Locked([String]())
            let console = Console(
                out: { line in said.withLock { $0.append(line) } },
                error: { line in said.withLock { $0.append(line) } },
                input: { Array(line().utf8) }, ask: nil, showsColors: false, columns: nil)
            let own = words.starts(with: ["journal", "copy"]) ? [] : ["--config", "\(folder)/providers.json"]
            let status = await Payctl.main(words + own, registry: .builtin, console: console)
            return (status, said.withLock { $0.joined(separator: "\n") })
        }
        func expect(_ found: (status: Int32, out: String), _ status: Int32, _ words: String) {
            #expect(found.status == status && found.out.contains(words), "\(found)")
        }
        expect(await run("journal", "init"), 0, "is there")
        expect(await run("journal", "check"), 0, "nothing is wrong")
        // A message that a person has to look at.
        let marked = try await place.open()
        let mark = Notice.of(.pruned("p-1"), at: JournalTestWriter.one)
        _ = try await JournalTestWriter(marked, name: "marks").write(.notice(mark))
        let marks = try await marked.marks()
        #expect(try await marked.forgetNotices(before: .max, besides: marks.map(\.number)) == 0)
        await marked.close()
        let shown = try #require(marks.first?.at)
        let time = try #require(Timestamp(milliseconds: shown)).text()
        let earlier = try #require(Timestamp(milliseconds: shown - 1)).text()
        expect(await run("doctor"), 1, "p-1")
        expect(await run("journal", "check"), 1, "--seen \(time)")
        // What no check had shown stays.
        expect(await run("journal", "check", "--seen", earlier), 1, "p-1")
        expect(await run("journal", "check", "--seen", "yesterday"), 2, "--seen takes the time")
        expect(await run("journal", "check", "--seen", "2100-01-01T00:00:00Z"), 1, "p-1")
        expect(await run("journal", "check", "--seen", time), 0, "p-1")
        expect(await run("journal", "check"), 0, "nothing is wrong")
        let seen = await run("doctor")
        #expect(!seen.out.contains("p-1"), "\(seen.out)")
        expect(await run("journal", "export"), 0, "\"attempt\":\"a\"")
        expect(await run("journal", "import"), 0, "1 payment adopted")
        expect(await run("journal", "import"), 0, "0 payments adopted")
        expect(await run("journal", "prune", "--before", "2023-11-14"), 0, "0 payments")
        expect(await run("journal", "prune", "--before", "2024-01-01"), 0, "2 payments")
        expect(await run("journal", "accept-restored"), 0, "was not restored")
        expect(await run("journal", "accept-restored", "--anyway"), 0, "begins attempts again")
        let (from, to) = ("file:\(folder)/url#\(place.options.schema)", "\(folder)/copy.sqlite")
        expect(await run("journal", "copy", from, from), 2, "the same journal")
        expect(await run("journal", "copy", from, to, "--format", "json"), 0, "\"moved\":false")
        expect(await run("journal", "copy", from, to), 2, "isn't empty")
        expect(await run("journal", "copy", from, "\(folder)/moved.sqlite", "--move"), 0, "compared all of it")
        expect(await run("journal", "accept-restored", "--anyway"), 2, "was moved")
    }
}
