internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    static let refunds: [Check] = [
        Check(
            "refund.all", "A refund without an amount gives back all that was charged.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            let back = try await kit.done(
                try await kit.refund(payment.id, attempt: kit.attempt()))
            try kit.expectMoved(back.attempt, .refund, payment.requested)
            try kit.expect(back.amounts.refundable.minorUnits, is: 0, "what is left")
        },
        Check(
            "refund.part", "A refund of a part gives back that part.", .refund, needs: ["refund.partial", "sale"],
            .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            let back = try await kit.done(
                try await kit.refund(payment.id, payment.requested.half, attempt: kit.attempt()))
            try kit.expectMoved(back.attempt, .refund, payment.requested.half)
        },
        Check(
            "refund.parts-then-rest", "Two parts and the rest give back exactly everything.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            for _ in 1...2 {
                _ = try await kit.done(
                    try await kit.refund(payment.id, payment.requested.half.half, attempt: kit.attempt()))
            }
            let rest = try await kit.done(
                try await kit.refund(payment.id, attempt: kit.attempt()))
            try kit.expectMoved(
                rest.attempt, .refund, payment.requested.plus(-2 * payment.requested.half.half.minorUnits))
        },
        Check(
            "refund.too-much", "Giving back more than was charged is refused, and nothing is sent.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.refund(payment.id, payment.requested.plus(1)) }
            }
            try kit.expect(error, .exceeds, .nothingMoved)
        },
        Check(
            "refund.twice", "What was given back as a whole is not given back again.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            _ = try await kit.done(try await kit.refund(payment.id))
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.refund(payment.id, payment.requested) }
            }
            try kit.expect(error, .exceeds, .nothingMoved)
        },
        Check(
            "refund.replayed", "A refund under the same attempt is the same refund.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { kit in
            let (payment, id) = (try await kit.sold(), try kit.attempt())
            let first = try await kit.refund(payment.id, payment.requested.half, attempt: id)
            let again = try await kit.silently("a replay") {
                try await kit.refund(payment.id, payment.requested.half, attempt: id)
            }
            try kit.expectSame(first, again)
            _ = try await kit.done(first)
            try kit.expectMoved(id, .refund, payment.requested.half)
        },
        Check(
            "refund.right-payment", "A refund takes from its own payment and from no other.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let (one, two) = (try await kit.sold(reference: "a"), try await kit.sold(reference: "b"))
            let back = try await kit.done(
                try await kit.refund(two.id, attempt: kit.attempt()))
            let ledger = kit.fixture.ledger
            try kit.expect(
                ledger.entries(of: back.attempt).first?.payment, is: ledger.entries(of: two.attempt).first?.payment,
                "the payment")
            try kit.expect(try await kit.client.payment(one.id).amounts.refunded.minorUnits, is: 0, "the other's")
        },
        Check(
            "refund.after-capture", "What was captured can be refunded, and what is only held can't.", .refund,
            needs: ["refund.partial", "authorize", "capture.partial"], .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let early = try await kit.silently("it") {
                try await kit.failure { try await kit.refund(held.id, held.requested.half) }
            }
            try kit.expect(early.outcome, is: .nothingMoved, "the outcome")
            _ = try await kit.done(
                try await kit.client.capture(held.id, held.requested.half, attempt: kit.attempt()))
            let part = held.requested.half.half
            let back = try await kit.done(try await kit.refund(held.id, part, attempt: kit.attempt()))
            // Done twice, it would go through twice.
            try await kit.companyDecides()
            try kit.expectMoved(back.attempt, .refund, part)
            let rest = try await kit.done(try await kit.refund(held.id, attempt: kit.attempt()))
            try kit.expectMoved(rest.attempt, .refund, try held.requested.half.subtracting(part))
        },
        Check(
            "refund.declined-sale", "A declined sale can't be refunded.", .refund, needs: ["refund", "sale"], .critical,
            .backOffice
        ) { kit in
            let id = try kit.attempt()
            _ = try kit.declined(try await kit.sell(.insufficientFunds, attempt: id))
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.refund(PaymentID(id), Money(minorUnits: 1, .eur)) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "refund.unknown-payment", "A refund of a payment that nobody knows is refused, and nothing is sent.",
            .refund, needs: ["refund"], .major, .backOffice
        ) { kit in
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.refund(try PaymentID("nobody-knows-it")) }
            }
            try kit.expect(error, .notFound, .nothingMoved)
        },
        Check(
            "refund.lost-reply-blocks", "While a refund is in doubt, no other refund of the payment is sent.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { kit in
            // Two parts, so that the company would give both back: nobody but the client stands in the way of the second.
            let payment = try await kit.sold()
            let (part, one, two) = (payment.requested.half.half, try kit.attempt(), try kit.attempt())
            try kit.loseAnswers()
            let lost = try await kit.failure("the refund") { try await kit.refund(payment.id, part, attempt: one) }
            try kit.expect(lost.outcome, is: .unknown, "the outcome of the first")
            let second = try await kit.failure("another refund") {
                try await kit.refund(payment.id, part, attempt: two)
            }
            try kit.expect(second, .inDoubt, .nothingMoved)
            kit.calm()
            let (fresh, _) = try await kit.recovered()
            try fresh.expectNothingMoved(two)
            try await inFlight(kit)
        },
        Check(
            "refund.pending", "A refund that is decided later reserves what it gives back.", .refund,
            needs: ["refund.partial", "sale", "webhooks"], .critical, .backOffice
        ) { kit in
            let (payment, id, cue) = (try await kit.sold(), try kit.attempt(), try kit.cue(.pending, .refund))
            guard case .pending = try await kit.refund(payment.id, cue.amount, attempt: id) else {
                throw CheckFailure("it is not pending")
            }
            let left = try await kit.client.payment(payment.id).amounts.refundable
            try kit.expect(left, is: payment.requested.plus(-cue.amount.minorUnits), "what is left")
            try await kit.deliver(kit.happen(.decided(id, succeeds: true)))
            try kit.expectMoved(id, .refund, cue.amount)
        },
        Check(
            "refund.pending-fails", "A pending refund that fails gives its reservation back.", .refund,
            needs: ["refund.partial", "sale", "webhooks"], .critical, .backOffice
        ) { kit in
            let (payment, id, cue) = (try await kit.sold(), try kit.attempt(), try kit.cue(.pending, .refund))
            guard case .pending = try await kit.refund(payment.id, cue.amount, attempt: id) else {
                throw CheckFailure("it is not pending")
            }
            try await kit.deliver(kit.happen(.decided(id, succeeds: false)))
            try kit.expectNothingMoved(id)
            try kit.expect(
                try await kit.client.payment(payment.id).amounts.refundable, is: payment.requested, "what is left")
        },
        Check(
            "refund.fails-later", "A refund that comes back later counts as not refunded.", .refund,
            needs: ["refund", "sale", "webhooks"], .critical, .backOffice
        ) { kit in
            let (payment, id) = (try await kit.sold(), try kit.attempt())
            _ = try await kit.done(try await kit.refund(payment.id, attempt: id))
            try await kit.wait(1_000)
            try await kit.deliver(kit.happen(.failedLater(id)))
            try kit.expect(
                try await kit.client.payment(payment.id).amounts.refundable, is: payment.requested, "what is left")
        },
        Check(
            "refund.unlinked-reader", "A refund without an original by tap gives exactly its amount.", .refund,
            needs: ["refund.unlinked", "source.reader"], .critical, .backOffice
        ) { kit in
            try kit.expect(kit.driver.capabilities.unlinkedRefundSources.contains(.reader), or: "no refund by tap")
            let cue = try kit.cue(.approved, .unlinkedRefund, from: .reader)
            let back = try await kit.done(
                try await kit.client.refund(
                    unlinked: UnlinkedRefundRequest(cue.amount, to: .reader, reference: "back"), attempt: kit.attempt())
            )
            try kit.expectMoved(back.attempt, .refund, cue.amount)
        },
        Check(
            "refund.unlinked-card", "A refund without an original to a card gives exactly its amount.", .refund,
            needs: ["refund.unlinked"], .critical, .backOffice
        ) { kit in
            try kit.expect(kit.driver.capabilities.unlinkedRefundSources.contains(.card), or: "no refund to a card")
            let cue = try kit.cue(.approved, .unlinkedRefund, from: .card)
            let back = try await kit.done(
                try await kit.client.refund(
                    unlinked: UnlinkedRefundRequest(cue.amount, to: cue.source, reference: "back"),
                    attempt: kit.attempt()))
            try kit.expectMoved(back.attempt, .refund, cue.amount)
        },
        Check(
            "refund.unlinked-source",
            "A refund without an original to a source that is not taken is refused, nothing sent.", .refund,
            needs: ["refund.unlinked"], .major, .backOffice
        ) { kit in
            let taken = kit.driver.capabilities.unlinkedRefundSources
            guard let other = SourceKind.allCases.first(where: { !taken.contains($0) }) else {
                throw NotApplicable("every source is taken")
            }
            let request = UnlinkedRefundRequest(try kit.cue().amount, to: Kit.sample(other), reference: "back")
            try await kit.expectUnsupported("it") { _ = try await kit.client.refund(unlinked: request) }
        },
        Check(
            "refund.other-currency", "A refund in another currency is refused, and nothing is sent.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            let other = Money(minorUnits: 100, payment.requested.currency == .usd ? .eur : .usd)
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.refund(payment.id, other) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
    ]
    /// While a refund of a part is under way, another one of everything comes too late, whatever becomes of the first.
    private static func inFlight(_ kit: Kit) async throws {
        let payment = try await kit.sold(reference: "under-way")
        let before = kit.fixture.ledger.entries.count
        let gate = try kit.holdMoney()
        let part = payment.requested.half
        let first = kit.start { try await kit.refund(payment.id, part, attempt: try kit.attempt()) }
        _ = await gate.reached.value()
        let second = kit.start { try await kit.refund(payment.id, payment.requested, attempt: try kit.attempt()) }
        try await kit.wait(100)
        gate.opened.fulfil(true)
        _ = try await kit.done(try await first.value)
        if case .success(let result) = await second.result, result.payment != nil {
            throw CheckFailure("both were given back")
        }
        let moved = kit.fixture.ledger.entries.dropFirst(before)
        try kit.expect(moved.count { $0.direction == .refund }, is: 1, "refunds")
        kit.calm()
    }
}
