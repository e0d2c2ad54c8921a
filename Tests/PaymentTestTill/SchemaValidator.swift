package import PaymentBase

/// Checks JSON against a schema, as far as our own schemas go.
package struct SchemaValidator {
    private let root: JSON

    /// Takes a schema; references lead to its own definitions by their last name.
    package init(_ root: JSON) { self.root = root }

    private static let notes: Set<String> = [
        "$schema", "title", "description", "default", "$defs", "format", "examples",
    ]
    private static let checks: Set<String> = [
        "type", "required", "properties", "patternProperties", "additionalProperties", "propertyNames", "minProperties",
        "maxProperties",
        "enum", "const", "pattern", "minLength", "maxLength", "minimum", "maximum", "items", "minItems", "maxItems",
        "uniqueItems", "allOf", "anyOf", "not", "if", "then", "else", "$ref", "x-known-values",
    ]

    /// Keywords that nothing here looks at.
    package func unknownKeywords(_ schema: JSON) -> [String] {
        guard let object = schema.object else { return [] }
        return object.members.flatMap { member -> [String] in
            if !Self.notes.contains(member.key), !Self.checks.contains(member.key) { return [member.key] }
            switch member.key {
            case "properties", "patternProperties", "$defs":
                return (member.value.object?.members ?? []).flatMap { unknownKeywords($0.value) }
            case "allOf", "anyOf": return (member.value.array ?? []).flatMap { unknownKeywords($0) }
            case "items", "additionalProperties", "propertyNames", "not", "if", "then", "else":
                return unknownKeywords(member.value)
            default: return []
            }
        }
    }

    /// What is wrong, with paths.
    package func problems(_ value: JSON) -> [String] { problems(value, root, "$") }

    private func problems(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
        if schema.bool == true { return [] }
        guard let rules = schema.object else { return ["\(path): not allowed"] }
        var problems: [String] = []
        if let name = rules["$ref"]?.string?.split(separator: "/").last, let target = root["$defs"]?[String(name)] {
            problems += self.problems(value, target, path)
        }
        let types = rules["type"]?.array?.compactMap(\.string) ?? [rules["type"]?.string].compactMap(\.self)
        if !types.isEmpty, !types.contains(where: { Self.fits(value, $0) }) {
            return problems + ["\(path): not \(types.joined(separator: " or "))"]
        }
        if let either = rules["anyOf"]?.array, !either.contains(where: { self.problems(value, $0, path).isEmpty }) {
            problems.append("\(path): fits none of \(either.count)")
        }
        if let words = rules["enum"]?.array, !words.contains(value) { problems.append("\(path): not in the list") }
        // Others treat an unknown word as open; what we write ourselves is one of the list.
        if let words = rules["x-known-values"]?.array, !value.isNull, !words.contains(value) {
            problems.append("\(path): no word of the list")
        }
        if let word = rules["const"], word != value { problems.append("\(path): not the one word") }
        for part in rules["allOf"]?.array ?? [] { problems += self.problems(value, part, path) }
        if let condition = rules["if"] {
            let branch = self.problems(value, condition, path).isEmpty ? rules["then"] : rules["else"]
            if let branch { problems += self.problems(value, branch, path) }
        }
        if let refused = rules["not"], self.problems(value, refused, path).isEmpty {
            problems.append("\(path): fits what it must not")
        }
        if let text = value.string { problems += Self.problems(text, rules, path) }
        if let number = value.int64 {
            if let least = rules["minimum"]?.int64, number < least { problems.append("\(path): too small") }
            if let most = rules["maximum"]?.int64, number > most { problems.append("\(path): too large") }
        }
        if let items = value.array { problems += self.problems(items, rules, path) }
        if let object = value.object { problems += self.problems(object, rules, path) }
        return problems
    }

    private static func fits(_ value: JSON, _ type: String) -> Bool {
        switch type {
        case "object": value.object != nil
        case "array": value.array != nil
        case "string": value.string != nil
        case "boolean": value.bool != nil
        case "integer": value.int64 != nil
        case "null": value.isNull
        default: false
        }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { return false }
        return text.contains(regex)
    }

    private static func problems(_ text: String, _ rules: JSONObject, _ path: String) -> [String] {
        var problems: [String] = []
        let count = Int64(text.unicodeScalars.count)
        if let pattern = rules["pattern"]?.string, !matches(text, pattern) { problems.append("\(path): no match") }
        if let least = rules["minLength"]?.int64, count < least { problems.append("\(path): too short") }
        if let most = rules["maxLength"]?.int64, count > most { problems.append("\(path): too long") }
        return problems
    }

    private func problems(_ items: [JSON], _ rules: JSONObject, _ path: String) -> [String] {
        var problems: [String] = []
        if let least = rules["minItems"]?.int64, items.count < least { problems.append("\(path): too few") }
        if let most = rules["maxItems"]?.int64, items.count > most { problems.append("\(path): too many") }
        if rules["uniqueItems"]?.bool == true, Set(items).count != items.count { problems.append("\(path): twice") }
        guard let schema = rules["items"] else { return problems }
        for (index, item) in items.enumerated() { problems += self.problems(item, schema, "\(path)[\(index)]") }
        return problems
    }

    private func problems(_ object: JSONObject, _ rules: JSONObject, _ path: String) -> [String] {
        var problems: [String] = []
        for name in rules["required"]?.array ?? [] where object[name.string ?? ""] == nil {
            problems.append("\(path): \(name.string ?? "") is missing")
        }
        if let least = rules["minProperties"]?.int64, object.count < least { problems.append("\(path): too few") }
        if let most = rules["maxProperties"]?.int64, object.count > most { problems.append("\(path): too many") }
        for member in object.members {
            let place = "\(path).\(member.key)"
            if let names = rules["propertyNames"] { problems += self.problems(.string(member.key), names, place) }
            let patterns = (rules["patternProperties"]?.object?.members ?? []).filter {
                Self.matches(member.key, $0.key)
            }
            for pattern in patterns { problems += self.problems(member.value, pattern.value, place) }
            if let schema = rules["properties"]?[member.key] {
                problems += self.problems(member.value, schema, place)
            } else if patterns.isEmpty, let schema = rules["additionalProperties"] {
                problems += self.problems(member.value, schema, place)
            }
        }
        return problems
    }
}
