internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit

extension Check {
    static let attempts: [Check] = [
        Check(
            "attempt.replayed", "The same attempt again gives the recorded result, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            let id = try context.attempt()
            let first = try await context.sale(attempt: id)
            let again = try await context.expectNoRequests(during: "a replay") { try await context.sale(attempt: id) }
            try context.expectSame(first, again)
        },
        Check(
            "attempt.replayed-decline", "A recorded decline is replayed, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            let id = try context.attempt()
            let first = try await context.sale(.insufficientFunds, attempt: id)
            let again = try await context.expectNoRequests(during: "a replay") {
                try await context.sale(.insufficientFunds, attempt: id)
            }
            try context.expectSame(first, again)
        },
        Check(
            "attempt.other-content",
            "An attempt id that was used for something else is a conflict, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            let payment = try await context.approvedSale()
            let source = try context.scripted().source
            let error = try await context.expectNoRequests(during: "it") {
                try await context.failure {
                    _ = try await context.client.sale(
                        payment.requested.plus(1), from: source, reference: "order", attempt: payment.attempt)
                }
            }
            try context.expect(error, .conflict, .executed)
        },
        Check(
            "attempt.after-restart",
            "The same attempt in a new process gives the recorded result, and nothing is sent.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            let first = try await context.approvedSale()
            let fresh = try context.restarted()
            let again = try await fresh.expectNoRequests(during: "a replay") {
                try await fresh.approvedSale(attempt: first.attempt)
            }
            try context.expect(first.id, is: again.id, "the payment")
        },
        Check(
            "attempt.lost-round", "A process that lost its round sends nothing any more.", .attempt,
            needs: ["sale", "source.reader"], .critical, .core
        ) { context in
            try context.readsBeforeSending()
            let id = try context.attempt()
            let scripted = try context.scripted(.approved, .sale, from: .reader)
            try await context.client.reader?.prepare()
            let stalled = context.start {
                try await context.client.sale(scripted.amount, from: .reader, reference: "order", attempt: id)
            }
            try await context.wait(50)
            let other = try context.restarted(\.reader, nil)
            let said = try await other.trying { try await other.client.status(id) }
            try context.expect(said?.payment == nil, "what only began is called approved")
            let card = try context.scripted(
                .approved, .sale, from: context.source == .reader ? .reader : context.source)
            try context.expect(context.source != .reader, or: "only a reader is taken")
            let taken = try other.approved(
                try await other.client.sale(card.request("order"), attempt: other.attempt()))
            try other.expectMoved(taken.attempt, .charge, card.amount)
            let late = try await context.trying { try await stalled.value }
            try context.expect(late?.payment == nil, "the process that lost its round has an approval")
            try context.expectNothingMoved(id)
        },
        Check(
            "attempt.begun-again", "What moved nothing may be tried again under its id, and is charged once.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            if let why = context.declaration.startsWithoutRequest { throw NotApplicable(why) }
            let id = try context.attempt()
            // What is refused is the sale itself, so that there is something to begin again.
            try await context.signIn()
            // Where absence proves nothing, only a request that never left moved nothing for certain.
            if context.driver.lookupPlan(for: .sale)?.quiet != nil {
                try context.arm("status.503-before", times: 5)
            } else if context.declaration.cardAfterMilliseconds > 0 {
                // A kit asks before it reads the card, and is refused there.
                try context.arm("status.429", times: 5)
            } else {
                try context.keepMoneyHere()
            }
            let first = try await context.attemptedSale(attempt: id)
            try context.expect(first == nil, "it was not taken and has a result")
            context.calm()
            let (fresh, _) = try await context.recovered()
            if let why = context.declaration.unsentIsUnknown {
                let state = try await context.record(id)?.state
                try context.expect(state == .inDoubt, "what never left is \(state?.rawValue ?? "not recorded")")
                try fresh.expectNothingMoved(id)
                throw NotApplicable(why)
            }
            for _ in 1...6 where try await context.record(id)?.approval == nil {
                _ = try await fresh.attemptedSale(attempt: id)
            }
            let payment = try fresh.approved(try await fresh.sale(attempt: id))
            try fresh.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "attempt.crash-before-mark", "What was only begun when a process died moved nothing.", .attempt,
            needs: ["sale", "source.reader"], .critical, .core
        ) { context in
            try context.readsBeforeSending()
            let id = try context.attempt()
            try await context.client.reader?.prepare()
            let sale = context.start { try await context.sale(.noCard, from: .reader, attempt: id) }
            try await context.wait(1_000)
            try context.expect(try await context.record(id) == nil, "Something was recorded before the card was read.")
            let fresh = try context.restarted()
            let open = try await fresh.client.recover()
            try context.expect(open.isEmpty, "it stays open")
            try fresh.expectNothingMoved(id)
            sale.cancel()
            // The caller left, which is an error; a read that the reader ended would be a result.
            let error = try await context.failure { _ = try await sale.value }
            try context.expect(error, .cancelled, .notExecuted)
            try fresh.expectNothingMoved(id)
        },
        Check(
            "attempt.shared", "Two callers with one attempt share it, and it is charged once.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            let id = try context.attempt()
            let calls = (1...2).map { _ in context.start { try await context.approvedSale(attempt: id) } }
            let (one, two) = (try await calls[0].value, try await calls[1].value)
            try context.expect(one.id, is: two.id, "the payment")
            try context.expectMoved(id, .charge, one.requested)
        },
        Check(
            "attempt.open-reference", "While a sale is under way, another one under its reference is refused.",
            .attempt, needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let gate = try context.holdBackMoney()
            let first = context.start { try await context.approvedSale(reference: "same") }
            _ = await gate.reached.value()
            let error = try await context.failure { _ = try await context.sale(reference: "same") }
            try context.expect(error, .referenceInUse, .notExecuted)
            gate.opened.fulfill(true)
            _ = try await first.value
        },
        Check(
            "attempt.wire-names", "Our own name of the attempt is what the provider knows it by.", .attempt,
            needs: ["sale"], .critical, .core
        ) { context in
            let payment = try await context.approvedSale()
            try context.expect(
                !context.fixture.ledger.entries(of: payment.attempt).isEmpty, "the provider books it under another name"
            )
        },
    ]

