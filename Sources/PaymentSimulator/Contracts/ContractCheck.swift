internal import PaymentBase

/// Holds one message against its shape; pure.
struct ContractCheck {
    /// What doesn't fit, and where.
    struct Finding: Hashable {
        let member: String
        let rule: String
        /// Whether it is only more than an example shows.
        var isBeyondExample = false

        fileprivate func inside(_ name: String) -> Finding {
            let path = member.isEmpty ? name : member.hasPrefix("[") ? name + member : "\(name).\(member)"
            return Finding(member: path, rule: rule, isBeyondExample: isBeyondExample)
        }
    }

    /// The places to which limits of numbers are compared.
    static let places = 6

    /// Everything in a message that its shape does not allow.
    static func findings(_ json: JSON, _ shape: ContractShape) -> [Finding] {
        if json.isNull {
            if shape.isNullable || !shape.kinds.isDisjoint(with: [.null, .any]) { return [] }
            return [Finding(member: "", rule: "null instead of \(shape.kinds.words)")]
        }
        guard fits(json, shape.kinds) else {
            return [Finding(member: "", rule: "\(kind(json)) instead of \(shape.kinds.words)")]
        }
        switch json {
        case .object(let object): return members(object, shape)
        case .array(let items):
            let inner = shape.item.first.map { item in
                items.flatMap { findings($0, item).map { $0.inside("[]") } }
            }
            return limits(Int64(items.count), shape, "items") + Set(inner ?? []).sorted { $0.member < $1.member }
        case .string(let text): return said(text, shape)
        case .number(let number):
            let wrong = number.scaled(places: places).map { limits($0, shape, "value") } ?? []
            return wrong + word(number.text, shape)
        case .null, .bool: return []
        }
    }

    private static func members(_ object: JSONObject, _ shape: ContractShape) -> [Finding] {
        guard shape.members != nil else { return [] }
        var findings: [Finding] = []
        for name in shape.required where object[name] == nil {
            findings.append(Finding(member: name, rule: "missing"))
        }
        for member in object.members {
            if let known = shape.member(member.key) {
                findings += Self.findings(member.value, known.shape).map { $0.inside(member.key) }
            } else {
                let rule = shape.isExample ? "not in the example" : "not described"
                findings.append(Finding(member: member.key, rule: rule, isBeyondExample: shape.isExample))
            }
        }
        return findings
    }

    private static func said(_ text: String, _ shape: ContractShape) -> [Finding] {
        var findings = limits(Int64(text.count), shape, "characters") + word(text, shape)
        if shape.isInstant, !isInstant(text) { findings.append(Finding(member: "", rule: "not written as an instant")) }
        return findings
    }

    /// A word that nobody lists is named only where it can be nothing but a word.
    private static func word(_ text: String, _ shape: ContractShape) -> [Finding] {
        // A script that plays a word which nobody lists says this one.
        guard !shape.words.isEmpty, !shape.words.contains(text), text != ReplyFalsifier.unknownWord else { return [] }
        let isPlain = text.count <= 40 && text.allSatisfy { $0.isLetter || $0 == "_" }
        return [Finding(member: "", rule: isPlain ? "\(text) is not listed" : "a word that is not listed")]
    }

    private static func limits(_ value: Int64, _ shape: ContractShape, _ what: String) -> [Finding] {
        if let low = shape.low, value < low { return [Finding(member: "", rule: "too small: \(what)")] }
        if let high = shape.high, value > high { return [Finding(member: "", rule: "too large: \(what)")] }
        return []
    }

    private static func fits(_ json: JSON, _ kinds: ContractShape.Kinds) -> Bool {
        if kinds.contains(.any) || kinds.isEmpty { return true }
        switch json {
        case .null: return kinds.contains(.null)
        case .bool: return kinds.contains(.bool)
        case .number(let number): return kinds.contains(.number) || kinds.contains(.integer) && isWhole(number)
        case .string: return kinds.contains(.string)
        case .array: return kinds.contains(.array)
        case .object: return kinds.contains(.object)
        }
    }

    private static func isWhole(_ number: JSONNumber) -> Bool { number.text.allSatisfy { $0.isNumber || $0 == "-" } }

    private static func kind(_ json: JSON) -> String {
        if case .number(let number) = json { return isWhole(number) ? "integer" : "number" }
        return "\(json.type)"
    }

    /// `2026-01-31T12:00:00`, with or without a fraction, and with a zone.
    private static func isInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count > pattern.count else { return false }
        for (byte, wanted) in zip(bytes, pattern) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if wanted == UInt8(ascii: "0") ? !isDigit : byte != wanted { return false }
        }
        let rest = text.dropFirst(pattern.count)
        let zone = rest.first == "." ? rest.dropFirst().drop { $0.isNumber } : rest
        if zone == "Z" { return true }
        let digits = zone.dropFirst().filter { $0 != ":" }
        return (zone.first == "+" || zone.first == "-") && digits.count == 4 && digits.allSatisfy(\.isNumber)
    }
}

extension ContractShape.Kinds {
    /// The kinds in words.
    var words: String {
        let names: [(ContractShape.Kinds, String)] = [
            (.object, "object"), (.array, "array"), (.string, "string"), (.integer, "integer"), (.number, "number"),
            (.bool, "bool"), (.null, "null"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}
