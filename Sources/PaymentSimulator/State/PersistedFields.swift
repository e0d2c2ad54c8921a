internal import PaymentBase

/// One member of a value in a state file: its name and its place, stated once for writing and reading.
struct PersistedField<Root: Sendable>: Sendable {
    let name: String
    /// Whether a file of before may lack it.
    let isNew: Bool
    let write: @Sendable (Root) -> JSON
    let read: @Sendable (inout Root, JSON) -> Bool

    init<Value: PersistedState>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, isNew: Bool = false
    ) {
        (self.name, self.isNew) = (name, isNew)
        write = { $0[keyPath: path].kept }
        read = { root, json in
            guard let value = Value(kept: json) else { return false }
            root[keyPath: path] = value
            return true
        }
    }

    /// A number that only ever goes up, one by one: what no running provider can have reached is refused, since
    /// counting on from it would end.
    init<Value: PersistedState & FixedWidthInteger>(
        counter name: String, _ path: any WritableKeyPath<Root, Value> & Sendable
    ) {
        (self.name, isNew) = (name, false)
        write = { $0[keyPath: path].kept }
        read = { root, json in
            guard let value = Value(kept: json), (0...Self.counterMax).contains(Int64(value)) else { return false }
            root[keyPath: path] = value
            return true
        }
    }

    private static var counterMax: Int64 { 1 << 53 }
}

/// A value that is kept as its members.
///
/// ```swift
/// struct Order: KeptRecord {
///     var id = ""
///     var units: Int64 = 0
///     static let members: [PersistedField<Self>] = [.init("id", \.id), .init("units", \.units)]
/// }
/// ```
protocol PersistedFields: Sendable {
    /// What is kept of it.
    static var members: [PersistedField<Self>] { get }
    /// Whether it is kept as a list in the members' order rather than by their names.
    static var isList: Bool { get }
}

extension PersistedFields {
    static var isList: Bool { false }

    /// All members as the file has them.
    var kept: JSON {
        if Self.isList { return .array(Self.members.map { $0.write(self) }) }
        var object = JSONObject()
        for member in Self.members { object[member.name] = member.write(self) }
        return .object(object)
    }

    /// Takes over all members; false where one can't be read.
    mutating func read(_ json: JSON) -> Bool {
        for (place, member) in Self.members.enumerated() {
            guard let value = Self.isList ? json[place] : json[member.name] else {
                if member.isNew { continue }
                return false
            }
            guard member.read(&self, value) else { return false }
        }
        return true
    }
}

/// A value that can begin empty and be read from its members.
protocol KeptRecord: PersistedFields, PersistedState { init() }

extension KeptRecord {
    init?(kept json: JSON) {
        self.init()
        guard read(json) else { return nil }
    }
}

extension StatefulProvider {
    /// Reads a state into a fresh one and puts it in place; false, and nothing changes, when it can't be read.
    func restore<State: PersistedFields>(_ snapshot: JSON, into state: Locked<State>, fresh: State) -> Bool {
        var fresh = fresh
        guard fresh.read(snapshot) else { return false }
        state.withLock { [fresh] in $0 = fresh }
        return true
    }
}