    static let cancellations: [Check] = [
        Check(
            "cancel.before-mark",
            "A caller that leaves before anything was sent reads that nothing moved, and nothing is sent.",
            .cancellation, needs: ["sale", "source.reader"], .critical, .inPerson
        ) { context in
            try context.readsBeforeSending()
            let id = try context.attempt()
            try await context.client.reader?.prepare()
            let sale = context.start { try await context.sale(.noCard, from: .reader, attempt: id) }
            try await context.wait(1_000)
            sale.cancel()
            let error = try await context.failure { _ = try await sale.value }
            try context.expect(error, .cancelled, .notExecuted)
            // Who taps now taps in vain.
            _ = try context.scripted(.approved, .sale, from: .reader)
            try await context.expectNoRequests(during: "a sale that was left") { try await context.wait(20_000) }
            try context.expectNothingMoved(id)
        },
        Check(
            "cancel.after-mark",
            "A caller that leaves after the request went out gets unknown at once, and the work continues.",
            .cancellation, needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let (id, gate) = (try context.attempt(), try context.holdMoney())
            let sale = context.start { try await context.approvedSale(attempt: id) }
            _ = await gate.reached.value()
            sale.cancel()
            let error = try await context.failure { _ = try await sale.value }
            try context.expect(error, .cancelled, .unknown)
            gate.opened.fulfill(true)
            try await context.expectBooked(id)
        },
        Check(
            "cancel.deadline",
            "A deadline after the request went out leaves the outcome unknown, and the work continues.", .cancellation,
            needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let (id, gate, scripted) = (try context.attempt(), try context.holdMoney(), try context.scripted())
            let error = try await context.failure {
                _ = try await context.client.sale(
                    scripted.request("o"), attempt: id, timeout: .milliseconds(5_000))
            }
            try context.expect(error, .timedOut, .unknown)
            gate.opened.fulfill(true)
            _ = try context.approved(try await context.client.status(id))
        },
        Check(
            "cancel.deadline-before", "A deadline before anything was sent moved nothing.", .cancellation,
            needs: ["sale", "source.reader"], .critical, .inPerson
        ) { context in
            try context.readsBeforeSending()
            let id = try context.attempt()
            _ = try context.scripted(.noCard, .sale, from: .reader)
            let amount = try context.scripted(.noCard, .sale, from: .reader).amount
            let error = try await context.failure {
                _ = try await context.client.sale(
                    SaleRequest(amount, from: .reader, reference: "o"), attempt: id, timeout: .milliseconds(5_000))
            }
            try context.expect(error, .timedOut, .notExecuted)
            try context.expectNothingMoved(id)
        },
        Check(
            "cancel.one-of-two", "One caller leaving does not stop the other.", .cancellation, needs: ["sale"],
            .critical, .core
        ) { context in
            try await context.signIn()
            let (id, gate) = (try context.attempt(), try context.holdMoney())
            let one = context.start { try await context.approvedSale(attempt: id) }
            let two = context.start { try await context.approvedSale(attempt: id) }
            _ = await gate.reached.value()
            one.cancel()
            gate.opened.fulfill(true)
            let payment = try await two.value
            try context.expectMoved(id, .charge, payment.requested)
            _ = await one.result
        },
        Check(
            "cancel.refund", "A refund whose caller left is executed once, and found.", .cancellation,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let (payment, id) = (try await context.approvedSale(), try context.attempt())
            let gate = try context.holdMoney()
            let refund = context.start { try await context.refund(payment.id, attempt: id) }
            _ = await gate.reached.value()
            refund.cancel()
            _ = await refund.result
            gate.opened.fulfill(true)
            _ = try await context.done(try await context.client.status(id))
            try context.expectMoved(id, .refund, payment.requested)
        },
    ]

