import Foundation
import PaymentBase
import Testing

/// What the documents show to type: every command and option is there, and every piece of JSON can be read.
@Suite struct ShellSnippetTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func documents() throws -> [URL] {
        let guides = root.appending(path: "Sources/PaymentAbstraction/PaymentAbstraction.docc")
        var files = [root.appending(path: "README.md")]
        for folder in [guides, root.appending(path: "docs")] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            files += names.filter { $0.hasSuffix(".md") }.sorted().map { folder.appending(path: $0) }
        }
        return files
    }

    /// The blocks of a kind, as text.
    private static func blocks(_ kind: String) throws -> [(file: String, text: String)] {
        try documents().flatMap { file in
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```\(kind)\n")
                .dropFirst()
            return parts.map { (file.lastPathComponent, $0.components(separatedBy: "\n```").first ?? "") }
        }
    }

    @Test func everyLineForTheShellIsAccepted() async throws {
        var count = 0
        for (file, text) in try Self.blocks("sh") {
            for line in text.split(separator: "\n") {
                let words = Self.words(String(line))
                guard words.first == "payctl" else { continue }
                count += 1
                let pieces = words.dropFirst().map(String.init)
                let name = pieces.prefix { !$0.hasPrefix("-") }
                let help = await CommandRun.of(Array(name) + ["--help"])
                #expect(help.status == 0, "\(file): \(line)")
                for option in pieces where option.hasPrefix("--") {
                    #expect(help.text.contains("  \(option)"), "\(file): \(line) has \(option)")
                }
            }
        }
        #expect(count >= 12)
    }

    /// The words of a command, without comments, pipes and what is redirected.
    private static func words(_ line: String) -> [Substring] {
        line.prefix { $0 != "#" && $0 != ">" && $0 != "|" && $0 != "&" }.split(separator: " ")
    }

    @Test func everyPieceOfJSONCanBeRead() throws {
        let blocks = try Self.blocks("json")
        for (file, text) in blocks {
            let isPiece = !text.hasPrefix("{") && !text.hasPrefix("[")
            let whole = isPiece ? "{\(text)}" : text
            #expect(throws: Never.self, "\(file): \(text)") { try JSONReader().read(Array(whole.utf8)) }
        }
        #expect(blocks.count >= 4)
    }
}
