/// Named values in the order in which they were written.
///
/// Keys are compared byte by byte. Two objects are equal when they have equal members in the same order, that is when
/// they are written alike.
public struct JSONObject: Sendable {
    /// From this many members on, keys are found through an index.
    private static let indexedCountMin = 64
    /// Room for the members of a small object, made with the first of them.
    private static let standardCapacity = 4

    /// The members in their order.
    public private(set) var members: [Member] = []
    private var index: [ExactText: Int] = [:]

    /// Makes an object without members.
    public init() {}

    /// How many members there are.
    public var count: Int { members.count }

    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }

    /// The value under a key; setting replaces it in place, adds it at the end, or removes the member with nil.
    public subscript(key: String) -> JSON? {
        get { position(of: key).map { members[$0].value } }
        set {
            let position = position(of: key)
            switch (position, newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil):
                members.remove(at: position)
                rebuildIndex()
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    /// Adds a member whose key is known not to be there yet.
    mutating func append(_ key: String, _ value: JSON) {
        if members.isEmpty { members.reserveCapacity(Self.standardCapacity) }
        members.append(Member(key, value))
        if members.count == Self.indexedCountMin {
            rebuildIndex()
        } else if members.count > Self.indexedCountMin {
            index[ExactText(text: key)] = members.count - 1
        }
    }

    private func position(of key: String) -> Int? {
        if members.count >= Self.indexedCountMin { return index[ExactText(text: key)] }
        return members.firstIndex { $0.key.isExactly(key) }
    }

    private mutating func rebuildIndex() {
        index = [:]
        guard members.count >= Self.indexedCountMin else { return }
        for (position, member) in members.enumerated() { index[ExactText(text: member.key)] = position }
    }
}

extension JSONObject: Hashable {
    public static func == (one: JSONObject, other: JSONObject) -> Bool { one.members == other.members }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object from a literal; a key that is written twice keeps its last value.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        for (key, value) in elements { self[key] = value }
    }
}

extension JSONObject: CustomStringConvertible, CustomReflectable {
    /// How many members there are; never what they are.
    public var description: String { "JSONObject(\(count) members)" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
