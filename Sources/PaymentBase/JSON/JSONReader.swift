/// Reads a JSON text into a ``JSON`` value, by RFC 8259 and stricter where two readers could disagree.
///
/// Refused are: duplicate keys (unless the options allow them), nesting and sizes above the limits, bytes that are not
/// UTF-8, a byte order mark, unescaped control characters, escaped surrogates without a partner, and anything but white
/// space after the value. Numbers keep their text, however large they are. No nesting makes the reader call itself.
public struct JSONReader: Sendable {
    /// What is accepted.
    public let options: JSONReadOptions

    /// Makes a reader.
    public init(options: JSONReadOptions = .standard) { self.options = options }

    /// Reads one text, all of it.
    ///
    /// - Throws: what is wrong with the text and where.
    public func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var reader = try JSONPullReader(bytes, options: options)
        let value = try reader.value()
        try reader.end()
        return value
    }

    /// Checks one text, all of it, without building anything.
    ///
    /// - Throws: what is wrong with the text and where; exactly when ``read(_:)`` throws.
    public func check(_ bytes: [UInt8]) throws(JSONError) {
        var reader = try JSONPullReader(bytes, options: options)
        try reader.skip()
        try reader.end()
    }
}

/// What a JSON reader accepts: sizes, depth, and what it does with a key that comes twice.
public struct JSONReadOptions: Sendable, Hashable {
    /// The options that every reader starts from.
    public static let standard = JSONReadOptions()
    /// The deepest nesting that any option can allow.
    public static let depthCeiling = 256

    /// The longest text, in bytes.
    public var bytesMax = 8 * 1_024 * 1_024
    /// How deep arrays and objects may nest; never more than ``depthCeiling``.
    public var depthMax = 128
    /// What to do with a key that comes twice in one object.
    public var duplicateKeys = DuplicateKeys.refuse

    /// Makes the standard options: 8 MiB, 128 levels, no duplicate keys.
    public init() {}
}

extension JSONReadOptions {
    /// What to do when an object has two members with the same key.
    public enum DuplicateKeys: Sendable, Hashable, CaseIterable {
        /// Refuse the text; two readers could see different amounts in it.
        case refuse
        /// Let the last member win, in the place of the first.
        case keepLast
    }
}

/// Why a JSON text was refused and where; never any part of the text itself.
///
/// Lines are counted by line feeds and columns in bytes, both from 1, so that the place can be found in any editor and
/// in a hex dump; `offset` counts bytes from 0.
public struct JSONError: Error, Sendable, Hashable {
    /// What is wrong.
    public let kind: Kind
    /// How many bytes are before the place.
    public let offset: Int
    /// The line of the place, from 1.
    public let line: Int
    /// The byte within its line, from 1.
    public let column: Int

    /// Makes an error that points to a byte of `bytes`.
    init(_ kind: Kind, at offset: Int, in bytes: [UInt8]) {
        self.kind = kind
        self.offset = min(max(offset, 0), bytes.count)
        var line = 1
        var lineStart = 0
        for index in 0..<self.offset where bytes[index] == Byte.lineFeed {
            line += 1
            lineStart = index + 1
        }
        self.line = line
        column = self.offset - lineStart + 1
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String { "JSONError(\(kind), line \(line), column \(column), byte \(offset))" }
}

extension JSONError {
    /// What is wrong with a JSON text, or with what was asked of it.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The text is longer than the reader's options allow.
        case tooLarge
        /// Arrays and objects are nested deeper than the reader's options allow.
        case tooDeep
        /// The text starts with a byte order mark, which JSON forbids.
        case byteOrderMark
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// The text stops in the middle.
        case unexpectedEnd
        /// A byte is where the grammar has no place for it.
        case unexpectedByte
        /// Something other than white space follows the value.
        case trailingBytes
        /// A number is not written as JSON demands: a leading zero, a bare point, a sign `+`, no digits.
        case invalidNumber
        /// A backslash is followed by something that is no escape.
        case invalidEscape
        /// An escaped surrogate has no partner.
        case loneSurrogate
        /// A control character is in a string without an escape.
        case controlCharacter
        /// An object has two members with the same key.
        case duplicateKey
        /// A value is of another type than the one that was asked for.
        case unexpectedType
        /// A number cannot be had exactly in the form that was asked for.
        case inexactNumber
        /// A member that the message must have is not there.
        case missingMember
        /// The program asked for something that was not due, such as a value where a key comes next.
        case unexpectedCall
    }
}
