internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentJournalKit
internal import PaymentModel

/// Every operation of the API.
enum OperationTable {
    /// All operations, in the order of the OpenAPI document.
    static let all: [Operation] = money + attempts + payments + readers + simulator + live + setup + console

    /// Reads and decides attempts.
    static let attempts: [Operation] = [
        .get(
            "attempt", "/v1/attempts/{attempt}", "Says where an attempt stands; waits with `Prefer: wait=N`.",
            Takes().needs(.attempt), gives: AttemptView.shape.any, refuses: [.notFound, .pruned, .journal, .stopping]
        ) { call in
            let id = try call.input.need(.attempt)
            let before = try await AttemptReading(call).now(id)
            if before.outcome == .unknown {
                await call.wait(for: id, call.service.carrier.running(id)?.waiters)
            }
            return .attempt(try await AttemptReading(call).now(id), call)
        }.waiting(),
        .get(
            "listAttempts", "/v1/attempts", "Lists the attempts that are not decided, oldest first.",
            Takes().may(.openStatus).may(.pageSize).may(.cursor), gives: AttemptView.shape.any.page(),
            refuses: [.conflict, .journal]
        ) { call in try await OpenAttempts(call).page() },
        .post(
            "lookup", "/v1/attempts/{attempt}/lookup",
            "Asks the provider what became of an attempt, at most once in 5 s; waits with `Prefer: wait=N`.", by: .till,
            Takes().needs(.attempt), gives: AttemptView.shape.any, refuses: [.notFound, .pruned, .journal, .stopping]
        ) { call in
            let id = try call.input.need(.attempt)
            let view = try await AttemptReading(call).now(id)
            if view.outcome == .unknown, view.record != nil, let look = call.service.look(at: view.id, in: call.shop) {
                await call.wait(for: id, look)
            }
            return .attempt(try await AttemptReading(call).now(id), call)
        }.waiting(),
        .post(
            "answer", "/v1/attempts/{attempt}/answers", "Answers what an attempt asks.", by: .till,
            Takes().needs(.attempt).needs(.question).needs(.answer), gives: AttemptView.shape.any,
            refuses: [.notFound, .conflict, .stopping]
        ) { call in try await AttemptReading(call).answer(try call.input.need(.attempt)) }.waiting(),
        .post(
            "cancel", "/v1/attempts/{attempt}/cancel",
            "Ends the wait for a card, if it is not too late. An id that is not known begins nothing any more.",
            by: .till, Takes().needs(.attempt), gives: AttemptReading.cancellation,
            refuses: [.journal, .mayBeLost, .stopping]
        ) { call in try await AttemptReading(call).cancel(try call.input.need(.attempt)) },
        .post(
            "resolve", "/v1/attempts/{attempt}/decision",
            "Records what a person found out about an attempt that is not decided, or has seen of one that needs attention.",
            by: .office,
            Takes().needs(.attempt).needs(.decision).may(.providerName).may(.executedAmount).may(.besides).may(
                .acknowledges
            ).needs(.reason).may(.version),
            gives: AttemptView.shape.any, refuses: [.notFound, .conflict, .changed, .journal]
        ) { call in try await AttemptReading(call).decide(try call.input.need(.attempt)) }
        .ruled(MemberRules.decision),
    ]

    /// Reads payments.
    static let payments: [Operation] = [
        .get(
            "listPayments", "/v1/payments", "Lists payments, newest first.",
            Takes().may(.status).may(.referenceFilter).may(.partFilter).may(.provider).may(.from).may(.to).may(
                .pageSize
            )
            .may(.cursor),
            gives: PaymentView.summary.any.page(), refuses: [.conflict, .journal]
        ) { call in try await PaymentListing(call).page() },
        .get(
            "payment", "/v1/payments/{payment}", "Shows a payment: amounts and attempts.", Takes().needs(.payment),
            gives: PaymentView.whole.any, refuses: [.notFound, .pruned, .journal]
        ) { call in
            let record = try await call.service.payment(try call.input.need(.payment), in: call.shop)
            let seen = await PaymentView.Seen(record, by: call.client)
            return Operation.Answer(body: PaymentView.whole.json(seen, for: call.role))
        },
        .get(
            "paymentEvents", "/v1/payments/{payment}/events", "Shows what happened to a payment, in order.",
            Takes().needs(.payment), gives: PaymentView.event.any.page(), refuses: [.notFound, .pruned, .journal]
        ) { call in
            let record = try await call.service.payment(try call.input.need(.payment), in: call.shop)
            let events = try await call.client.timeline(of: record.id)
            return .list(
                events.map { event in
                    PaymentView.event.json(PaymentView.PlacedEvent(event, of: record.id), for: call.role)
                })
        },
        .get(
            "receipt", "/v1/payments/{payment}/receipt", "Gives what belongs on a payment's receipts.",
            Takes().needs(.payment), gives: ReceiptView.shape.any.page(), refuses: [.notFound, .pruned, .journal]
        ) { call in
            let record = try await call.service.payment(try call.input.need(.payment), in: call.shop)
            return .list(ReceiptView.all(of: record).map { ReceiptView.shape.json($0, for: call.role) })
        },
    ]

