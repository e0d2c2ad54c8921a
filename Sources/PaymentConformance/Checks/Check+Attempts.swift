internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    static let attempts: [Check] = [
        Check(
            "attempt.replayed", "The same attempt again gives the recorded result, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let id = try kit.attempt()
            let first = try await kit.sell(attempt: id)
            let again = try await kit.silently("a replay") { try await kit.sell(attempt: id) }
            try kit.expectSame(first, again)
        },
        Check(
            "attempt.replayed-decline", "A recorded decline is replayed, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let id = try kit.attempt()
            let first = try await kit.sell(.insufficientFunds, attempt: id)
            let again = try await kit.silently("a replay") { try await kit.sell(.insufficientFunds, attempt: id) }
            try kit.expectSame(first, again)
        },
        Check(
            "attempt.other-content",
            "An attempt id that was used for something else is a conflict, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            let source = try kit.cue().source
            let error = try await kit.silently("it") {
                try await kit.failure {
                    _ = try await kit.client.sale(
                        payment.requested.plus(1), from: source, reference: "order", attempt: payment.attempt)
                }
            }
            try kit.expect(error, .conflict, .nothingMoved)
        },
        Check(
            "attempt.after-restart",
            "The same attempt in a new process gives the recorded result, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let first = try await kit.sold()
            let fresh = try kit.restarted()
            let again = try await fresh.silently("a replay") { try await fresh.sold(attempt: first.attempt) }
            try kit.expect(first.id, is: again.id, "the payment")
        },
        Check(
            "attempt.lost-round", "A process that lost its round sends nothing any more.", .attempt,
            needs: ["sale", "source.reader"], .critical, .core
        ) { kit in
            try kit.readsBeforeSending()
            let id = try kit.attempt()
            let cue = try kit.cue(.approved, .sale, from: .reader)
            try await kit.client.reader?.prepare()
            let stalled = kit.start {
                try await kit.client.sale(cue.amount, from: .reader, reference: "order", attempt: id)
            }
            try await kit.wait(50)
            let other = try kit.restarted { given in
                var given = given; given.reader = nil; return given
            }
            let said = try await other.trying { try await other.client.status(id) }
            try kit.expect(said?.payment == nil, "what only began is called approved")
            let card = try kit.cue(.approved, .sale, from: kit.source == .reader ? .reader : kit.source)
            try kit.expect(kit.source != .reader, or: "only a reader is taken")
            let taken = try other.approved(
                try await other.client.sale(
                    card.amount, from: card.source, reference: "order", attempt: other.attempt()))
            try other.expectMoved(taken.attempt, .charge, card.amount)
            let late = try await kit.trying { try await stalled.value }
            try kit.expect(late?.payment == nil, "the process that lost its round has an approval")
            try kit.expectNothingMoved(id)
        },
        Check(
            "attempt.begun-again", "What moved nothing may be tried again under its id, and is charged once.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let id = try kit.attempt()
            // Where absence proves nothing, only a refusal in the company's own words moved nothing for certain.
            let isAbsenceProof = kit.driver.lookupPlan(for: .sale).quietTime != nil
            try kit.arm(isAbsenceProof ? "status.503-before" : "status.429", times: 5)
            let first = try await kit.trySelling(attempt: id)
            try kit.expect(first == nil, "it was refused five times and has a result")
            let (fresh, _) = try await kit.recovered()
            for _ in 1...6 where try await kit.record(id)?.approval == nil {
                _ = try await fresh.trySelling(attempt: id)
            }
            let payment = try fresh.approved(try await fresh.sell(attempt: id))
            try fresh.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "attempt.crash-before-mark", "What was only begun when a process died moved nothing.", .attempt,
            needs: ["sale", "source.reader"], .critical, .core
        ) { kit in
            try kit.readsBeforeSending()
            let id = try kit.attempt()
            try await kit.client.reader?.prepare()
            let sale = kit.start { try await kit.sell(.noCard, from: .reader, attempt: id) }
            try await kit.wait(1_000)
            try kit.expect(try await kit.record(id)?.state, is: .begun, "how far it came")
            let fresh = try kit.restarted()
            let open = try await fresh.client.recover()
            try kit.expect(open.isEmpty, "it stays open")
            try fresh.expectNothingMoved(id)
            sale.cancel()
            try await kit.expectCancelled { try await sale.value }
            try fresh.expectNothingMoved(id)
        },
        Check(
            "attempt.shared", "Two callers with one attempt share it, and it is charged once.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let id = try kit.attempt()
            let calls = (1...2).map { _ in kit.start { try await kit.sold(attempt: id) } }
            let (one, two) = (try await calls[0].value, try await calls[1].value)
            try kit.expect(one.id, is: two.id, "the payment")
            try kit.expectMoved(id, .charge, one.requested)
        },
        Check(
            "attempt.open-reference", "While a sale is under way, another one under its reference is refused.",
            .attempt, needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let gate = kit.holdBack()
            let first = kit.start { try await kit.sold(reference: "same") }
            _ = await gate.reached.value()
            let error = try await kit.failure { _ = try await kit.sell(reference: "same") }
            try kit.expect(error, .inDoubt, .nothingMoved)
            gate.opened.fulfil(true)
            _ = try await first.value
        },
        Check(
            "attempt.wire-names", "Our own name of the attempt is what the company knows it by.", .attempt,
            needs: ["sale"], .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            try kit.expect(
                !kit.fixture.ledger.entries(of: payment.attempt).isEmpty, "the company books it under another name")
        },
    ]

    static let cancellations: [Check] = [
        Check(
            "cancel.before-mark",
            "Who leaves before anything was sent is told that nothing moved, and nothing is sent.", .cancellation,
            needs: ["sale", "source.reader"], .critical, .terminal
        ) { kit in
            try kit.readsBeforeSending()
            let id = try kit.attempt()
            try await kit.client.reader?.prepare()
            let sale = kit.start { try await kit.sell(.noCard, from: .reader, attempt: id) }
            try await kit.wait(1_000)
            sale.cancel()
            let error = try await kit.failure { _ = try await sale.value }
            try kit.expect(error, .cancelled, .nothingMoved)
            // Who taps now taps in vain.
            _ = try kit.cue(.approved, .sale, from: .reader)
            try await kit.silently("a sale that was left") { try await kit.wait(20_000) }
            try kit.expectNothingMoved(id)
        },
        Check(
            "cancel.after-mark", "Who leaves after the request went out is told unknown at once, and the work goes on.",
            .cancellation, needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let (id, gate) = (try kit.attempt(), try kit.holdMoney())
            let sale = kit.start { try await kit.sold(attempt: id) }
            _ = await gate.reached.value()
            sale.cancel()
            let error = try await kit.failure { _ = try await sale.value }
            try kit.expect(error, .cancelled, .unknown)
            gate.opened.fulfil(true)
            let payment = try kit.approved(try await kit.client.status(id))
            try kit.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "cancel.deadline",
            "A deadline after the request went out leaves the outcome unknown, and the work goes on.", .cancellation,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let (id, gate, cue) = (try kit.attempt(), try kit.holdMoney(), try kit.cue())
            let error = try await kit.failure {
                _ = try await kit.client.sale(
                    SaleRequest(cue.amount, from: cue.source, reference: "o"), attempt: id, within: 5_000)
            }
            try kit.expect(error, .timedOut, .unknown)
            gate.opened.fulfil(true)
            _ = try kit.approved(try await kit.client.status(id))
        },
        Check(
            "cancel.deadline-before", "A deadline before anything was sent moved nothing.", .cancellation,
            needs: ["sale", "source.reader"], .critical, .terminal
        ) { kit in
            try kit.readsBeforeSending()
            let id = try kit.attempt()
            _ = try kit.cue(.noCard, .sale, from: .reader)
            let amount = try kit.cue(.noCard, .sale, from: .reader).amount
            let error = try await kit.failure {
                _ = try await kit.client.sale(
                    SaleRequest(amount, from: .reader, reference: "o"), attempt: id, within: 5_000)
            }
            try kit.expect(error, .timedOut, .nothingMoved)
            try kit.expectNothingMoved(id)
        },
        Check(
            "cancel.one-of-two", "One caller leaving does not stop the other.", .cancellation, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await kit.signIn()
            let (id, gate) = (try kit.attempt(), try kit.holdMoney())
            let one = kit.start { try await kit.sold(attempt: id) }
            let two = kit.start { try await kit.sold(attempt: id) }
            _ = await gate.reached.value()
            one.cancel()
            gate.opened.fulfil(true)
            let payment = try await two.value
            try kit.expectMoved(id, .charge, payment.requested)
            _ = await one.result
        },
        Check(
            "cancel.refund", "A refund whose caller left is given back once, and found.", .cancellation,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let (payment, id) = (try await kit.sold(), try kit.attempt())
            let gate = try kit.holdMoney()
            let refund = kit.start { try await kit.refund(payment.id, attempt: id) }
            _ = await gate.reached.value()
            refund.cancel()
            _ = await refund.result
            gate.opened.fulfil(true)
            _ = try await kit.done(try await kit.client.status(id))
            try kit.expectMoved(id, .refund, payment.requested)
        },
    ]

    static let concurrencies: [Check] = [
        Check(
            "concurrency.many-sales", "Twenty sales at once are charged exactly once each.", .concurrency,
            needs: ["sale"], .critical
        ) { kit in
            try kit.expect(kit.source != .reader, or: "only a reader is taken, and it reads one card at a time")
            let sales = (1...20).map { number in kit.start { try await kit.sold(reference: "o-\(number)") } }
            for sale in sales {
                let payment = try await sale.value
                try kit.expectMoved(payment.attempt, .charge, payment.requested)
            }
            try kit.expect(kit.fixture.ledger.entries.count, is: 20, "movements")
        },
        Check(
            "concurrency.last-euro", "Two refunds of everything at once give it back once.", .concurrency,
            needs: ["refund", "sale"], .critical
        ) { kit in
            let payment = try await kit.sold()
            let other = try kit.restarted()
            let refunds = [kit, other].map { kit in
                kit.start { try await kit.refund(payment.id, payment.requested, attempt: kit.attempt()) }
            }
            for refund in refunds { _ = await refund.result }
            try await kit.companyDecides()
            try kit.expect(kit.fixture.ledger.entries.count { $0.direction == .refund }, is: 1, "refunds")
        },
        Check(
            "concurrency.capture-and-void", "A capture and a void at once: one of them is done.", .concurrency,
            needs: ["authorize", "void"], .critical
        ) { kit in
            let held = try await kit.held()
            let capture = kit.start { try await kit.client.capture(held.id, attempt: kit.attempt()) }
            let void = kit.start { try await kit.client.void(held.id, attempt: kit.attempt()) }
            _ = (await capture.result, await void.result)
            try await kit.companyDecides()
            let ends = kit.fixture.ledger.entries.dropFirst().map(\.direction)
            try kit.expect(
                ends == [.capture] || ends == [.release] || ends == [.capture, .reversal], "both were done: \(ends)")
        },
        Check(
            "concurrency.two-processes", "Two processes settling the same doubt leave one outcome.", .concurrency,
            needs: ["sale"], .critical
        ) { kit in
            let id = try kit.attempt()
            _ = try await kit.trySelling(.replyLost, attempt: id)
            try await kit.wait(kit.declaration.settlesAfterMilliseconds)
            try await kit.companySpeaks()
            let (one, two) = (try kit.restarted(), try kit.restarted())
            let settling = [one, two].map { kit in kit.start { try await kit.client.recover() } }
            for task in settling { _ = await task.result }
            let payment = try one.approved(try await two.client.status(id))
            try one.expectMoved(id, .charge, payment.requested)
        },
    ]

    static let limits: [Check] = [
        Check(
            "limit.reference-length", "A reference that is too long is refused, and nothing is sent.", .limit,
            needs: ["sale"], .minor, .core
        ) { kit in
            let long = String(repeating: "x", count: SaleRequest.referenceCharactersMax + 1)
            let error = try await kit.silently("it") {
                try await kit.failure { _ = try await kit.sell(reference: long) }
            }
            try kit.expect(error, .invalidRequest, .nothingMoved)
        },
        Check(
            "limit.reference-longest", "The longest reference that is allowed goes through.", .limit, needs: ["sale"],
            .major, .core
        ) { kit in
            let payment = try await kit.sold(
                reference: String(repeating: "x", count: SaleRequest.referenceCharactersMax))
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        },
        Check(
            "limit.reference-text", "A reference with marks that mean something on a wire goes through unharmed.",
            .limit, needs: ["sale"], .major, .core
        ) { kit in
            let payment = try await kit.sold(reference: "a\"b\\c/d?e&f=g é€")
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        },
        Check(
            "limit.attempt-longest", "An attempt id of the greatest length goes through and can be looked up.", .limit,
            needs: ["sale"], .major, .core
        ) { kit in
            let id = try AttemptID("check-" + String(repeating: "z", count: AttemptID.charactersMax - 6))
            try await kit.signIn()
            try kit.armMoney("reply.lost")
            _ = try await kit.trySelling(attempt: id)
            let (fresh, _) = try await kit.recovered()
            let payment = try fresh.approved(try await fresh.client.status(id))
            try fresh.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "limit.page", "A page of more than the most is refused, and nothing is sent.", .limit, needs: ["list"],
            .minor, .backOffice
        ) { kit in
            let error = try await kit.silently("it") {
                try await kit.failure {
                    _ = try await kit.view.transactions?.list(ListQuery(limit: ListQuery.limitMax + 1))
                }
            }
            try kit.expect(error, .invalidRequest, .nothingMoved)
        },
        Check(
            "limit.logo", "A logo that is too large is refused, and nothing is sent.", .limit,
            needs: ["sale", "request.presentation"], .minor, .terminal
        ) { kit in
            let error = try await kit.silently("it") {
                try await kit.failure {
                    _ = try await kit.sell {
                        $0.presentation.logo = Array(repeating: 0, count: Presentation.logoBytesMax + 1)
                    }
                }
            }
            try kit.expect(error, .invalidRequest, .nothingMoved)
        },
        Check(
            "limit.huge-reply", "An answer full of members that nobody knows does no harm.", .limit, needs: ["sale"],
            .major, .core
        ) { kit in
            try await kit.signIn()
            let isPlayed = kit.rewriteOnce { json in
                guard var object = json.object else { return json }
                for number in 0..<2_000 { object["more-\(number)"] = "text" }
                return .object(object)
            }
            let payment = try await kit.sold()
            try kit.expect(isPlayed(), "no answer about the sale could be made larger")
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        },
    ]

    /// Every check, family by family.
    public static let all: [Check] =
        sessions + readers + sales + authorizations + voids + refunds + lookups + lists + pricings + questions
        + webhooks + errors + redactions + amounts + unknowns + attempts + cancellations + concurrencies + limits
}
