internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    static let refunds: [Check] = [
        Check(
            "refund.all", "A refund without an amount gives back all that was charged.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.sold()
            let back = try await context.done(
                try await context.refund(payment.id, attempt: context.attempt()))
            try context.expectMoved(back.attempt, .refund, payment.requested)
            try context.expect(back.amounts.refundable.minorUnits, is: 0, "what is left")
        },
        Check(
            "refund.part", "A refund of a part gives back that part.", .refund, needs: ["refund.partial", "sale"],
            .critical, .backOffice
        ) { context in
            let payment = try await context.sold()
            let back = try await context.done(
                try await context.refund(payment.id, of: payment.requested.half, attempt: context.attempt()))
            try context.expectMoved(back.attempt, .refund, payment.requested.half)
        },
        Check(
            "refund.parts-then-rest", "Two parts and the rest give back exactly everything.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.sold()
            var known: Set<AttemptID> = []
            for _ in 1...2 {
                let part = payment.requested.half.half
                let back = try await context.done(
                    try await context.refund(payment.id, of: part, attempt: context.attempt(), after: known))
                known.insert(back.attempt)
            }
            let rest = try await context.done(
                try await context.refund(payment.id, attempt: context.attempt(), after: known))
            try context.expectMoved(
                rest.attempt, .refund, payment.requested.plus(-2 * payment.requested.half.half.minorUnits))
        },
        Check(
            "refund.too-much", "Giving back more than was charged is refused, and nothing is sent.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.sold()
            let error = try await context.silently("it") {
                try await context.failure { try await context.refund(payment.id, of: payment.requested.plus(1)) }
            }
            try context.expect(error, .exceeds, .nothingMoved)
        },
        Check(
            "refund.twice", "What was given back as a whole is not given back again.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.sold()
            _ = try await context.done(try await context.refund(payment.id))
            let error = try await context.silently("it") {
                try await context.failure { try await context.refund(payment.id, of: payment.requested) }
            }
            try context.expect(error, .exceeds, .nothingMoved)
        },
        Check(
            "refund.replayed", "A refund under the same attempt is the same refund.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { context in
            let (payment, id) = (try await context.sold(), try context.attempt())
            let first = try await context.refund(payment.id, of: payment.requested.half, attempt: id)
            let again = try await context.silently("a replay") {
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
            let (one, two) = (try await context.sold(reference: "a"), try await context.sold(reference: "b"))
            let back = try await context.done(
                try await context.refund(two.id, attempt: context.attempt()))
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
            let held = try await context.held()
            let early = try await context.silently("it") {
                try await context.failure { try await context.refund(held.id, of: held.requested.half) }
            }
            try context.expect(early.outcome, is: .nothingMoved, "the outcome")
            _ = try await context.done(
                try await context.client.capture(held.id, of: held.requested.half, attempt: context.attempt()))
            let part = held.requested.half.half
            let back = try await context.done(try await context.refund(held.id, of: part, attempt: context.attempt()))
            // Done twice, it would go through twice.
            try await context.providerDecides()
            try context.expectMoved(back.attempt, .refund, part)
            let rest = try await context.done(
                try await context.refund(held.id, attempt: context.attempt(), after: [back.attempt]))
            try context.expectMoved(rest.attempt, .refund, try held.requested.half.subtracting(part))
        },
        Check(
            "refund.declined-sale", "A declined sale can't be refunded.", .refund, needs: ["refund", "sale"], .critical,
            .backOffice
        ) { context in
            let id = try context.attempt()
            _ = try context.declined(try await context.sell(.insufficientFunds, attempt: id))
            let error = try await context.silently("it") {
                try await context.failure { try await context.refund(PaymentID(id), of: Money(minorUnits: 1, .eur)) }
            }
            try context.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "refund.unknown-payment", "A refund of a payment that nobody knows is refused, and nothing is sent.",
            .refund, needs: ["refund"], .major, .backOffice
        ) { context in
            let error = try await context.silently("it") {
                try await context.failure { try await context.refund(try PaymentID("nobody-knows-it")) }
            }
            try context.expect(error, .notFound, .nothingMoved)
        },
        Check(
            "refund.lost-reply-blocks", "While a refund is in doubt, no other refund of the payment is sent.", .refund,
            needs: ["refund.partial", "sale"], .critical, .backOffice
        ) { context in
            // Two parts, so that the provider would give both back: nobody but the client stands in the way of the
            // second.
            let payment = try await context.sold()
            let (part, one, two) = (payment.requested.half.half, try context.attempt(), try context.attempt())
            try context.loseAnswers()
            let lost = try await context.failure("the refund") {
                try await context.refund(payment.id, of: part, attempt: one)
            }
            try context.expect(lost.outcome, is: .unknown, "the outcome of the first")
            let second = try await context.failure("another refund") {
                try await context.refund(payment.id, of: part, attempt: two)
            }
            try context.expect(second, .inDoubt, .nothingMoved)
            context.calm()
            let (fresh, _) = try await context.recovered()
            try fresh.expectNothingMoved(two)
            try await inFlight(context)
        },
        Check(
            "refund.pending", "A refund that is decided later reserves what it gives back.", .refund,
            needs: ["refund.partial", "sale", "webhooks"], .critical, .backOffice
        ) { context in
            let (payment, id, scripted) = (
                try await context.sold(), try context.attempt(), try context.scripted(.pending, .refund)
            )
            guard case .pending = try await context.refund(payment.id, of: scripted.amount, attempt: id) else {
                throw CheckFailure("it is not pending")
            }
            let left = try await context.client.payment(payment.id).amounts.refundable
            try context.expect(left, is: payment.requested.plus(-scripted.amount.minorUnits), "what is left")
            try await context.deliver(context.happen(.decided(id, succeeds: true)))
            try context.expectMoved(id, .refund, scripted.amount)
        },
        Check(
            "refund.pending-fails", "A pending refund that fails gives its reservation back.", .refund,
            needs: ["refund.partial", "sale", "webhooks"], .critical, .backOffice
        ) { context in
            let (payment, id, scripted) = (
                try await context.sold(), try context.attempt(), try context.scripted(.pending, .refund)
            )
            guard case .pending = try await context.refund(payment.id, of: scripted.amount, attempt: id) else {
                throw CheckFailure("it is not pending")
            }
            try await context.deliver(context.happen(.decided(id, succeeds: false)))
            try context.expectNothingMoved(id)
            try context.expect(
                try await context.client.payment(payment.id).amounts.refundable, is: payment.requested, "what is left")
        },
        Check(
            "refund.fails-later", "A refund that comes back later counts as not refunded.", .refund,
            needs: ["refund", "sale", "webhooks"], .critical, .backOffice
        ) { context in
            let (payment, id) = (try await context.sold(), try context.attempt())
            _ = try await context.done(try await context.refund(payment.id, attempt: id))
            try await context.wait(1_000)
            try await context.deliver(context.happen(.failedLater(id)))
            try context.expect(
                try await context.client.payment(payment.id).amounts.refundable, is: payment.requested, "what is left")
        },
        Check(
            "refund.unlinked-reader", "A refund without an original by tap gives exactly its amount.", .refund,
            needs: ["refund.unlinked", "source.reader"], .critical, .backOffice
        ) { context in
            try context.expect(
                context.driver.capabilities.unlinkedRefundSources.contains(.reader), or: "no refund by tap")
            let scripted = try context.scripted(.approved, .unlinkedRefund, from: .reader)
            let back = try await context.done(
                try await context.client.refund(
                    unlinked: UnlinkedRefundRequest(scripted.amount, to: .reader, reference: "back"),
                    attempt: context.attempt())
            )
            try context.expectMoved(back.attempt, .refund, scripted.amount)
        },
        Check(
            "refund.unlinked-card", "A refund without an original to a card gives exactly its amount.", .refund,
            needs: ["refund.unlinked"], .critical, .backOffice
        ) { context in
            try context.expect(
                context.driver.capabilities.unlinkedRefundSources.contains(.card), or: "no refund to a card")
            let scripted = try context.scripted(.approved, .unlinkedRefund, from: .card)
            let back = try await context.done(
                try await context.client.refund(
                    unlinked: UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "back"),
                    attempt: context.attempt()))
            try context.expectMoved(back.attempt, .refund, scripted.amount)
        },
        Check(
            "refund.bank", "A refund of a transfer from a bank account gives all of it back.", .refund,
            needs: ["refund", "sale", "source.bank"], .critical, .backOffice
        ) { context in
            let payment = try await context.sold(from: .bank)
            let back = try await context.done(try await context.refund(payment.id, attempt: context.attempt()))
            try context.expectMoved(back.attempt, .refund, payment.requested)
            try context.expect(back.amounts.refundable.minorUnits, is: 0, "what is left")
        },
        Check(
            "refund.unlinked-bank", "A credit to a bank account gives exactly its amount.", .refund,
            needs: ["refund.unlinked", "source.bank"], .critical, .backOffice
        ) { context in
            try context.expect(
                context.driver.capabilities.unlinkedRefundSources.contains(.bank), or: "no credit to a bank account")
            let scripted = try context.scripted(.approved, .unlinkedRefund, from: .bank)
            let back = try await context.done(
                try await context.client.refund(
                    unlinked: UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "back"),
                    attempt: context.attempt()))
            try context.expectMoved(back.attempt, .refund, scripted.amount)
        },
        Check(
            "refund.unlinked-source",
            "A refund without an original to a source that is not taken is refused, nothing sent.", .refund,
            needs: ["refund.unlinked"], .major, .backOffice
        ) { context in
            let taken = context.driver.capabilities.unlinkedRefundSources
            guard let other = SourceKind.allCases.first(where: { !taken.contains($0) }) else {
                throw NotApplicable("every source is taken")
            }
            let request = UnlinkedRefundRequest(
                try context.scripted().amount, to: CheckContext.sample(other), reference: "back")
            try await context.expectUnsupported("it") { _ = try await context.client.refund(unlinked: request) }
        },
        Check(
            "refund.other-currency", "A refund in another currency is refused, and nothing is sent.", .refund,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.sold()
            let other = Money(minorUnits: 100, payment.requested.currency == .usd ? .eur : .usd)
            let error = try await context.silently("it") {
                try await context.failure { try await context.refund(payment.id, of: other) }
            }
            try context.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
    ]
    /// While a refund of a part is under way, another one of everything comes too late, whatever becomes of the first.
    private static func inFlight(_ context: CheckContext) async throws {
        let payment = try await context.sold(reference: "under-way")
        let before = context.fixture.ledger.entries.count
        let gate = try context.holdMoney()
        let part = payment.requested.half
        let first = context.start { try await context.refund(payment.id, of: part, attempt: try context.attempt()) }
        _ = await gate.reached.value()
        let second = context.start {
            try await context.refund(payment.id, of: payment.requested, attempt: try context.attempt())
        }
        try await context.wait(100)
        gate.opened.fulfil(true)
        _ = try await context.done(try await first.value)
        if case .success(let result) = await second.result, result.payment != nil {
            throw CheckFailure("both were given back")
        }
        let moved = context.fixture.ledger.entries.dropFirst(before)
        try context.expect(moved.count { $0.direction == .refund }, is: 1, "refunds")
        context.calm()
    }
}
