internal import PaymentBase

/// Reads the language of ``ContractData``. What it can't read is a mistake of `Scripts/contracts`, which a test finds.
struct ContractParser {
    private let bytes: [UInt8]
    private var place = 0
    private var named: [String: ContractShape] = [:]

    private init(_ text: String) { bytes = text.utf8.filter { $0 != UInt8(ascii: "\n") } }

    /// The messages of a text by name.
    static func messages(_ text: String) -> [String: ContractShape] {
        var parser = ContractParser(text)
        while parser.place < parser.bytes.count {
            let name = parser.text(until: "=")
            parser.take("=")
            parser.named[name] = parser.shape()
            parser.take(";")
        }
        return parser.named.filter { !$0.key.hasPrefix("#") }
    }

    private func sees(_ character: UnicodeScalar) -> Bool {
        place < bytes.count && bytes[place] == UInt8(ascii: character)
    }

    /// Steps over a character, if it is there.
    @discardableResult
    private mutating func takes(_ character: UnicodeScalar) -> Bool {
        guard sees(character) else { return false }
        place += 1
        return true
    }

    private mutating func take(_ character: UnicodeScalar) {
        precondition(takes(character), "the tables have no \(character) at \(place)")
    }

    private mutating func text(until ends: UnicodeScalar...) -> String {
        let start = place
        while place < bytes.count, !ends.contains(where: sees) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func shape() -> ContractShape {
        if sees("#") { return named[text(until: ",", "}", "]", ";")] ?? ContractShape(.any) }
        var shape = ContractShape()
        if takes("{") { object(&shape) }
        if takes("[") {
            shape.kinds.insert(.array)
            shape.item = [self.shape()]
            take("]")
        }
        while place < bytes.count, let kind = Self.kinds[bytes[place]] {
            shape.kinds.insert(kind)
            place += 1
        }
        if takes("<") {
            repeat { shape.words.insert(text(until: "|", ">")) } while takes("|")
            take(">")
        }
        if takes("(") {
            let isCounted = shape.kinds.isDisjoint(with: [.integer, .number])
            shape.low = limit(text(until: ":"), isCounted)
            take(":")
            shape.high = limit(text(until: ")"), isCounted)
            take(")")
        }
        (shape.isInstant, shape.isNullable, shape.isExample) = (takes("@"), takes("?"), takes("^"))
        return shape
    }

    private mutating func object(_ shape: inout ContractShape) {
        shape.kinds.insert(.object)
        var members: [String: ContractShape.Member] = [:]
        while !takes("}") {
            let name = text(until: "=", "!")
            let isRequired = takes("!")
            take("=")
            let member = ContractShape.Member(isRequired: isRequired, shape: self.shape())
            if name.hasSuffix("*") {
                let begin = String(name.prefix { $0 != "*" })
                shape.beginnings.append((begin, member))
            } else {
                members[name] = member
            }
            takes(",")
        }
        shape.members = members
    }

    private func limit(_ text: String, _ isCounted: Bool) -> Int64? {
        isCounted ? Int64(text) : (try? JSONNumber(text))?.scaled(places: ContractCheck.places)
    }

    private static let kinds: [UInt8: ContractShape.Kinds] = [
        UInt8(ascii: "s"): .string, UInt8(ascii: "i"): .integer, UInt8(ascii: "n"): .number, UInt8(ascii: "b"): .bool,
        UInt8(ascii: "a"): .any, UInt8(ascii: "o"): .object, UInt8(ascii: "l"): .array, UInt8(ascii: "z"): .null,
    ]
}
