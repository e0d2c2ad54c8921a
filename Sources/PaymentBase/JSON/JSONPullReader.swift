/// Reads a JSON text from front to back, straight into whatever the caller keeps.
///
/// Nothing is built that nobody asks for, but every byte is checked, those of skipped values too: what this reader
/// accepts, ``JSONReader`` accepts. A member or an element that the caller doesn't read is skipped by the next step,
/// and so is the rest of a level that was left early. After an error the reader is of no further use.
///
/// ```swift
/// var reader = try JSONPullReader(bytes)
/// var currency: String?
/// let amount = try reader.enterObject()
/// while try reader.nextMember(of: amount) {
///     if reader.isKey("Currency") { currency = try reader.string() }
/// }
/// try reader.end()
/// ```
public struct JSONPullReader: ~Copyable {
    /// What may come next.
    enum Turn {
        /// A value: the text itself, a member's value or an element.
        case value
        /// The first part of the innermost array or object, or its end.
        case first
        /// A further part of the innermost array or object, or its end.
        case next
        /// Nothing but white space.
        case ended
    }

    /// One array or object that is open.
    struct Frame {
        let isObject: Bool
        let serial: Int
        let mark: JSONKeys.Mark
    }

    /// Room for the levels of an ordinary message.
    static let standardDepth = 16

    @usableFromInline let bytes: [UInt8]
    let options: JSONReadOptions
    let depthMax: Int
    var position = 0
    var turn = Turn.value
    /// How many arrays and objects are open.
    public internal(set) var depth = 0
    /// How many bytes stand before the place that has been reached.
    public var offset: Int { position }
    var current = Frame(isObject: false, serial: 0, mark: JSONKeys.Mark(places: 0, decoded: 0))
    var outer: [Frame] = []
    var keys = JSONKeys()
    var serial = 0
    @usableFromInline var keyStart = 0
    @usableFromInline var keyCount = 0
    @usableFromInline var isKeyDecoded = false

    /// Makes a reader for one text.
    ///
    /// - Throws: `tooLarge` or `byteOrderMark`.
    public init(_ bytes: [UInt8], options: JSONReadOptions = .standard) throws(JSONError) {
        guard bytes.count <= options.bytesMax else { throw JSONError(.tooLarge, at: 0, in: bytes) }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONError(.byteOrderMark, at: 0, in: bytes)
        }
        self.bytes = bytes
        self.options = options
        depthMax = min(options.depthMax, JSONReadOptions.depthCeiling)
    }

    /// Opens the object that comes next.
    ///
    /// - Throws: `unexpectedType` when another value comes next, `tooDeep`, or what is wrong with the text.
    public mutating func enterObject() throws(JSONError) -> Level {
        try expect(.object, first: Byte.openBrace)
        return try push(isObject: true)
    }

    /// Opens the array that comes next.
    ///
    /// - Throws: `unexpectedType` when another value comes next, `tooDeep`, or what is wrong with the text.
    public mutating func enterArray() throws(JSONError) -> Level {
        try expect(.array, first: Byte.openBracket)
        return try push(isObject: false)
    }

    /// Moves to the next member of an object and its value; false, and the object is closed, when there is none.
    ///
    /// - Throws: `duplicateKey`, `unexpectedCall` when the object is not open any more, or what is wrong with the text.
    public mutating func nextMember(of object: Level) throws(JSONError) -> Bool {
        try settle(object, isObject: true)
        return try advance()
    }

    /// Moves to the next element of an array; false, and the array is closed, when there is none.
    ///
    /// - Throws: `unexpectedCall` when the array is not open any more, or what is wrong with the text.
    public mutating func nextElement(of array: Level) throws(JSONError) -> Bool {
        try settle(array, isObject: false)
        return try advance()
    }

    /// Checks that the value is complete and nothing but white space follows it.
    ///
    /// - Throws: `trailingBytes`, `unexpectedCall` when the value has not been read to its end.
    public mutating func end() throws(JSONError) {
        guard turn == .ended else { throw failure(.unexpectedCall) }
        skipSpace()
        guard position == bytes.count else { throw failure(.trailingBytes) }
    }

    /// The error for a member that had to be there, at the place that has been reached.
    public func missingMember() -> JSONError { failure(.missingMember) }

    /// The error for a value that is of no use, at the place that has been reached.
    public func unexpectedValue() -> JSONError { failure(.unexpectedType) }

    /// Whether the member that was moved to last in the innermost object has this key.
    @inlinable public mutating func isKey(_ key: StaticString) -> Bool {
        key.utf8CodeUnitCount == keyCount && isSameKey(key)
    }

    /// Compares eight bytes at a time and the rest one by one.
    @usableFromInline mutating func isSameKey(_ key: StaticString) -> Bool {
        if isKeyDecoded { return isDecodedKey(key) }
        let (start, count) = (keyStart, keyCount)
        precondition(start >= 0 && count >= 0 && start <= bytes.count - count, "a key lies within its document")
        let wanted = unsafe UnsafeRawBufferPointer(start: key.utf8Start, count: count)
        return unsafe bytes.withUnsafeBytes { document in
            let found = unsafe UnsafeRawBufferPointer(rebasing: document[start..<(start + count)])
            var index = 0
            while index <= count - MachineWord.byteCount {
                let one = unsafe found.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if one != (unsafe wanted.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
                index += MachineWord.byteCount
            }
            while index < count {
                if unsafe found[index] != wanted[index] { return false }
                index += 1
            }
            return true
        }
    }

    /// The key of the member that was moved to last in the innermost object.
    public var key: String {
        mutating get {
            if isKeyDecoded { return String(decoding: keyBytes, as: UTF8.self) }
            return text(from: keyStart, to: keyStart + keyCount)
        }
    }

    private var keyBytes: [UInt8] {
        keys.text(of: JSONKeys.Place(start: keyStart, count: keyCount, isDecoded: isKeyDecoded), in: bytes)
    }

    @usableFromInline mutating func isDecodedKey(_ key: StaticString) -> Bool {
        unsafe keyBytes.elementsEqual(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    }
}
