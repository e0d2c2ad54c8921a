import Foundation
import Testing

@Suite struct SnippetTests {
    @Test func everySnippetIsCompiledHere() throws {
        let compiled = try Documents.compiled()
        var count = 0
        for path in try Documents.all() {
            for snippet in try Documents.snippets(path) {
                count += 1
                let isThere = compiled.contains { source in contains(source, snippet) }
                #expect(isThere, "\(path): the snippet that begins with «\(snippet.first ?? "")» is compiled nowhere")
            }
        }
        #expect(count >= 4)
    }

    /// Whether the lines stand together in a source, in order.
    private func contains(_ source: [String], _ snippet: [String]) -> Bool {
        guard let first = snippet.first, snippet.count <= source.count else { return false }
        return source.indices.contains { start in
            source[start] == first && source.count - start >= snippet.count
                && Array(source[start..<(start + snippet.count)]) == snippet
        }
    }

    @Test func aChangedLineIsNoticed() {
        #expect(contains(["a", "b", "c"], ["b", "c"]))
        #expect(!contains(["a", "b", "c"], ["b", "d"]))
        #expect(!contains(["a", "b", "c"], ["c", "d"]))
    }
}

/// The documents of the repository that show code.
enum Documents {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The README and every guide, by their path below the root.
    static func all() throws -> [String] {
        let guides =
            FileManager.default.enumerator(atPath: root.appendingPathComponent("Sources").path)?
            .compactMap { $0 as? String }.filter { $0.contains(".docc/") && $0.hasSuffix(".md") } ?? []
        let texts =
            (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("docs").path)) ?? []
        return ["README.md"] + guides.map { "Sources/\($0)" }.sorted()
            + texts.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }.sorted()
    }

    /// The Swift that a document shows, block by block.
    static func snippets(_ path: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        var snippets: [[String]] = []
        var block: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```swift") {
                block = []
            } else if line.hasPrefix("```"), let ended = block {
                snippets.append(ended)
                block = nil
            } else {
                block?.append(String(line))
            }
        }
        return snippets.map(significant)
    }

    /// Lines without their indentation; empty ones and imports don't count.
    static func significant(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    /// The sources that the compiler sees: those of this target here, those of the examples in `Scripts/ci examples`.
    static func compiled() throws -> [[String]] {
        let examples =
            FileManager.default.enumerator(atPath: root.appendingPathComponent("Examples").path)?
            .compactMap { $0 as? String }.filter { $0.contains("/Sources/") && !$0.contains("/.build/") } ?? []
        let ours = try FileManager.default.subpathsOfDirectory(
            atPath: root.appendingPathComponent("Tests/SnippetTests").path)
        return try (ours.map { "Tests/SnippetTests/\($0)" } + examples.map { "Examples/\($0)" })
            .filter { $0.hasSuffix(".swift") }
            .map { name in
                let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
                return significant(text.split(separator: "\n").map(String.init))
            }
    }
}