    static let concurrencies: [Check] = [
        Check(
            "concurrency.many-sales", "Twenty sales at once are charged exactly once each.", .concurrency,
            needs: ["sale"], .critical
        ) { context in
            try context.expect(context.source != .reader, or: "only a reader is taken, and it reads one card at a time")
            let sales = (1...20).map { number in
                context.start { try await context.approvedSale(reference: "o-\(number)") }
            }
            for sale in sales {
                try context.expectCharged(try await sale.value)
            }
            try context.expect(context.fixture.ledger.entries.count, is: 20, "movements")
        },
        Check(
            "concurrency.last-euro", "Two refunds of everything at once give it back once.", .concurrency,
            needs: ["refund", "sale"], .critical
        ) { context in
            let payment = try await context.approvedSale()
            let other = try context.restarted()
            let refunds = [context, other].map { context in
                context.start {
                    try await context.refund(payment.id, of: payment.requested, attempt: context.attempt())
                }
            }
            for refund in refunds { _ = await refund.result }
            try await context.decidePending()
            try context.expect(context.fixture.ledger.entries.count { $0.direction == .refund }, is: 1, "refunds")
        },
        Check(
            "concurrency.capture-and-void", "A capture and a void at once: one of them is done.", .concurrency,
            needs: ["authorize", "void"], .critical
        ) { context in
            // Whichever of them comes first.
            for number in 1...2 {
                let held = try await context.authorized(reference: "at-once-\(number)")
                let before = context.fixture.ledger.entries.count
                let capture = { @Sendable in
                    _ = try await context.client.capture(held.id, attempt: context.attempt())
                }
                let void = { @Sendable in _ = try await context.client.void(held.id, attempt: context.attempt()) }
                let (reached, opened) = try context.holdMoney()
                let first = context.start(number == 1 ? capture : void)
                // One that ends without having asked for money has come first, too.
                _ = context.start { reached.fulfill((try? await first.value) != nil) }
                _ = await reached.value()
                let second = context.start(number == 1 ? void : capture)
                opened.fulfill(true)
                _ = (await first.result, await second.result)
                try await context.decidePending()
                let ends = context.fixture.ledger.entries.dropFirst(before).map(\.direction)
                let isRight = [[.capture], [.release], [.capture, .reversal]].contains(ends)
                try context.expect(isRight, "both were done: \(ends)")
            }
        },
        Check(
            "concurrency.two-processes", "Two processes recovering the same doubt leave one outcome.", .concurrency,
            needs: ["sale"], .critical
        ) { context in
            let id = try context.attempt()
            _ = try await context.attemptedSale(.replyLost, attempt: id)
            try await context.wait(context.declaration.decidedAfterMilliseconds)
            try await context.deliverWebhooks()
            let (one, two) = (try context.restarted(), try context.restarted())
            let recovering = [one, two].map { context in context.start { try await context.client.recover() } }
            for task in recovering { _ = await task.result }
            let payment = try one.approved(try await two.client.status(id))
            try one.expectMoved(id, .charge, payment.requested)
        },
    ]

