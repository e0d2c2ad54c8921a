internal import PaymentProviderKit

/// What is signed of a message: every value with the path to it, as `path:value`, in the message's order.
///
/// Each value repeats the names of everything around it, so that a short message can have a very long text. A message
/// whose text would exceed one of the limits is refused before the text is made: anyone can send one, and its signature has
/// not been checked yet. The documented messages stay far below each limit.
struct SignedFieldList {
    /// The longest name of a member, in bytes.
    static let nameBytesMax = 256
    /// The longest path to a value, in bytes.
    static let pathBytesMax = 1_024
    /// How many objects and lists may be around a value.
    static let levelsMax = 32
    /// The longest text, in bytes: what is signed, and what is kept in memory for it.
    static let textBytesMax = 1_024 * 1_024

    /// How many values are signed: sorting them costs more than their bytes.
    static let valuesMax = 20_000

    /// Which limit a message exceeds.
    enum Excess: Error { case name, path, levels, text, values }

    /// Where one of them is; its path ends before the value's colon.
    struct Leaf {
        let start: Int
        let pathEnd: Int
        let end: Int
    }

    /// All texts, one behind the other.
    private var bytes: [UInt8] = []
    private var leaves: [Leaf] = []

    /// Takes a message apart.
    ///
    /// - Throws: the limit that the message exceeds, as soon as it does.
    init(_ message: JSON) throws(Excess) {
        bytes.reserveCapacity(Self.standardCapacity)
        var path: [UInt8] = []
        try collect(message, &path, 0)
    }

    /// The leaves in an order.
    func sorted(_ order: EcommpaySigning.Order) -> [Leaf] { leaves.sorted { isBefore($0, $1, order) } }

    /// Whether leaves stand in an order already.
    func isSorted(_ leaves: [Leaf], _ order: EcommpaySigning.Order) -> Bool {
        zip(leaves.dropFirst(), leaves).allSatisfy { !isBefore($0, $1, order) }
    }

    /// The text of leaves in the order in which they are given.
    func text(_ leaves: [Leaf]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + leaves.count)
        for leaf in leaves {
            if !text.isEmpty { text.append(UInt8(ascii: ";")) }
            text += bytes[leaf.start..<leaf.end]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Room for the texts of an ordinary message.
    private static let standardCapacity = 2_048
    private static let colon = UInt8(ascii: ":")

    private mutating func collect(_ value: JSON, _ path: inout [UInt8], _ level: Int) throws(Excess) {
        switch value {
        case .null: try add("", path)
        case .bool(let flag): try add(flag ? "1" : "0", path)
        case .number(let number): try add(number.text, path)
        case .string(let text): try add(text, path)
        case .array(let items):
            for (index, item) in items.enumerated() { try collect(item, &path, String(index), level) }
        case .object(let object):
            for member in object.members where !EcommpaySigning.isUnsigned(member.key) {
                try collect(member.value, &path, member.key, level)
            }
        }
    }

    /// Goes one step further, in whose name a colon is twice.
    private mutating func collect(
        _ value: JSON, _ path: inout [UInt8], _ name: String, _ level: Int
    ) throws(Excess) {
        guard level < Self.levelsMax else { throw .levels }
        guard name.utf8.count <= Self.nameBytesMax else { throw .name }
        let count = path.count
        if !path.isEmpty { path.append(Self.colon) }
        for byte in name.utf8 {
            path.append(byte)
            if byte == Self.colon { path.append(Self.colon) }
        }
        guard path.count <= Self.pathBytesMax else { throw .path }
        try collect(value, &path, level + 1)
        path.removeLast(path.count - count)
    }

    private mutating func add(_ value: String, _ path: [UInt8]) throws(Excess) {
        guard leaves.count < Self.valuesMax else { throw .values }
        // Between two of them is one byte more.
        let separators = leaves.count
        guard bytes.count + separators + path.count + 1 + value.utf8.count <= Self.textBytesMax else { throw .text }
        let start = bytes.count
        bytes += path
        bytes.append(Self.colon)
        bytes += value.utf8
        leaves.append(Leaf(start: start, pathEnd: start + path.count, end: bytes.count))
    }

    private func isBefore(_ one: Leaf, _ other: Leaf, _ order: EcommpaySigning.Order) -> Bool {
        switch order {
        case .natural: isNaturallyBefore(one.start..<one.pathEnd, other.start..<other.pathEnd)
        case .paths: isBefore(one.start..<one.pathEnd, other.start..<other.pathEnd)
        case .leaves: isBefore(one.start..<one.end, other.start..<other.end)
        }
    }

    /// Whether some bytes come before others.
    private func isBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        var (left, right) = (one.lowerBound, other.lowerBound)
        while left < one.upperBound, right < other.upperBound {
            if bytes[left] != bytes[right] { return bytes[left] < bytes[right] }
            (left, right) = (left + 1, right + 1)
        }
        return one.count < other.count
    }

    /// Whether one path comes before another when runs of digits count as numbers.
    private func isNaturallyBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        var (left, right) = (one.lowerBound, other.lowerBound)
        while left < one.upperBound, right < other.upperBound {
            guard Self.isDigit(bytes[left]), Self.isDigit(bytes[right]) else {
                if bytes[left] != bytes[right] { return bytes[left] < bytes[right] }
                (left, right) = (left + 1, right + 1)
                continue
            }
            let (digits, others) = (digits(left..<one.upperBound), digits(right..<other.upperBound))
            (left, right) = (digits.upperBound, others.upperBound)
            if digits.count != others.count { return digits.count < others.count }
            if !bytes[digits].elementsEqual(bytes[others]) { return isBefore(digits, others) }
        }
        if (left == one.upperBound) != (right == other.upperBound) { return left == one.upperBound }
        return isBefore(one, other)
    }

    /// The run of digits that some bytes begin with, without its leading zeros.
    private func digits(_ range: Range<Int>) -> Range<Int> {
        let end = bytes[range].firstIndex { !Self.isDigit($0) } ?? range.upperBound
        let start = bytes[range.lowerBound..<end].firstIndex { $0 != UInt8(ascii: "0") } ?? end
        return start..<end
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension SignedFieldList.Excess {
    /// What is wrong with the message.
    var reason: String {
        switch self {
        case .name: "a name in it has more than \(SignedFieldList.nameBytesMax) bytes"
        case .path: "a path in it has more than \(SignedFieldList.pathBytesMax) bytes"
        case .levels: "it is nested more than \(SignedFieldList.levelsMax) levels deep"
        case .values: "it has more than \(SignedFieldList.valuesMax) values"
        case .text: "its text to be signed has more than \(SignedFieldList.textBytesMax) bytes"
        }
    }
}
