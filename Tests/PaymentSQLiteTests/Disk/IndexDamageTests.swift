import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// A large file isn't checked whole when it is opened; what a broken index hides must not be done again there either.
@Suite(.serialized) struct IndexDamageTests {
    private static let pageBytes = 4_096
    /// How many bits are flipped at least, if there are not more pages.
    private static let flipsMin = 96
    private let random = SeededRandom(seed: 7)

    /// Payments and refunds, written and closed.
    private struct Written {
        var intents: [Attempt.Intent] = []
        /// Payments of which everything was given back.
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
