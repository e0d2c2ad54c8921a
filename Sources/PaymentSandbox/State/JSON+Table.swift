internal import PaymentBase

/// How providers write the shapes that their states share; reading gives nil for anything else.
extension JSON {
    /// An object of a dictionary, its members sorted by name.
    static func table<Value>(_ values: [String: Value], _ json: (Value) -> JSON) -> JSON {
        var object = JSONObject()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = json(value) }
        return .object(object)
    }

    /// An object of texts.
    static func table(_ values: [String: String]) -> JSON { table(values) { .string($0) } }

    /// An object of whole numbers.
    static func table(_ values: [String: Int64]) -> JSON { table(values) { .whole($0) } }

    /// A whole number.
    static func whole(_ value: Int64) -> JSON { .number(JSONNumber(value)) }

    /// A whole number.
    static func whole(_ value: Int) -> JSON { whole(Int64(value)) }

    /// A sorted array of a set of texts.
    static func words(_ words: Set<String>) -> JSON { .array(words.sorted().map(JSON.string)) }

    /// A dictionary of an object all of whose members can be read.
    func table<Value>(_ value: (JSON) -> Value?) -> [String: Value]? {
        guard let members = object?.members else { return nil }
        var values: [String: Value] = [:]
        for member in members {
            guard let read = value(member.value) else { return nil }
            values[member.key] = read
        }
        return values
    }

    /// The items of an array all of which can be read.
    func list<Item>(_ item: (JSON) -> Item?) -> [Item]? {
        guard let items = array else { return nil }
        let read = items.compactMap(item)
        return read.count == items.count ? read : nil
    }

    /// A dictionary of texts.
    var texts: [String: String]? { table { $0.string } }

    /// A dictionary of whole numbers.
    var wholes: [String: Int64]? { table { $0.int64 } }

    /// A set of texts.
    var words: Set<String>? { list { $0.string }.map { Set($0) } }

    /// A whole number.
    var whole: Int? { int64.map { Int($0) } }
}
