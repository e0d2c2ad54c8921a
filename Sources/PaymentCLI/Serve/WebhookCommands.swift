internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentService

extension Command {
    /// How it is with receivers of webhooks.
    static let webhooksList = Command(
        name: "webhooks list", summary: "shows the webhooks of a receiver that wait or failed for good",
        example: "payctl webhooks list --endpoint berlin/shop-backend",
        takes: .configured(with: [
            .value("endpoint", "SHOP/NAME", "the receiver, as the file of `payctl serve --webhooks` has both"),
            .value("limit", "N", "how many at most, 1 to 1000; 20 by default"),
        ])
    ) { call in
        let limit = Int(try call.integer("limit", in: 1...1_000, 20))
        let name = try WebhookWords.endpoint(call)
        return try await CommandSession.use(call, .journal) { till in
            let state = try await WebhookDesk(till.client).state(of: name, limit: limit)
            guard let endpoint = state.endpoint else { throw WebhookWords.unknown(name) }
            let messages = state.messages
            let isRemoved = endpoint.removedAt != nil
            let word =
                endpoint.removedAt.map { "removed since \($0.time), kept for 30 days" }
                ?? (endpoint.offAt == nil ? "on" : "off: it answered 410")
            call.say(
                [
                    "endpoint": .string(name), "isOff": .bool(endpoint.offAt != nil),
                    "removedAt": .text(endpoint.removedAt.map { $0.time }),
                    "waiting": .number(JSONNumber(Int64(state.counts.all - state.counts.failed))),
                    "failed": .number(JSONNumber(Int64(state.counts.failed))),
                    "messages": .array(messages.map(WebhookWords.json)),
                ],
                [
                    "endpoint   \(name) (\(word))", "waiting    \(state.counts.all - state.counts.failed)",
                    "failed     \(state.counts.failed)",
                ]
                    + messages.map { message in
                        let next =
                            message.due.map { isRemoved ? "of a removed receiver" : "next \($0.time)" }
                            ?? "failed for good"
                        return "\(message.event)  tries \(message.tries), \(next)  \(message.failure)"
                    })
            return .fine
        }
    }

    /// Has webhooks sent again.
    static let webhooksResend = Command(
        name: "webhooks resend",
        summary: "has webhooks sent again that failed for good, and switches their receiver on again",
        example: "payctl webhooks resend --endpoint berlin/shop-backend",
        takes: .configured(with: [
            .value("endpoint", "SHOP/NAME", "the receiver, as the file of `payctl serve --webhooks` has both"),
            .value("event", "ID", "one webhook alone, by its webhook-id"),
        ])
    ) { call in
        let name = try WebhookWords.endpoint(call)
        return try await CommandSession.use(call, .journal) { till in
            guard let count = try await WebhookDesk(till.client).resend(name, event: call.given["event"]) else {
                throw WebhookWords.unknown(name)
            }
            call.say(
                ["endpoint": .string(name), "count": .number(JSONNumber(Int64(count)))],
                [
                    "sent again by the service that runs, or by its next start: \(count.counted("webhook")) of \(name)"
                ])
            return .fine
        }
    }
}

/// What the commands about webhooks share.
enum WebhookWords {
    static func endpoint(_ call: Invocation) throws(UsageError) -> String {
        guard let name = call.given["endpoint"] else { throw UsageError(message: "--endpoint SHOP/NAME is missing") }
        guard name.contains("/") else {
            throw UsageError(message: "--endpoint takes SHOP/NAME, such as berlin/shop-backend, not \(name)")
        }
        return name
    }

    static func unknown(_ name: String) -> UsageError {
        UsageError(message: "the journal knows no receiver \(name); a service with --webhooks makes it known")
    }

    static func json(_ message: OutgoingMessage) -> JSON {
        [
            "id": .string(message.event), "madeAt": .string(message.madeAt.time),
            "tries": .number(JSONNumber(Int64(message.tries))),
            "due": .text(message.due.map { $0.time }), "failure": .string(message.failure),
        ]
    }
}
