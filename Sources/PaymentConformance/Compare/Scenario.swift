public import PaymentAbstraction

/// Something that is played at several providers, to see what differs between them.
public struct Scenario: Sendable {
    /// Its name, as the command line has it.
    public let name: String
    /// What is played, as one sentence.
    public let summary: String
    /// What a provider has to have for it, by the names of the capability table.
    public let needs: [String]
    let play: @Sendable (CheckContext) async throws -> PaymentResult

    /// Makes a scenario of what a till does; its last result is what is compared.
    public init(
        _ name: String, needs: [String] = ["sale"], _ summary: String,
        _ play: @escaping @Sendable (CheckContext) async throws -> PaymentResult
    ) {
        (self.name, self.needs, self.summary, self.play) = (name, needs, summary, play)
    }

    /// Every scenario, in the order of a day at the till.
    public static let all: [Scenario] =
        [
            sale("sale", .approved, "A card is charged."),
            sale("no-money", .insufficientFunds, "A card is charged that has not enough money."),
            sale("lost-card", .lostCard, "A card is charged that was reported lost."),
            sale("expired", .expiredCard, "A card is charged that has expired."),
            sale("wrong-pin", .wrongPIN, "The holder types a wrong PIN."),
            sale("challenge", .challenge, "The holder is challenged by the bank."),
            sale("partial", .partial, "Only a part is approved.") { $0.acceptsPartial = true },
            sale("pending", .pending, "It is accepted and decided later."),
            sale("reply-lost", .replyLost, "It is done, and the answer is lost."),
            sale("request-lost", .requestLost, "The request is lost."),
            sale("unknown-word", .unknownWord, "The answer is a word that no document lists."),
            sale("fails-after", .failsAfter, "It is done, and the answer is a server's failure."),
            sale("busy-once", .busyOnce, "It is refused once for a moment."),
            sale("wrong-amount", .wrongEcho, "The answer names another amount."),
        ] + followUps

    private static let followUps = [
        Scenario("authorize", needs: ["authorize"], "An amount is held.") { try await $0.hold() },
        Scenario("capture", needs: ["authorize"], "What is held is charged.") { context in
            try await context.client.capture(try await context.held().id, attempt: try context.attempt())
        },
        Scenario("capture-part", needs: ["authorize", "capture.partial"], "Half of what is held is charged.") {
            context in
            let payment = try await context.held()
            return try await context.client.capture(payment.id, of: payment.half, attempt: try context.attempt())
        },
        Scenario("void", needs: ["sale", "void"], "A sale is undone.") { context in
            try await context.client.void(try await context.sold().id, attempt: try context.attempt())
        },
        Scenario("refund", needs: ["sale", "refund"], "A sale is given back.") { context in
            try await context.refund(try await context.sold().id, attempt: try context.attempt())
        },
        Scenario("refund-part", needs: ["sale", "refund.partial"], "Half of a sale is given back.") { context in
            let payment = try await context.sold()
            return try await context.refund(payment.id, of: payment.half, attempt: try context.attempt())
        },
        Scenario("refund-too-much", needs: ["sale", "refund"], "More is given back than was taken.") { context in
            let payment = try await context.sold()
            let more = Money(minorUnits: payment.approved.minorUnits + 1, payment.approved.currency)
            return try await context.refund(payment.id, of: more, attempt: try context.attempt())
        },
        Scenario("replay", "A sale is called twice under one attempt id.") { context in
            let attempt = try context.attempt()
            _ = try await context.sell(attempt: attempt)
            return try await context.sell(attempt: attempt)
        },
    ]

    private static func sale(
        _ name: String, _ script: PaymentScript, _ summary: String,
        _ change: @escaping @Sendable (inout SaleRequest) -> Void = { _ in }
    ) -> Scenario {
        Scenario(name, summary) { context in
            let takesPart = try context.has("request.partialApproval")
            return try await context.sell(script) { if takesPart || script != .partial { change(&$0) } }
        }
    }
}

extension Payment {
    /// Half of what was approved.
    fileprivate var half: Money { Money(minorUnits: approved.minorUnits / 2, approved.currency) }
}
