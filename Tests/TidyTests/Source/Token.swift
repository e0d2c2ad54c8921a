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
