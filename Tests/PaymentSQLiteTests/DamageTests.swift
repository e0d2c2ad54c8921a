import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTestPipes
import Testing

@testable import PaymentSQLite

/// A disk that returns other bits than were written.
@Suite(.serialized) struct DamageTests {
    private let random = SeededRandom(seed: 4)

    private func flipped(_ bytes: [UInt8], in range: Range<Int>) -> [UInt8] {
        var bytes = bytes
        let place = range.lowerBound + Int(random.next() % UInt64(range.count))
        bytes[place] ^= 1 << UInt8(random.next() % 8)
        return bytes
    }

    @Test func aFlippedBitIsNeverBelieved() async throws {
        let written = try await WrittenFile(count: 40, isLogged: false)
        #expect(try await written.finding(written.database, []) == .whole)
        let pageBytes = 4_096
        let pages = written.database.count / pageBytes
        var counts: [WrittenFile.Finding: Int] = [:]
        // Every page, and so every kind of page, has its share; the first ones hold the head and the shape.
        for number in 0..<max(260, pages * 2) {
            let page = number < 40 ? 0 : number % pages
            let range = number < 40 ? 0..<110 : page * pageBytes..<(page + 1) * pageBytes
            counts[try await written.finding(flipped(written.database, in: range), []), default: 0] += 1
        }
        #expect(counts.keys.filter { $0 != .refused && $0 != .whole } == [])
        #expect(counts[.refused, default: 0] >= 20)
        print("bits flipped in \(pages) pages: \(counts)")
    }

    @Test func aTruncatedFileIsRefused() async throws {
        let written = try await WrittenFile(count: 40, isLogged: false)
        let count = written.database.count
        for length in [1, 99, 100, 512, 4_095, 4_096, 4_097, 8_192, count / 2, count - 4_096, count - 1] {
            let finding = try await written.finding(Array(written.database.prefix(length)), [])
            // SQLite fills a short last page with zeros: where only zeros were cut, nothing is lost.
            let isZeros = length > count - 4_096 && written.database[length...].allSatisfy { $0 == 0 }
            #expect(finding == .refused || isZeros, "\(length) bytes of \(count)")
        }
    }

    @Test func aFlippedBitInTheLogLosesNoMoreThanTheLastCommits() async throws {
        let written = try await WrittenFile(count: 16, isLogged: true)
        #expect(try await written.finding(written.database, written.log) == .whole)
        var counts: [WrittenFile.Finding: Int] = [:]
        for number in 0..<120 {
            // The head, anywhere, and the last frames, of 24 + 4,096 bytes each.
            let count = written.log.count
            let range = number < 30 ? 0..<80 : number < 80 ? 0..<count : count - 3 * 4_120..<count
            counts[try await written.finding(written.database, flipped(written.log, in: range)), default: 0] += 1
        }
        for finding in counts.keys {
            switch finding {
            case .refused, .whole: break
            // A broken last commit looks like one that a power cut has interrupted.
            case .endLost(let writes): #expect(writes <= 2)
            case .wrong(let words): Issue.record("\(words)")
            }
        }
        #expect(counts[.refused, default: 0] >= 60)
        #expect(counts.count >= 2)
        print("bits flipped in the log: \(counts)")
    }

    @Test func aTruncatedLogLosesItsEndAndNothingElse() async throws {
        let written = try await WrittenFile(count: 16, isLogged: true)
        for number in 0..<20 {
            let length = Int(random.next() % UInt64(written.log.count))
            switch try await written.finding(written.database, Array(written.log.prefix(length))) {
            case .refused, .whole, .endLost: break
            case .wrong(let words): Issue.record("\(number): \(words)")
            }
        }
    }
}

/// A large file isn't checked whole when it is opened; what a broken index hides must not be done again there either.
@Suite(.serialized) struct IndexDamageTests {
    private static let pageBytes = 4_096
    /// How many bits are flipped at least, if there are not more pages.
    private static let flipsMin = 96
    private let random = SeededRandom(seed: 7)

    /// Payments and refunds, written and closed.
    private struct Written {
        var intents: [Attempt.Intent] = []
        /// Payments of which everything was refunded.
        var empty: [String] = []
        var bytes: [UInt8] = []
        var mark = Data()
    }