    static let limits: [Check] = [
        Check(
            "limit.reference-length", "A reference that is too long is refused, and nothing is sent.", .limit,
            needs: ["sale"], .minor, .core
        ) { context in
            let long = String(repeating: "x", count: SaleRequest.referenceCharactersMax + 1)
            try await context.expectRefused(.invalidRequest) { _ = try await context.sale(reference: long) }
        },
        Check(
            "limit.reference-longest", "The longest reference that is allowed goes through.", .limit, needs: ["sale"],
            .major, .core
        ) { context in
            let payment = try await context.approvedSale(
                reference: String(repeating: "x", count: SaleRequest.referenceCharactersMax))
            try context.expectCharged(payment)
        },
        Check(
            "limit.reference-text", "A reference with marks that mean something on a wire goes through unharmed.",
            .limit, needs: ["sale"], .major, .core
        ) { context in
            try context.expectCharged(try await context.approvedSale(reference: "a\"b\\c/d?e&f=g é€"))
        },
        Check(
            "limit.attempt-longest", "An attempt id of the greatest length goes through and can be looked up.", .limit,
            needs: ["sale"], .major, .core
        ) { context in
            let id = try AttemptID("check-" + String(repeating: "z", count: AttemptID.charactersMax - 6))
            try await context.signIn()
            try context.armMoney("reply.lost")
            _ = try await context.attemptedSale(attempt: id)
            try await context.recovered().context.expectBooked(id)
        },
        Check(
            "limit.page", "A page of more than the most is refused, and nothing is sent.", .limit, needs: ["list"],
            .minor, .backOffice
        ) { context in
            try await context.expectRefused(.invalidRequest) {
                _ = try await context.view.transactions?.list(ListQuery(limit: ListQuery.limitMax + 1))
            }
        },
        Check(
            "limit.logo", "A logo that is too large is refused, and nothing is sent.", .limit,
            needs: ["sale", "request.presentation"], .minor, .inPerson
        ) { context in
            try await context.expectRefused(.invalidRequest) {
                _ = try await context.sale {
                    $0.presentation.logo = Array(repeating: 0, count: ReaderPresentation.logoBytesMax + 1)
                }
            }
        },
        Check(
            "limit.huge-reply", "An answer full of unknown members does no harm.", .limit, needs: ["sale"],
            .major, .core
        ) { context in
            try await context.signIn()
            let isPlayed = context.rewriteOnce { json in
                guard var object = json.object else { return json }
                for number in 0..<2_000 { object["more-\(number)"] = "text" }
                return .object(object)
            }
            let payment = try await context.approvedSale()
            try context.expect(isPlayed(), "no answer about the sale could be made larger")
            try context.expectCharged(payment)
        },
    ]

    /// Every check, family by family.
    public static let all: [Check] =
        sessions + readers + sales + authorizations + voids + refunds + lookups + lists + declarations + pricings
        + questions + webhooks + errors + redactions + amounts + unknowns + attempts + cancellations + concurrencies
        + limits
}
