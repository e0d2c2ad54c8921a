public import PaymentCore
internal import PaymentDriverKit

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
    /// Whether the provider's answer names another amount than was asked for.
    var answersOtherAmount: Bool { scripts.contains(.wrongEcho) }

    /// What is set up at the provider before it is played.
    struct Arrangement: Sendable {
        /// The same, in words.
        let what: String
        /// Sets it up; false where that can't be done.
        let arrange: @Sendable (any ConformanceFixture) -> Bool
    }

    /// What is set up at the provider first; nil where nothing has to be.
    var arrangement: Arrangement?
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
        sale("no-pin", .noPIN, "The holder types no PIN."),
        sale("no-card", .noCard, "The customer presents no card until the reader gives up."),
        sale("unreadable", .unreadableCard, "The card can't be read."),
        sale("challenge", .challenge, "The holder is challenged by the bank."),
        sale("clarification", .clarification, "The provider asks for more fields."),
        sale("partial", .partial, "Only a part is approved.") { $0.acceptsPartialApproval = true },
        sale("pending", .pending, "The provider accepts the sale and decides later."),
        Scenario("tip", needs: ["sale", "request.tip"], "A card is charged with a tip in the amount.") { context in
            try await context.tillSells { $0.tip = Money(minorUnits: 100, $0.amount.currency) }
        },
        tipAsked,
        Scenario("dry-run", needs: ["sale", "request.dryRun"], "A sale is only rehearsed.") { context in
            try await context.tillSells { $0.isDryRun = true }
        },
        Scenario("replay", "A sale is called twice under one attempt id.") { context in
            let attempt = try context.attempt()
            _ = try await context.tillSells(attempt: attempt)
            return try await context.tillSells("sale again, same attempt id", attempt: attempt)
        },
        Scenario("replay-later", "A sale is called twice under one attempt id, the second time after a restart.") {
            context in
            let attempt = try context.attempt()
            _ = try await context.tillSells(attempt: attempt)
            return try await context.restarted().tillSells(
                "sale again, same attempt id, after a restart", attempt: attempt)
        },
        Scenario("conflict", "A sale is called again under its attempt id, over another amount.") { context in
            let attempt = try context.attempt()
            _ = try await context.tillSells(attempt: attempt)
            return try await context.tillSells("sale again, same attempt id, more money", attempt: attempt) {
                $0 = SaleRequest($0.amount.plus(100), from: $0.source, reference: $0.reference)
            }
        },
        Scenario("two-sales", "A second sale is called under a reference that is paid.") { context in
            _ = try await context.tillSells(reference: "order")
            return try await context.tillSells("second sale, same reference", reference: "order")
        },
        Scenario("after-decline", scripts: [.insufficientFunds, .approved], "A sale after a declined one.") { context in
            _ = try await context.tillSells(.insufficientFunds)
            return try await context.tillSells("second sale")
        },
        Scenario("two-cards", "One order is paid with two cards, a part with each; all is one part.") { context in
            _ = try await context.tillSells("sale, part 1 of 2", reference: "bill") {
                $0.order = OrderReference("bill", part: "1 of 2")
            }
            return try await context.tillSells("sale, part 2 of 2", reference: "bill") {
                $0.order = OrderReference("bill", part: "2 of 2")
            }
        },
        Scenario(
            "surcharge", needs: ["sale", "pricing", "request.quote"],
            "A card is charged with what the provider's quote adds for credit cards."
        ) { context in
            let scripted = try context.scripted()
            guard let quote = try await context.client.pricing?.quote(scripted.amount) else {
                throw NotApplicable("the provider quotes no price")
            }
            let request = try SaleRequest(quote, .credit, from: scripted.source, reference: "quoted")
            let attempt = try context.attempt()
            return try await context.call("sale", .begin) { try await context.client.sale(request, attempt: attempt) }
        },
        Scenario(
            "cancelled-at-the-till", needs: ["sale", "reader", "source.reader"], scripts: [.noCard],
            "The cashier cancels while the customer looks for a card."
        ) { context in
            guard let reader = context.client.reader else { throw NotApplicable("there is no reader") }
            _ = try context.scripted(.noCard, .sale, from: .reader)
            try await reader.prepare()
            let attempt = try context.attempt()
            let sale = context.start { try await context.tillSells(.noCard, from: .reader, attempt: attempt) }
            try await context.wait(1_000)
            _ = try await reader.cancel()
            return try await sale.value
        },
        Scenario("verify", needs: ["verify"], "A card is checked without charging it.") { context in
            try await context.call("check of the card") {
                try await context.client.verify(
                    context.verification(context.scripted(), reference: "order"), attempt: try context.attempt())
            }
        },
        Scenario("tokenize", needs: ["tokenize"], "A card is made a token.") { context in
            try await context.call("token") {
                try await context.client.tokenize(
                    context.verification(context.scripted(), reference: "order"), attempt: try context.attempt())
            }
        },
    ]

    /// A tip that no till asks for.
    private static let tipAsked: Scenario = {
        var scenario = Scenario(
            "tip-asked", needs: ["sale", "reader", "source.reader"],
            "The terminal asks the customer for a tip, and the customer gives one."
        ) { context in
            _ = (context.fixture as? any TerminalTipFixture)?.askForTipAtTerminal()
            return try await context.tillSells(from: .reader)
        }
        scenario.arrangement = Arrangement(what: "a terminal that asks for a tip") { fixture in
            (fixture as? any TerminalTipFixture)?.askForTipAtTerminal() ?? false
        }
        return scenario
    }()

    static func sale(
        _ name: String, _ script: SimulatedOutcome, _ summary: String,
        _ change: @escaping @Sendable (inout SaleRequest) -> Void = { _ in }
    ) -> Scenario {
        Scenario(name, scripts: [script], summary) { context in
            let takesPart = try context.has("request.partialApproval")
            return try await context.tillSells(script) { if takesPart || script != .partial { change(&$0) } }
        }
    }
}

