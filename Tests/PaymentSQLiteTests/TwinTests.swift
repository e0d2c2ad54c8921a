import PaymentAbstraction
import PaymentConformance
import PaymentHarnesses
import PaymentSQLite
import PaymentTestJournal
import PaymentTesting
import Testing

/// The suite of providers over two journals at once that are told the same: the one in memory and a file. What both answer
/// and keep is the same after every write.
@Suite(.serialized) struct TwinTests {
    /// All checks of the memory provider, and a part of those of links of three others.
    private static let links = [("memory", 1), ("adyen", 4), ("ecommpay", 4), ("halo", 4)]

    @Test(arguments: links) func suite_overMemoryAndSQLite_differsNowhere(_ name: String, _ every: Int) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        var passed = 0
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: every) {
            passed += try await play(check, harness, files: 1) ? 1 : 0
        }
        print("memory and SQLite side by side, \(name): \(passed) checks passed")
    }

    /// Two connections of which each makes every other call, on one file.
    @Test func suite_overMemoryAndSharedSQLite_differsNowhere() async throws {
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: 5) {
            _ = try await play(check, MemoryHarness(), files: 2)
        }
    }

    /// A store that forgets something is noticed.
    @Test func twin_storeThatForgetsNames_isFound() async throws {
        let twin = TwinJournal(InMemoryJournal(), Nameless(inner: InMemoryJournal()))
        try await JournalTestWriter(twin).done(
            try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        #expect(twin.differences.contains { $0.contains("payment a") }, "\(twin.differences)")
    }

    private struct Nameless: JournalWrapper {
        let inner: any Journal

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
        ) async throws(JournalFailure) -> JournalAnswer {
            guard case .finish(var finish) = entry.command else { return try await inner.write(entry, id, at: instant) }
            finish.closing?.names = []
            return try await inner.write(JournalEntry(.finish(finish), timeline: entry.timeline), id, at: instant)
        }
    }

    /// Plays one check; says whether it passed.
    private func play(_ check: Check, _ harness: any ConformanceHarness, files: Int) async throws -> Bool {
        let (folder, table) = (try Folder(), LateRegistry())
        var stores: [SQLiteJournal] = []
        for _ in 0..<files { stores.append(try await folder.open(processes: table)) }
        let (passed, differences) = try await TwinPlay(harness, TurnsJournal(stores), table).play(check)
        #expect(differences.isEmpty, "\(harness.name) \(check.id): \(differences.joined(separator: "\n"))")
        for store in stores { await store.close() }
        return passed
    }
}
