/// Writes a JSON text front to back; the same calls always give the same bytes.
///
/// Members come out in the order in which they are written. Strings are escaped only where JSON demands it. What would
/// not be JSON cannot come out: a key without a value, a value where a key is due, a level closed twice or never, or
/// more than one value at the top stop the program, and a number text that is no number is a thrown error. The writer
/// doesn't look for keys that are written twice.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.member("Currency", string: "EUR")
/// writer.member("RequestedAmount", units: 1099, places: 2)
/// writer.endObject()
/// let bytes = writer.finish()      // {"Currency":"EUR","RequestedAmount":10.99}
/// ```
public struct JSONWriter: ~Copyable {
    /// The deepest nesting that can be written; twice what can be read, so that what was read can be wrapped.
    public static let depthMax = 2 * JSONReadOptions.depthCeiling
    /// Room for an ordinary message, in bytes.
    public static let standardCapacity = 2_048

    private enum Turn {
        case top, key, value, element, done
    }

    private var bytes: [UInt8] = []
    private let layout: Layout
    private var turn = Turn.top
    private var levels: [Bool] = []
    private var isFirst = true

    /// Makes a writer with room for `capacity` bytes; it grows when more is written.
    public init(layout: Layout = .compact, capacity: Int = JSONWriter.standardCapacity) {
        self.layout = layout
        bytes.reserveCapacity(capacity)
    }

    /// Ends the text and gives its bytes; everything that was begun must have been ended.
    public consuming func finish() -> [UInt8] {
        precondition(turn == .done, "a JSON text is one complete value")
        return bytes
    }

    /// Opens an object.
    public mutating func beginObject() {
        beginValue()
        begin(isObject: true)
    }

    /// Closes the innermost object.
    public mutating func endObject() {
        precondition(turn == .key, "no object can end here")
        end(Byte.closeBrace)
    }

    /// Opens an array.
    public mutating func beginArray() {
        beginValue()
        begin(isObject: false)
    }

    /// Closes the innermost array.
    public mutating func endArray() {
        precondition(turn == .element, "no array can end here")
        end(Byte.closeBracket)
    }

    /// Writes the key of the next member; its value must follow.
    public mutating func key(_ key: String) {
        precondition(turn == .key, "no key can stand here")
        separate()
        appendQuoted(key)
        bytes.append(Byte.colon)
        if layout == .pretty { bytes.append(Byte.space) }
        turn = .value
    }

    /// Writes a text.
    public mutating func string(_ value: String) {
        beginValue()
        appendQuoted(value)
        endValue()
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        beginValue()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        endValue()
    }

    /// Writes `null`.
    public mutating func null() {
        beginValue()
        bytes.append(contentsOf: "null".utf8)
        endValue()
    }

    /// Writes a number as its text is.
    public mutating func number(_ value: JSONNumber) {
        beginValue()
        bytes.append(contentsOf: value.text.utf8)
        endValue()
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) { number(units: value, places: 0) }

    /// Writes `units` divided by ten to the power of `places`, with exactly that many places.
    public mutating func number(units: Int64, places: Int) {
        beginValue()
        JSONNumber.append(units: units, places: places, to: &bytes)
        endValue()
    }

    /// Writes a number from its text.
    ///
    /// - Throws: `invalidNumber`, and nothing is written, when the text is no JSON number.
    public mutating func number(text: String) throws(JSONError) { number(try JSONNumber(text)) }

    private mutating func begin(isObject: Bool) {
        precondition(levels.count < Self.depthMax, "a JSON text nests at most \(Self.depthMax) levels")
        bytes.append(isObject ? Byte.openBrace : Byte.openBracket)
        levels.append(isObject)
        turn = isObject ? .key : .element
        isFirst = true
    }

    private mutating func end(_ bracket: UInt8) {
        levels.removeLast()
        if !isFirst { breakLine() }
        bytes.append(bracket)
        endValue()
    }

    private mutating func beginValue() {
        switch turn {
        case .value, .top: break
        case .element: separate()
        case .key, .done: preconditionFailure("no value can stand here")
        }
    }

    private mutating func endValue() {
        isFirst = false
        guard let isObject = levels.last else {
            turn = .done
            return
        }
        turn = isObject ? .key : .element
    }