    private static func unreferenced(_ name: String) throws -> Attempt.Intent {
        Attempt.Intent(try JournalTestWriter.id(name), .sale, Money(minorUnits: 100, .eur), digest: "digest")
    }

    private func write() async throws -> Written {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        var written = Written()
        for number in 0..<80 {
            // Long names, so that the indexes have more than one page and a root above them.
            let name = "payment-\(number)-abcdefghijklmnop"
            // Every other one has no reference, so that nothing but its id shows that it was made.
            let origin =
                number % 2 == 0 ? try JournalTestWriter.intent(name) : try Self.unreferenced(name)
            try await desk.done(origin, JournalTestWriter.approved(), names: ["r-\(number)"])
            written.intents.append(origin)
            guard number % 4 == 0 else { continue }
            let refund = try JournalTestWriter.intent("refund-\(number)-abcdefghijklmnop", .refund, of: name)
            try await desk.done(refund, JournalTestWriter.approved())
            written.intents.append(refund)
            written.empty.append(name)
        }
        await journal.close()
        written.mark = try Data(contentsOf: URL(fileURLWithPath: folder.file() + ".last"))
        written.bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.file())))
        return written
    }

    /// How a damaged file was met.
    private struct Finding: Hashable {
        var isOpened = false
        var refusedCount = 0
        var wrong: [String] = []
    }

    /// Tries everything again that was done.
    private func finding(_ bytes: [UInt8], _ written: Written) async throws -> Finding {
        let folder = try Folder()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file()))
        try written.mark.write(to: URL(fileURLWithPath: folder.file() + ".last"))
        var options = OpeningOptions()
        options.checkedPagesMax = 0
        var finding = Finding()
        let journal: SQLiteJournal
        do { journal = try await folder.open("journal.sqlite", options) } catch { return finding }
        finding.isOpened = true
        var again = written.intents
        for payment in written.empty {
            again.append(try JournalTestWriter.intent("more-\(payment.dropFirst(8))", .refund, 1, of: payment))
        }
        let desk = JournalTestWriter(journal, name: "again")
        for intent in again {
            do {
                let answer = try await desk.write(JournalTestWriter.request(intent))
                if case .written = answer { finding.wrong.append("\(intent.attempt) began again") }
            } catch { finding.refusedCount += 1 }
        }
        await journal.close()
        return finding
    }

    private func isIndexPage(_ bytes: [UInt8], _ page: Int) -> Bool {
        [0x0A, 0x02].contains(bytes[page * Self.pageBytes])
    }

    @Test func whatABrokenIndexHidesIsNotDoneAgain() async throws {
        let written = try await write()
        let whole = try await finding(written.bytes, written)
        #expect(whole == Finding(isOpened: true))
        let pages = (1..<written.bytes.count / Self.pageBytes).filter { isIndexPage(written.bytes, $0) }
        #expect(pages.count >= 8)
        var (opened, refused) = (0, 0)
        for page in pages {
            for _ in 0..<max(1, Self.flipsMin / pages.count) {
                var bytes = written.bytes
                bytes[page * Self.pageBytes + Int(random.next() % UInt64(Self.pageBytes))] ^=
                    1 << UInt8(random.next() % 8)
                let finding = try await finding(bytes, written)
                #expect(finding.wrong == [], "page \(page)")
                opened += finding.isOpened ? 1 : 0
                refused += finding.refusedCount > 0 ? 1 : 0
            }
        }
        print("bits flipped in \(pages.count) index pages: \(opened) opened, \(refused) of them refused something")
        #expect(refused >= 5)
    }

    @Test(arguments: ["payment-40-", "payment-41-", "refund-40-"]) func aKeyThatSaysSomethingElseHidesNothing(
        _ name: String
    )
        async throws
    {
        let written = try await write()
        let key = Array(name.utf8)
        var harmed = 0
        for page in 1..<written.bytes.count / Self.pageBytes where isIndexPage(written.bytes, page) {
            let range = page * Self.pageBytes..<(page + 1) * Self.pageBytes - key.count
            for place in range where Array(written.bytes[place..<place + key.count]) == key {
                var bytes = written.bytes
                bytes[place] = UInt8(ascii: "z")
                let finding = try await finding(bytes, written)
                #expect(finding.wrong == [], "page \(page), byte \(place)")
                if finding.refusedCount > 0 { harmed += 1 }
            }
        }
        #expect(harmed >= 1)
    }
}

