internal import PaymentBase
internal import PaymentTransport

/// How parameters become a text, and the text a signature.
enum EcommpaySigning {
    /// The orders of the parameters that are in use; each is an authenticated form of the same tree.
    enum Order: CaseIterable {
        /// Natural order of the paths, as the documents have it.
        case natural
        /// Bytes of the paths.
        case paths
        /// Bytes of path and value together.
        case leaves
    }

    /// The member that holds the signature.
    static let member = "signature"
    /// Members that are never signed, at any depth.
    private static let unsigned: Set<String> = [member, "frame_mode"]

    private struct Leaf {
        let path: [UInt8]
        let text: [UInt8]
    }

    /// The text to sign; numbers stand in it as they stood in the JSON.
    static func text(_ parameters: JSON, _ order: Order = .natural) -> String { text(leaves(parameters), order) }

    /// The texts of a message in all orders, each once; nearly always there is one.
    static func texts(_ message: JSON) -> [String] {
        let leaves = leaves(message)
        return Order.allCases.reduce(into: []) { texts, order in
            let text = text(leaves, order)
            if !texts.contains(text) { texts.append(text) }
        }
    }

    private static func leaves(_ parameters: JSON) -> [Leaf] {
        var leaves: [Leaf] = []
        collect(parameters, [], &leaves)
        return leaves
    }

    private static func text(_ leaves: [Leaf], _ order: Order) -> String {
        let sorted = leaves.sorted { one, other in
            switch order {
            case .natural: isNaturallyBefore(one.path, other.path)
            case .paths: one.path.lexicographicallyPrecedes(other.path)
            case .leaves: one.text.lexicographicallyPrecedes(other.text)
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sorted.reduce(0) { $0 + $1.text.count + 1 })
        for leaf in sorted {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ";")) }
            bytes += leaf.text
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The signature of a text, as the wire has it.
    static func signature(_ text: String, _ secret: Secret, _ crypto: any Crypto) throws(CryptoFailure) -> String {
        Base64.standard.encode(try crypto.authenticate(.sha512, key: secret, Array(text.utf8)))
    }

    /// The parts of messages that name the project, and then carry the signature too.
    static let parts = ["general", "customer"]

    /// The signature that a message carries, at its top or in one of its parts.
    static func given(in message: JSON) -> String? {
        message[member]?.string ?? parts.lazy.compactMap { message[$0]?[member]?.string }.first
    }

    /// Whether a message carries a signature that fits one of the orders.
    static func isGenuine(_ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        guard let given = given(in: message) else { return false }
        return fits(given, message, secret, crypto)
    }

    /// Whether a signature fits a message in one of the orders; all are tried, so that time tells nothing of the
    /// signature.
    static func fits(_ given: String, _ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        guard !secret.isEmpty else { return false }
        return texts(message).reduce(false) { isGenuine, text in
            guard let due = try? signature(text, secret, crypto) else { return isGenuine }
            return crypto.equal(Array(given.utf8), Array(due.utf8)) || isGenuine
        }
    }

    /// Whether the text of a message could be another message's too: a key or a text has the mark in it that stands
    /// between two members.
    static func isAmbiguous(_ message: JSON) -> Bool {
        switch message {
        case .null, .bool, .number: false
        case .string(let text): text.utf8.contains(UInt8(ascii: ";"))
        case .array(let items): items.contains { isAmbiguous($0) }
        case .object(let object):
            object.members.contains { member in
                !unsigned.contains(member.key)
                    && (member.key.utf8.contains(UInt8(ascii: ";")) || isAmbiguous(member.value))
            }
        }
    }

    private static func collect(_ value: JSON, _ path: [UInt8], _ leaves: inout [Leaf]) {
        switch value {
        case .null: add("", path, &leaves)
        case .bool(let flag): add(flag ? "1" : "0", path, &leaves)
        case .number(let number): add(number.text, path, &leaves)
        case .string(let text): add(text, path, &leaves)
        case .array(let items):
            for (index, item) in items.enumerated() { collect(item, step(path, String(index)), &leaves) }
        case .object(let object):
            for member in object.members where !unsigned.contains(member.key) {
                collect(member.value, step(path, member.key), &leaves)
            }
        }
    }

    /// A path with one more step, in which a colon stands twice.
    private static func step(_ path: [UInt8], _ name: String) -> [UInt8] {
        var longer = path
        longer.reserveCapacity(path.count + name.utf8.count + 1)
        if !path.isEmpty { longer.append(colon) }
        for byte in name.utf8 {
            longer.append(byte)
            if byte == colon { longer.append(colon) }
        }
        return longer
    }

    private static let colon = UInt8(ascii: ":")

    private static func add(_ value: String, _ path: [UInt8], _ leaves: inout [Leaf]) {
        var text = path
        text.reserveCapacity(path.count + value.utf8.count + 1)
        text.append(colon)
        text += value.utf8
        leaves.append(Leaf(path: path, text: text))
    }

    /// Whether one comes before another when runs of digits count as numbers.
    private static func isNaturallyBefore(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        var (left, right) = (0, 0)
        while left < one.count, right < other.count {
            guard isDigit(one[left]), isDigit(other[right]) else {
                if one[left] != other[right] { return one[left] < other[right] }
                (left, right) = (left + 1, right + 1)
                continue
            }
            let (number, rival) = (one[left...].prefix { isDigit($0) }, other[right...].prefix { isDigit($0) })
            (left, right) = (number.endIndex, rival.endIndex)
            let (digits, others) = (number.drop { $0 == UInt8(ascii: "0") }, rival.drop { $0 == UInt8(ascii: "0") })
            if digits.count != others.count { return digits.count < others.count }
            if !digits.elementsEqual(others) { return digits.lexicographicallyPrecedes(others) }
        }
        if (left == one.count) != (right == other.count) { return left == one.count }
        return one.lexicographicallyPrecedes(other)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
