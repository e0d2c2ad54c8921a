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
