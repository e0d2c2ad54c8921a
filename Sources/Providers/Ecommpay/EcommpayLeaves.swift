internal import PaymentBase

/// What is signed of a message: every value with the path to it, as `path:value`, in the message's order.
struct EcommpayLeaves {
    /// Where one of them stands; its path ends before the value's colon.
    struct Leaf {
        let start: Int
        let pathEnd: Int
        let end: Int
    }

    /// All texts, one behind the other.
    private var bytes: [UInt8] = []
    private var leaves: [Leaf] = []

    /// Takes a message apart.
    init(_ message: JSON) {
        bytes.reserveCapacity(Self.standardCapacity)
        var path: [UInt8] = []
        collect(message, &path)
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

    private mutating func collect(_ value: JSON, _ path: inout [UInt8]) {
        switch value {
        case .null: add("", path)
        case .bool(let flag): add(flag ? "1" : "0", path)
        case .number(let number): add(number.text, path)
        case .string(let text): add(text, path)
        case .array(let items):
            for (index, item) in items.enumerated() { collect(item, &path, String(index)) }
        case .object(let object):
            for member in object.members where !EcommpaySigning.isUnsigned(member.key) {
                collect(member.value, &path, member.key)
            }
        }
    }

    /// Goes one step further, in whose name a colon stands twice.
    private mutating func collect(_ value: JSON, _ path: inout [UInt8], _ name: String) {
        let count = path.count
        if !path.isEmpty { path.append(Self.colon) }
        for byte in name.utf8 {
            path.append(byte)
            if byte == Self.colon { path.append(Self.colon) }
        }
        collect(value, &path)
        path.removeLast(path.count - count)
    }

    private mutating func add(_ value: String, _ path: [UInt8]) {
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
