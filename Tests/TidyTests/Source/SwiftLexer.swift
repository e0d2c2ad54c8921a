/// Splits Swift text into code and comments, byte for byte in place, so that lines stay where they are.
///
/// What a string says is in neither; its quotation marks and the code of its interpolations are code.
/// A regular expression between bare slashes is not understood; the extended form `#/…/#` is.
struct SwiftLexer {
    /// The code; comments and the insides of strings are spaces.
    private(set) var code: [UInt8]
    /// The comments; everything else is spaces.
    private(set) var comments: [UInt8]

    private let bytes: [UInt8]
    private var index = 0
    private var modes: [Mode] = []

    /// What surrounds the current byte, besides plain code.
    private enum Mode {
        case string(hashCount: Int, quoteCount: Int)
        case interpolation(parenthesisCount: Int)
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes.map { $0 == newline ? newline : space }
        comments = code
        while index < bytes.count {
            switch modes.last {
            case .string(let hashCount, let quoteCount): stepInString(hashCount, quoteCount)
            case .interpolation, nil: stepInCode()
            }
        }
    }

    private mutating func stepInCode() {
        if has("//") {
            while index < bytes.count, bytes[index] != newline { keepComment() }
        } else if has("/*") {
            skipBlockComment()
        } else if let (hashCount, quoteCount) = stringStart() {
            for _ in 0..<(hashCount + quoteCount) { keepCode() }
            modes.append(.string(hashCount: hashCount, quoteCount: quoteCount))
        } else if has("#/") {
            index += 2
            while index < bytes.count, !has("/#") { index += 1 }
            index += 2
        } else {
            countParentheses()
            keepCode()
        }
    }

    private mutating func stepInString(_ hashCount: Int, _ quoteCount: Int) {
        let hashes = Array(repeating: hash, count: hashCount)
        if has([backslash] + hashes + [UInt8(ascii: "(")]) {
            index += hashCount + 1
            keepCode()
            modes.append(.interpolation(parenthesisCount: 0))
        } else if has([backslash] + hashes) {
            index += hashCount + 2
        } else if has(Array(repeating: quote, count: quoteCount) + hashes) {
            for _ in 0..<(quoteCount + hashCount) { keepCode() }
            modes.removeLast()
        } else if quoteCount == 1, bytes[index] == newline {
            modes.removeLast()
        } else {
            index += 1
        }
    }

    /// Counts the parentheses of an interpolation and leaves it at its own closing one.
    private mutating func countParentheses() {
        guard case .interpolation(let count) = modes.last else { return }
        switch bytes[index] {
        case UInt8(ascii: "("): modes[modes.count - 1] = .interpolation(parenthesisCount: count + 1)
        case UInt8(ascii: ")") where count == 0: modes.removeLast()
        case UInt8(ascii: ")"): modes[modes.count - 1] = .interpolation(parenthesisCount: count - 1)
        default: break
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            let isStart = has("/*")
            let isMark = isStart || has("*/")
            if isMark { depth += isStart ? 1 : -1 }
            for _ in 0..<(isMark ? 2 : 1) where index < bytes.count { keepComment() }
        } while depth > 0 && index < bytes.count
    }

    private func stringStart() -> (hashCount: Int, quoteCount: Int)? {
        var end = index
        while end < bytes.count, bytes[end] == hash { end += 1 }
        let hashCount = end - index
        guard end < bytes.count, bytes[end] == quote else { return nil }
        let isMultiline = end + 2 < bytes.count && bytes[end + 1] == quote && bytes[end + 2] == quote
        return (hashCount, isMultiline ? 3 : 1)
    }

    private func has(_ text: String) -> Bool { has(Array(text.utf8)) }

    private func has(_ mark: [UInt8]) -> Bool {
        guard index + mark.count <= bytes.count, bytes[index] == mark[0] else { return false }
        return mark.indices.allSatisfy { bytes[index + $0] == mark[$0] }
    }

    private mutating func keepCode() {
        code[index] = bytes[index]
        index += 1
    }

