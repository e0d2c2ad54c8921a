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
        return parts[1] == "Providers" && parts.count > 3 ? parts[2] + "Provider" : String(parts[1])
    }

    private static func split(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
