/// One rule of the house: a pure function from a file to what is wrong with it.
struct TidyRule: Sendable, CustomStringConvertible {
    /// The rule in a few words, as it is printed.
    let name: String
    /// Which files it looks at.
    let applies: @Sendable (SourceFile) -> Bool
    /// What is wrong, with the line from 1.
    let check: @Sendable (SourceFile) -> [(line: Int, problem: String)]

    init(
        _ name: String, for applies: @escaping @Sendable (SourceFile) -> Bool,
        check: @escaping @Sendable (SourceFile) -> [(line: Int, problem: String)]
    ) {
        (self.name, self.applies, self.check) = (name, applies, check)
    }

    var description: String { name }

    /// What is wrong with a file, ready to be printed.
    func findings(_ file: SourceFile) -> [String] {
        guard applies(file) else { return [] }
        return check(file).map { "\(file.path):\($0.line): \($0.problem) [\(name)]" }
    }

    /// All rules.
    static let all: [TidyRule] = [
        .imports, .platform, .targets, .fileLength, .functionLength, .floatingPoint, .unwraps, .unchecked, .unsafety,
        .fatalErrors, .exposedComparisons, .markers, .fileNames, .publicDocumentation, .testHonesty,
        .testSleeping, .testPrograms, .machinePaths, .readArithmetic, .printing, .architectures, .conditions,
        .dialect,
    ]
}

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
    /// with a conformance, in a type that names a protocol which asks for members, under the name of a
    /// requirement, or as `==` and `hash(into:)`.
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

extension TidyRule {
    /// A test that exists runs and counts.
    static let testHonesty = TidyRule("no test is switched off", for: \.isTest) { file in
        let rows = [[".", "disabled", "("], ["withKnownIssue"], ["XCTSkip"], ["XCTExpectFailure"]]
        return rows.flatMap { row in
            places(of: row, in: file).map { ($0, "\"\(row.joined())\" hides a failure") }
        }
    }

    /// No test waits for real time; a staged clock's `sleep` is another matter.
    static let testSleeping = TidyRule("no test sleeps", for: \.isTest) { file in
        let rows = [["Task", ".", "sleep"], ["Thread", ".", "sleep"], ["usleep", "("], ["nanosleep", "("]]
        let named = rows.flatMap { row in places(of: row, in: file).map { ($0, "\"\(row.joined())\" waits") } }
        let tokens = file.tokens
        let bare = tokens.indices.filter { index in
            let isCall = index + 1 < tokens.count && tokens[index].text == "sleep" && tokens[index + 1].text == "("
            return isCall && (index == 0 || ![".", "func"].contains(tokens[index - 1].text))
        }
        return named + bare.map { (tokens[$0].line, "\"sleep\" waits") }
    }

    /// Foundation's `Process` ends a program that has very many descriptors open; `TestProgram` says how.
    static let testPrograms = TidyRule("programs are started by TestProgram", for: \.isSwift) { file in
        places(of: ["executableURL"], in: file).map { ($0, "Foundation's Process is started") }
    }

    /// Where homes of people lie; put together so that this file doesn't name one.
    static let homes = ["home", "Users", "root", "private/var"].map { "/\($0)/" }

    /// Nothing names a place on one person's machine.
    static let machinePaths = TidyRule("no paths of a machine", for: { _ in true }) { file in
        machinePaths(file, root: Repository.rootPath)
    }

    /// Folders that every system has, so that naming one says nothing about a machine.
    static let commonFolders: Set<String> = [
        "bin", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "run", "sbin", "srv", "sys", "tmp", "usr", "var",
    ]

    /// Says where a home, or the place where the repository lies, is named.
    static func machinePaths(_ file: SourceFile, root: String) -> [(line: Int, problem: String)] {
        let parts = root.split(separator: "/")
        let isParentCommon = parts.count < 2 || parts.count == 2 && commonFolders.contains(String(parts[0]))
        let place = isParentCommon ? parts : parts.dropLast()
        let own = place.isEmpty ? [] : ["/" + place.joined(separator: "/") + "/"]
        let named = (homes + own).filter(file.mentions)
        if named.isEmpty { return [] }
        return file.lines.enumerated().compactMap { offset, line in
            named.first { isNamed($0, line) }.map { (offset + 1, "\"\($0)\" is a place on one machine") }
        }
    }

    /// A path begins where no letter stands before its first slash; otherwise it is a part of an address.
    private static func isNamed(_ path: String, _ line: Substring) -> Bool {
        line.ranges(of: path).contains { range in
            guard range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !before.isLetter && !before.isNumber && !".-_~}/".contains(before)
        }
    }
}
