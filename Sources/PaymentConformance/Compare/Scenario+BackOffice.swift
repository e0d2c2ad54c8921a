internal import PaymentAbstraction

extension Scenario {
    /// What is held before it is charged.
    static let holds = [
        Scenario("authorize", needs: ["authorize"], "An amount is held.") { try await $0.authorize() },
        Scenario("authorize-declined", needs: ["authorize"], scripts: [.insufficientFunds], "A hold is declined.") {
            try await $0.authorize(.insufficientFunds)
        },
        Scenario("capture", needs: ["authorize"], "What is held is charged.") { context in
            try await context.client.capture(try await context.authorized().id, attempt: try context.attempt())
        },
        Scenario("capture-part", needs: ["authorize", "capture.partial"], "Half of what is held is charged.") {
            context in
            let payment = try await context.authorized()
            return try await context.client.capture(payment.id, of: payment.half, attempt: try context.attempt())
        },
        Scenario("capture-too-much", needs: ["authorize", "capture.partial"], "More is charged than is held.") {
            context in
            let payment = try await context.authorized()
            return try await context.client.capture(payment.id, of: payment.more, attempt: try context.attempt())
        },
        Scenario("capture-sale", needs: ["sale", "authorize"], "What was charged is captured.") { context in
            try await context.client.capture(try await context.approvedSale().id, attempt: try context.attempt())
        },
        Scenario("release", needs: ["authorize", "void"], "What is held is let go.") { context in
            try await context.client.void(try await context.authorized().id, attempt: try context.attempt())
        },
        Scenario("capture-released", needs: ["authorize", "void"], "What was let go is charged.") { context in
            let payment = try await context.authorized()
            _ = try await context.client.void(payment.id, attempt: try context.attempt())
            return try await context.client.capture(payment.id, attempt: try context.attempt())
        },
        Scenario("adjust-up", needs: ["authorize", "adjust"], "More is held.") { context in
            let payment = try await context.authorized()
            return try await context.client.adjust(payment.id, to: payment.more, attempt: try context.attempt())
        },
        Scenario("adjust-down", needs: ["authorize", "adjust"], "Less is held.") { context in
            let payment = try await context.authorized()
            return try await context.client.adjust(payment.id, to: payment.half, attempt: try context.attempt())
        },
    ]

    /// What follows a sale.
    static let backOffice = [
        Scenario("void", needs: ["sale", "void"], "A sale is undone.") { context in
            try await context.client.void(try await context.approvedSale().id, attempt: try context.attempt())
        },
        Scenario("void-twice", needs: ["sale", "void"], "A sale is undone twice.") { context in
            let payment = try await context.approvedSale()
            let first = try await context.client.void(payment.id, attempt: try context.attempt())
            guard first.payment != nil else { return first }
            return try await context.client.void(payment.id, attempt: try context.attempt())
        },
        Scenario("refund", needs: ["sale", "refund"], "A sale is given back.") { context in
            try await context.refund(try await context.approvedSale().id, attempt: try context.attempt())
        },
        Scenario("refund-part", needs: ["sale", "refund.partial"], "Half of a sale is given back.") { context in
            let payment = try await context.approvedSale()
            return try await context.refund(payment.id, of: payment.half, attempt: try context.attempt())
        },
        Scenario("refund-rest", needs: ["sale", "refund.partial"], "Half of a sale is given back, then the rest.") {
            context in
            let payment = try await context.approvedSale()
            let first = try context.attempt()
            _ = try await context.refund(payment.id, of: payment.half, attempt: first)
            try await context.decidePending()
            return try await context.refund(payment.id, reference: "second", attempt: try context.attempt())
        },
        Scenario("refund-too-much", needs: ["sale", "refund"], "More is given back than was taken.") { context in
            let payment = try await context.approvedSale()
            return try await context.refund(payment.id, of: payment.more, attempt: try context.attempt())
        },
        Scenario("refund-twice", needs: ["sale", "refund"], "A sale is given back twice.") { context in
            let payment = try await context.approvedSale()
            let first = try context.attempt()
            _ = try await context.refund(payment.id, attempt: first)
            return try await context.refund(payment.id, reference: "second", attempt: try context.attempt())
        },
        Scenario("refund-replay", needs: ["sale", "refund"], "A refund is called twice under one attempt id.") {
            context in
            let (payment, attempt) = (try await context.approvedSale(), try context.attempt())
            _ = try await context.refund(payment.id, attempt: attempt)
            return try await context.refund(payment.id, attempt: attempt)
        },
        Scenario("refund-undone", needs: ["sale", "refund", "void"], "What was undone is given back.") { context in
            let payment = try await context.approvedSale()
            _ = try await context.client.void(payment.id, attempt: try context.attempt())
            return try await context.refund(payment.id, attempt: try context.attempt())
        },
        Scenario("refund-unlinked", needs: ["refund.unlinked"], "Money is given back without a sale.") { context in
            let taken = context.driver.capabilities.unlinkedRefundSources
            let scripted = try context.scripted(
                .approved, .unlinkedRefund, from: taken.contains(.reader) ? .reader : context.source)
            let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "order")
            return try await context.client.refundUnlinked(request, attempt: try context.attempt())
        },
        Scenario("tip-later", needs: ["sale", "tip.adjust"], "A tip is added to a sale.") { context in
            let payment = try await context.approvedSale()
            return try await context.client.adjustTip(
                payment.id, to: Money(minorUnits: 300, payment.approved.currency), attempt: try context.attempt())
        },
    ]
}

extension Payment {
    /// Half of what was approved.
    fileprivate var half: Money { Money(minorUnits: approved.minorUnits / 2, approved.currency) }
    /// A little more than was approved.
    fileprivate var more: Money { approved.plus(1) }
}
