internal import PaymentBase

/// A value that a state file holds.
protocol PersistedState: Sendable {
    /// The value as the file has it.
    var kept: JSON { get }
    /// Reads what ``kept`` wrote; nil for anything else.
    init?(kept json: JSON)
}

extension String: PersistedState {
    var kept: JSON { .string(self) }
    init?(kept json: JSON) {
        guard let text = json.string else { return nil }
        self = text
    }
}

extension Int64: PersistedState {
    var kept: JSON { .number(JSONNumber(self)) }
    init?(kept json: JSON) {
        guard let value = json.int64 else { return nil }
        self = value
    }
}

extension Int: PersistedState {
    var kept: JSON { Int64(self).kept }
    init?(kept json: JSON) {
        guard let value = json.int64 else { return nil }
        self = Int(value)
    }
}

extension Bool: PersistedState {
    var kept: JSON { .bool(self) }
    init?(kept json: JSON) {
        guard let value = json.bool else { return nil }
        self = value
    }
}

extension JSON: PersistedState {
    var kept: JSON { self }
    init?(kept json: JSON) { self = json }
}

extension Optional: PersistedState where Wrapped: PersistedState {
    var kept: JSON { self?.kept ?? .null }
    init?(kept json: JSON) {
        if json.isNull {
            self = .none
        } else {
            guard let value = Wrapped(kept: json) else { return nil }
            self = value
        }
    }
}

extension Array: PersistedState where Element: PersistedState {
    var kept: JSON { .array(map(\.kept)) }
    init?(kept json: JSON) {
        guard let items = json.array else { return nil }
        let read = items.compactMap { Element(kept: $0) }
        guard read.count == items.count else { return nil }
        self = read
    }
}

extension Set<String>: PersistedState {
    var kept: JSON { sorted().kept }
    init?(kept json: JSON) {
        guard let words = [String](kept: json) else { return nil }
        self.init(words)
    }
}

extension Dictionary: PersistedState where Key == String, Value: PersistedState {
    var kept: JSON {
        var object = JSONObject()
        for (key, value) in sorted(by: { $0.key < $1.key }) { object[key] = value.kept }
        return .object(object)
    }

    /// Reads an object, or the lists of a name and its value that older files have.
    init?(kept json: JSON) {
        self.init()
        for member in json.object?.members ?? [] {
            guard let value = Value(kept: member.value) else { return nil }
            self[member.key] = value
        }
        guard json.object == nil else { return }
        guard let items = json.array else { return nil }
        for item in items {
            guard let parts = item.array, let name = parts.first?.string, parts.count > 1,
                let value = Value(kept: parts.count == 2 ? parts[1] : .array(Array(parts.dropFirst())))
            else { return nil }
            self[name] = value
        }
    }
}

extension JSON {
    /// A whole number.
    static func whole(_ value: Int64) -> JSON { value.kept }

    /// A whole number.
    static func whole(_ value: Int) -> JSON { value.kept }
}
