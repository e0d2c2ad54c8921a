/// A JSON value with exact numbers and members in their written order.
///
/// Two values are equal when they are written alike: numbers by their text, strings byte by byte.
///
/// ```swift
/// let body: JSON = ["Currency": "EUR", "RequestedAmount": .number(JSONNumber(units: 1099, places: 2))]
/// let currency = body["Currency"]?.string
/// ```
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, kept as it was written.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// An ordered list of values.
    case array([JSON])
    /// Named values in the order in which they were written.
    case object(JSONObject)

    /// Which of the six types it is.
    public var type: JSONType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Whether it is `null`.
    public var isNull: Bool { type == .null }

    /// The truth value, if it is one.
    public var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The number, if it is one.
    public var number: JSONNumber? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// The whole number, if it is one that fits exactly.
    public var int64: Int64? { number?.int64 }

    /// The text, if it is one.
    public var string: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The list, if it is one.
    public var array: [JSON]? {
        if case .array(let value) = self { return value }
        return nil
    }

    /// The object, if it is one.
    public var object: JSONObject? {
        if case .object(let value) = self { return value }
        return nil
    }

    /// The value under a key, if this is an object that has it.
    public subscript(key: String) -> JSON? { object?[key] }

    /// The same object with one member set; what is no object stays as it is.
    public func adding(_ name: String, _ value: JSON) -> JSON {
        guard var object else { return self }
        object[name] = value
        return .object(object)
    }

    /// The value at a place, if this is a list that reaches so far.
    public subscript(index: Int) -> JSON? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The value as JSON text.
    public func bytes(layout: JSONWriter.Layout = .compact) -> [UInt8] {
        var writer = JSONWriter(layout: layout)
        writer.value(self)
        return writer.finish()
    }
}

extension JSON: Hashable {
    public static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.isExactly(other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactText(text: value))
        case .array(let values): hasher.combine(values)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSON: CustomStringConvertible, CustomReflectable {
    /// The type and nothing of the content, which may be a card number or a key.
    public var description: String { "JSON(\(type))" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

// Bodies can be written as literals. There is no floating-point literal, because binary fractions are not exact.

extension JSON: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// Makes an object from a literal; a key that is written twice keeps its last value.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements))
    }
}

/// The six types of JSON values.
public enum JSONType: Sendable, Hashable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number, kept as it was written.
    case number
    /// A text.
    case string
    /// An ordered list of values.
    case array
    /// Named values in the order in which they were written.
    case object
}
