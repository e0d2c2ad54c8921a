import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentJournal
import PaymentTestJournal
import Testing

/// A commit of which nobody hears: written or not, the same write again finds out, and nothing is done twice.
@Suite struct FateTests {
    @Test(arguments: OpeningOptions.CommitFault.allCases)
    func theSameWriteAgainFindsOut(_ fault: OpeningOptions.CommitFault) async throws {
        for failing in 1...9 {
            let folder = try Folder()
            let count = Counter()
            var options = OpeningOptions()
            options.commitFault = { count.next() == failing ? fault : nil }
            let journal = try await SQLiteJournal.open(path: folder.file(), options)
            let desk = JournalDesk(journal)
            var unknown = 0
            func surely(_ name: String, _ parts: [JournalEntry.Part]) async throws -> JournalAnswer {
                let (entry, id) = (JournalEntry(try JournalDesk.key(name), parts), desk.fresh())
                while true {
                    do { return try await journal.write(entry, id, at: JournalDesk.at(0)) } catch {
                        guard case .fateUnknown = error else { throw error }
                        unknown += 1
                        // Whoever looks in between sees all of it or nothing.
                        let sends = try await desk.facts(name)?.sends.count ?? 0
                        #expect(fault == .lost ? sends <= 1 : sends >= 0)
                    }
                }
            }
            for name in ["a", "b", "c"] {
                let begun = try await surely(
                    name, [JournalDesk.begin(try JournalDesk.intent(name)), JournalDesk.open()])
                #expect(begun == .accepted(try await desk.held(name)))
                _ = try await surely(name, JournalDesk.closing(JournalDesk.approved(), names: ["n-\(name)"]))
                _ = try await surely(name, [.note(name: "n", value: "v")])
            }
            #expect(unknown == 1)
            for name in ["a", "b", "c"] {
                let held = try await desk.held(name)
                #expect(held.sends.count == 1 && held.words.count == 1 && held.notes.count == 1)
                #expect(try await desk.holders("n-\(name)") == [name])
            }
            #expect(try await journal.check().problems == [])
            await journal.close()
            // A commit that failed leaves nothing in the log that looks like damage.
            await (try await SQLiteJournal.open(path: folder.file())).close()
        }
    }

    @Test func whoeverWroteTogetherIsLeftWithTheSameDoubt() async throws {
        let folder = try Folder()
        let count = Counter()
        var options = OpeningOptions()
        options.commitFault = { count.next() % 3 == 1 ? .lost : nil }
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        let (doubts, open) = try await DoubtPlay.writeTogether(120, journal)
        #expect(doubts > 0 && open == 120)
        #expect(try await journal.check().problems == [])
        await journal.close()
    }
}
