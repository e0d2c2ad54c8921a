import PaymentBase
import PaymentSQLite
import Testing

/// A disk that gives back other bits than were written.
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
            #expect(finding == .refused, "\(length) bytes of \(count)")
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
            // A broken last commit can't be told from one that a power cut has interrupted.
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
