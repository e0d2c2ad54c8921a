internal import PaymentBase

/// The description of the control address (OpenAPI 3.1), written by hand; a test compares it with the routes.
enum ControlDocument {
    static let json: JSON = [
        "openapi": "3.1.0",
        "info": [
            "title": "Payment sandbox: control", "version": "1.0.0",
            "description": "Faults, clock, books, cards and messages of the simulated providers of one sandbox.",
        ],
        "paths": [
            "/openapi.json": ["get": operation("document", "This description", ok("object"))],
            "/providers": [
                "get": operation("providers", "The providers and whether their books balance", ok("Providers"))
            ],
            "/clock": ["get": operation("clock", "The time that the providers live by", ok("Clock"))],
            "/clock/advance": [
                "post": operation("advance", "Puts the clock forward", ok("Clock"), body: "Advance", errors: ["400"])
            ],
            "/faults": [
                "get": operation("faults", "What can be played, what waits, what was played", ok("Faults")),
                "post": operation(
                    "arm", "Plays a fault on the next requests that fit", created("Number"), body: "FaultRule",
                    errors: ["400", "409"]),
                "delete": operation("clear", "Takes all faults back and forgets what was played", empty),
            ],
            "/faults/{number}": [
                "delete": operation("disarm", "Takes one fault back", empty, parameters: "number", errors: ["404"])
            ],
            "/ledger": ["get": operation("ledgers", "The books of all providers", ok("Ledgers"))],
            "/ledger/{provider}": [
                "get": operation(
                    "ledger", "The books of a provider", ok("Ledger"), parameters: "provider", errors: ["404"])
            ],
            "/cards/{provider}": [
                "get": operation(
                    "cards", "The test cards and their outcomes", ok("Cards"), parameters: "provider", errors: ["404"]),
                "put": operation(
                    "setCards", "Replaces the test cards", ok("Cards"), parameters: "provider", body: "Cards",
                    errors: ["400", "404"]),
            ],
            "/outbox": ["get": operation("outboxes", "What the providers have to say by themselves", ok("Outboxes"))],
            "/outbox/{provider}": [
                "get": operation(
                    "outbox", "The messages of a provider, with what became of them", ok("Outbox"),
                    parameters: "provider", errors: ["404"])
            ],
            "/outbox/{provider}/receiver": [
                "put": operation(
                    "setReceiver", "Posts the messages of a provider to an address, or with null nowhere",
                    ok("Outbox"), parameters: "provider", body: "Receiver", errors: ["400", "404"])
            ],
            "/outbox/{provider}/messages/{number}": [
                "post": operation(
                    "sendAgain", "Sends a message once more, before all others, whatever became of it", ok("Outbox"),
                    parameters: "provider", "number", errors: ["404"])
            ],
            "/decisions/{provider}": [
                "post": operation(
                    "decide", "Decides what is pending under an attempt, or lets fail what was done", ok("Outbox"),
                    parameters: "provider", body: "Decision", errors: ["400", "404"])
            ],
            "/visits/{provider}": [
                "post": operation(
                    "visit", "A customer opens a page and pays there", empty, parameters: "provider", body: "Visit",
                    errors: ["400", "404"])
            ],
            "/reset": ["post": operation("reset", "Forgets everything but the time", empty)],
        ],
        "components": ["schemas": schemas],
    ]

    // MARK: Pieces

    private static func reference(_ name: String) -> JSON {
        name == "object" ? ["type": "object"] : ["$ref": .string("#/components/schemas/\(name)")]
    }

    private static func content(_ name: String) -> JSON { ["application/json": ["schema": reference(name)]] }

    private static func ok(_ name: String) -> (String, JSON) {
        ("200", ["description": "Done", "content": content(name)])
    }

    private static func created(_ name: String) -> (String, JSON) {
        ("201", ["description": "Added", "content": content(name)])
    }

    private static let empty: (String, JSON) = ("204", ["description": "Done"])

