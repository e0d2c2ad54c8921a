/// Header fields in the order in which they were added; names are compared without regard to case.
public struct HTTPHeaders: Sendable, Hashable {
    /// One name with its value.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public let name: String
        /// The value as written.
        public let value: String
    }

    /// All fields, in order.
    public private(set) var fields: [Field] = []

    /// Makes an empty list.
    public init() {}

    /// Makes an empty list with room for so many fields.
    package init(capacity: Int) { fields.reserveCapacity(capacity) }

    /// The first value under a name; setting replaces all of them, nil removes them.
    public subscript(name: String) -> String? {
        get {
            for index in fields.indices where Self.same(fields[index].name, name) { return fields[index].value }
            return nil
        }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// All values under a name, in order.
    public func values(_ name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

    /// A byte of a name without its case; names are ASCII.
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Whether two names are the same field's.
    static func same(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        // Mostly they are written alike.
        return one == other || one.utf8.elementsEqual(other.utf8) { lower($0) == lower($1) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names only: a value may be a credential.
    public var description: String { "HTTPHeaders(\(fields.map(\.name).joined(separator: ", ")))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["names": fields.map(\.name)]) }
}
