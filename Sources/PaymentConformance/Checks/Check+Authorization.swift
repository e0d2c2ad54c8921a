internal import PaymentAbstraction
internal import PaymentBase

extension Money {
    /// A half, rounded down.
    var half: Money { Money(minorUnits: minorUnits / 2, currency) }

    /// More or less by so many minor units.
    func plus(_ units: Int64) -> Money { Money(minorUnits: minorUnits + units, currency) }
}

extension Check {
    static let authorizations: [Check] = [
        Check(
            "authorize.held", "An authorisation holds its amount and charges nothing.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            try kit.expectMoved(held.attempt, .hold, held.requested)
            try kit.expect(held.amounts.captured.minorUnits, is: 0, "what was captured")
            try kit.expect(held.amounts.capturable, is: held.requested, "what can be captured")
        },
        Check(
            "authorize.declined", "A declined authorisation holds nothing.", .authorization, needs: ["authorize"],
            .critical, .backOffice
        ) { kit in
            let id = try kit.attempt()
            _ = try kit.declined(try await kit.hold(.insufficientFunds, attempt: id))
            try kit.expectNothingMoved(id)
        },
        Check(
            "capture.all", "A capture without an amount takes all that is held.", .authorization, needs: ["authorize"],
            .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let captured = try await kit.done(
                try await kit.client.capture(held.id, attempt: kit.attempt()))
            try kit.expectMoved(captured.attempt, .capture, held.requested)
        },
        Check(
            "capture.part", "A capture of a part takes that part.", .authorization,
            needs: ["authorize", "capture.partial"], .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let part = try await kit.done(
                try await kit.client.capture(held.id, held.requested.half, attempt: kit.attempt()))
            try kit.expectMoved(part.attempt, .capture, held.requested.half)
        },
        Check(
            "capture.several", "What is left after a capture can be captured, and no more.", .authorization,
            needs: ["authorize", "capture.several"], .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            _ = try await kit.done(
                try await kit.client.capture(held.id, held.requested.half, attempt: kit.attempt()))
            let rest = try await kit.done(
                try await kit.client.capture(held.id, attempt: kit.attempt()))
            try kit.expectMoved(rest.attempt, .capture, held.requested.plus(-held.requested.half.minorUnits))
            let error = try await kit.failure("a third capture") {
                try await kit.client.capture(held.id, held.requested.half)
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "capture.too-much", "Capturing more than is held is refused, and nothing is sent.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.client.capture(held.id, held.requested.plus(1)) }
            }
            try kit.expect(error, .exceeds, .nothingMoved)
        },
        Check(
            "capture.right-payment", "A capture takes from its own authorisation and from no other.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { kit in
            let (one, two) = (try await kit.held(reference: "a"), try await kit.held(reference: "b"))
            let captured = try await kit.done(
                try await kit.client.capture(two.id, attempt: kit.attempt()))
            let ledger = kit.fixture.ledger
            let (from, due) = (ledger.entries(of: captured.attempt).first, ledger.entries(of: two.attempt).first)
            try kit.expect(from?.payment, is: due?.payment, "the payment that it was taken from")
            try kit.expect(try await kit.client.payment(one.id).amounts.captured.minorUnits, is: 0, "the other's")
        },
        Check(
            "capture.after-sale", "A sale can't be captured.", .authorization, needs: ["authorize", "sale"], .major,
            .backOffice
        ) { kit in
            let payment = try await kit.sold()
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.client.capture(payment.id) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "capture.unknown-payment", "A capture of a payment that nobody knows is refused, and nothing is sent.",
            .authorization, needs: ["authorize"], .major, .backOffice
        ) { kit in
            let error = try await kit.silently("it") {
                try await kit.failure { try await kit.client.capture(try PaymentID("nobody-knows-it")) }
            }
            try kit.expect(error, .notFound, .nothingMoved)
        },
        Check(
            "capture.replayed", "A capture under the same attempt is the same capture.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { kit in
            let (held, id) = (try await kit.held(), try kit.attempt())
            let first = try await kit.client.capture(held.id, held.requested.half, attempt: id)
            let again = try await kit.silently("a replay") {
                try await kit.client.capture(held.id, held.requested.half, attempt: id)
            }
            try kit.expectSame(first, again)
            _ = try await kit.done(first)
            try kit.expectMoved(id, .capture, held.requested.half)
        },
        Check(
            "capture.refused", "A capture that the company refuses moves nothing.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { kit in
            let (held, id) = (try await kit.held(), try kit.attempt())
            try kit.armMoney("status.429")
            let result = try await kit.trying { try await kit.client.capture(held.id, attempt: id) }
            // A refusal before execution may have been asked again; then it was done, once.
            guard result?.payment != nil else { return try kit.expectNothingMoved(id) }
            try kit.expectMoved(id, .capture, held.requested)
        },
        Check(
            "capture.pending", "A capture that is decided later reserves what it will take.", .authorization,
            needs: ["authorize", "webhooks"], .critical, .backOffice
        ) { kit in
            let (held, id, cue) = (try await kit.held(), try kit.attempt(), try kit.cue(.pending, .capture))
            guard case .pending = try await kit.client.capture(held.id, cue.amount, attempt: id) else {
                throw CheckFailure("it is not pending")
            }
            let left = try await kit.client.payment(held.id).amounts.capturable
            try kit.expect(left, is: held.requested.plus(-cue.amount.minorUnits), "what is left")
            try await kit.deliver(kit.happen(.decided(id, succeeds: true)))
            try kit.expectMoved(id, .capture, cue.amount)
        },
        Check(
            "adjust.up", "An adjustment upwards holds the difference.", .authorization, needs: ["adjust", "authorize"],
            .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let more = try await kit.done(
                try await kit.client.adjust(held.id, to: held.requested.plus(1_000), attempt: kit.attempt()))
            try kit.expectMoved(more.attempt, .hold, held.requested.plus(1_000 - held.requested.minorUnits))
        },
        Check(
            "adjust.down", "An adjustment downwards lets the difference go.", .authorization,
            needs: ["adjust", "authorize"], .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let less = try await kit.done(
                try await kit.client.adjust(held.id, to: held.requested.plus(-1_000), attempt: kit.attempt()))
            try kit.expectMoved(less.attempt, .release, held.requested.plus(1_000 - held.requested.minorUnits))
        },
        Check(
            "tip.adjusted", "A tip that is changed afterwards is approved and charges nothing by itself.",
            .authorization, needs: ["tip.adjust", "sale"], .major, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            _ = try await kit.done(
                try await kit.client.adjustTip(payment.id, to: Money(minorUnits: 300, payment.requested.currency)))
        },
    ]

