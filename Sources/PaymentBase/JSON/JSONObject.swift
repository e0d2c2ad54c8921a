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
    private var index: [ExactText: Int]?

    /// Makes an object without members.
    public init() {}

    /// Makes an object of pairs; a key that comes twice keeps its last value.
    init(_ elements: [(String, JSON)]) {
        members.reserveCapacity(elements.count)
        for (key, value) in elements { self[key] = value }
    }

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
    mutating func append(_ key: String, _ value: consuming JSON) {
        if members.capacity == 0 { members.reserveCapacity(Self.standardCapacity) }
        members.append(Member(key, value))
        if members.count == Self.indexedCountMin {
            rebuildIndex()
        } else if members.count > Self.indexedCountMin {
            index?[ExactText(text: key)] = members.count - 1
        }
    }

    private func position(of key: String) -> Int? {
        if let index { return index[ExactText(text: key)] }
        return members.firstIndex { $0.key.isExactly(key) }
    }

    private mutating func rebuildIndex() {
        guard members.count >= Self.indexedCountMin else { return index = nil }
        let places = members.enumerated().map { (ExactText(text: $1.key), $0) }
        index = Dictionary(places) { first, _ in first }
    }
}

extension JSONObject: Hashable {
    public static func == (one: JSONObject, other: JSONObject) -> Bool { one.members == other.members }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object from a literal; a key that is written twice keeps its last value.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }
}

extension JSONObject: CustomStringConvertible, CustomReflectable {
    /// How many members there are; never what they are.
    public var description: String { "JSONObject(\(count) members)" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension JSONObject {
    /// One key with its value.
    public struct Member: Sendable, Hashable {
        /// The name.
        public let key: String
        /// What is under it.
        public var value: JSON

        /// Makes a member.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }

        public static func == (one: Member, other: Member) -> Bool {
            one.key.isExactly(other.key) && one.value == other.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(text: key))
            hasher.combine(value)
        }
    }
}

extension JSONObject.Member: CustomStringConvertible, CustomReflectable {
    /// Nothing of the content.
    public var description: String { "JSONObject.Member" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// The keys of the objects that are open, so that a second member of the same name is noticed.
///
/// A few keys are compared one by one in place; an object that has many moves its keys into a set, whose hashing is
/// seeded, so that no document can make the search slow.
struct JSONKeys {
    /// From this many members on, an object keeps its keys in a set.
    private static let comparedCountMax = 64
    private static let standardCapacity = 64

    /// Where one key's bytes are: in the document, or, when it had escapes, among the decoded bytes.
    struct Place {
        let start: Int
        let count: Int
        let isDecoded: Bool
    }

    /// Where the keys of one object begin.
    struct Mark {
        let places: Int
        let decoded: Int
    }

    private var places: [Place] = []
    private var count = 0
    private var decoded: [UInt8] = []
    private var sets: [(depth: Int, keys: Set<[UInt8]>)] = []

    /// Where the keys of an object that opens now will begin.
    @inline(__always) var mark: Mark { Mark(places: count, decoded: decoded.count) }

    /// The latest key of the innermost object that has any.
    @inline(__always) var last: Place? { count > 0 ? places[count - 1] : nil }

    /// Makes room for the keys of an ordinary message.
    mutating func reserve() { places.reserveCapacity(Self.standardCapacity) }

    /// Forgets the keys of the object that closes.
    mutating func close(_ mark: Mark, depth: Int) {
        count = mark.places
        if decoded.count > mark.decoded { decoded.removeLast(decoded.count - mark.decoded) }
        if let last = sets.last, last.depth == depth { sets.removeLast() }
    }

    /// Keeps the latest key only, where duplicates are allowed.
    mutating func replace(_ place: Place, since mark: Mark) {
        count = mark.places
        append(place)
    }

    @inline(__always) private mutating func append(_ place: Place) {
        if count < places.count { places[count] = place } else { places.append(place) }
        count += 1
    }

    /// Keeps the bytes of a key that had escapes.
    mutating func keep(decoded bytes: [UInt8]) -> Place {
        decoded.append(contentsOf: bytes)
        return Place(start: decoded.count - bytes.count, count: bytes.count, isDecoded: true)
    }

    /// Adds a key of the innermost object; says whether it is the first of that name.
    @inline(__always) mutating func add(
        _ place: Place, in bytes: [UInt8], since mark: Mark, depth: Int
    ) -> Bool {
        if count - mark.places > Self.comparedCountMax || !sets.isEmpty {
            return addToSet(place, in: bytes, since: mark, depth: depth)
        }
        var index = mark.places
        while index < count {
            if places[index].count == place.count, isEqual(places[index], place, in: bytes) { return false }
            index += 1
        }
        append(place)
        return true
    }

    /// Adds a key where an open object has many; the first time, its keys move into a set.
    @inline(never) private mutating func addToSet(
        _ place: Place, in bytes: [UInt8], since mark: Mark, depth: Int
    ) -> Bool {
        if sets.last?.depth != depth {
            let isLarge = count - mark.places > Self.comparedCountMax
            guard isLarge else {
                for index in mark.places..<count where isEqual(places[index], place, in: bytes) { return false }
                append(place)
                return true
            }
            sets.append((depth, Set(places[mark.places..<count].map { text(of: $0, in: bytes) })))
        }
        let isNew = sets[sets.count - 1].keys.insert(text(of: place, in: bytes)).inserted
        replace(place, since: mark)
        return isNew
    }

    private func isEqual(_ one: Place, _ other: Place, in bytes: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        if !one.isDecoded, !other.isDecoded {
            var offset = 0
            while offset <= one.count - MachineWord.byteCount {
                let word = MachineWord.load(bytes, at: one.start + offset)
                if word != MachineWord.load(bytes, at: other.start + offset) { return false }
                offset += MachineWord.byteCount
            }
            while offset < one.count {
                if bytes[one.start + offset] != bytes[other.start + offset] { return false }
                offset += 1
            }
            return true
        }
        for offset in 0..<one.count
        where byte(one, offset, in: bytes) != byte(other, offset, in: bytes) { return false }
        return true
    }

    @inline(__always) private func byte(_ place: Place, _ offset: Int, in bytes: [UInt8]) -> UInt8 {
        place.isDecoded ? decoded[place.start + offset] : bytes[place.start + offset]
    }

    /// The bytes of a key.
    func text(of place: Place, in bytes: [UInt8]) -> [UInt8] {
        let range = place.start..<(place.start + place.count)
        return Array(place.isDecoded ? decoded[range] : bytes[range])
    }
}
