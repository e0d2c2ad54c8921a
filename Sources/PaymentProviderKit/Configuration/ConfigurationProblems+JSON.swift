internal import PaymentBase

extension ConfigurationProblems {
    /// Notes why the file is no JSON; never shows what stands there, unless it is punctuation.
    mutating func add(_ error: JSONError, _ path: String, bytesMax: Int) {
        let byte = error.offset < bytes.count ? bytes[error.offset] : nil
        add(error.offset, path, Self.words(error.kind, byte, bytesMax: bytesMax))
    }

    private static func words(_ kind: JSONError.Kind, _ byte: UInt8?, bytesMax: Int) -> String {
        switch kind {
        case .tooLarge: "the file has more than \(bytesMax) bytes. A configuration is small; is it the right file?"
        case .tooDeep: "objects and lists are nested deeper than \(ConfigurationNode.depthMax) levels."
        case .byteOrderMark: "the file begins with a byte order mark. Save it as UTF-8 without one."
        case .invalidUTF8: "the text is not UTF-8. Save the file as UTF-8."
        case .unexpectedEnd: "the file ends in the middle. Is a closing quote, bracket or brace missing?"
        case .unexpectedByte: unexpected(byte)
        case .trailingBytes: "something follows the closing brace. A configuration is one object; remove the rest."
        case .invalidNumber: "this is no JSON number. Write it like 180000, without plus sign or leading zeros."
        case .invalidEscape: "a backslash stands before something that is no escape. Write \\\\ for a backslash."
        case .loneSurrogate: "an escape \\u names half a character. Write the character itself."
        case .controlCharacter:
            "a line break or another control character stands in a text. Is a closing quote missing?"
        case .duplicateKey: "the same member stands twice in one object. Remove one of them."
        case .unexpectedType, .inexactNumber, .missingMember, .unexpectedCall: "this is no JSON."
        }
    }

    private static func unexpected(_ byte: UInt8?) -> String {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            "JSON has no comments. Write a member whose name begins with //, like \"//why\": \"…\"."
        case UInt8(ascii: "}"), UInt8(ascii: "]"): "a bracket closes too early. Is there a comma too much before it?"
        case UInt8(ascii: "\""): "a quote stands where none belongs. Is a comma missing at the end of the line before?"
        case UInt8(ascii: "'"): "JSON has double quotes only. Write \" in place of '."
        case UInt8(ascii: "{"), UInt8(ascii: "["): "a bracket stands where none belongs. Is a comma or colon missing?"
        case UInt8(ascii: ","): "a comma stands where none belongs. Is there one too much?"
        default: "this is no JSON. Names and texts stand in double quotes, commas between members."
        }
    }
}
