internal import PaymentBase

/// The same document as OpenAPI 3.0, for generators that read no later one: `nullable` in place of the type `null`, and without the
/// conditions between members, which the service checks all the same.
enum OpenAPIThree {
    /// Keywords that 3.0 has not.
    static let unknown: Set<String> = [
        "if", "then", "else", "const", "examples", "propertyNames", "patternProperties", "prefixItems", "contains",
    ]

    /// Rewrites a document of 3.1.
    static func document(_ json: JSON) -> JSON {
        var object = json.object ?? [:]
        object["openapi"] = "3.0.3"
        for part in ["paths", "components"] {
            if let held = object[part] { object[part] = rewritten(held, isNames: false) }
        }
        return .object(object)
    }

    /// Rewrites everything below; `isNames` where the members' keys are names of the API and no keywords.
    private static func rewritten(_ json: JSON, isNames: Bool) -> JSON {
        if let array = json.array { return .array(array.map { rewritten($0, isNames: false) }) }
        guard let object = json.object else { return json }
        var made = JSONObject()
        for member in object.members {
            if ["example", "enum", "required", "default"].contains(member.key), !isNames {
                made[member.key] = member.value
            } else {
                made[member.key] = rewritten(
                    member.value, isNames: !isNames && ["properties", "schemas", "paths"].contains(member.key))
            }
        }
        return isNames ? .object(made) : .object(schema(made))
    }

    private static func isNull(_ json: JSON) -> Bool { json == ["type": "null"] || json == ["nullable": true] }

    /// One object, as a schema of 3.0 if it is a schema.
    private static func schema(_ object: JSONObject) -> JSONObject {
        var made = JSONObject()
        for member in object.members where !unknown.contains(member.key) { made[member.key] = member.value }
        if let value = object["const"] { made["enum"] = [value] }
        if let first = object["examples"]?.array?.first, made["example"] == nil { made["example"] = first }
        if object["required"]?.array?.isEmpty == true { made["required"] = nil }
        if let types = object["type"]?.array {
            let real = types.filter { $0 != "null" }
            made["type"] = real.count == 1 ? real[0] : JSON?.none
            if real.count != types.count { made["nullable"] = true }
        } else if object["type"] == "null" {
            (made["type"], made["nullable"]) = (nil, true)
        }
        if let choices = made["anyOf"]?.array, choices.contains(where: isNull) {
            let real = choices.filter { !isNull($0) }
            made["nullable"] = true
            (made["anyOf"], made["allOf"]) = real.count == 1 ? (nil, .array(real)) : (.array(real), made["allOf"])
        }
        if let parts = made["allOf"]?.array {
            // What had conditions alone says nothing any more.
            let left = parts.filter { $0 != [:] }
            made["allOf"] = left.isEmpty ? JSON?.none : .array(left)
        }
        return made
    }
}
