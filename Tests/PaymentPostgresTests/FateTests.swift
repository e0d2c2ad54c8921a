import PaymentAbstraction
import PaymentBase
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import Testing

/// A commit of which nobody hears: written or not, the same write again finds out, and nothing is done twice.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct FateTests {
    @Test(arguments: CommitFault.allCases) func theSameWriteAgainFindsOut(_ fault: CommitFault) async throws {
        for failing in 1...9 {
            let (place, count) = (try await Place(), Counter())
            let journal = try await place.open { $0.commitFault = { count.next() == failing ? fault : nil } }
            let desk = JournalTestWriter(journal)
            var unknown = 0
            func surely(_ command: JournalCommand) async throws -> JournalAnswer {
                let (entry, id) = (JournalEntry(command), desk.fresh())
                while true {
                    do { return try await journal.write(entry, id, at: JournalTestWriter.at(0)) } catch {
                        guard case .writeUnconfirmed = error else { throw error }
                        unknown += 1
                    }
                }
            }
            for name in ["a", "b", "c"] {
                let (intent, id) = (try JournalTestWriter.intent(name), try JournalTestWriter.id(name))
                let begun = try await surely(JournalTestWriter.request(intent))
                let held = try await desk.held(name)
                #expect(begun.receipt?.request == 1 && begun.attempt == held)
                _ = try await surely(JournalTestWriter.note(id, "n", "v"))
                _ = try await surely(JournalTestWriter.finish(id, JournalTestWriter.approved(), names: ["n-\(name)"]))
            }
            #expect(unknown == 1)
            for name in ["a", "b", "c"] {
                let held = try await desk.held(name)
                #expect(held.requests.count == 1 && held.reports.count == 1 && held.notes.count == 1)
                #expect(try await desk.holders("n-\(name)") == [name])
            }
            await journal.close()
        }
    }

    @Test func whoeverWroteTogetherIsLeftWithTheSameDoubt() async throws {
        let (place, count) = (try await Place(), Counter())
        let journal = try await place.open { $0.commitFault = { count.next() % 3 == 1 ? .lost : nil } }
        let (doubts, open) = try await DoubtPlay.writeTogether(120, journal)
        #expect(doubts > 0 && open == 120)
        await journal.close()
    }

    /// Every connection is cut again and again while tills write: what was acknowledged is there, once.
    @Test func whatWasAcknowledgedIsThereWhateverIsCut() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        let isOver = Locked(false)
        let server = place.server
        let cuts = Task {
            var count = 0
            while !isOver.withLock({ $0 }) {
                _ = try? server.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'payments' \
                    AND query <> '' AND pid IN (SELECT pid FROM pg_locks WHERE relation = \
                    '\(place.options.schema).entry'::regclass)
                    """)
                count += 1
            }
            return count
        }
        let doubts = try await desk.atOnce(16) { till in
            var doubts = 0
            for number in 0..<20 {
                let name = "a-\(till)-\(number)"
                let begin = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent(name)))
                var isWritten = false
                while !isWritten {
                    do {
                        _ = try await journal.write(begin, WriteID(name), at: JournalTestWriter.at(0))
                        isWritten = true
                    } catch JournalFailure.writeUnconfirmed { doubts += 1 } catch JournalFailure.notWritten {}
                }
            }
            return doubts
        }
        isOver.withLock { $0 = true }
        let count = await cuts.value
        let names = try await desk.names(.open(scope: nil))
        #expect(names.count == 320 && Set(names).count == 320)
        print("cut \(count) times, \(doubts.reduce(0, +)) writes of unknown fate found again")
        await journal.close()
    }
}
