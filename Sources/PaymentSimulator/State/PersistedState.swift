public import PaymentBase

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

/// A provider whose state can be kept in a file, so that two runs of a program meet the same provider.
///
/// ```swift
/// extension Acme: Persistable {
///     func snapshot() -> JSON { state.withLock { ["ledger": $0.ledger.json, "orders": … ] } }
///     func restore(_ snapshot: JSON) -> Bool { … }
/// }
/// ```
public protocol StatefulProvider: SimulatedProvider {
    /// Everything that a restart must not lose.
    func snapshot() -> JSON
    /// Takes over what an earlier snapshot says; false, and nothing changes, when it can't be read.
    func restore(_ snapshot: JSON) -> Bool
}

/// The file in which the providers of a sandbox are kept; written as a whole beside the old one and then put in its
/// place, so that a crash leaves the one or the other.
final class StateFile: Sendable {
    /// The largest file that is read, in bytes.
    static let bytesMax = 256 * 1_024 * 1_024
    private static let version: Int64 = 1

    private let path: String
    private let providers: [any StatefulProvider]
    private let clock: SimulatorClock
    private let last = Locked([UInt8]())

    /// Reads the file, if there is one, and gives each provider what is kept there.
    ///
    /// - Throws: ``SimulatorError`` when there is a file that can't be read or understood.
    init(_ path: String, _ providers: [any StatefulProvider], _ clock: SimulatorClock) throws(SimulatorError) {
        (self.path, self.providers, self.clock) = (path, providers, clock)
        guard let bytes = try Self.read(path) else { return }
        var options = JSONReadOptions()
        options.bytesMax = Self.bytesMax
        guard let json = try? JSONReader(options: options).read(bytes), json["version"]?.int64 == Self.version else {
            throw .state("\(path) is not a state of this sandbox; name a file of its own, or one that is not there yet")
        }
        clock.advance(by: json["clockOffset"]?.int64 ?? 0)
        for provider in providers {
            guard let kept = (json["providers"] ?? json["companies"])?[provider.name] else { continue }
            guard provider.restore(kept) else {
                throw .state("\(path) holds a state of \(provider.name) that it can't read")
            }
        }
        last.withLock { $0 = bytes }
    }

    /// Writes the file if anything changed; what went wrong, if something did.
    func save() -> String? {
        // The lock is held while the file is written, so that a later state never comes before an earlier one.
        last.withLock { last -> String? in
            var kept = JSONObject()
            for provider in providers { kept[provider.name] = provider.snapshot() }
            let state: JSON = [
                "version": .number(JSONNumber(Self.version)), "clockOffset": .number(JSONNumber(clock.offset)),
                "providers": .object(kept),
            ]
            let bytes = state.bytes()
            if bytes == last { return nil }
            do throws(FileFailure) { try RegularFile.replace(path, with: bytes) } catch {
                return "the state could not be written to \(path): \(error.problem)"
            }
            last = bytes
            return nil
        }
    }

    private static func read(_ path: String) throws(SimulatorError) -> [UInt8]? {
        do throws(FileFailure) {
            return try RegularFile.read(
                path, bytesMax: bytesMax, forbidding: RegularFile.othersMayWrite, followsLinks: false)
        } catch .missing { return nil } catch { throw .state("\(path) can't be used: \(error.problem)") }
    }
}