extension Scenario {
    /// What is held before it is charged.
    static let holds = [
        Scenario("authorize", needs: ["authorize"], "An amount is held.") { try await $0.tillHolds() },
        Scenario("authorize-declined", needs: ["authorize"], scripts: [.insufficientFunds], "A hold is declined.") {
            try await $0.tillHolds(.insufficientFunds)
        },
        Scenario("capture", needs: ["authorize"], "What is held is charged.") { context in
            try await context.tillCaptures(try await context.heldByTill())
        },
        Scenario("capture-part", needs: ["authorize", "capture.partial"], "Half of what is held is charged.") {
            context in
            let payment = try await context.heldByTill()
            return try await context.tillCaptures(payment, "capture of half", of: payment.half)
        },
        Scenario("capture-too-much", needs: ["authorize", "capture.partial"], "The till captures more than is held.") {
            context in
            let payment = try await context.heldByTill()
            return try await context.tillCaptures(payment, "capture of more", of: payment.more)
        },
        Scenario("capture-sale", needs: ["sale", "authorize"], "The till captures what was charged at once.") {
            context in
            try await context.tillCaptures(try await context.soldByTill())
        },
        Scenario("release", needs: ["authorize", "void"], "What is held is let go.") { context in
            try await context.tillVoids(try await context.heldByTill())
        },
        Scenario("capture-released", needs: ["authorize", "void"], "The till captures what it let go before.") {
            context in
            let payment = try await context.heldByTill()
            _ = try await context.tillVoids(payment)
            return try await context.tillCaptures(payment)
        },
        Scenario("adjust-up", needs: ["authorize", "adjust"], "More is held.") { context in
            let payment = try await context.heldByTill()
            return try await context.call("change of the hold") {
                try await context.client.adjust(payment.id, to: payment.more, attempt: try context.attempt())
            }
        },
        Scenario("adjust-down", needs: ["authorize", "adjust"], "Less is held.") { context in
            let payment = try await context.heldByTill()
            return try await context.call("change of the hold") {
                try await context.client.adjust(payment.id, to: payment.half, attempt: try context.attempt())
            }
        },
    ]

