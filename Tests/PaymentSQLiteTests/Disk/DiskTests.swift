import PaymentAbstraction
import PaymentTestJournal
import PaymentTestPipes
import Testing

@testable import PaymentSQLite

/// A disk that is full, read-only, or held by somebody else.
@Suite(.serialized) struct DiskTests {
    private func words(_ error: any Error) -> String {
        switch error as? JournalFailure {
        case .notWritten(let words)?, .writeUnconfirmed(let words)?: words
        case .unwritable?, .unreadable?, .pruned?, nil: "\(error)"
        }
    }

    @Test func aFullFileLosesNothingAndTakesMoreWhenThereIsRoom() async throws {
        let folder = try Folder()
        var options = OpeningOptions()
        options.pagesMax = 40
        let journal = try await folder.open("journal.sqlite", options)
        let desk = JournalTestWriter(journal)
        var (written, failure) = ([String](), "")
        for number in 0..<2_000 where failure.isEmpty {
            do {
                try await desk.send(try JournalTestWriter.intent("a-\(number)"))
                written.append("a-\(number)")
            } catch { failure = words(error) }
        }
        #expect(failure.contains("full"))
        #expect(written.count >= 5)
        #expect(try await desk.names(.open(scope: nil)) == written)
        await journal.close()
        let wider = try await folder.open()
        let again = JournalTestWriter(wider, name: "wider")
        #expect(try await again.names(.open(scope: nil)) == written)
        try await again.send(try JournalTestWriter.intent("more"))
        await wider.close()
    }

    @Test func aFullDiskInAnotherProcessLosesNothing() async throws {
        let folder = try Folder()
        let child = try Child("journal-child", ["limited", folder.file(), "1000000"])
        guard case .done(let text)? = try child.channel.receive() else {
            Issue.record("the child said nothing")
            return
        }
        #expect(child.wait() == .exited(0))
        let parts = text.split(separator: ";", maxSplits: 1).map(String.init)
        let count = try #require(Int(parts[0]))
        #expect(count >= 5)
        #expect(parts[1].contains("disk"))
        let journal = try await folder.open()
        let names = try await JournalTestWriter(journal).names(.open(scope: nil))
        #expect(names == (0..<count).map { "a-\($0)" })
        await journal.close()
    }

    @Test func aFileThatIsOnlyReadTakesNothingAndShowsAll() async throws {
        let folder = try Folder()
        let first = try await folder.open()
        try await JournalTestWriter(first).send(try JournalTestWriter.intent("a"))
        await first.close()
        var options = OpeningOptions()
        options.isReadOnly = true
        let second = try await folder.open("journal.sqlite", options)
        let desk = JournalTestWriter(second, name: "second")
        #expect(try await desk.names(.open(scope: nil)) == ["a"])
        do {
            try await desk.send(try JournalTestWriter.intent("b"))
            Issue.record("it was written")
        } catch { #expect(words(error).contains("can't be written")) }
        await second.close()
    }

    @Test func aFileThatIsHeldTooLongSaysSo() async throws {
        let folder = try Folder()
        var options = OpeningOptions()
        options.busyMilliseconds = 20
        let journal = try await folder.open("journal.sqlite", options)
        let desk = JournalTestWriter(journal)
        let other = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 20)
        try other.execute("BEGIN IMMEDIATE", doing: "holding")
        do {
            try await desk.send(try JournalTestWriter.intent("a"))
            Issue.record("it was written")
        } catch { #expect(words(error).contains("another process holds the file")) }
        #expect(try await desk.names(.open(scope: nil)) == [])
        try other.execute("ROLLBACK", doing: "letting go")
        other.close()
        try await desk.send(try JournalTestWriter.intent("a"))
        await journal.close()
    }
}
