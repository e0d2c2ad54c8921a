import Foundation

/// A file of the repository with what the rules look at.
struct SourceFile: Sendable {
    /// The path from the repository's root.
    let path: String
    /// The text as it stands.
    let text: String
    /// The lines as they stand.
    let lines: [Substring]
    /// The code of a Swift file; empty for others.
    let tokens: [Token]
    /// The lines of the code alone.
    let codeLines: [Substring]
    /// The lines of the comments alone; for a script, what follows a number sign.
    let commentLines: [Substring]

    init(_ path: String, _ text: String) {
        (self.path, self.text) = (path, text)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if path.hasSuffix(".swift") {
            let lexer = SwiftLexer(text)
            tokens = Token.all(in: lexer.code)
            codeLines = Self.split(lexer.code)
            commentLines = Self.split(lexer.comments)
        } else {
            (tokens, codeLines) = ([], [])
            commentLines = lines.map { line in line.firstIndex(of: "#").map { line[$0...] } ?? "" }
        }
    }

    /// Whether a text stands anywhere in it: found at once, so that a rule looks closer at few files.
    func mentions(_ word: String) -> Bool {
        unsafe text.withCString { text in unsafe word.withCString { unsafe strstr(text, $0) != nil } }
    }

    /// Whether it is a Swift file.
    var isSwift: Bool { path.hasSuffix(".swift") }
    /// Whether it belongs to a product.
    var isSource: Bool { isSwift && path.hasPrefix("Sources/") }
    /// Whether it belongs to the tests.
    var isTest: Bool { isSwift && path.hasPrefix("Tests/") }
    /// The file's own name.
    var name: Substring { path.split(separator: "/").last ?? "" }
    /// The target that it belongs to: its folder in Sources, or below Providers; nil outside Sources.
    var target: String? {
        let parts = path.split(separator: "/")
        guard parts.count > 2, parts[0] == "Sources" else { return nil }
        guard parts.count > 3 else { return String(parts[1]) }
        if parts[1] == "PaymentAbstraction" { return ImportTable.folders[String(parts[2])] ?? String(parts[1]) }
        return parts[1] == "Providers" ? parts[2] + "Provider" : String(parts[1])
    }

    private static func split(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
}

/// The repository that this test stands in.
enum Repository {
    /// Where it lies.
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    /// The same as text, without a closing slash.
    static let rootPath = root.path.hasSuffix("/") ? String(root.path.dropLast()) : root.path

    /// The folders that are read whole.
    static let folders = ["Sources", "Tests", "Scripts", "Benchmarks", "Examples", "Models", "docs", ".ci"]
    /// Files that a program writes, of which only it reads every line.
    static let printed = ["Models/steps.txt", "Models/steps-unasked.txt"]
    /// The files at the root that are read.
    static let suffixes = [".swift", ".md", ".json", ".swift-format", ".gitignore"]

    /// Every text file that the rules look at, in the order of the paths.
    static let files: [SourceFile] = {
        var paths = folders.flatMap { folder -> [String] in
            let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            return (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
        }
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        paths += top.filter { name in suffixes.contains { name.hasSuffix($0) } }
        return paths.filter { !$0.contains("/.build") && !printed.contains($0) }.sorted().compactMap { path in
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map { SourceFile(path, $0) }
        }
    }()

    /// The names of the functions that our protocols ask for, where their comments stand.
    static let requirements = Set(files.filter(\.isSource).flatMap { Block.requirements(in: $0.tokens) })

    /// The text of the manifest.
    static let manifest = files.first { $0.path == "Package.swift" }?.text ?? ""
}