    private mutating func separate() {
        if !isFirst { bytes.append(Byte.comma) }
        isFirst = false
        breakLine()
    }

    private mutating func breakLine() {
        guard layout == .pretty else { return }
        bytes.append(Byte.lineFeed)
        bytes.append(contentsOf: repeatElement(Byte.space, count: 2 * levels.count))
    }

    private mutating func appendQuoted(_ text: String) {
        let start = bytes.count + 1
        bytes.append(Byte.quote)
        // One copy in one piece where the text's bytes lie in one piece, which is nearly always.
        let isCopied: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe bytes.append(contentsOf: $0) }
        if isCopied == nil { bytes.append(contentsOf: Array(text.utf8)) }
        let end = bytes.count
        var index = start
        while index <= end - MachineWord.byteCount {
            let special = MachineWord.special(MachineWord.load(bytes, at: index))
            index += MachineWord.count(before: special)
            if special != 0 { break }
        }
        while index < end, !Self.needsEscape(bytes[index]) { index += 1 }
        if index < end { escape(from: index) }
        bytes.append(Byte.quote)
    }

    @inline(__always) private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < Byte.space || byte == Byte.quote || byte == Byte.backslash
    }

    @inline(never) private mutating func escape(from start: Int) {
        let plain = Array(bytes[start...])
        bytes.removeLast(plain.count)
        for byte in plain {
            guard Self.needsEscape(byte) else {
                bytes.append(byte)
                continue
            }
            bytes.append(Byte.backslash)
            switch byte {
            case Byte.quote, Byte.backslash: bytes.append(byte)
            case Byte.backspace: bytes.append(UInt8(ascii: "b"))
            case Byte.tab: bytes.append(UInt8(ascii: "t"))
            case Byte.lineFeed: bytes.append(UInt8(ascii: "n"))
            case Byte.formFeed: bytes.append(UInt8(ascii: "f"))
            case Byte.carriageReturn: bytes.append(UInt8(ascii: "r"))
            default:
                bytes.append(contentsOf: "u00".utf8)
                bytes.append(Byte.hexDigit(byte >> 4))
                bytes.append(Byte.hexDigit(byte & 15))
            }
        }
    }
}

extension JSONWriter {
    /// How a text is laid out.
    public enum Layout: Sendable, Hashable, CaseIterable {
        /// Without any white space, for wires and signatures.
        case compact
        /// One member or element per line, two spaces per level, for people.
        case pretty
    }
}

extension JSONWriter {
    /// Opens an object, lets `body` fill it, and closes it.
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Opens an array, lets `body` fill it, and closes it.
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Opens the object that is a member's value.
    public mutating func beginObject(_ key: String) {
        self.key(key)
        beginObject()
    }

    /// Opens the array that is a member's value.
    public mutating func beginArray(_ key: String) {
        self.key(key)
        beginArray()
    }

    /// Writes a member with a text; nil leaves the member out.
    public mutating func member(_ key: String, string value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    /// Writes a member with a truth value; nil leaves the member out.
    public mutating func member(_ key: String, bool value: Bool?) {
        guard let value else { return }
        self.key(key)
        bool(value)
    }

    /// Writes a member with a whole number; nil leaves the member out.
    public mutating func member(_ key: String, integer value: Int64?) {
        guard let value else { return }
        self.key(key)
        integer(value)
    }

    /// Writes a member with an amount of `units` at `places` decimal places; nil leaves the member out.
    public mutating func member(_ key: String, units value: Int64?, places: Int) {
        guard let value else { return }
        self.key(key)
        number(units: value, places: places)
    }

    /// Writes a member with a number; nil leaves the member out.
    public mutating func member(_ key: String, number value: JSONNumber?) {
        guard let value else { return }
        self.key(key)
        number(value)
    }

    /// Writes a member with any value; nil leaves the member out.
    public mutating func member(_ key: String, value: JSON?) {
        guard let value else { return }
        self.key(key)
        self.value(value)
    }

    /// Writes any value; what it nests comes on top of the levels that are open.
    public mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members { self.member(member.key, value: member.value) }
            endObject()
        }
    }
}
