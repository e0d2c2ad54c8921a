import PaymentAbstraction
import PaymentSQLite
import PaymentTestPipes
import Testing

/// Numbers that several processes take out of one file.
@Suite struct NumberTests {
    /// More than a million numbers, 512 at a time, by four processes that each open the file twice.
    @Test func aMillionNumbersOfFourProcessesNeverRepeat() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file()
        let (processes, blocks) = (4, 489)
        let children = try (0..<processes).map { _ in try Child("journal-child", ["numbers", path, "\(blocks)"]) }
        var (seen, repeated): (Set<Int64>, Int) = ([], 0)
        for child in children {
            guard case .done(let text) = try child.channel.receive() else {
                Issue.record("a child said something else")
                return
            }
            child.wait()
            for first in text.split(separator: " ").compactMap({ Int64($0) }) {
                for number in first..<(first + 512) where !seen.insert(number).inserted { repeated += 1 }
            }
        }
        #expect(repeated == 0)
        #expect(seen.count == processes * blocks * 512)
        #expect(seen.count >= 1_000_000)
    }
}
