internal import PaymentAbstraction

extension Scenario {
    /// What happens when the line or the provider fails.
    static let trouble =
        [
            sale("reply-lost", .replyLost, "It is done, and the answer is lost."),
            sale("request-lost", .requestLost, "The request is lost."),
            sale("unknown-word", .unknownWord, "The answer is a word that no document lists."),
            sale("fails-after", .failsAfter, "It is done, and the answer is a server's failure."),
            sale("busy-once", .busyOnce, "It is refused once for a moment."),
            sale("wrong-amount", .wrongEcho, "The answer names another amount."),
            recovered("recovered", .replyLost, "The answer is lost, and the next process asks."),
            recovered("recovered-nothing", .requestLost, "The request is lost, and the next process asks."),
            Scenario("deadline", faults: ["reply.never"], "The answer never comes, and the caller waits ten seconds.") {
                context in
                try context.armMoney("reply.never")
                let scripted = try context.scripted()
                let request = SaleRequest(scripted.amount, from: scripted.source, reference: "order")
                return try await context.client.sale(request, attempt: try context.attempt(), timeout: .seconds(10))
            },
            Scenario("duplicated", faults: ["request.duplicated"], "The line delivers the request twice.") { context in
                try context.armMoney("request.duplicated")
                return try await context.sale()
            },
            Scenario("refused-access", faults: ["status.401"], "The access is refused once.") { context in
                try context.armMoney("status.401")
                return try await context.sale()
            },
            Scenario("too-fast", faults: ["status.429"], "The provider says that there are too many requests.") {
                context in
                try context.armMoney("status.429")
                return try await context.sale()
            },
        ]
        + [
            ("refund-reply-lost", "refund", "The answer of a refund is lost.", "reply.lost"),
            ("refund-request-lost", "refund", "The request of a refund is lost.", "request.lost"),
            ("void-reply-lost", "void", "The answer of a void is lost.", "reply.lost"),
        ].map { name, verb, summary, fault in
            Scenario(name, needs: ["sale", verb], faults: [fault], summary) { context in
                let (payment, attempt) = (try await context.approvedSale(), try context.attempt())
                if verb == "refund", context.fixture.trigger(.settled) != nil {
                    try await context.wait(CheckContext.settlementMilliseconds)
                }
                try context.armMoney(fault)
                if verb == "void" { return try await context.client.void(payment.id, attempt: attempt) }
                return try await context.client.refund(payment.id, attempt: attempt)
            }
        } + [
            Scenario(
                "capture-reply-lost", needs: ["authorize"], faults: ["reply.lost"], "The answer of a capture is lost."
            ) { context in
                let payment = try await context.authorized()
                try context.armMoney("reply.lost")
                return try await context.client.capture(payment.id, attempt: try context.attempt())
            }
        ]

    /// What the provider says by itself.
    static let news = [
        decided("news-approved", true, "It is decided later, well, and the provider says so."),
        decided("news-declined", false, "It is decided later, badly, and the provider says so."),
        Scenario("news-refund", needs: ["sale", "refund"], "A refund, and everything that the provider says of it.") {
            context in
            let attempt = try context.attempt()
            _ = try await context.refund(try await context.approvedSale().id, attempt: attempt)
            try await context.decidePending()
            return try await context.client.status(attempt)
        },
        Scenario("news-sale", "A sale, and everything that the provider says of it afterwards.") { context in
            let attempt = try context.attempt()
            _ = try await context.sale(attempt: attempt)
            try await context.wait(context.declaration.decidedAfterMilliseconds)
            try await context.deliverWebhooks()
            return try await context.client.status(attempt)
        },
    ]

    private static func recovered(_ name: String, _ script: SimulatedOutcome, _ summary: String) -> Scenario {
        Scenario(name, scripts: [script], summary) { context in
            let attempt = try context.attempt()
            _ = try await context.trying { try await context.sale(script, attempt: attempt) }
            return try await context.recovered().context.client.status(attempt)
        }
    }

    private static func decided(_ name: String, _ succeeds: Bool, _ summary: String) -> Scenario {
        Scenario(name, needs: ["sale", "webhooks"], scripts: [.pending], summary) { context in
            let attempt = try context.attempt()
            _ = try await context.sale(.pending, attempt: attempt)
            try await context.deliver(context.happen(.decided(attempt, succeeds: succeeds)))
            return try await context.client.status(attempt)
        }
    }
}
