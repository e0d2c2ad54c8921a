@_spi(_Unicode) internal import Swift

// The standard library normalizes texts, and offers it under this mark alone; Foundation is not for portable code.

/// How references and parts are compared: as people read them.
package enum ReferenceText {
    /// The longest text that is brought into that form, in bytes; some times as long as a reference may be.
    static let bytesMax = 1_024

    /// The text in Unicode NFC without outer blanks and without what is invisible, so that a database compares the same bytes.
    package static func normalized(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) { return text }
        // No reference is as long. To sort the marks of one character costs more than their number.
        guard text.utf8.count <= bytesMax else { return text }
        // What no person sees, such as the mark at the beginning of a file, makes no other reference.
        let composed = String(String.UnicodeScalarView(text._nfc.filter { !$0.properties.isDefaultIgnorableCodePoint }))
        guard let first = composed.firstIndex(where: { !$0.isWhitespace }),
            let last = composed.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(composed[first...last])
    }

    /// A part is compared in lower case, too, with each run of blanks as one: `1 of 2` and `1  Of 2` are one share.
    static func normalizedPart(_ text: String) -> String {
        if text.isEmpty { return text }
        return normalized(normalized(text).lowercased()).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
