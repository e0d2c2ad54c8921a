extension TidyRule {
    /// The words that begin what must be explained; a property's name may say enough.
    static let documentedWords = Block.typeWords.union(["func", "init", "subscript", "typealias"])

    /// What others use is explained, unless a protocol explains it already.
    static let publicDocumentation = TidyRule("public declarations are documented", for: \.isSource) { file in
        undocumented(file, requirements: Repository.requirements)
    }

    /// Says which public types and functions have no comment above.
    ///
    /// A member without a comment passes only where it may be the witness of a protocol's requirement: in an extension
    /// with a conformance, in a type that names a protocol which asks for members, under the name of a requirement of
    /// ours, or as `==` and `hash(into:)`.
    static func undocumented(_ file: SourceFile, requirements: Set<String>) -> [(line: Int, problem: String)] {
        let blocks = Block.all(in: file.tokens)
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard token.text == "public" else { return nil }
            let words = file.tokens[index...].prefix { $0.line == token.line }.map(\.text)
            let begin = words.firstIndex { documentedWords.contains($0) || ["let", "var", "import"].contains($0) }
            guard let begin, documentedWords.contains(words[begin]) else { return nil }
            let around = blocks.last { $0.start < index && index < $0.end }
            let isWitness = around.map { $0.isConformance || $0.isTypeWithProtocol } ?? false
            let isRequired =
                words[begin] == "func" && words.count > begin + 1 && requirements.contains(words[begin + 1])
            let passes = isWitness || isRequired || isEquality(file.tokens[index...].prefix(5))
            return passes || isDocumented(file, token.line) ? nil : (token.line, "no documentation comment above")
        }
    }

    private static func isEquality(_ tokens: ArraySlice<Token>) -> Bool {
        let words = tokens.map(\.text)
        return words.starts(with: ["public", "static", "func", "=", "="])
            || words.starts(with: ["public", "func", "hash"])
    }

    private static func isDocumented(_ file: SourceFile, _ line: Int) -> Bool {
        var place = line - 2
        while place >= 0, file.codeLines[place].allSatisfy(\.isWhitespace) == false,
            file.codeLines[place].first(where: { !$0.isWhitespace }) == "@"
        {
            place -= 1
        }
        guard place >= 0 else { return false }
        let comment = file.commentLines[place].drop { $0 == " " }
        return comment.hasPrefix("///") || comment.hasSuffix("*/")
    }
}
