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
