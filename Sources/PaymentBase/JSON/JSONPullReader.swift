/// Reads a JSON text from front to back, straight into whatever the caller keeps.
///
/// Nothing is built that is not asked for, but every byte is checked, those of skipped values too: what this reader
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
    /// How many bytes are before the place that has been reached.
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

extension JSONPullReader {
    /// One array or object that is open, so that the reader knows whose next part is asked for.
    public struct Level: Sendable, Hashable {
        let depth: Int
        let serial: Int
    }
}

extension JSONPullReader {
    /// An error at the place that has been reached.
    @inline(never) func failure(_ kind: JSONError.Kind) -> JSONError { failure(kind, at: position) }

    /// An error at a place.
    @inline(never) func failure(_ kind: JSONError.Kind, at offset: Int) -> JSONError {
        JSONError(kind, at: offset, in: bytes)
    }

    /// The error for a byte that has no business at the place that has been reached.
    @inline(never) func unexpected() -> JSONError {
        failure(position < bytes.count ? .unexpectedByte : .unexpectedEnd)
    }

    /// Moves over the four kinds of white space.
    @inline(__always) mutating func skipSpace() {
        if position < bytes.count, bytes[position] > Byte.space { return }
        skipSomeSpace()
    }

    @inline(never) private mutating func skipSomeSpace() {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte > Byte.space { break }
            guard
                byte == Byte.space || byte == Byte.lineFeed || byte == Byte.carriageReturn || byte == Byte.tab
            else { break }
            index += 1
        }
        position = index
    }

    /// The type of the value that comes next, told by its first byte.
    @inline(__always) mutating func peekType() throws(JSONError) -> JSONType {
        guard turn == .value else { throw failure(.unexpectedCall) }
        skipSpace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[position] {
        case Byte.quote: return .string
        case Byte.openBrace: return .object
        case Byte.openBracket: return .array
        case Byte.minus, Byte.zero...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case Byte.plus, Byte.point: throw failure(.invalidNumber)
        default: throw failure(.unexpectedByte)
        }
    }

    /// Makes sure that a value of this type comes next.
    @inline(__always) mutating func expect(_ type: JSONType) throws(JSONError) {
        guard try peekType() == type else { throw failure(.unexpectedType) }
    }

    /// Makes sure that a value of the type that one byte names comes next.
    @inline(__always) mutating func expect(_ type: JSONType, first byte: UInt8) throws(JSONError) {
        skipSpace()
        if turn == .value, position < bytes.count, bytes[position] == byte { return }
        try refuse(type)
    }

    @inline(never) private mutating func refuse(_ type: JSONType) throws(JSONError) {
        try expect(type)
    }

    /// Notes that a value has been read.
    @inline(__always) mutating func afterValue() { turn = depth == 0 ? .ended : .next }

    /// Opens the array or object whose bracket is at the place that has been reached.
    mutating func push(isObject: Bool) throws(JSONError) -> Level {
        guard depth < depthMax else { throw failure(.tooDeep) }
        if depth == 0 {
            outer.reserveCapacity(Self.standardDepth)
            keys.reserve()
        } else {
            outer.append(current)
        }
        position += 1
        serial += 1
        depth += 1
        current = Frame(isObject: isObject, serial: serial, mark: keys.mark)
        turn = .first
        return Level(depth: depth, serial: serial)
    }

    /// Closes the innermost array or object at its closing bracket.
    private mutating func pop() {
        position += 1
        if current.isObject { keys.close(current.mark, depth: depth) }
        depth -= 1
        if depth > 0 { current = outer.removeLast() }
        setKey(keys.last ?? JSONKeys.Place(start: 0, count: 0, isDecoded: false))
        afterValue()
    }

    private mutating func setKey(_ place: JSONKeys.Place) {
        keyStart = place.start
        keyCount = place.count
        isKeyDecoded = place.isDecoded
    }

    /// Reads past whatever is unread inside a level, so that its next part is due.
    @inline(__always) mutating func settle(_ level: Level, isObject: Bool) throws(JSONError) {
        if turn != .value, level.depth == depth, current.serial == level.serial, current.isObject == isObject {
            return
        }
        try settleUnread(level, isObject: isObject)
    }

    @inline(never) mutating func advanceSlowly() throws(JSONError) -> Bool { try advance() }

    @inline(never) private mutating func settleUnread(_ level: Level, isObject: Bool) throws(JSONError) {
        guard level.depth > 0, level.depth <= depth else { throw failure(.unexpectedCall) }
        let frame = level.depth == depth ? current : outer[level.depth - 1]
        guard frame.serial == level.serial, frame.isObject == isObject else { throw failure(.unexpectedCall) }
        if turn == .value { try skip() }
        while depth > level.depth {
            while try advanceSlowly() { try skip() }
        }
    }

    /// Moves to the next value of the innermost array or object; closes it and says false when there is none.
    @inline(__always) mutating func advance() throws(JSONError) -> Bool {
        guard depth > 0, turn == .first || turn == .next else { throw failure(.unexpectedCall) }
        skipSpace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        let byte = bytes[position]
        if byte == (current.isObject ? Byte.closeBrace : Byte.closeBracket) {
            pop()
            return false
        }
        if turn == .next {
            guard byte == Byte.comma else { throw failure(.unexpectedByte) }
            position += 1
        }
        if current.isObject { try readKey() }
        turn = .value
        if !current.isObject { try refuseEnd() }
        return true
    }

    /// After a comma a value must follow; `[1,]` is refused here rather than by the code that reads the value.
    private mutating func refuseEnd() throws(JSONError) {
        skipSpace()
        guard position < bytes.count, bytes[position] != Byte.closeBracket else { throw unexpected() }
    }

    @inline(__always) private mutating func readKey() throws(JSONError) {
        skipSpace()
        guard position < bytes.count, bytes[position] == Byte.quote else { throw unexpected() }
        let start = position
        let scanned = try scanString()
        var place = JSONKeys.Place(start: scanned.start, count: scanned.end - scanned.start, isDecoded: false)
        if scanned.hasEscape { place = keys.keep(decoded: unescaped(scanned)) }
        switch options.duplicateKeys {
        case .refuse:
            guard keys.add(place, in: bytes, since: current.mark, depth: depth) else {
                throw failure(.duplicateKey, at: start)
            }
        case .keepLast: keys.replace(place, since: current.mark)
        }
        setKey(place)
        skipSpace()
        guard position < bytes.count, bytes[position] == Byte.colon else { throw unexpected() }
        position += 1
    }
}

