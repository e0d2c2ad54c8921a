import Foundation
import PaymentBase
import Testing

@Suite struct JSONCaseTests {
    @Test func theTablesAreComplete() {
        let counts = (JSONCase.accepted.count, JSONCase.rejected.count, JSONCase.free.count)
        print("JSON cases: \(counts.0) to accept, \(counts.1) to reject, \(counts.2) free to choose")
        #expect(counts.0 >= 100)
        #expect(counts.1 >= 150)
        #expect(counts.2 >= 30)
        #expect(counts.0 + counts.1 + counts.2 >= 300)
    }

    @Test func jsonReader_validText_isAccepted() {
        for item in JSONCase.accepted {
            #expect(throws: Never.self, "\(item)") { try JSONReader().read(item.bytes) }
            #expect(throws: Never.self, "\(item)") { try JSONReader().check(item.bytes) }
        }
    }

    @Test func whatMustBeRejectedIsForItsReason() {
        for item in JSONCase.rejected {
            #expect(kind(of: item.bytes) == item.verdict, "\(item)")
            #expect(throws: JSONError.self, "\(item)") { try JSONReader().check(item.bytes) }
        }
    }

    @Test func whatIsFreeIsChosenAsWritten() {
        for item in JSONCase.free { #expect(kind(of: item.bytes) == item.verdict, "\(item)") }
    }

    @Test func acceptedTextsSurviveWritingUnchangedOnceTheyAreCanonical() throws {
        for item in JSONCase.accepted {
            let value = try JSONReader().read(item.bytes)
            let canonical = value.bytes()
            #expect(try JSONReader().read(canonical) == value, "\(item)")
            #expect(try JSONReader().read(canonical).bytes() == canonical, "\(item)")
        }
    }

    @Test func everyCutOfAnAcceptedTextIsRejectedOrACompleteText() throws {
        for item in JSONCase.accepted where item.bytes.count < 100 && item.bytes.first == Array("{".utf8).first {
            let end = item.bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
            for count in 0..<end {
                #expect(throws: JSONError.self, "\(item) cut to \(count)") {
                    try JSONReader().read(Array(item.bytes.prefix(count)))
                }
            }
        }
    }

    private func kind(of bytes: [UInt8]) -> String {
        do {
            _ = try JSONReader().read(bytes)
            return "accept"
        } catch {
            return "\(error.kind)"
        }
    }
}

/// One text of the case tables in `Tests/Fixtures/JSON`.
struct JSONCase: CustomStringConvertible {
    let name: String
    /// Empty for a text that must be accepted, otherwise `accept` or the kind of the error.
    let verdict: String
    let bytes: [UInt8]

    var description: String { name }

    static let accepted = load("accept.tsv", columns: 2)
    static let rejected = load("reject.tsv", columns: 3)
    static let free = load("free.tsv", columns: 3)

    private static func load(_ file: String, columns: Int) -> [JSONCase] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/JSON")
        let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t", maxSplits: columns - 1, omittingEmptySubsequences: false)
            precondition(fields.count == columns, "a broken line in \(file)")
            return JSONCase(
                name: String(fields[0]), verdict: columns == 3 ? String(fields[1]) : "",
                bytes: expand(String(fields[columns - 1])))
        }
    }

    /// Replaces `⟨0A⟩` by a byte and `⟨x*9⟩` by repetitions.
    private static func expand(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for (number, piece) in text.components(separatedBy: "⟨").enumerated() {
            guard number > 0 else {
                bytes += Array(piece.utf8)
                continue
            }
            let parts = piece.components(separatedBy: "⟩")
            if let star = parts[0].lastIndex(of: "*"), let count = Int(parts[0][parts[0].index(after: star)...]) {
                let unit = Array(parts[0][..<star].utf8)
                for _ in 0..<count { bytes += unit }
            } else {
                let digits = Array(parts[0])
                for index in stride(from: 0, to: digits.count, by: 2) {
                    bytes.append(UInt8(String(digits[index...(index + 1)]), radix: 16) ?? 0)
                }
            }
            bytes += Array(parts[1].utf8)
        }
        return bytes
    }
}
