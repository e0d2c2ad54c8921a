import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// What proven messages about another account than the configured one leave behind.
@Suite struct OtherAccountTests {
    @Test func messagesOfOtherAccounts_leaveOneMarkEachAndNothingElse() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal, name: "desk")
        let long = String(repeating: "é", count: 300)
        for (other, instant) in [("X", 10), ("X", 20), ("Y", 30), (long, 40)] as [(String, Int64)] {
            let mark = Notice.ofOtherAccount(other, at: JournalTestWriter.one)
            #expect(try await desk.write(.notice(mark), at: instant) == .kept)
        }
        // A message about a payment that this journal doesn't know yet is no mark.
        _ = try await desk.write(JournalTestWriter.notice("m", "x", JournalTestWriter.approved()), at: 50)
        let found = try await journal.otherAccounts(of: JournalTestWriter.one)
        #expect(found.map(\.account).prefix(2) == ["X", "Y"] && found.count == 3)
        #expect(found.first?.since == JournalTestWriter.at(10).wall)
        #expect(found.allSatisfy { long.hasPrefix($0.account) || $0.account.count == 1 })
        #expect(try await journal.otherAccounts(of: JournalTestWriter.two).isEmpty)
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func mark_ofAnAccountThatBeginsWithACombiningLetter_isRead() {
        let other = "\u{301}X"
        #expect(Notice.ofOtherAccount(other, at: JournalTestWriter.one).otherAccount == other)
    }

    // MARK: - Hints

    @Test func hintsAboutUnknownNames_inAFile_areNotKept() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let found = try await HintPlay(journal) { try await journal.waitingNotices(after: 0, limit: 20_000).count }
            .problems()
        #expect(found == [])
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }
}
