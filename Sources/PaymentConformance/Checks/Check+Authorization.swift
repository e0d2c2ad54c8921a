internal import PaymentBase
internal import PaymentCore

extension Money {
    /// A half, rounded down.
    var half: Money { Money(minorUnits: minorUnits / 2, currency) }

    /// More or less by so many minor units.
    func plus(_ units: Int64) -> Money { Money(minorUnits: minorUnits.adding(units), currency) }

    /// What is left when another amount is taken away.
    func without(_ other: Money) -> Money { Money(minorUnits: minorUnits.subtracting(other.minorUnits), currency) }
}

extension Check {
    static let authorizations: [Check] = [
        Check(
            "authorize.held", "An authorisation holds its amount and charges nothing.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            try context.expectMoved(held.attempt, .hold, held.requested)
            try context.expect(held.amounts.captured.minorUnits, is: 0, "what was captured")
            try context.expect(held.amounts.capturable, is: held.requested, "what can be captured")
        },
        Check(
            "authorize.declined", "A declined authorisation holds nothing.", .authorization, needs: ["authorize"],
            .critical, .backOffice
        ) { context in
            let id = try context.attempt()
            _ = try context.declined(try await context.authorize(.insufficientFunds, attempt: id))
            try context.expectNothingMoved(id)
        },
        Check(
            "capture.all", "A capture without an amount takes all that is held.", .authorization, needs: ["authorize"],
            .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            let captured = try await context.captured(held.id)
            try context.expectMoved(captured.attempt, .capture, held.requested)
        },
        Check(
            "capture.part", "A capture of a part takes that part.", .authorization,
            needs: ["authorize", "capture.partial"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            let part = try await context.captured(held.id, of: held.requested.half)
            try context.expectMoved(part.attempt, .capture, held.requested.half)
        },
        Check(
            "capture.several", "What is left after a capture can be captured, and no more.", .authorization,
            needs: ["authorize", "capture.several"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            _ = try await context.captured(held.id, of: held.requested.half)
            let rest = try await context.captured(held.id, reference: "rest")
            try context.expectMoved(rest.attempt, .capture, held.requested.without(held.requested.half))
            let error = try await context.failure("a third capture") {
                try await context.client.capture(held.id, of: held.requested.half)
            }
            try context.expect(error.outcome, is: .notExecuted, "the outcome")
        },
        Check(
            "capture.too-much", "Capturing more than is held is refused, and nothing is sent.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            try await context.expectRefused(.amountTooHigh) {
                try await context.client.capture(held.id, of: held.requested.plus(1))
            }
        },
        Check(
            "capture.right-payment", "A capture takes from its own authorisation and from no other.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { context in
            let (one, two) = (
                try await context.authorized(reference: "a"), try await context.authorized(reference: "b")
            )
            let captured = try await context.captured(two.id)
            let ledger = context.fixture.ledger
            let (from, due) = (ledger.entries(of: captured.attempt).first, ledger.entries(of: two.attempt).first)
            try context.expect(from?.payment, is: due?.payment, "the payment that it was taken from")
            try context.expect(
                try await context.client.payment(one.id).amounts.captured.minorUnits, is: 0, "the other's")
        },
        Check(
            "capture.after-sale", "A sale can't be captured.", .authorization, needs: ["authorize", "sale"], .major,
            .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            try await context.expectRefused { try await context.client.capture(payment.id) }
        },
        Check(
            "capture.unknown-payment", "A capture of an unknown payment is refused, and nothing is sent.",
            .authorization, needs: ["authorize"], .major, .backOffice
        ) { context in
            try await context.expectRefused(.notFound) {
                try await context.client.capture(try PaymentID("unknown-payment"))
            }
        },
        Check(
            "capture.replayed", "A capture under the same attempt is the same capture.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { context in
            let (held, id) = (try await context.authorized(), try context.attempt())
            let first = try await context.client.capture(held.id, of: held.requested.half, attempt: id)
            let again = try await context.expectNoRequests(during: "a replay") {
                try await context.client.capture(held.id, of: held.requested.half, attempt: id)
            }
            try context.expectSame(first, again)
            _ = try await context.done(first)
            try context.expectMoved(id, .capture, held.requested.half)
        },
        Check(
            "capture.refused", "A capture that the provider refuses moves nothing.", .authorization,
            needs: ["authorize"], .critical, .backOffice
        ) { context in
            let (held, id) = (try await context.authorized(), try context.attempt())
            try context.armMoney("status.429")
            let result = try await context.trying { try await context.client.capture(held.id, attempt: id) }
            // A refusal before execution may have been asked again; then it was done, once.
            guard result?.payment != nil else { return try context.expectNothingMoved(id) }
            try context.expectMoved(id, .capture, held.requested)
        },
        Check(
            "capture.pending", "A capture that is decided later reserves what it will take.", .authorization,
            needs: ["authorize", "webhooks"], .critical, .backOffice
        ) { context in
            let (held, id, scripted) = (
                try await context.authorized(), try context.attempt(), try context.scripted(.pending, .capture)
            )
            try context.expectPending(try await context.client.capture(held.id, of: scripted.amount, attempt: id))
            let left = try await context.client.payment(held.id).amounts.capturable
            try context.expect(left, is: held.requested.without(scripted.amount), "what is left")
            try await context.deliver(context.happen(.decided(id, succeeds: true)))
            try context.expectMoved(id, .capture, scripted.amount)
        },
        Check(
            "adjust.up", "An adjustment upwards holds the difference.", .authorization, needs: ["adjust", "authorize"],
            .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            let more = try await context.done(
                try await context.client.adjust(held.id, to: held.requested.plus(1_000), attempt: context.attempt()))
            try context.expectMoved(more.attempt, .hold, Money(minorUnits: 1_000, held.requested.currency))
        },
        Check(
            "adjust.down", "An adjustment downwards lets the difference go.", .authorization,
            needs: ["adjust", "authorize"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            let less = try await context.done(
                try await context.client.adjust(held.id, to: held.requested.plus(-1_000), attempt: context.attempt()))
            try context.expectMoved(less.attempt, .release, Money(minorUnits: 1_000, held.requested.currency))
        },
        Check(
            "tip.adjusted", "A tip that is changed twice afterwards is what it was changed to last.",
            .authorization, needs: ["tip.adjust", "sale"], .major, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            // The second is less than the first: added to it, it would be charged beside it.
            for units: Int64 in [300, 200] {
                let tip = Money(minorUnits: units, payment.requested.currency)
                _ = try await context.done(
                    try await context.client.adjustTip(payment.id, to: tip, attempt: context.attempt()))
            }
            let charged = try await context.client.payment(payment.id).amounts.captured
            try context.expect(charged, is: payment.requested.plus(200), "what was charged with the tip")
        },
    ]

    /// A void of a sale from a kind of source.
    private static func whole(
        _ id: String, _ sentence: String, of source: PaymentSource.Kind? = nil, needs: [String] = []
    ) -> Check {
        Check("void.\(id)", sentence, .void, needs: ["void", "sale"] + needs, .critical, .backOffice) { context in
            let payment = try await context.approvedSale(from: source)
            let undone = try await context.voided(payment.id)
            try context.expectMoved(undone.attempt, .reversal, payment.requested)
            try context.expect(undone.amounts.isVoided, "the payment does not say that it was undone")
        }
    }

    static let voids: [Check] = [
        whole("sale", "A voided sale returns everything."),
        whole(
            "bank", "A voided transfer from a bank account gives everything back.", of: .bank, needs: ["source.bank"]),
        Check(
            "void.authorisation", "A voided authorisation lets everything go.", .void, needs: ["void", "authorize"],
            .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            let undone = try await context.voided(held.id)
            try context.expectMoved(undone.attempt, .release, held.requested)
        },
        Check(
            "void.after-part",
            "A void after a part was captured leaves what the journal says, or is refused and moves nothing.", .void,
            needs: ["void", "authorize", "capture.partial"], .critical, .backOffice
        ) { context in
            let held = try await context.authorized()
            _ = try await context.captured(held.id, of: held.requested.half)
            let id = try context.attempt()
            switch try await context.result(of: { try await context.client.void(held.id, attempt: id) }) {
            case .success(.declined): try context.expectNothingMoved(id)
            // The audit compares what is left with the books.
            case .success(let result): _ = try await context.done(result)
            case .failure(let error):
                try context.expect(error.outcome, is: .notExecuted, "the outcome of a void that is refused")
                try context.expectNothingMoved(id)
            }
        },
        Check(
            "void.twice", "What was undone can't be undone again.", .void, needs: ["void", "sale"], .critical,
            .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            _ = try await context.done(try await context.client.void(payment.id))
            try await context.expectRefused(what: "a second void") { try await context.client.void(payment.id) }
        },
        Check(
            "void.then-refund", "What was undone can't be refunded.", .void, needs: ["void", "refund", "sale"],
            .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            _ = try await context.done(try await context.client.void(payment.id))
            try await context.expectRefused(what: "a refund") { try await context.refund(payment.id) }
        },
        Check(
            "void.after-refund", "What was refunded in part can't be undone as if it had never been; nothing is sent.",
            .void,
            needs: ["void", "refund.partial", "sale"], .critical, .backOffice
        ) { context in
            let payment = try await context.approvedSale()
            _ = try await context.done(try await context.refund(payment.id, of: payment.requested.half))
            let before = context.fixture.ledger.entries.count
            let error = try await context.expectNoRequests(during: "it") {
                try await context.failure("a void") { try await context.client.void(payment.id) }
            }
            try context.expect(error.outcome, is: .notExecuted, "the outcome")
            try context.expect(context.fixture.ledger.entries.count, is: before, "movements")
        },
        Check(
            "void.capture-after", "What was undone can't be captured.", .void, needs: ["void", "authorize"], .critical,
            .backOffice
        ) { context in
            let held = try await context.authorized()
            _ = try await context.done(try await context.client.void(held.id))
            try await context.expectRefused(what: "a capture") { try await context.client.capture(held.id) }
        },
    ]
}
