package import PaymentBase
package import PaymentModel

/// How one kind of value leaves: its JSON and the schema of that JSON in one declaration, so that they can't disagree.
package struct Shape<Value: Sendable>: Sendable {
    /// One member, which every value has.
    package struct Member: Sendable {
        let name: String
        let schema: JSON
        let read: @Sendable (Value, ServiceRole) -> JSON

        package init(
            _ name: String, _ schema: JSON, _ summary: String, _ read: @escaping @Sendable (Value, ServiceRole) -> JSON
        ) {
            (self.name, self.read) = (name, read)
            var object = schema.object ?? [:]
            object["description"] = .string(summary)
            self.schema = .object(object)
        }

        package init(_ name: String, _ schema: JSON, _ summary: String, _ read: @escaping @Sendable (Value) -> JSON) {
            self.init(name, schema, summary) { value, _ in read(value) }
        }

        fileprivate init(name: String, described schema: JSON, read: @escaping @Sendable (Value, ServiceRole) -> JSON) {
            (self.name, self.schema, self.read) = (name, schema, read)
        }
    }

    package let name: String
    package let members: [Member]
    /// The shapes that the schema refers to.
    package let uses: [AnyShape]

    package init(_ name: String, uses: [AnyShape] = [], _ members: [Member]) {
        (self.name, self.uses, self.members) = (name, uses, members)
    }

    /// The value as a key of a role may see it.
    package func json(_ value: Value, for role: ServiceRole) -> JSON {
        var object = JSONObject()
        for member in members { object[member.name] = member.read(value, role) }
        return .object(object)
    }

    /// The same members, of a value that has one of these.
    package func members<Whole>(of part: @escaping @Sendable (Whole) -> Value) -> [Shape<Whole>.Member] {
        members.map { member in
            .init(name: member.name, described: member.schema) { whole, role in member.read(part(whole), role) }
        }
    }

    /// The shape without the type of its values.
    package var any: AnyShape {
        var properties = JSONObject()
        for member in members { properties[member.name] = member.schema }
        return AnyShape(
            name: name,
            schema: [
                "type": "object", "required": .array(members.map { .string($0.name) }),
                "properties": .object(properties),
            ], uses: uses)
    }
}

/// A shape without the type of its values.
package struct AnyShape: Sendable {
    package let name: String
    package let schema: JSON
    var uses: [AnyShape] = []

    /// A reference to it.
    package var reference: JSON { ["$ref": .string("#/components/schemas/\(name)")] }

    /// A list of it, a page at a time.
    func page() -> AnyShape {
        AnyShape(
            name: name + "List",
            schema: [
                "type": "object", "required": ["items", "next"],
                "properties": [
                    "items": ["type": "array", "items": reference],
                    "next": Schema.orNull(["type": "string"]).adding(
                        "description", "The cursor of the next page; null at the end."),
                    "unreadable": Schema.texts.adding(
                        "description", "Payments that the list lacks: they can't be read. Only if there are any."),
                ],
            ], uses: [self])
    }

    /// It with everything that it refers to.
    package var all: [AnyShape] { [self] + uses.flatMap(\.all) }
}

/// Pieces of JSON schemas.
package enum Schema {
    package static let text: JSON = ["type": "string"]
    package static let flag: JSON = ["type": "boolean"]
    package static let count: JSON = ["type": "integer"]
    package static let textOrNull = orNull(text)
    package static let moment: JSON = ["type": ["string", "null"], "format": "date-time"]
    package static let texts: JSON = ["type": "array", "items": ["type": "string"]]
    package static let map: JSON = ["type": "object", "additionalProperties": ["type": "string"]]
    package static let money: JSON = ["$ref": "#/components/schemas/Money"]
    package static let moneyOrNull: JSON = ["anyOf": [money, ["type": "null"]]]

    /// A value that may be null.
    package static func orNull(_ schema: JSON) -> JSON {
        guard let type = schema["type"]?.string else { return ["anyOf": [schema, ["type": "null"]]] }
        return schema.adding("type", [.string(type), "null"])
    }

    /// The step at which a request of the service ended, or null.
    static let stepOrNull: JSON = [
        "type": ["string", "null"],
        "enum": .array(FailureDiagnosis.Step.allCases.map { .string($0.rawValue) } + [.null]),
    ]

    /// A word of a closed list.
    package static func closed(_ words: [String]) -> JSON {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    /// A word of a list that may grow.
    package static func open(_ words: [String]) -> JSON {
        ["type": "string", "x-known-values": .array(words.map { .string($0) })]
    }

    /// An object with these members, all of them there.
    package static func object(_ members: [(String, JSON)]) -> JSON {
        var properties = JSONObject()
        for (name, schema) in members { properties[name] = schema }
        return [
            "type": "object", "required": .array(members.map { .string($0.0) }), "properties": .object(properties),
        ]
    }
}

extension JSON {
    /// A text, or null.
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    /// A whole number.
    static func count(_ number: Int) -> JSON { .number(JSONNumber(Int64(number))) }
    /// An amount, or null.
    package static func money(_ amount: Money?) -> JSON { amount.map { MoneyForm.json($0) } ?? .null }
}
