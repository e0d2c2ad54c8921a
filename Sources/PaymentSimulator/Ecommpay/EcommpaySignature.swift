internal import PaymentBase
internal import PaymentTransport

/// How the provider signs and what it accepts; written from its documents, apart from any client.
struct EcommpaySignature: Sendable {
    let secret: Secret
    let crypto: any Crypto

    /// The longest text that is made of a message before its signature is checked, in bytes.
    static let textBytesMax = 256 * 1_024
    /// The longest name of one value in it, all names around the value included, in bytes.
    static let pathBytesMax = 1_024
    /// How deep a message may be nested.
    static let levelsMax = 32
    /// How many values a message may have: they are put in order before they are signed.
    static let valuesMax = 20_000
    private static let signatureBytes = 88

    /// Whether a message is signed as the documents say.
    ///
    /// A value's line repeats all names around it, so that the text can be far longer than the message. It is measured
    /// before it is made, and a message that is too long has no signature that fits.
    func fits(_ message: JSON) -> Bool {
        let given =
            message["signature"]?.string ?? message["general"]?["signature"]?.string
            ?? message["customer"]?["signature"]?.string ?? ""
        var rest = (bytes: Self.textBytesMax, values: Self.valuesMax)
        guard given.utf8.count == Self.signatureBytes, Self.isShort(message, 0, 0, &rest) else { return false }
        return crypto.equal(Array(given.utf8), Array(make(message).utf8))
    }

    /// Whether the text of a message is not too long; counts, and builds nothing.
    ///
    /// - Parameters:
    ///   - path: How long the names around it are, in bytes.
    ///   - rest: How many bytes of the text, and how many values, are left.
    private static func isShort(
        _ json: JSON, _ path: Int, _ level: Int, _ rest: inout (bytes: Int, values: Int)
    ) -> Bool {
        guard path <= pathBytesMax, level <= levelsMax else { return false }
        switch json {
        case .object(let object):
            for member in object.members where member.key != "signature" && member.key != "frame_mode" {
                // A colon in a name is written twice, and one is before it.
                let name = member.key.utf8.count + member.key.utf8.count { $0 == UInt8(ascii: ":") }
                guard isShort(member.value, path + name + 1, level + 1, &rest) else { return false }
            }
            return true
        case .array(let items):
            for index in items.indices {
                guard isShort(items[index], path + String(index).utf8.count + 1, level + 1, &rest) else { return false }
            }
            return true
        case .null: rest.bytes -= path + 1
        case .bool: rest.bytes -= path + 2
        case .number(let number): rest.bytes -= path + number.text.utf8.count + 1
        case .string(let text): rest.bytes -= path + text.utf8.count + 1
        }
        rest.values -= 1
        return rest.bytes >= 0 && rest.values >= 0
    }

    /// The message with its signature.
    func sign(_ message: JSON) -> JSON {
        let signature = JSON.string(make(message))
        guard let general = message["general"] else { return message.adding("signature", signature) }
        return message.adding("general", general.adding("signature", signature))
    }

    private func make(_ message: JSON) -> String {
        let code = (try? crypto.authenticate(.sha512, key: secret, Array(Self.text(message).utf8))) ?? []
        return Base64.standard.encode(code)
    }

    /// The text of a message that is signed.
    static func text(_ message: JSON) -> String {
        var lines: [(path: String, line: String)] = []
        walk(message, "", &lines)
        let sorted = lines.map { (pieces: String.pieces($0.path), line: $0.line) }
            .sorted { String.isBefore($0.pieces, $1.pieces) }
        return sorted.map(\.line).joined(separator: ";")
    }

    private static func walk(_ json: JSON, _ path: String, _ lines: inout [(path: String, line: String)]) {
        func below(_ name: String) -> String { path.isEmpty ? name : "\(path):\(name)" }
        switch json {
        case .object(let object):
            for (key, value) in object.members.map({ ($0.key, $0.value) })
            where key != "signature" && key != "frame_mode" {
                walk(value, below(key.replacing(":", with: "::")), &lines)
            }
        case .array(let items):
            for (index, item) in items.enumerated() { walk(item, below("\(index)"), &lines) }
        case .null: lines.append((path, "\(path):"))
        case .bool(let flag): lines.append((path, "\(path):\(flag ? 1 : 0)"))
        case .number(let number): lines.append((path, "\(path):\(number.text)"))
        case .string(let text): lines.append((path, "\(path):\(text)"))
        }
    }
}

extension String {
    /// Natural order: digits that are together count as one number.
    fileprivate static func isBefore(_ one: [String], _ two: [String]) -> Bool {
        for (left, right) in zip(one, two) where left != right {
            if let first = Int64(left), let second = Int64(right), first != second { return first < second }
            return Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
        }
        return one.count < two.count
    }

    /// Single characters, and runs of digits in one piece.
    fileprivate static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var isInNumber = false
        for character in text {
            let isDigit = character.isASCII && character.isNumber
            if isDigit, isInNumber, let last = pieces.last {
                pieces[pieces.count - 1] = last + String(character)
            } else {
                pieces.append(String(character))
            }
            isInNumber = isDigit
        }
        return pieces
    }
}
