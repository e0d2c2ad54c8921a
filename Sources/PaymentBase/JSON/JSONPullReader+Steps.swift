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

    /// Makes sure that a value of the type that one byte tells comes next.
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

    /// Opens the array or object whose bracket stands at the place that has been reached.
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

    /// After a comma a value must follow; `[1,]` is told here rather than by whoever reads the value.
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
