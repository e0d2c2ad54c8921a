internal import PaymentBase

/// Changes in a provider's JSON, by the names of its members; pure.
enum ReplyFalsifier {
    /// The word that no document lists.
    static let unknownWord = "teleported"

    /// Puts `change` in the place of every value under one of the names; nil leaves a value as it is.
    static func changing(_ names: Set<String>, in json: JSON, _ change: (JSON) -> JSON?) -> JSON {
        switch json {
        case .null, .bool, .number, .string: return json
        case .array(let items): return .array(items.map { changing(names, in: $0, change) })
        case .object(let object):
            var changed = JSONObject()
            for member in object.members {
                let new = names.contains(member.key) ? change(member.value) : nil
                changed[member.key] = new ?? changing(names, in: member.value, change)
            }
            return .object(changed)
        }
    }

    /// One more in the last place, as the value is written: 10.99 becomes 11.00, 1099 becomes 1100.
    static func larger(_ json: JSON) -> JSON? {
        switch json {
        case .number(let number): counted(up: number.text).flatMap { try? JSONNumber($0) }.map(JSON.number)
        case .string(let text): counted(up: text).map(JSON.string)
        case .null, .bool, .array, .object: nil
        }
    }

    private static func counted(up text: String) -> String? {
        var bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        for index in bytes.indices.reversed() where isDigit(bytes[index]) {
            if bytes[index] < UInt8(ascii: "9") {
                bytes[index] += 1
                return String(decoding: bytes, as: UTF8.self)
            }
            bytes[index] = UInt8(ascii: "0")
        }
        return "1" + String(decoding: bytes, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Another currency, said in the same way.
    static func otherCurrency(_ json: JSON) -> JSON? {
        switch json {
        case .string("EUR"): "USD"
        case .string("978"): "840"
        case .string(let text): text.first?.isNumber == true ? "978" : "EUR"
        case .number(let number): .number(JSONNumber(number.int64 == 978 ? 840 : 978))
        case .null, .bool, .array, .object: nil
        }
    }

    /// Another text of the same length.
    static func otherReference(_ json: JSON) -> JSON? {
        guard case .string(let text) = json, let last = text.last else { return nil }
        return .string(String(text.dropLast()) + (last == "0" ? "1" : "0"))
    }

    /// The word that no document lists, where a word is.
    static func otherWord(_ json: JSON) -> JSON? { json.string == nil ? nil : .string(unknownWord) }

    /// Members that no document lists, in every object, at its beginning and its end.
    static func addingMembers(to json: JSON) -> JSON {
        switch json {
        case .null, .bool, .number, .string: return json
        case .array(let items): return .array(items.map(addingMembers))
        case .object(let object):
            var changed: JSONObject = ["x-new": ["list": [1, nil, "text"], "deep": ["deeper": true]]]
            for member in object.members { changed[member.key] = addingMembers(to: member.value) }
            changed["x-last"] = nil
            return .object(changed)
        }
    }

    /// How many members there are at all depths.
    static func memberCount(_ json: JSON) -> Int {
        switch json {
        case .null, .bool, .number, .string: 0
        case .array(let items): items.reduce(0) { $0 + memberCount($1) }
        case .object(let object): object.members.reduce(object.count) { $0 + memberCount($1.value) }
        }
    }

    /// Without the member at a place, counted from the outside in and from the top down; the places go round.
    static func removing(_ place: Int, from json: JSON) -> JSON {
        let count = memberCount(json)
        if count == 0 { return json }
        var left = place % count
        return removing(&left, json)
    }

    private static func removing(_ left: inout Int, _ json: JSON) -> JSON {
        switch json {
        case .null, .bool, .number, .string: return json
        case .array(let items):
            var changed: [JSON] = []
            for item in items { changed.append(removing(&left, item)) }
            return .array(changed)
        case .object(let object):
            var changed = JSONObject()
            for member in object.members {
                left -= 1
                if left == -1 { continue }
                changed[member.key] = left < -1 ? member.value : removing(&left, member.value)
            }
            return .object(changed)
        }
    }
}

/// By which names a provider's answers say what a fault may falsify; they are looked for at every depth.
public struct ReplyFields: Hashable, Sendable {
    /// Members that hold an amount: a number, or digits as a text.
    public var amounts: Set<String>
    /// Members that hold a currency, as letters or as its number.
    public var currencies: Set<String>
    /// Members that hold a reference of the request.
    public var references: Set<String>
    /// Members whose value is a word out of a list: a status, a result.
    public var words: Set<String>

    /// Names the members.
    public init(amounts: Set<String>, currencies: Set<String>, references: Set<String>, words: Set<String>) {
        (self.amounts, self.currencies, self.references, self.words) = (amounts, currencies, references, words)
    }
}
