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
        let path: String
        let text: String
    }

    /// The text to sign; numbers stand in it as they stood in the JSON.
    static func text(_ parameters: JSON, _ order: Order = .natural) -> String {
        var leaves: [Leaf] = []
        collect(parameters, [], &leaves)
        leaves.sort { one, other in
            switch order {
            case .natural: isNaturallyBefore(Array(one.path.utf8), Array(other.path.utf8))
            case .paths: one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
            case .leaves: one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
            }
        }
        return leaves.map(\.text).joined(separator: ";")
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

    /// Whether a signature fits a message in one of the orders; all are tried, so that time tells nothing.
    static func fits(_ given: String, _ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        guard !secret.isEmpty else { return false }
        return Order.allCases.reduce(false) { isGenuine, order in
            guard let due = try? signature(text(message, order), secret, crypto) else { return isGenuine }
            return crypto.equal(Array(given.utf8), Array(due.utf8)) || isGenuine
        }
    }

    /// Whether the text of a message could be another message's too: a key or a text has the mark in it that stands
    /// between two members.
    static func isAmbiguous(_ message: JSON) -> Bool {
        switch message {
        case .null, .bool, .number: false
        case .string(let text): text.contains(";")
        case .array(let items): items.contains { isAmbiguous($0) }
        case .object(let object):
            object.members.contains { !unsigned.contains($0.key) && ($0.key.contains(";") || isAmbiguous($0.value)) }
        }
    }

    private static func collect(_ value: JSON, _ path: [String], _ leaves: inout [Leaf]) {
        switch value {
        case .null: add("", path, &leaves)
        case .bool(let flag): add(flag ? "1" : "0", path, &leaves)
        case .number(let number): add(number.text, path, &leaves)
        case .string(let text): add(text, path, &leaves)
        case .array(let items):
            for (index, item) in items.enumerated() { collect(item, path + [String(index)], &leaves) }
        case .object(let object):
            for member in object.members where !unsigned.contains(member.key) {
                collect(member.value, path + [member.key.replacing(":", with: "::")], &leaves)
            }
        }
    }

    private static func add(_ value: String, _ path: [String], _ leaves: inout [Leaf]) {
        let path = path.joined(separator: ":")
        leaves.append(Leaf(path: path, text: "\(path):\(value)"))
    }

    /// Whether one comes before another when runs of digits count as numbers.
    private static func isNaturallyBefore(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        var (left, right) = (one[...], other[...])
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (number, rival) = (left.prefix { isDigit($0) }, right.prefix { isDigit($0) })
                (left, right) = (left.dropFirst(number.count), right.dropFirst(rival.count))
                let (digits, others) = (number.drop { $0 == UInt8(ascii: "0") }, rival.drop { $0 == UInt8(ascii: "0") })
                if digits.count != others.count { return digits.count < others.count }
                if !digits.elementsEqual(others) { return digits.lexicographicallyPrecedes(others) }
            } else {
                if first != second { return first < second }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        return one.lexicographicallyPrecedes(other)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