extension JSONPullReader {
    /// The type of the value that comes next; the value stays unread.
    ///
    /// - Throws: `outOfTurn` when no value is due, or what is wrong with the text.
    public mutating func nextType() throws(JSONError) -> JSONType { try peekType() }

    /// Reads a text.
    ///
    /// - Throws: `unexpectedType` when another value comes next, or what is wrong with the text.
    public mutating func string() throws(JSONError) -> String {
        try expect(.string, first: Byte.quote)
        let scanned = try scanString()
        afterValue()
        return text(scanned)
    }

    /// Reads `true` or `false`.
    ///
    /// - Throws: `unexpectedType` when another value comes next, or what is wrong with the text.
    public mutating func bool() throws(JSONError) -> Bool {
        try expect(.bool)
        let value = bytes[position] == UInt8(ascii: "t")
        try literal(value ? "true" : "false")
        return value
    }

    /// Reads a number as it is written.
    ///
    /// - Throws: `unexpectedType` when another value comes next, or what is wrong with the text.
    public mutating func number() throws(JSONError) -> JSONNumber {
        let range = try scanNumber()
        return JSONNumber(scanned: text(from: range.lowerBound, to: range.upperBound))
    }

    /// Reads a whole number; `100`, `100.0` and `1e2` are all one hundred.
    ///
    /// - Throws: `inexactNumber` when it is not whole or does not fit, `unexpectedType` when another value comes next.
    public mutating func int64() throws(JSONError) -> Int64 { try scaled(places: 0) }

    /// Reads an amount times ten to the power of `places`: `10.99` at 2 places is 1099.
    ///
    /// - Throws: `inexactNumber` when that is not whole or doesn't fit, `unexpectedType` when another value comes next.
    public mutating func scaled(places: Int) throws(JSONError) -> Int64 {
        precondition((0...JSONNumber.placesMax).contains(places), "an amount has 0 to \(JSONNumber.placesMax) places")
        let range = try scanNumber()
        let number = JSONDecimal(bytes, from: range.lowerBound, to: range.upperBound)
        guard let value = number.scaled(places: places) else { throw failure(.inexactNumber, at: range.lowerBound) }
        return value
    }

