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
