internal import PaymentBase

/// The members of an object while they are read; one that nobody has asked for makes the whole unreadable, since it may
/// say what newer software means and we don't understand.
struct CodecMembers {
    private let object: JSONObject
    private var readCount = 0

    init(_ json: JSON) throws {
        guard let object = json.object else { throw EventCodec.DecodingError() }
        self.object = object
    }

    mutating func optional(_ name: String) -> JSON? {
        guard let value = object[name] else { return nil }
        readCount += 1
        return value
    }

    mutating func json(_ name: String) throws -> JSON {
        guard let value = optional(name) else { throw EventCodec.DecodingError() }
        return value
    }

    mutating func optionalText(_ name: String) throws -> String? {
        guard let value = optional(name) else { return nil }
        guard let text = value.string else { throw EventCodec.DecodingError() }
        return text
    }

    mutating func text(_ name: String) throws -> String {
        guard let text = try optionalText(name) else { throw EventCodec.DecodingError() }
        return text
    }

    mutating func optionalNumber(_ name: String) throws -> Int64? {
        guard let value = optional(name) else { return nil }
        guard let number = value.int64 else { throw EventCodec.DecodingError() }
        return number
    }

    mutating func number(_ name: String) throws -> Int64 {
        guard let number = try optionalNumber(name) else { throw EventCodec.DecodingError() }
        return number
    }

    mutating func count(_ name: String) throws -> Int {
        guard let count = Int(exactly: try number(name)) else { throw EventCodec.DecodingError() }
        return count
    }

    mutating func optionalCount(_ name: String) throws -> Int? {
        guard let number = try optionalNumber(name) else { return nil }
        guard let count = Int(exactly: number) else { throw EventCodec.DecodingError() }
        return count
    }

    /// Something that is only written where it is so.
    mutating func flag(_ name: String) throws -> Bool {
        guard let value = optional(name) else { return false }
        guard let flag = value.bool else { throw EventCodec.DecodingError() }
        return flag
    }

    /// One of our own words; one that we don't know must not pass for another.
    mutating func word<Known: RawRepresentable<String>>(_ name: String) throws -> Known {
        guard let known = Known(rawValue: try text(name)) else { throw EventCodec.DecodingError() }
        return known
    }

    mutating func optionalWord<Known: RawRepresentable<String>>(_ name: String) throws -> Known? {
        guard let text = try optionalText(name) else { return nil }
        guard let known = Known(rawValue: text) else { throw EventCodec.DecodingError() }
        return known
    }

    /// Nothing may be left.
    func end() throws {
        guard readCount == object.count else { throw EventCodec.DecodingError() }
    }
}
