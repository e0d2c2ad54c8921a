extension TidyRule {
    /// The names of binary floating point.
    static let floatingWords: Set<String> = [
        "Double", "Float", "Float16", "Float32", "Float64", "Float80", "CGFloat", "TimeInterval", "BinaryFloatingPoint",
    ]

    /// Money is exact, and other quantities have another unit.
    static let floatingPoint = TidyRule("no binary floating point", for: \.isSource) { file in
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            if floatingWords.contains(token.text) { return (token.line, "\(token.text) is not exact") }
            return isFloatingLiteral(tokens, index) ? (token.line, "a floating point literal is not exact") : nil
        }
    }

    private static func isFloatingLiteral(_ tokens: [Token], _ index: Int) -> Bool {
        func isDigits(_ place: Int) -> Bool { tokens[place].text.utf8.first.map { (48...57).contains($0) } ?? false }
        guard isDigits(index), index + 2 < tokens.count, tokens[index + 1].text == ".", isDigits(index + 2),
            !tokens[index + 1].isAfterSpace, !tokens[index + 2].isAfterSpace
        else { return false }
        let before = index > 0 && !tokens[index].isAfterSpace ? tokens[index - 1].text : ""
        let isTupleMember = before == "." || before == "$"
        let isVersion = tokens[..<index].reversed().prefix { $0.line == tokens[index].line }
            .contains { $0.text == "available" || $0.text == "swift" || $0.text == "compiler" }
        return !isTupleMember && !isVersion
    }

    /// Nothing crashes on a value that came from outside.
    static let unwraps = TidyRule("no force unwrap, try!, as! or implicit unwrap", for: \.isSource) { file in
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard tokens[index].text == "!", !tokens[index].isAfterSpace, index > 0 else { return nil }
            let isInequality =
                index + 1 < tokens.count && tokens[index + 1].text == "=" && !tokens[index + 1].isAfterSpace
            let before = tokens[index - 1]
            let isPostfix = before.isWord || [")", "]", "}", "\"", "?", "`", "!", ">"].contains(before.text)
            return isPostfix && !isInequality ? (tokens[index].line, "\"\(before.text)!\" may crash") : nil
        }
    }

    /// One file may tell the compiler that it knows better.
    static let unchecked = TidyRule(
        "@unchecked only in Locked.swift",
        for: { $0.isSwift && $0.path != "Sources/PaymentBase/Concurrency/Locked.swift" },
        check: { file in
            places(of: ["@", "unchecked"], in: file).map { ($0, "the compiler's check is switched off") }
        })

    /// No file may share what isn't safe to share.
    static let unsafety = TidyRule("no nonisolated(unsafe)", for: \.isSwift) { file in
        places(of: ["nonisolated", "(", "unsafe", ")"], in: file).map { ($0, "the compiler's check is switched off") }
    }

    /// A library doesn't end its process.
    static let fatalErrors = TidyRule("no fatalError", for: \.isSource) { file in
        places(of: ["fatalError"], in: file).map { ($0, "a library doesn't end its process") }
    }

    /// An attacker who measures how long a comparison takes learns how much of a guess was right.
    static let exposedComparisons = TidyRule("secrets are compared as secrets", for: \.isSource) { file in
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard ["expose", "exposeBytes"].contains(tokens[index].text), index + 2 < tokens.count,
                tokens[index + 1].text == "(", tokens[index + 2].text == ")"
            else { return nil }
            let after = tokens[(index + 3)...].prefix(2).map(\.text)
            let start = tokens[..<index].lastIndex { !$0.isWord && $0.text != "." } ?? 0
            let before = [start - 1, start].filter(tokens.indices.contains).map { tokens[$0].text }
            let isCompared = [["=", "="], ["!", "="]].contains { $0 == after || $0 == before }
            return isCompared
                ? (tokens[index].line, "its time tells how much of it is right; compare two Secrets") : nil
        }
    }

    /// The words that people leave behind.
    static let markerWords = ["TODO", "FIXME", "XXX", "HACK"]

    /// What is left to do stands in an issue.
    static let markers = TidyRule(
        "no leftover markers",
        for: { $0.isSwift || $0.path.hasPrefix("Scripts/") || $0.path.hasPrefix(".ci/") },
        check: { file in
            file.commentLines.enumerated().compactMap { offset, line in
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                let marker = words.first { word in markerWords.contains { $0 == word } }
                return marker.map { (offset + 1, "\"\($0)\" was left behind") }
            }
        })

    /// Names that say nothing.
    static let emptyNames = ["Util", "Utils", "Utility", "Utilities", "Helper", "Helpers", "Manager", "Managers"]

    /// A file's name says what is in it.
    static let fileNames = TidyRule("file names say what is inside", for: { _ in true }) { file in
        let parts = file.path.split { "/.+-_".contains($0) }
        let empty = parts.first { part in emptyNames.contains { part.hasSuffix($0) || part == $0.lowercased() } }
        return empty.map { [(1, "\"\($0)\" says nothing about the contents")] } ?? []
    }

    /// The lines where a row of tokens begins.
    static func places(of row: [String], in file: SourceFile) -> [Int] {
        guard row.allSatisfy(file.mentions) else { return [] }
        let tokens = file.tokens
        return tokens.indices.filter { index in
            index + row.count <= tokens.count && row.indices.allSatisfy { tokens[index + $0].text == row[$0] }
        }.map { tokens[$0].line }
    }
}