    private mutating func keepComment() {
        comments[index] = bytes[index]
        index += 1
    }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let hash = UInt8(ascii: "#")
private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")

/// A word or one sign of the code.
struct Token: Hashable {
    let text: String
    /// The line, from 1.
    let line: Int
    /// Whether white space, or the file's beginning, stands before it.
    let isAfterSpace: Bool
    /// Whether it is a word or a number.
    let isWord: Bool

    /// Cuts code, without comments and strings, into tokens.
    static func all(in code: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var (index, line, isAfterSpace) = (0, 1, true)
        while index < code.count {
            let byte = code[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                if byte == UInt8(ascii: "\n") { line += 1 }
                isAfterSpace = true
                index += 1
                continue
            }
            var end = index + 1
            let isWord = isWordByte(byte)
            while isWord, end < code.count, isWordByte(code[end]) { end += 1 }
            let text = String(decoding: code[index..<end], as: UTF8.self)
            tokens.append(Token(text: text, line: line, isAfterSpace: isAfterSpace, isWord: isWord))
            (index, isAfterSpace) = (end, false)
        }
        return tokens
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...255:
            true
        default: false
        }
    }
}

/// What stands between two braces, with the words before it.
struct Block: Hashable {
    /// The tokens from the last end of a block or statement to the opening brace.
    let header: [Token]
    /// The place of the opening brace among the tokens.
    let start: Int
    /// The place of the closing brace, or the end of the file.
    let end: Int
    /// How many blocks it stands in.
    let depth: Int

    /// Whether it is the body of an extension that adds a conformance.
    var isConformance: Bool { has("extension") && !protocols.isEmpty }
    /// Whether it is the body of a type that names a protocol other than the ones that ask for no written members.
    var isTypeWithProtocol: Bool { !has("extension") && protocols.contains { !Self.markers.contains($0) } }

    /// The words that begin a type.
    static let typeWords: Set<String> = ["struct", "class", "enum", "actor", "protocol"]
    /// Protocols that ask a type for nothing that would be written with `public`.
    static let markers: Set<String> = ["Sendable", "Hashable", "Equatable", "Error", "Copyable", "Codable", "String"]

    /// Every block, in the order of the opening braces.
    static func all(in tokens: [Token]) -> [Block] {
        var open: [(header: [Token], start: Int)] = []
        var blocks: [Block] = []
        var headerStart = 0
        for (index, token) in tokens.enumerated() {
            switch token.text {
            case "{":
                open.append((Array(tokens[headerStart..<index]), index))
                headerStart = index + 1
            case "}":
                if let last = open.popLast() {
                    blocks.append(Block(header: last.header, start: last.start, end: index, depth: open.count))
                }
                headerStart = index + 1
            case ";": headerStart = index + 1
            default: break
            }
        }
        blocks += open.enumerated().map { depth, last in
            Block(header: last.header, start: last.start, end: tokens.count, depth: depth)
        }
        return blocks.sorted { $0.start < $1.start }
    }

    /// The names of the functions that the protocols of a file ask for.
    static func requirements(in tokens: [Token]) -> [String] {
        all(in: tokens).filter { $0.has("protocol") }.flatMap { block in
            tokens.indices[block.start..<block.end].dropLast().filter { tokens[$0].text == "func" }.map {
                tokens[$0 + 1].text
            }
        }
    }

    /// The part of the header from the word that begins the declaration.
    private var declaration: ArraySlice<Token> {
        let words = Self.typeWords.union(["extension"])
        return header[(header.lastIndex { words.contains($0.text) } ?? header.endIndex)...]
    }

    private func has(_ word: String) -> Bool { declaration.first?.text == word }

    /// What the declaration names after its colon.
    private var protocols: [String] {
        guard let colon = declaration.firstIndex(where: { $0.text == ":" }) else { return [] }
        return declaration[colon...].prefix { $0.text != "where" }.filter(\.isWord).map(\.text)
    }
}