    /// Shows what the service is.
    static let setup: [Operation] = [
        .get("self", "/v1/self", "Says whose key it is and what it may do.", gives: SetupView.key.any, refuses: []) {
            call in
            guard let key = call.key else { throw Problem(.unauthorized, "Send a key.") }
            // A journal that gives no ids now has none to tell.
            let generation = try? await call.client.newAttempt().generation
            return Operation.Answer(
                body: SetupView.key.json((key, call.service.options.version, generation ?? nil), for: call.role))
        },
        .get(
            "providers", "/v1/providers", "Lists the providers with what each can do.",
            gives: SetupView.provider.any.page(), refuses: []
        ) { call in
            let active = call.client.activeProvider
            return .list(call.client.all.map { SetupView.provider.json(($0, $0.id == active), for: call.role) })
        },
        .get(
            "ready", "/ready", "Says whether the service can begin attempts.", by: nil, gives: SetupView.ready.any,
            refuses: [.journal, .stopping]
        ) { call in
            if call.service.carrier.isStopping { throw Problem(.stopping, "The service stops.", retry: .safe) }
            try await call.service.checkJournal()
            return Operation.Answer(body: SetupView.ready.json(true, for: .viewer))
        },
        .get(
            "openAPI", "/openapi.json", "Describes the API as OpenAPI 3.1.", by: nil,
            gives: AnyShape(name: "OpenAPI", schema: ["type": "object"]), refuses: []
        ) { call in
            Operation.Answer(body: OpenAPIDocument(OperationTable.all, version: call.service.options.version).json)
        },
        .get(
            "openAPI30", "/openapi-3.0.json",
            "Describes the API as OpenAPI 3.0, for generators that read no later one.",
            by: nil, gives: AnyShape(name: "OpenAPI", schema: ["type": "object"]), refuses: []
        ) { call in
            let document = OpenAPIDocument(OperationTable.all, version: call.service.options.version).json
            return Operation.Answer(body: OpenAPIThree.document(document))
        },
        .get(
            "problem", "/problems/{code}", "Explains a problem: what it means for the money and what to do.", by: nil,
            Takes().needs(.code), gives: SetupView.problem.any, refuses: [.notFound]
        ) { call in
            guard let code = Problem.Code(rawValue: try call.input.need(.code)) else {
                throw Problem.notFound("problem")
            }
            return Operation.Answer(body: SetupView.problem.json(code, for: .viewer))
        },
    ]
}

extension Operation.Answer {
    /// An attempt.
    static func attempt(_ view: AttemptView, _ call: ServiceCall) -> Self {
        call.shows(view)
        return Self(body: AttemptView.shape.json(view, for: call.role))
    }

    /// A list of one page; what of it can't be read is named.
    static func list(_ items: [JSON], next: String? = nil, unreadable: [AttemptID] = []) -> Self {
        var body: JSON = ["items": .array(items), "next": .text(next)]
        if !unreadable.isEmpty { body = body.adding("unreadable", .array(unreadable.map { .string($0.text) })) }
        return Self(body: body)
    }
}

extension Parameter where Value == String {
    static let decision = Parameter(
        "decision", .words(["executed", "notExecuted", "withdrawn", "acknowledged"]) { $0 },
        "What was found out; `withdrawn` takes an earlier statement back, `acknowledged` says that a person has seen what "
            + "`acknowledges` names.", example: "executed")
    static let acknowledges = Parameter(
        "acknowledges", .words(["contradiction", "chargeback", "reference", "amount"]) { $0 },
        "What a person has seen, with `acknowledged`: a chargeback allows a refund beside it, a reference frees the order's "
            + "reference, an amount says how much a movement was.", example: "chargeback")
    static let providerName = Parameter(
        "providerName", .printable(Attempt.Name.bytesMax), "What the provider calls it, with `executed`.",
        example: "PSP-1")
    static let question = Parameter("question", .token, "The question's id.", example: "0a1b2c3d4e5f6071")
    static let reason = Parameter("reason", .text(1...500), "How it was found out.", example: "Seen in the portal.")
    static let status = Parameter(
        "status", .words(["open"] + PaymentRecord.statuses) { $0 },
        "Only payments in this status; `open` for those of which `/v1/attempts?status=open` has one.", example: "open")
    static let referenceFilter = Parameter(
        "reference", .reference, "Only payments under this reference.",
        example: "order-1001")
    static let openStatus = Parameter(
        "status", .words(["open"]) { $0 }, "Which attempts; `open` is the only word.", example: "open")
    static let partFilter = Parameter(
        "part", .text(1...OrderReference.partCharactersMax), "Only payments of this part of a reference.",
        example: "1 of 2")
    static let provider = Parameter(
        "provider", .token, "Only payments at this provider.", example: "adyen")
    static let account = Parameter("account", .token, "The provider's name.", example: "adyen")
    static let code = Parameter("code", .token, "The problem's code.", example: "referenceInUse")
}

extension Parameter where Value == Money {
    static let executedAmount = Parameter(
        "amount", .money,
        "How much was executed, if it differs from what was asked for; or, acknowledged, how much the movement was.",
        example: ["value": "12.50", "currency": "EUR"])
}

extension Parameter where Value == [String] {
    static let besides = Parameter(
        "besides", .names(200), "With `notExecuted`: payments that the provider shows and that are not this one.",
        example: ["PSP-2"])
}

extension Parameter where Value == PageCursor {
    static let cursor = Parameter(
        "cursor", .cursor, "Where the page before ended: its `next`.",
        example: .string(PageCursor(41, of: [nil, nil, nil]).text))
}

extension Parameter where Value == JSON {
    static let answer = Parameter("answer", .any, "The answer, as the question's `form` says.", example: true)
}

extension Parameter where Value == Int64 {
    static let version = Parameter(
        "version", .integer(0...1_000_000_000),
        "The attempt's `version` that the person saw; another one is 409 `changed`.",
        example: 2)
    static let from = Parameter(
        "from", .moment, "Only payments that began then or later.", example: "2026-01-31T00:00:00Z")
    static let to = Parameter("to", .moment, "Only payments that began before.", example: "2026-02-01T00:00:00Z")
    static let pageSize = Parameter("limit", .integer(1...1_000), "How many at most; 20 by default.", example: 20)
}
