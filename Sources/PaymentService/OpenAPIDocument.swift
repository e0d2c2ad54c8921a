internal import PaymentBase
internal import PaymentModel

/// The OpenAPI 3.1 document of a table of operations.
struct OpenAPIDocument: Sendable {
    private let operations: [Operation]
    private let version: String

    init(_ operations: [Operation], version: String) {
        (self.operations, self.version) = (operations.filter(\.isDescribed), version)
    }

    /// The document.
    var json: JSON {
        var paths = JSONObject()
        for operation in operations {
            var methods = paths[operation.path]?.object ?? [:]
            methods[operation.method.lowercased()] = describe(operation)
            paths[operation.path] = .object(methods)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Payments", "version": .string(version.isEmpty ? "1" : version),
                "description": .string(Self.rule),
            ],
            "servers": [["url": "/"]], "security": [["key": []]], "paths": .object(paths), "components": components,
        ]
    }

    /// The client's whole rule.
    static let rule =
        "Only an answer with the field Payments-Version is the service's. 201: executed. 202: ask Location. 402: not "
        + "executed; a further try needs a further Idempotency-Key. Another 4xx: this call began nothing; GET "
        + "/v1/attempts/{Idempotency-Key} says what an earlier call did. Anything else: send the same request with the "
        + "same Idempotency-Key again."

    private var components: JSON {
        var schemas: [String: JSON] = ["Problem": Self.problem, "Money": MoneyForm.schema]
        for shape in operations.flatMap({ $0.result.all }) { schemas[shape.name] = shape.schema }
        for operation in operations where operation.takesJSON {
            schemas[Self.bodyName(operation)] = Self.bodySchema(operation)
        }
        var object = JSONObject()
        for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) { object[name] = schema }
        return [
            "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]], "schemas": .object(object),
        ]
    }

    private static let accounts: JSON = [
        "type": "array",
        "items": Schema.object([("provider", Schema.text), ("account", Schema.text), ("environment", Schema.text)]),
    ]

    private static let problem: JSON = Schema.object([
        ("type", ["type": "string", "format": "uri-reference"]), ("title", Schema.text), ("status", Schema.count),
        ("detail", Schema.text), ("code", Schema.open(Problem.Code.allCases.map(\.rawValue))),
        ("outcome", ["type": ["string", "null"], "enum": ["executed", "notExecuted", "unknown", nil]]),
        ("message", Schema.text), ("retry", Schema.closed(PaymentError.RetryAdvice.allCases.map(\.rawValue))),
        ("step", Schema.stepOrNull),
        ("host", Schema.textOrNull), ("cause", Schema.textOrNull), ("reason", Schema.textOrNull),
        (
            "other",
            Schema.orNull(
                Schema.object([
                    ("attempt", Schema.text), ("status", Schema.text), ("amount", Schema.money),
                    ("createdAt", Schema.moment),
                ]))
        ),
        ("accounts", accounts),
        (
            "fields",
            ["type": "array", "items": Schema.object([("pointer", Schema.text), ("detail", Schema.text)])]
        ),
    ])

    private func describe(_ operation: Operation) -> JSON {
        var object: JSONObject = [
            "operationId": .string(operation.id), "summary": .string(operation.summary),
            "x-effect": .string(operation.effect.rawValue),
        ]
        if let role = operation.role {
            object["x-role"] = .string(role.rawValue)
        } else {
            object["security"] = []
        }
        object["parameters"] = .array(parameters(operation))
        if operation.method == "POST" {
            object["requestBody"] =
                operation.takesJSON ? body(operation) : ["required": true, "content": ["*/*": ["schema": [:]]]]
        }
        object["responses"] = responses(operation)
        return .object(object)
    }

    private func parameters(_ operation: Operation) -> [JSON] {
        var all: [JSON] = operation.parameters.filter { operation.method == "GET" || operation.isInPath($0) }.map {
            [
                "name": .string($0.name), "in": operation.isInPath($0) ? "path" : "query",
                "required": .bool($0.isRequired), "description": .string($0.summary), "schema": $0.schema,
                "example": $0.example,
            ]
        }
        if operation.effect == .moves {
            all.append(
                Self.header(
                    "Idempotency-Key", "A UUID that names this operation. The same key never executes twice.",
                    // Not the format uuid: generated Python clients hand such a header on as no text and fail.
                    ["type": "string", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"],
                    isRequired: true))
        }
        if operation.effect == .moves || operation.mayWait {
            all.append(
                Self.header(
                    "Prefer",
                    "How long to wait for the outcome: `wait=25` for 25 seconds, at most \(ServiceCore.waitSecondsMax). "
                        + "Without it the request waits "
                        + (operation.waits ? "\(ServiceCore.defaultWaitMilliseconds / 1_000) seconds." : "not at all."),
                    ["type": "string", "examples": ["wait=25"]], isRequired: false))
        }
        return all
    }

    private static func header(_ name: String, _ summary: String, _ schema: JSON, isRequired: Bool) -> JSON {
        [
            "name": .string(name), "in": "header", "required": .bool(isRequired), "description": .string(summary),
            "schema": schema,
        ]
    }

    /// What a body is called: clients that are generated have a type of that name.
    private static func bodyName(_ operation: Operation) -> String {
        operation.id.prefix(1).uppercased() + operation.id.dropFirst() + "Body"
    }

    private static func bodyMembers(_ operation: Operation) -> [AnyParameter] {
        operation.parameters.filter { !operation.isInPath($0) }
    }

    private func body(_ operation: Operation) -> JSON {
        let isRequired = Self.bodyMembers(operation).contains(where: \.isRequired) || !operation.rules.isEmpty
        let reference: JSON = ["$ref": .string("#/components/schemas/\(Self.bodyName(operation))")]
        return ["required": .bool(isRequired), "content": ["application/json": ["schema": reference]]]
    }

    private static func bodySchema(_ operation: Operation) -> JSON {
        let members = bodyMembers(operation)
        var properties = JSONObject()
        // A member that is null is one that is not there.
        for member in members {
            properties[member.name] = member.isRequired ? member.described : nullable(member.described)
        }
        let required = members.filter(\.isRequired)
        var schema: JSONObject = [
            "type": "object", "additionalProperties": false,
            "required": .array(required.map { .string($0.name) }), "properties": .object(properties),
        ]
        if !operation.rules.isEmpty { schema["allOf"] = .array(operation.rules) }
        return .object(schema)
    }

    /// The schema of a member that may be null.
    private static func nullable(_ described: JSON) -> JSON {
        guard let object = described.object else { return described }
        let notes = ["description", "examples"]
        var (outer, inner) = (JSONObject(), JSONObject())
        for member in object.members {
            if notes.contains(member.key) { outer[member.key] = member.value } else { inner[member.key] = member.value }
        }
        outer["anyOf"] = [.object(inner), ["type": "null"]]
        return .object(outer)
    }

    private func responses(_ operation: Operation) -> JSON {
        let type: String
        switch operation.work {
        case .answers, .carries: type = "application/json"
        case .follows: type = "text/event-stream"
        case .receives: type = "*/*"
        }
        var content = JSONObject()
        content[type] = ["schema": operation.result.reference]
        var object = JSONObject()
        if operation.effect == .moves {
            let headers: JSON = ["Location": ["description": "The attempt.", "schema": ["type": "string"]]]
            for (status, text) in [
                (
                    "201",
                    "Executed, perhaps for less (`approvedAmount`). Only this means: hand over the goods, if "
                        + "`paymentStatus` is `approved`, `captured` or `held`."
                ),
                ("202", "Not decided yet, or decided and not written yet. Ask Location."),
                ("402", "Decided, and not executed or reversed."),
            ] {
                object[status] = ["description": .string(text), "headers": headers, "content": .object(content)]
            }
        } else {
            object["200"] = ["description": "The answer.", "content": .object(content)]
        }
        var codes = operation.refusals + [.internal]
        if operation.role != nil { codes += [.unauthorized, .forbidden] }
        if !operation.parameters.isEmpty { codes.append(.invalidRequest) }
        if operation.path.contains("{") { codes.append(.notFound) }
        if operation.method == "POST" { codes.append(.tooLarge) }
        if operation.takesJSON { codes.append(.unsupportedMediaType) }
        if operation.effect == .moves { codes.append(.tooManyRequests) }
        let problem: JSON = ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]]
        for status in Set(codes.map(\.status)).sorted() where status != 402 {
            let titles = Problem.Code.allCases.filter { $0.status == status && codes.contains($0) }.map(\.title)
            object["\(status)"] = ["description": .string(titles.joined(separator: " ")), "content": problem]
        }
        return .object(object)
    }
}