    private static func operation(
        _ id: String, _ summary: String, _ answer: (String, JSON), parameters: String..., body: String? = nil,
        errors: [String] = []
    ) -> JSON {
        var operation: JSONObject = ["operationId": .string(id), "summary": .string(summary)]
        let described = parameters.map { name -> JSON in
            [
                "name": .string(name), "in": "path", "required": true,
                "schema": ["type": name == "number" ? "integer" : "string"],
            ]
        }
        if !described.isEmpty { operation["parameters"] = .array(described) }
        if let body { operation["requestBody"] = ["required": true, "content": content(body)] }
        var responses: JSONObject = [:]
        responses[answer.0] = answer.1
        for status in errors { responses[status] = ["description": "Refused", "content": content("Error")] }
        operation["responses"] = .object(responses)
        return .object(operation)
    }

    // MARK: Schemas

    private static let text: JSON = ["type": "string"]
    private static let whole: JSON = ["type": "integer", "format": "int64"]
    private static let truth: JSON = ["type": "boolean"]
    private static let textOrNothing: JSON = ["type": ["string", "null"]]

    private static func list(_ name: String) -> JSON { ["type": "array", "items": reference(name)] }

    private static func object(_ properties: JSONObject, required: [String]? = nil) -> JSON {
        let names = required ?? properties.members.map(\.key)
        return [
            "type": "object", "properties": .object(properties), "required": .array(names.map(JSON.string)),
        ]
    }

    private static let rule: JSONObject = [
        "fault": ["type": "string", "enum": .array(WireFault.all.map { .string($0.rawValue) })],
        "times": ["type": "integer", "minimum": 1, "default": 1],
        "skip": ["type": "integer", "minimum": 0, "default": 0], "provider": textOrNothing, "method": textOrNothing,
        "path": textOrNothing, "text": textOrNothing,
        "delayMilliseconds": ["type": "integer", "minimum": 0, "default": 60_000],
        "dripMilliseconds": ["type": "integer", "minimum": 0, "default": 80],
        "retryAfterSeconds": ["type": "integer", "minimum": 0, "default": 2],
    ]

    private static let schemas: JSON = [
        "Error": object(["error": object(["code": text, "message": text])]),
        "Clock": object(["now": whole, "offset": whole]),
        "Advance": object(["milliseconds": ["type": "integer", "minimum": 0]]),
        "Number": object(["number": whole]),
        "Providers": object(["providers": list("Provider")]),
        "Provider": object([
            "name": text, "hasCards": truth, "isPersistable": truth, "movementCount": whole, "isBalanced": truth,
            "problem": textOrNothing,
        ]),
        "FaultRule": object(rule, required: ["fault"]),
        "Fault": object(["id": text, "executes": truth, "needsSocket": truth]),
        "ArmedFault": ["allOf": [reference("FaultRule"), object(["number": whole])]],
        "PlayedFault": object(["number": whole, "fault": text, "provider": text, "request": text, "turn": whole]),
        "Faults": object(["all": list("Fault"), "armed": list("ArmedFault"), "played": list("PlayedFault")]),
        "Ledgers": object(["providers": list("Ledger")]),
        "Ledger": object([
            "provider": text, "isBalanced": truth, "problem": textOrNothing,
            "balances": [
                "type": "object", "additionalProperties": ["type": "object", "additionalProperties": whole],
            ],
            "movements": list("Movement"),
        ]),
        "Movement": object([
            "number": whole, "at": whole, "from": text, "to": text, "minorUnits": whole, "currency": text,
            "payment": text, "attempt": text, "cause": text,
        ]),
        "Outboxes": object(["providers": list("Outbox")]),
        "Outbox": object(["provider": text, "receiver": textOrNothing, "messages": list("Message")]),
        "Message": object(
            [
                "number": whole, "attempt": text, "at": whole,
                "headers": ["type": "object", "additionalProperties": text], "body": text, "base64": text,
                "state": [
                    "type": "string", "enum": .array(WebhookOutbox.Entry.State.allCases.map { .string($0.rawValue) }),
                ],
                "tries": whole, "dueAt": whole,
            ], required: ["number", "attempt", "at", "headers", "state", "tries", "dueAt"]),
        "Receiver": object(["url": textOrNothing]),
        "Decision": object([
            "attempt": text, "outcome": ["type": "string", "enum": ["succeeds", "fails", "failsLater"]],
        ]),
        "Visit": object(["page": text, "card": text]),
        "Cards": object(["cards": ["type": "object", "additionalProperties": text]]),
    ]
}
