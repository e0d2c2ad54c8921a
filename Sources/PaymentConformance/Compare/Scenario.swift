public import PaymentAbstraction

/// Something that is played at several providers, to see what differs between them.
public struct Scenario: Sendable {
    /// Its name, as the command line has it.
    public let name: String
    /// What is played, as one sentence.
    public let summary: String
    /// What a provider has to have for it, by the names of the capability table.
    public let needs: [String]
    /// What a harness has to be able to bring about for it.
    public let scripts: [SimulatedOutcome]
    /// The faults that a harness has to be able to play for it.
    public let faults: [String]
    let play: @Sendable (CheckContext) async throws -> PaymentResult

    /// Makes a scenario of what a till does; its last result is what is compared.
    public init(
        _ name: String, needs: [String] = ["sale"], scripts: [SimulatedOutcome] = [.approved], faults: [String] = [],
        _ summary: String, _ play: @escaping @Sendable (CheckContext) async throws -> PaymentResult
    ) {
        (self.name, self.needs, self.summary, self.play) = (name, needs, summary, play)
        (self.scripts, self.faults) = (scripts, faults)
    }

    /// Every scenario, in the order of a day at the till.
    public static let all: [Scenario] = sales + holds + backOffice + trouble + news

    private static let sales = [
        sale("sale", .approved, "A card is charged."),
        sale("no-money", .insufficientFunds, "A card is charged that has not enough money."),
        sale("lost-card", .lostCard, "A card is charged that was reported lost."),
        sale("expired", .expiredCard, "A card is charged that has expired."),
        sale("not-honoured", .doNotHonor, "The issuer says no and gives no reason."),
        sale("wrong-code", .wrongSecurityCode, "A card is charged with a wrong security code."),
        sale("pin", .pin, "The holder types the PIN."),
        sale("wrong-pin", .wrongPIN, "The holder types a wrong PIN."),
        sale("no-pin", .noPIN, "Nobody types the PIN."),
        sale("no-card", .noCard, "Nobody presents a card."),
        sale("unreadable", .unreadableCard, "The card can't be read."),
        sale("challenge", .challenge, "The holder is challenged by the bank."),
        sale("clarification", .clarification, "The provider asks for more fields."),
        sale("partial", .partial, "Only a part is approved.") { $0.acceptsPartialApproval = true },
        sale("pending", .pending, "It is accepted and decided later."),
        Scenario("tip", needs: ["sale", "request.tip"], "A card is charged with a tip in the amount.") { context in
            try await context.sale { $0.tip = Money(minorUnits: 100, $0.amount.currency) }
        },
        Scenario("dry-run", needs: ["sale", "request.dryRun"], "A sale is only rehearsed.") { context in
            try await context.sale { $0.isDryRun = true }
        },
        Scenario("replay", "A sale is called twice under one attempt id.") { context in
            let attempt = try context.attempt()
            _ = try await context.sale(attempt: attempt)
            return try await context.sale(attempt: attempt)
        },
        Scenario("replay-later", "The same after a restart.") { context in
            let attempt = try context.attempt()
            _ = try await context.sale(attempt: attempt)
            return try await context.restarted().sale(attempt: attempt)
        },
        Scenario("conflict", "A sale is called again under its attempt id, over another amount.") { context in
            let attempt = try context.attempt()
            _ = try await context.sale(attempt: attempt)
            return try await context.sale(attempt: attempt) {
                $0 = SaleRequest($0.amount.plus(100), from: $0.source, reference: $0.reference)
            }
        },
        Scenario("two-sales", "Two sales under one reference.") { context in
            _ = try await context.sale()
            return try await context.sale()
        },
        Scenario("after-decline", scripts: [.insufficientFunds, .approved], "A sale after a declined one.") { context in
            _ = try await context.sale(.insufficientFunds)
            return try await context.sale()
        },
        Scenario("verify", needs: ["verify"], "A card is checked without charging it.") { context in
            try await context.client.verify(
                context.verification(context.scripted(), reference: "order"), attempt: try context.attempt())
        },
        Scenario("tokenize", needs: ["tokenize"], "A card is made a token.") { context in
            try await context.client.tokenize(
                context.verification(context.scripted(), reference: "order"), attempt: try context.attempt())
        },
    ]

    static func sale(
        _ name: String, _ script: SimulatedOutcome, _ summary: String,
        _ change: @escaping @Sendable (inout SaleRequest) -> Void = { _ in }
    ) -> Scenario {
        Scenario(name, scripts: [script], summary) { context in
            let takesPart = try context.has("request.partialApproval")
            return try await context.sale(script) { if takesPart || script != .partial { change(&$0) } }
        }
    }
}
