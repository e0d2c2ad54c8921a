package import PaymentBase
internal import PaymentCore
internal import PaymentModel
internal import PaymentService

/// What commands about payments write as JSON: the shapes of the API, with what a command alone knows.
enum BookShapes {
    /// A page of payments.
    struct Page: Sendable {
        let items: [PaymentView.Seen]
        let next: String?
        let unreadable: [AttemptID]
        let others: Int
        let lookedAt: LookedAt
    }

    static let page = Shape<Page>(
        "Page", uses: [PaymentView.summary.any, LookedAt.shape.any],
        [
            .init("items", list(of: PaymentView.summary.any), "The payments, newest first.") { page, role in
                .array(page.items.map { PaymentView.summary.json($0, for: role) })
            },
            .init("next", Schema.textOrNull, "What `--after` takes for the next page; null at the end.") {
                .text($0.next)
            },
            .init("unreadable", Schema.texts, "Payments that the list lacks: they can't be read.") {
                .texts($0.unreadable.map(\.text))
            },
            .init("paymentsOfOtherScopes", Schema.count, "How many payments of other scopes are not shown.") {
                .integer($0.others)
            },
            lookedAt { $0.lookedAt },
        ])

    /// A payment and its events.
    struct Shown: Sendable {
        let seen: PaymentView.Seen
        let events: [PaymentEvent]
    }

    static let shown = Shape<Shown>(
        "Shown", uses: PaymentView.whole.uses + [PaymentView.event.any],
        PaymentView.whole.members(of: \.seen) + [
            .init("events", list(of: PaymentView.event.any), "What happened, in order.") { shown, role in
                let payment = shown.seen.record.id
                return .array(shown.events.map { PaymentView.event.json(.init($0, of: payment), for: role) })
            }
        ])

    /// What a recovery came to.
    struct Recovery: Sendable {
        let news: Int
        let attempts: [Attempt]
        let open: [Attempt]
        let others: [Attempt]
        let lookedAt: LookedAt
    }

    static let recovery = Shape<Recovery>(
        "Recovery", uses: [AttemptView.shape.any, LookedAt.shape.any],
        [
            .init("news", Schema.count, "How many messages of providers came in.") { .integer($0.news) },
            .init("looked", list(of: AttemptView.shape.any), "What was open before, as it is now.") {
                .array($0.attempts.map(\.json))
            },
            .init("open", Schema.texts, "Attempts that stay open.") { .texts($0.open.map(\.intent.attempt.text)) },
            .init("openOfOtherScopes", Schema.texts, "Open attempts of other scopes, which were not looked up.") {
                .texts($0.others.map(\.intent.attempt.text))
            },
            lookedAt { $0.lookedAt },
        ])

    /// The receipts of a payment.
    static let receipts = Shape<[ReceiptView]>(
        "Receipts", uses: [ReceiptView.shape.any],
        [
            .init("receipts", list(of: ReceiptView.shape.any), "In the order of the attempts.") { receipts, role in
                .array(receipts.map { ReceiptView.shape.json($0, for: role) })
            }
        ])

    static func list(of shape: AnyShape) -> JSON { ["type": "array", "items": shape.reference] }

    static func lookedAt<Value>(_ read: @escaping @Sendable (Value) -> LookedAt) -> Shape<Value>.Member {
        .init("lookedAt", LookedAt.shape.any.reference, "The journal and the accounts that were looked at.") {
            LookedAt.shape.json(read($0), for: $1)
        }
    }
}

extension Attempt {
    /// As the API shows it to an office.
    var json: JSON { AttemptView.shape.json(AttemptView(self), for: .office) }
}

/// The schemas of what commands write, as far as they are made from shapes.
package enum OutputSchema {
    /// Each by its file's name in `docs/schemas`.
    package static let written: [(name: String, schema: JSON)] = [
        ("result", document("What came of a money operation.", PrintedResult.shape.any)),
        ("record", document("An attempt.", AttemptView.shape.any)),
        ("list", document("A page of payments, newest first.", BookShapes.page.any)),
        ("payment", document("A payment in a list.", PaymentView.summary.any)),
        ("show", document("A payment with its attempts and its events.", BookShapes.shown.any)),
        ("recover", document("What became of everything that was open.", BookShapes.recovery.any)),
        ("receipt", document("What belongs on a payment's receipts.", BookShapes.receipts.any)),
        ("day", document("The money of one day.", BookedDay.schema)),
        ("switch-plan", document("What a switch of providers changes.", SwitchPlan.schema)),
        ("event", document("One step in the life of a payment.", PaymentView.event.any)),
    ]

    private static func document(_ title: String, _ shape: AnyShape) -> JSON {
        var properties: JSONObject = ["format": ["const": Invocation.outputFormat]]
        for member in shape.schema["properties"]?.object?.members ?? [] { properties[member.key] = local(member.value) }
        var definitions = JSONObject()
        let used = Dictionary(shape.all.dropFirst().map { ($0.name, $0.schema) }) { first, _ in first }
        for (name, schema) in used.sorted(by: { $0.key < $1.key }) { definitions[name] = local(schema) }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title), "type": "object",
            "required": .array(properties.members.map { .string($0.key) }), "properties": .object(properties),
            "additionalProperties": false, "$defs": .object(definitions),
        ]
    }

    /// A schema whose references lead to definitions of its own document.
    private static func local(_ schema: JSON) -> JSON {
        if let array = schema.array { return .array(array.map(local)) }
        guard let object = schema.object else { return schema }
        var made = JSONObject()
        for member in object.members {
            if member.key == "$ref", let name = member.value.string?.split(separator: "/").last {
                made["$ref"] = .string("#/$defs/\(name)")
            } else {
                made[member.key] = local(member.value)
            }
        }
        return .object(made)
    }
}

/// A sum in decimal notation. It may be more than an amount has room for.
enum DecimalSum {
    /// The schema of ``text(_:_:)``.
    static let schema: JSON = ["type": "string", "pattern": "^-?(0|[1-9][0-9]*)(\\.[0-9]{2,4})?$"]

    /// Units of a currency with exactly its digits.
    static func text(_ units: Int128, _ code: String) -> String {
        let exponent = Currency.known(code)?.exponent ?? 0
        let digits = String(units.magnitude)
        let whole = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        let sign = units < 0 ? "-" : ""
        return exponent == 0 ? sign + whole : "\(sign)\(whole.dropLast(exponent)).\(whole.suffix(exponent))"
    }
}