/// A disk that is full, read-only, or held by another process.
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

/// A file with payments in every state, and what it must return.
struct WrittenFile {
    /// What each write has made of its attempt, in the order of the commits.
    private(set) var history: [Attempt] = []
    private(set) var timelines: [String: [PaymentEvent]] = [:]
    let database: [UInt8]
    let log: [UInt8]
    private let mark: [UInt8]

    /// Writes it; with `isLogged`, everything is still in the log.
    init(count: Int, isLogged: Bool) async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        for number in 0..<count {
            let name = "p-\(number)"
            let id = try JournalTestWriter.id(name)
            history.append(try await desk.send(try JournalTestWriter.intent(name, .sale, Int64(1_000 + number))))
            history.append(try await desk.accept(JournalTestWriter.note(id, "terminal", "t-\(number)")))
            if number % 5 == 4 { continue }
            let verdict = JournalTestWriter.approved(Int64(1_000 + number), ["payment": "reference-\(number)"])
            let event = try JournalTestWriter.event("approved", of: name)
            let finish = JournalTestWriter.finish(id, verdict, names: ["reference-\(number)"])
            history.append(try await desk.accept(finish, timeline: isLogged ? [] : [event]))
            if !isLogged { timelines[name] = [event] }
        }
        if isLogged {
            (database, log) = (try Self.bytes(folder.file()), try Self.bytes(folder.file() + "-wal"))
            await journal.close()
        } else {
            await journal.close()
            (database, log) = (try Self.bytes(folder.file()), [])
        }
        mark = try Self.bytes(folder.file() + ".last")
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What is held in the end, by attempt.
    private var held: [AttemptID: Attempt] {
        Dictionary(history.map { ($0.intent.attempt, $0) }, uniquingKeysWith: { $1 })
    }

    /// How a damaged file was met.
    enum Finding: Hashable { case refused, whole, endLost(writes: Int), wrong(String) }

    /// Opens damaged bytes and reads everything back.
    func finding(_ database: [UInt8], _ log: [UInt8]) async throws -> Finding {
        let folder = try Folder()
        try Data(database).write(to: URL(fileURLWithPath: folder.file()))
        try Data(mark).write(to: URL(fileURLWithPath: folder.file() + ".last"))
        if !log.isEmpty { try Data(log).write(to: URL(fileURLWithPath: folder.file() + "-wal")) }
        let journal: SQLiteJournal
        do { journal = try await folder.open() } catch {
            return error.code == .journal && error.outcome == .notExecuted ? .refused : .wrong("\(error)")
        }
        let finding: Finding
        do { finding = try await compare(journal) } catch is JournalFailure { finding = .refused }
        await journal.close()
        return finding
    }

    private func compare(_ journal: SQLiteJournal) async throws -> Finding {
        let desk = JournalTestWriter(journal, name: "compare")
        var found: [AttemptID: Attempt] = [:]
        for id in held.keys {
            guard let attempt = try await desk.attempt(id.text) else { continue }
            found[id] = attempt
            if !history.contains(attempt) { return .wrong("never written: \(attempt)") }
        }
        // The page and the payments must say the same as the single readings.
        let page = try await journal.attempts(.origins(scope: ""), after: nil, limit: 1_000)
        if !page.unreadable.isEmpty { return .refused }
        if Set(page.attempts) != Set(found.values) { return .wrong("the page differs") }
        for (id, attempt) in found where try await journal.payment(PaymentID(id))?.attempts != [attempt] {
            return .wrong("payment \(id)")
        }
        for (name, events) in timelines where try await desk.timeline(name) != events {
            return .wrong("the timeline of \(name)")
        }
        for attempt in found.values {
            for name in attempt.names
            where try await desk.all(.named(ProviderName(name.account, name.value))) != [attempt] {
                return .wrong("holders of \(name.value)")
            }
        }
        let lost = history.lastIndex { found[$0.intent.attempt] == $0 }.map { history.count - 1 - $0 } ?? history.count
        // What is lost must be the end and nothing else.
        let kept = history.prefix(history.count - lost)
        let state = Dictionary(kept.map { ($0.intent.attempt, $0) }, uniquingKeysWith: { $1 })
        if state != found { return .wrong("something in the middle is lost") }
        return lost == 0 ? .whole : .endLost(writes: lost)
    }
}