    /// What follows a sale.
    static let backOffice = [
        Scenario("void", needs: ["sale", "void"], "A sale is undone.") { context in
            try await context.tillVoids(try await context.soldByTill())
        },
        Scenario(
            "void-twice", needs: ["sale", "void"],
            "The till sells, then asks for two voids of the sale, each under an attempt id of its own."
        ) { context in
            let payment = try await context.soldByTill()
            _ = try await context.tillVoids(payment, "first void")
            return try await context.tillVoids(payment, "second void")
        },
        Scenario("refund", needs: ["sale", "refund"], "A sale is refunded.") { context in
            try await context.tillRefunds(try await context.soldByTill())
        },
        Scenario("refund-part", needs: ["sale", "refund.partial"], "Half of a sale is refunded.") { context in
            let payment = try await context.soldByTill()
            return try await context.tillRefunds(payment, "refund of half", of: payment.half)
        },
        Scenario("refund-rest", needs: ["sale", "refund.partial"], "Half of a sale is refunded, then the rest.") {
            context in
            let payment = try await context.soldByTill()
            _ = try await context.tillRefunds(payment, "refund of half", of: payment.half)
            try await context.decidePending()
            return try await context.tillRefunds(payment, "refund of the rest", reference: "second")
        },
        Scenario("refund-too-much", needs: ["sale", "refund"], "The till refunds more than was taken.") { context in
            let payment = try await context.soldByTill()
            return try await context.tillRefunds(payment, "refund of more", of: payment.more)
        },
        Scenario("refund-twice", needs: ["sale", "refund"], "The till gives a sale back twice.") { context in
            let payment = try await context.soldByTill()
            _ = try await context.tillRefunds(payment, "first refund")
            return try await context.tillRefunds(payment, "second refund", reference: "second")
        },
        Scenario("refund-replay", needs: ["sale", "refund"], "The till calls a refund twice under one attempt id.") {
            context in
            let (payment, attempt) = (try await context.soldByTill(), try context.attempt())
            _ = try await context.tillRefunds(payment, attempt: attempt)
            return try await context.tillRefunds(payment, "refund again, same attempt id", attempt: attempt)
        },
        Scenario("refund-undone", needs: ["sale", "refund", "void"], "The till refunds what was undone before.") {
            context in
            let payment = try await context.soldByTill()
            _ = try await context.tillVoids(payment)
            return try await context.tillRefunds(payment)
        },
        Scenario("refund-unlinked", needs: ["refund.unlinked"], "Money is refunded without a sale.") { context in
            let taken = context.driver.capabilities.unlinkedRefundSources
            let scripted = try context.scripted(
                .approved, .unlinkedRefund, from: taken.contains(.reader) ? .reader : context.source)
            let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "order")
            return try await context.call("refund without a sale") {
                try await context.client.refundUnlinked(request, attempt: try context.attempt())
            }
        },
        Scenario("tip-later", needs: ["sale", "tip.adjust"], "A tip is added to a sale.") { context in
            let payment = try await context.soldByTill()
            return try await context.call("tip") {
                try await context.client.adjustTip(
                    payment.id, to: Money(minorUnits: 300, payment.approved.currency), attempt: try context.attempt())
            }
        },
    ]
}

extension Payment {
    /// Half of what was approved.
    fileprivate var half: Money { Money(minorUnits: approved.minorUnits / 2, approved.currency) }
    /// A little more than was approved.
    fileprivate var more: Money { approved.plus(1) }
}