    static let voids: [Check] = [
        Check(
            "void.sale", "A voided sale gives back everything.", .void, needs: ["void", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            let undone = try await kit.done(
                try await kit.client.void(payment.id, attempt: kit.attempt()))
            try kit.expectMoved(undone.attempt, .reversal, payment.requested)
            try kit.expect(undone.amounts.isVoided, "the payment does not say that it was undone")
        },
        Check(
            "void.authorisation", "A voided authorisation lets everything go.", .void, needs: ["void", "authorize"],
            .critical, .backOffice
        ) { kit in
            let held = try await kit.held()
            let undone = try await kit.done(
                try await kit.client.void(held.id, attempt: kit.attempt()))
            try kit.expectMoved(undone.attempt, .release, held.requested)
        },
        Check(
            "void.twice", "What was undone can't be undone again.", .void, needs: ["void", "sale"], .critical,
            .backOffice
        ) { kit in
            let payment = try await kit.sold()
            _ = try await kit.done(try await kit.client.void(payment.id))
            let error = try await kit.silently("a second void") {
                try await kit.failure { try await kit.client.void(payment.id) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "void.then-refund", "What was undone can't be refunded.", .void, needs: ["void", "refund", "sale"],
            .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            _ = try await kit.done(try await kit.client.void(payment.id))
            let error = try await kit.silently("a refund") {
                try await kit.failure { try await kit.refund(payment.id) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
        Check(
            "void.after-refund", "What was refunded in part can't be undone as if it had never been; nothing is sent.",
            .void,
            needs: ["void", "refund.partial", "sale"], .critical, .backOffice
        ) { kit in
            let payment = try await kit.sold()
            _ = try await kit.done(try await kit.refund(payment.id, payment.requested.half))
            let before = kit.fixture.ledger.entries.count
            let error = try await kit.silently("it") {
                try await kit.failure("a void") { try await kit.client.void(payment.id) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
            try kit.expect(kit.fixture.ledger.entries.count, is: before, "movements")
        },
        Check(
            "void.capture-after", "What was undone can't be captured.", .void, needs: ["void", "authorize"], .critical,
            .backOffice
        ) { kit in
            let held = try await kit.held()
            _ = try await kit.done(try await kit.client.void(held.id))
            let error = try await kit.silently("a capture") {
                try await kit.failure { try await kit.client.capture(held.id) }
            }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
        },
    ]
}
