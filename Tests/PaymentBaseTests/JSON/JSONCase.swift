import Foundation

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