extension Scenario {
    /// What happens when the line or the provider fails.
    static let trouble =
        [
            sale("reply-lost", .replyLost, "The sale is done, and its answer is lost."),
            sale("request-lost", .requestLost, "The request is lost on its way to the provider."),
            sale("unknown-word", .unknownWord, "The answer is a word that no document lists."),
            sale("fails-after", .failsAfter, "The sale is done, and the answer is a server's failure."),
            sale("busy-once", .busyOnce, "The provider refuses once because it is busy."),
            sale("wrong-amount", .wrongEcho, "The provider's answer names another amount than the till asked for."),
            recovered("recovered", .replyLost, "The answer is lost, and the next process asks."),
            recovered("recovered-nothing", .requestLost, "The request is lost, and the next process asks."),
            Scenario(
                "declined-reply-lost", scripts: [.insufficientFunds], faults: ["reply.lost"],
                "A card that has not enough money is charged, the answer is lost, and the next process asks."
            ) { context in
                let attempt = try context.attempt()
                try context.armMoney("reply.lost")
                _ = try await context.trying { try await context.tillSells(.insufficientFunds, attempt: attempt) }
                return try await context.recovered().context.tillAsks(attempt, "by the next process")
            },
            Scenario("deadline", faults: ["reply.never"], "The answer never comes, and the caller waits ten seconds.") {
                context in
                try context.armMoney("reply.never")
                let scripted = try context.scripted()
                let request = scripted.request("order")
                return try await context.call("sale", .begin) {
                    try await context.client.sale(request, attempt: try context.attempt(), timeout: .seconds(10))
                }
            },
            Scenario(
                "duplicated", faults: ["request.duplicated"],
                "The till sells once, and the line delivers the request to the provider twice."
            ) { context in
                try context.armMoney("request.duplicated")
                return try await context.tillSells()
            },
            Scenario("refused-access", faults: ["status.401"], "The access is refused once.") { context in
                try context.armMoney("status.401")
                return try await context.tillSells()
            },
            Scenario("too-fast", faults: ["status.429"], "The provider says that there are too many requests.") {
                context in
                try context.armMoney("status.429")
                return try await context.tillSells()
            },
        ]
        + [
            ("refund-reply-lost", "refund", "The answer of a refund is lost.", "reply.lost"),
            ("refund-request-lost", "refund", "The request of a refund is lost.", "request.lost"),
            ("void-reply-lost", "void", "The answer of a void is lost.", "reply.lost"),
        ].map { name, verb, summary, fault in
            Scenario(name, needs: ["sale", verb], faults: [fault], summary) { context in
                let payment = try await context.soldByTill()
                if verb == "refund", context.fixture.trigger(.settled) != nil {
                    try await context.wait(CheckContext.settlementMilliseconds)
                }
                try context.armMoney(fault)
                if verb == "void" { return try await context.tillVoids(payment) }
                return try await context.call("refund") {
                    try await context.client.refund(payment.id, attempt: try context.attempt())
                }
            }
        } + [
            Scenario(
                "capture-reply-lost", needs: ["authorize"], faults: ["reply.lost"], "The answer of a capture is lost."
            ) { context in
                let payment = try await context.heldByTill()
                try context.armMoney("reply.lost")
                return try await context.tillCaptures(payment)
            }
        ]

    /// What the provider says on its own.
    static let news = [
        decided("news-approved", true, "It is decided later, well, and the provider says so."),
        decided("news-declined", false, "It is decided later, badly, and the provider says so."),
        Scenario("news-refund", needs: ["sale", "refund"], "A refund, and everything that the provider says of it.") {
            context in
            let attempt = try context.attempt()
            _ = try await context.tillRefunds(try await context.soldByTill(), attempt: attempt)
            try await context.decidePending()
            return try await context.tillAsks(attempt, "after the provider's messages")
        },
        Scenario("news-sale", "A sale, and everything that the provider says of it afterwards.") { context in
            let attempt = try context.attempt()
            _ = try await context.tillSells(attempt: attempt)
            try await context.wait(context.declaration.decidedAfterMilliseconds)
            try await context.deliverWebhooks()
            return try await context.tillAsks(attempt, "after the provider's messages")
        },
    ]

    private static func recovered(_ name: String, _ script: SimulatedOutcome, _ summary: String) -> Scenario {
        Scenario(name, scripts: [script], summary) { context in
            let attempt = try context.attempt()
            _ = try await context.trying { try await context.tillSells(script, attempt: attempt) }
            return try await context.recovered().context.tillAsks(attempt, "by the next process")
        }
    }

    private static func decided(_ name: String, _ succeeds: Bool, _ summary: String) -> Scenario {
        Scenario(name, needs: ["sale", "webhooks"], scripts: [.pending], summary) { context in
            let attempt = try context.attempt()
            _ = try await context.tillSells(.pending, attempt: attempt)
            try await context.deliver(context.happen(.decided(attempt, succeeds: succeeds)))
            return try await context.tillAsks(attempt, "after the provider's message")
        }
    }
}
