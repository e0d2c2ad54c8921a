internal import PaymentBase

extension JSON {
    /// A text, also where the sender wrote a number or a truth value.
    var text: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.decimalText
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// A truth value, also where the sender wrote it as a text.
    var truth: Bool? {
        switch text?.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A whole number, also where the sender wrote it as a text.
    var whole: Int64? {
        switch self {
        case .number(let number): number.int64
        case .string(let text): (try? JSONNumber(text))?.int64
        case .null, .bool, .array, .object: nil
        }
    }

    /// A list, also where the sender left the brackets out around its only item.
    var items: [JSON] {
        switch self {
        case .array(let items): items
        case .null: []
        case .bool, .number, .string, .object: [self]
        }
    }

    /// A member, also where the sender wrote its name in another case.
    func member(_ name: String) -> JSON? {
        guard let object else { return nil }
        if let exact = object[name] { return exact.isNull ? nil : exact }
        let plain = name.lowercased()
        let found = object.members.first { $0.key.lowercased() == plain }?.value
        return found.flatMap { $0.isNull ? nil : $0 }
    }

    /// A member of a member, and so on.
    func member(_ names: String...) -> JSON? {
        names.reduce(self as JSON?) { json, name in json?.member(name) }
    }
}

extension JSONObject {
    /// Adds a member, unless there is nothing to add.
    mutating func add(_ name: String, _ value: JSON?) {
        if let value { self[name] = value }
    }

    /// Adds a text, unless there is none.
    mutating func add(_ name: String, _ text: String?) { add(name, text.map { JSON.string($0) }) }
}
