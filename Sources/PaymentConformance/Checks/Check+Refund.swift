internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit

extension Check {
    /// A refund without an amount, of a sale from a kind of source.
    private static func whole(
        _ id: String, _ sentence: String, of source: PaymentSource.Kind? = nil, needs: [String] = []
    ) -> Check {
        Check("refund.\(id)", sentence, .refund, needs: ["refund", "sale"] + needs, .critical, .backOffice) { context in
            let payment = try await context.approvedSale(from: source)
            let back = try await context.refunded(payment.id)
            try context.expectMoved(back.attempt, .refund, payment.requested)
            try context.expect(back.amounts.refundable.minorUnits, is: 0, "what is left")
        }
    }

    /// A refund without an original to a kind of source, where the provider takes that one.
    private static func unlinked(
        _ source: PaymentSource.Kind, _ sentence: String, or otherwise: String, needs: [String] = []
    ) -> Check {
        Check(
            "refund.unlinked-\(source.rawValue)", sentence, .refund, needs: ["refund.unlinked"] + needs, .critical,
            .backOffice
        ) { context in
            try context.expect(
                context.driver.capabilities.unlinkedRefundSources.contains(source), or: otherwise)
            let scripted = try context.scripted(.approved, .unlinkedRefund, from: source)
            let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "back")
            let back = try await context.done(
                try await context.client.refundUnlinked(request, attempt: context.attempt()))
            try context.expectMoved(back.attempt, .refund, scripted.amount)
        }
    }

    static let refunds: [Check] = [
        whole("all", "A refund without an amount refunds all that was charged."),
        Check(
            "refund.part", "A refund of a part refunds that part.", .refund, needs: ["refund.partial", "sale"],
            .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            let back = try await context.refunded(payment.id, of: payment.requested.half)
            try context.expectMoved(back.attempt, .refund, payment.requested.half)
        },
        Check(
            "refund.parts-then-rest", "Two parts and the rest refund exactly everything.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            for item in 1...2 {
                let part = payment.requested.half.half
                _ = try await context.refunded(payment.id, of: part, reference: "item \(item)")
            }
            let rest = try await context.refunded(payment.id, reference: "rest")
            try context.expectMoved(
                rest.attempt, .refund,
                payment.requested.without(payment.requested.half.half).without(payment.requested.half.half))
        },
        Check(
            "refund.too-much", "A refund of more than was charged is refused, and nothing is sent.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            try await context.expectRefused(.amountTooHigh) {
                try await context.refund(payment.id, of: payment.requested.plus(1))
            }
        },
        Check(
            "refund.twice", "What was refunded as a whole is not refunded again.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            _ = try await context.done(try await context.refund(payment.id))
            try await context.expectRefused(.amountTooHigh) {
                try await context.refund(payment.id, of: payment.requested)
            }
        },
        Check(
            "refund.replayed", "A refund under the same attempt is the same refund.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { context in
            let (payment, id) = (try await context.approvedSale(), try context.attempt())
            let first = try await context.refund(payment.id, of: payment.requested.half, attempt: id)
            let again = try await context.expectNoRequests(during: "a replay") {
                try await context.refund(payment.id, of: payment.requested.half, attempt: id)
            }
            try context.expectSame(first, again)
            _ = try await context.done(first)
            try context.expectMoved(id, .refund, payment.requested.half)
        },
        Check(
            "refund.right-payment", "A refund takes from its own payment and from no other.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let (one, two) = (
                try await context.approvedSale(reference: "a"), try await context.approvedSale(reference: "b")
            )
            let back = try await context.refunded(two.id)
            let ledger = context.fixture.ledger
            try context.expect(
                ledger.entries(of: back.attempt).first?.payment, is: ledger.entries(of: two.attempt).first?.payment,
                "the payment")
            try context.expect(
                try await context.client.payment(one.id).amounts.refunded.minorUnits, is: 0, "the other's")
        },
        Check(
            "refund.after-capture", "What was captured can be refunded, and what is only held can't.", .refund,
            needs: ["refund.partial", "authorize", "capture.partial"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            try await context.expectRefused { try await context.refund(held.id, of: held.requested.half) }
            _ = try await context.captured(held.id, of: held.requested.half)
            let part = held.requested.half.half
            let back = try await context.refunded(held.id, of: part)
            // Done twice, it would go through twice.
            try await context.decidePending()
            try context.expectMoved(back.attempt, .refund, part)
            let rest = try await context.refunded(held.id, reference: "rest")
            try context.expectMoved(rest.attempt, .refund, try held.requested.half.subtracting(part))
        },
        Check(
            "refund.declined-sale", "A declined sale can't be refunded.", .refund, needs: ["refund", "sale"], .critical,
            .backOffice
        ) { context in
            let id = try context.attempt()
            _ = try context.declined(try await context.sale(.insufficientFunds, attempt: id))
            try await context.expectRefused { try await context.refund(PaymentID(id), of: Money(minorUnits: 1, .eur)) }
        },
        Check(
            "refund.unknown-payment", "A refund of an unknown payment is refused, and nothing is sent.",
            .refund, needs: ["refund"], .major, .backOffice
        ) { context in
            try await context.expectRefused(.notFound) { try await context.refund(try PaymentID("unknown-payment")) }
        },
        Check(
            "refund.lost-reply-blocks", "While a refund is in doubt, no other refund of the payment is sent.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { context in
            // Two parts, so that the provider would give both back: only the client is in the way of the
            // second.
            let payment = try await context.approvedSale()
            let (part, one, two) = (payment.requested.half.half, try context.attempt(), try context.attempt())
            try context.dropReplies()
            let lost = try await context.failure("the refund") {
                try await context.refund(payment.id, of: part, attempt: one)
            }
            try context.expect(lost.outcome, is: .unknown, "the outcome of the first")
            let second = try await context.failure("another refund") {
                try await context.refund(payment.id, of: part, attempt: two)
            }
            try context.expect(second, .inDoubt, .notExecuted)
            context.calm()
            let (fresh, _) = try await context.recovered()
            try fresh.expectNothingMoved(two)
            try await inFlight(context)
        },
        Check(
            "refund.pending", "A refund that is decided later reserves its amount.", .refund,
            needs: ["refund.partial", "sale", "webhooks"], .critical, .backOffice
        ) { context in
            let (payment, id, scripted) = (
                try await context.approvedSale(), try context.attempt(), try context.scripted(.pending, .refund)
            )
            try context.expectPending(try await context.refund(payment.id, of: scripted.amount, attempt: id))
            let left = try await context.client.payment(payment.id).amounts.refundable
            try context.expect(left, is: payment.requested.without(scripted.amount), "what is left")
            try await context.deliver(context.happen(.decided(id, succeeds: true)))
            try context.expectMoved(id, .refund, scripted.amount)
        },
        Check(
            "refund.pending-fails", "A pending refund that fails gives its reservation back.", .refund,
            needs: ["refund.partial", "sale", "webhooks"], .critical, .backOffice
        ) { context in
            let (payment, id, scripted) = (
                try await context.approvedSale(), try context.attempt(), try context.scripted(.pending, .refund)
            )
            try context.expectPending(try await context.refund(payment.id, of: scripted.amount, attempt: id))
            try await context.deliver(context.happen(.decided(id, succeeds: false)))
            try context.expectNothingMoved(id)
            try context.expect(
                try await context.client.payment(payment.id).amounts.refundable, is: payment.requested, "what is left")
        },
        Check(
            "refund.fails-later", "A refund that comes back later counts as not refunded.", .refund,
            needs: ["refund", "sale", "webhooks"], .critical, .backOffice
        ) { context in
            let (payment, id) = (try await context.approvedSale(), try context.attempt())
            _ = try await context.done(try await context.refund(payment.id, attempt: id))
            try await context.wait(1_000)
            try await context.deliver(context.happen(.failedLater(id)))
            try context.expect(
                try await context.client.payment(payment.id).amounts.refundable, is: payment.requested, "what is left")
        },
        unlinked(
            .reader, "A refund without an original by tap gives exactly its amount.", or: "no refund by tap",
            needs: ["source.reader"]),
        unlinked(.card, "A refund without an original to a card gives exactly its amount.", or: "no refund to a card"),
        whole(
            "bank", "A refund of a transfer from a bank account gives all of it back.", of: .bank,
            needs: ["source.bank"]),
        unlinked(
            .bank, "A credit to a bank account gives exactly its amount.", or: "no credit to a bank account",
            needs: ["source.bank"]),
        Check(
            "refund.unlinked-pending-fails",
            "A refund without an original that is accepted for later and then fails is declined, and nothing moved.",
            .refund, needs: ["refund.unlinked", "webhooks"], .critical, .backOffice
        ) { context in
            let (taken, usual) = (context.driver.capabilities.unlinkedRefundSources, context.source)
            guard let source = taken.contains(usual) ? usual : taken.min(by: { $0.rawValue < $1.rawValue }) else {
                throw NotApplicable("no source is taken")
            }
            let (id, scripted) = (
                try context.attempt(), try context.scripted(.pending, .unlinkedRefund, from: source)
            )
            let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "back")
            try context.expectPending(try await context.client.refundUnlinked(request, attempt: id))
            try await context.deliver(context.happen(.decided(id, succeeds: false)))
            _ = try context.declined(try await context.settled(id))
            try context.expectNothingMoved(id)
        },
        Check(
            "refund.unlinked-source",
            "A refund without an original to a source that is not taken is refused, nothing sent.", .refund,
            needs: ["refund.unlinked"], .major, .backOffice
        ) { context in
            let taken = context.driver.capabilities.unlinkedRefundSources
            guard let other = PaymentSource.Kind.allCases.first(where: { !taken.contains($0) }) else {
                throw NotApplicable("every source is taken")
            }
            let request = UnlinkedRefundRequest(
                try context.scripted().amount, to: CheckContext.sample(other), reference: "back")
            try await context.expectUnsupported("it") { _ = try await context.client.refundUnlinked(request) }
        },
        Check(
            "refund.other-currency", "A refund in another currency is refused, and nothing is sent.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            let other = Money(minorUnits: 100, payment.requested.currency == .usd ? .eur : .usd)
            try await context.expectRefused { try await context.refund(payment.id, of: other) }
        },
    ]
    /// While a refund of a part is under way, a refund of the whole payment is refused, whatever becomes of the first.
    private static func inFlight(_ context: CheckContext) async throws {
        let payment = try await context.approvedSale(reference: "under-way")
        let before = context.fixture.ledger.entries.count
        let gate = try context.holdMoney()
        let part = payment.requested.half
        let first = context.start { try await context.refund(payment.id, of: part, attempt: try context.attempt()) }
        _ = await gate.reached.value()
        let second = context.start {
            try await context.refund(payment.id, of: payment.requested, attempt: try context.attempt())
        }
        try await context.wait(100)
        gate.opened.fulfill(true)
        _ = try await context.done(try await first.value)
        if case .success(let result) = await second.result, result.payment != nil {
            throw CheckFailure("both were refunded")
        }
        let moved = context.fixture.ledger.entries.dropFirst(before)
        try context.expect(moved.count { $0.direction == .refund }, is: 1, "refunds")
        context.calm()
    }
}
