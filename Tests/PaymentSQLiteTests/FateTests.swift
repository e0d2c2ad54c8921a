import PaymentAbstraction
import PaymentBase
import PaymentSQLite
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
            let journal = try await folder.open("journal.sqlite", options)
            let desk = JournalTestWriter(journal)
            var unknown = 0
            func surely(_ name: String, _ command: JournalCommand) async throws -> JournalAnswer {
                let (entry, id) = (JournalEntry(command), desk.fresh())
                let before = try await desk.attempt(name)
                while true {
                    do { return try await journal.write(entry, id, at: JournalTestWriter.at(0)) } catch {
                        guard case .writeUnconfirmed = error else { throw error }
                        unknown += 1
                        // A look in between sees all of it or nothing.
                        let after = try await desk.attempt(name)
                        #expect((after == before) == (fault == .lost))
                    }
                }
            }
            for name in ["a", "b", "c"] {
                let (intent, id) = (try JournalTestWriter.intent(name), try JournalTestWriter.id(name))
                let begun = try await surely(name, JournalTestWriter.request(intent))
                let held = try await desk.held(name)
                #expect(begun.receipt?.request == 1 && begun.attempt == held)
                _ = try await surely(name, JournalTestWriter.note(id, "n", "v"))
                _ = try await surely(
                    name, JournalTestWriter.finish(id, JournalTestWriter.approved(), names: ["n-\(name)"]))
            }
            #expect(unknown == 1)
            for name in ["a", "b", "c"] {
                let held = try await desk.held(name)
                #expect(held.requests.count == 1 && held.reports.count == 1 && held.notes.count == 1)
                #expect(try await desk.holders("n-\(name)") == [name])
            }
            #expect(try await journal.problems() == [])
            await journal.close()
            // A commit that failed leaves nothing in the log that looks like damage.
            await (try await folder.open()).close()
        }
    }

    @Test func whoeverWroteTogetherIsLeftWithTheSameDoubt() async throws {
        let folder = try Folder()
        let count = Counter()
        var options = OpeningOptions()
        options.commitFault = { count.next() % 3 == 1 ? .lost : nil }
        let journal = try await folder.open("journal.sqlite", options)
        let (doubts, open) = try await DoubtPlay.writeTogether(120, journal)
        #expect(doubts > 0 && open == 120)
        #expect(try await journal.problems() == [])
        await journal.close()
    }

    /// A write id that is used for something else writes nothing and is not taken for the first one.
    @Test func write_idOfAnotherCommand_isRefused() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let first = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("a")))
        _ = try await journal.write(first, WriteID("w"), at: JournalTestWriter.at(0))
        let other = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("b")))
        let answer = try await journal.write(other, WriteID("w"), at: JournalTestWriter.at(0))
        #expect(answer == .refused(.notWritten("The write id belongs to another entry."), nil))
        #expect(try await JournalTestWriter(journal).attempt("b") == nil)
        await journal.close()
    }
}
