extension TidyRule {
    /// The most lines of a file.
    static let fileLinesMax = 700
    /// The most lines of a function, from its first word to its closing brace.
    static let functionLinesMax = 70

    /// No file is long.
    static let fileLength = TidyRule("files of \(fileLinesMax) lines at most", for: \.isSwift) { file in
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        return count > fileLinesMax ? [(fileLinesMax + 1, "the file has \(count) lines")] : []
    }

    /// No function is long.
    static let functionLength = TidyRule("functions of \(functionLinesMax) lines at most", for: \.isSwift) { file in
        FunctionBody.all(in: file.tokens).compactMap { body in
            let count = body.lastLine - body.line + 1
            return count > functionLinesMax ? (body.line, "\(body.name) has \(count) lines") : nil
        }
    }
}

/// A function, initialiser, subscript or computed property with its lines.
struct FunctionBody: Hashable {
    let name: String
    let line: Int
    let lastLine: Int

    private static let beginnings: Set<String> = ["func", "init", "deinit", "subscript", "var"]
    /// Words that can only begin another declaration, so that the one before had no body.
    private static let endings = beginnings.union([
        "let", "case", "struct", "class", "enum", "protocol", "extension", "typealias", "associatedtype", "import",
        "static", "public", "private", "package", "internal", "fileprivate", "mutating", "#",
    ])

    /// Every body of a file.
    static func all(in tokens: [Token]) -> [FunctionBody] {
        let ends = Dictionary(uniqueKeysWithValues: Block.all(in: tokens).map { ($0.start, $0.end) })
        return tokens.indices.compactMap { index in
            let word = tokens[index].text
            let isCall = index > 0 && tokens[index - 1].text == "."
            guard beginnings.contains(word), !isCall, let start = start(tokens, index) else { return nil }
            let end = min(ends[start] ?? tokens.count - 1, tokens.count - 1)
            let hasName = word == "func" || word == "var"
            let name = hasName && index + 1 < tokens.count ? "\(word) \(tokens[index + 1].text)" : word
            return FunctionBody(name: name, line: tokens[index].line, lastLine: tokens[end].line)
        }
    }

    /// Where the body's brace stands; nil when there is no body.
    private static func start(_ tokens: [Token], _ index: Int) -> Int? {
        var depth = 0
        for place in tokens.indices[(index + 1)...] {
            let token = tokens[place]
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return place
            case "}" where depth == 0: return nil
            default: break
            }
            if depth < 0 { return nil }
            let isProperty = tokens[index].text == "var"
            if depth == 0, isProperty, token.line != tokens[index].line { return nil }
            if depth == 0, !isProperty, place > index + 1, endings.contains(token.text), token.isAfterSpace {
                return nil
            }
        }
        return nil
    }
}