    /// Reads a `null` if that is what comes next; says whether it was.
    ///
    /// - Throws: `outOfTurn` when no value is due, or what is wrong with the text.
    public mutating func skipNull() throws(JSONError) -> Bool {
        guard try peekType() == .null else { return false }
        try literal("null")
        return true
    }

    /// Reads past the value that comes next, however deep it is, and checks all of it.
    ///
    /// - Throws: `outOfTurn` when no value is due, or what is wrong with the text.
    public mutating func skip() throws(JSONError) {
        let depth = depth
        repeat {
            switch try peekType() {
            case .null: try literal("null")
            case .bool: _ = try bool()
            case .number: _ = try scanNumber()
            case .string:
                _ = try scanString()
                afterValue()
            case .array: _ = try push(isObject: false)
            case .object: _ = try push(isObject: true)
            }
        } while try advanceToValue(above: depth)
    }

    /// Moves to the next unread value inside the levels above `depth`; false when all of them are closed.
    private mutating func advanceToValue(above depth: Int) throws(JSONError) -> Bool {
        while self.depth > depth {
            if try advance() { return true }
        }
        return false
    }

    /// Reads a number's bytes and checks their form.
    private mutating func scanNumber() throws(JSONError) -> Range<Int> {
        try expect(.number)
        let start = position
        let (end, isValid) = JSONDecimal.scan(bytes, from: start)
        guard isValid else { throw failure(end < bytes.count ? .invalidNumber : .unexpectedEnd, at: end) }
        position = end
        afterValue()
        return start..<end
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            let byte = unsafe word.utf8Start[index]
            guard position < bytes.count, bytes[position] == byte else { throw unexpected() }
            position += 1
        }
        afterValue()
    }
}

extension JSONPullReader {
    /// What has been built so far; a stack of its own, so that no function calls itself for a nested value.
    private struct Tree {
        /// An array or an object that is being filled.
        private struct Level {
            let isObject: Bool
            var array: [JSON] = []
            var object = JSONObject()
            /// The name of the member whose value comes next.
            var key = ""
        }

        /// The innermost level is beside the stack: nearly everything happens there.
        private var level = Level(isObject: false)
        private var outer: [Level] = []

        /// The value that the outermost level, an array of our own, has got.
        var root: JSON { level.array.first ?? .null }

        mutating func open(_ isObject: Bool) {
            outer.append(level)
            level = Level(isObject: isObject)
        }

        /// Names the member whose value comes next.
        mutating func name(_ key: String) { level.key = key }

        mutating func close(_ duplicateKeys: JSONReadOptions.DuplicateKeys) {
            let value: JSON = level.isObject ? .object(level.object) : .array(level.array)
            level = outer.removeLast()
            add(value, duplicateKeys)
        }

        mutating func add(_ value: consuming JSON, _ duplicateKeys: JSONReadOptions.DuplicateKeys) {
            guard level.isObject else {
                level.array.append(value)
                return
            }
            switch duplicateKeys {
            case .refuse: level.object.append(level.key, value)
            case .keepLast: level.object[level.key] = value
            }
        }
    }

    /// Reads the value that comes next, whatever it is.
    ///
    /// - Throws: `outOfTurn` when no value is due, or what is wrong with the text.
    public mutating func value() throws(JSONError) -> JSON {
        let depth = depth
        var tree = Tree()
        repeat {
            switch try peekType() {
            case .null: tree.add(try null(), options.duplicateKeys)
            case .bool: tree.add(.bool(try bool()), options.duplicateKeys)
            case .number: tree.add(.number(try number()), options.duplicateKeys)
            case .string: tree.add(.string(try string()), options.duplicateKeys)
            case .array:
                _ = try push(isObject: false)
                tree.open(false)
            case .object:
                _ = try push(isObject: true)
                tree.open(true)
            }
        } while try moveOn(&tree, above: depth)
        return tree.root
    }

    private mutating func null() throws(JSONError) -> JSON {
        _ = try skipNull()
        return .null
    }

    /// Moves to the next value inside the levels above `depth`, closing what ends on the way.
    private mutating func moveOn(_ tree: inout Tree, above depth: Int) throws(JSONError) -> Bool {
        while self.depth > depth {
            if try advance() {
                if current.isObject { tree.name(key) }
                return true
            }
            tree.close(options.duplicateKeys)
        }
        return false
    }
}
