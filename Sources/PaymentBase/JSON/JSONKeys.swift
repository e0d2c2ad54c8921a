/// The keys of the objects that are open, so that a second member of the same name is noticed.
///
/// A few keys are compared one by one in place; an object that has many moves its keys into a set, whose hashing is
/// seeded, so that no document can make the search slow.
struct JSONKeys {
    /// From this many members on, an object keeps its keys in a set.
    private static let comparedCountMax = 16

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

    private(set) var places: [Place] = []
    private(set) var decoded: [UInt8] = []
    private var sets: [(depth: Int, keys: Set<[UInt8]>)] = []

    /// Where the keys of an object that opens now will begin.
    var mark: Mark { Mark(places: places.count, decoded: decoded.count) }

    /// Forgets the keys of the object that closes.
    mutating func close(_ mark: Mark, depth: Int) {
        places.removeLast(places.count - mark.places)
        if decoded.count > mark.decoded { decoded.removeLast(decoded.count - mark.decoded) }
        if let last = sets.last, last.depth == depth { sets.removeLast() }
    }

    /// Keeps the latest key only, where duplicates are allowed.
    mutating func replace(_ place: Place, since mark: Mark) {
        places.removeLast(places.count - mark.places)
        places.append(place)
    }

    /// Keeps the bytes of a key that had escapes.
    mutating func keep(decoded bytes: [UInt8]) -> Place {
        decoded.append(contentsOf: bytes)
        return Place(start: decoded.count - bytes.count, count: bytes.count, isDecoded: true)
    }

    /// Adds a key of the innermost object; says whether it is the first of that name.
    mutating func add(_ place: Place, in bytes: [UInt8], since mark: Mark, depth: Int) -> Bool {
        if let last = sets.last, last.depth == depth {
            let isNew = sets[sets.count - 1].keys.insert(text(of: place, in: bytes)).inserted
            replace(place, since: mark)
            return isNew
        }
        for index in mark.places..<places.count where isEqual(places[index], place, in: bytes) { return false }
        places.append(place)
        if places.count - mark.places > Self.comparedCountMax {
            sets.append((depth, Set(places[mark.places...].map { text(of: $0, in: bytes) })))
        }
        return true
    }

    private func isEqual(_ one: Place, _ other: Place, in bytes: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
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
