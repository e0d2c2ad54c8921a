extension TidyRule {
    /// What others read is named with words that are explained; what a kit declares has the names of the vendor's
    /// document.
    static let vocabulary = TidyRule(
        "public types are named with words of the glossary", for: { $0.isSource && $0.target != "PaymentKits" }
    ) { file in
        unknownWords(file, Vocabulary.house)
    }

    /// Says which public types have a word in their name that nobody explains.
    static func unknownWords(_ file: SourceFile, _ vocabulary: Vocabulary) -> [(line: Int, problem: String)] {
        PublicName.all(in: file.tokens).flatMap { name in
            vocabulary.words(in: name.text).filter { $0.word == nil }.map { piece, _ in
                (name.line, "\"\(piece)\" of \(name.text) is in no list of \(Vocabulary.path)")
            }
        }
    }
}

/// The name of a public type, wherever it stands.
struct PublicName: Hashable {
    let text: String
    let line: Int

    private static let beginnings = Block.typeWords.union(["typealias"])
    /// What may stand between `public` and the word that begins the type.
    private static let modifiers: Set<String> = ["final", "indirect", "distributed", "nonisolated"]

    /// Every one of a file; `public class func` is none.
    static func all(in tokens: [Token]) -> [PublicName] {
        tokens.indices.dropLast().compactMap { index in
            guard beginnings.contains(tokens[index].text), tokens[index + 1].text.first?.isUppercase == true,
                let before = tokens[..<index].last(where: { !modifiers.contains($0.text) })?.text,
                before == "public" || before == "open"
            else { return nil }
            return PublicName(text: tokens[index + 1].text, line: tokens[index].line)
        }
    }
}
