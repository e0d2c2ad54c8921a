import Foundation
import PaymentBase
import Testing

/// The README's table of what each provider has is what the code says; `RECORD_SNAPSHOTS=1` writes it anew.
@Suite struct ReadmeTableTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "README.md")
    private static let (start, end) = ("<!-- providers: begin -->\n", "<!-- providers: end -->")
    private static let order = ["arise", "adyen", "ni", "ecommpay", "halo"]

    private static func table() async throws -> String {
        let rows = try await CommandShop().json("providers")["providers"]?.array ?? []
        let providers = order.compactMap { id in rows.first { $0["id"]?.string == id } }
        let names = providers.first?["capabilities"]?.object?.members.map(\.key) ?? []
        var lines = ["| | \(order.joined(separator: " | ")) |", "|---|\(order.map { _ in "---|" }.joined())"]
        for name in names where !name.hasPrefix("request.") && name != "session" {
            let cells = providers.map { $0["capabilities"]?[name]?.bool == true ? "✓" : "–" }
            lines.append("| `\(name)` | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func theTableIsWhatTheCodeSays() async throws {
        let table = try await Self.table()
        #expect(table.split(separator: "\n").count > 25)
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: Self.start)), end = try #require(text.range(of: Self.end))
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            text.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
            try Data(text.utf8).write(to: Self.file)
        } else {
            #expect(text[start.upperBound..<end.lowerBound] == table)
        }
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
    }
}
