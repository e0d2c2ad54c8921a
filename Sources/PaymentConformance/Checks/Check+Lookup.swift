internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTesting

extension Check {
    private static func lost(_ id: String, _ sentence: String, _ script: SimulatedOutcome, isDone: Bool) -> Check {
        Check("lookup.\(id)", sentence, .lookup, needs: ["sale"], .critical, .core) { context in
            let attempt = try context.attempt()
            let result =
                isDone
                ? try await context.attemptedSale(script, attempt: attempt)
                : try await context.loseSale(attempt: attempt)
            if !isDone {
                try context.expect(result?.payment == nil, "it never arrived and is called approved")
                return try context.expectNothingMoved(attempt)
            }
            switch result {
            case .declined, .cancelled: throw CheckFailure("it was done, and told as refused")
            case .approved, .pending, nil: break
            }
            try await context.decided().expectBooked(attempt)
        }
    }

    /// A customer who is at the provider's terminal while another process asks what became of the payment.
    private static func slow(_ id: String, _ sentence: String, isLost: Bool) -> Check {
        Check(
            "lookup.\(id)", sentence, .lookup, needs: ["sale", "source.reader"], .critical, .inPerson
        ) { context in
            try context.expect(
                context.driver.capabilities.usesProviderTerminal, or: "the card is read before anything is sent")
            _ = try context.scripted(.slowCustomer, from: .reader)
            try await context.signIn()
            let attempt = try context.attempt()
            if isLost { try context.loseLine() }
            let first = context.start {
                try await context.result { try await context.sale(.slowCustomer, from: .reader, attempt: attempt) }
            }
            let (fresh, start) = (try context.restarted(), context.scheduler.now)
            var denied: String?
            while context.fixture.ledger.entries(of: attempt).isEmpty {
                if context.scheduler.now - start > context.declaration.decidedAfterMilliseconds { break }
                try await context.wait(CheckContext.lookMilliseconds)
                _ = try? await fresh.client.recover()
                denied =
                    CheckContext.denial(try await fresh.result { try await fresh.client.status(attempt) }) ?? denied
            }
            denied = CheckContext.denial(try await first.value) ?? denied
            if context.fixture.ledger.entries(of: attempt).isEmpty {
                return try context.expect(denied != nil, "the customer never paid: the script is not what it says")
            }
            let took = context.scheduler.now - start
            try context.expect(
                took >= CheckContext.slowCustomerMilliseconds, "the customer took \(took) ms: the script is not slow")
            if let denied { throw CheckFailure("\(denied) while the customer stood there, and then he paid") }
            let (last, open) = try await context.recovered()
            if !open.isEmpty, context.declaration.expectedOpenAttempts.keys.contains(where: { $0.operation == .sale }) {
                return
            }
            try context.expect(open.isEmpty, "it stays open")
            try await last.expectBooked(attempt)
        }
    }

    /// How many sales are made behind one that is looked up: more than most lists show at once.
    private static let busyDaySales = 30

    static let lookups: [Check] = [
        slow(
            "slow-customer",
            "While a customer takes his time at the terminal, a caller that recovers doesn't read that nothing moved.",
            isLost: false),
        slow(
            "slow-customer-line-broken",
            "The same where the line broke during it: no caller reads that nothing moved, and it is found.",
            isLost: true),
        lost("reply-lost", "A sale whose reply was lost is found and approved, once.", .replyLost, isDone: true),
        lost("request-lost", "A sale whose request was lost never becomes an approval.", .requestLost, isDone: false),
        lost("unknown-word", "A sale answered with an unknown word is found by lookup.", .unknownWord, isDone: true),
        lost(
            "fails-after", "A sale that was done and answered with a failure is found by lookup.", .failsAfter,
            isDone: true),
        lost(
            "wrong-echo", "A sale whose answer names another amount is not believed but looked up.", .wrongEcho,
            isDone: true),
        Check(
            "lookup.other-attempt", "An answer about another attempt is not believed but looked up.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            _ = try await context.approvedSale(reference: "warm")
            let start = context.log.count
            _ = try await context.approvedSale()
            let usual = context.log.count - start
            try await context.letCopiesPass()
            let attempt = try context.attempt()
            // The last exchange of a sale is the one that reports it.
            try context.arm("member.wrong-reference", after: max(0, usual - 1))
            let before = context.log.count
            let result = try await context.attemptedSale(attempt: attempt)
            let isBelieved = result?.payment != nil && context.log.count - before <= usual
            try context.expect(!isBelieved, "it was believed without a second look")
            try await context.decided().expectBooked(attempt)
        },
        Check(
            "lookup.can-tell", "A driver that declares no open attempts can tell what became of a sale.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            let attempt = try context.attempt()
            _ = try await context.attemptedSale(.replyLost, attempt: attempt)
            let (fresh, open) = try await context.recovered()
            // What is declared for some sales, such as declined ones, says nothing about this one.
            let declared = context.declaration.expectedOpenAttempts[.init(.sale, "reply.lost")]?.cases ?? 0
            let isOfEach = declared >= FaultSweepScenario.all.filter { $0.operation == .sale }.count
            if declared == 0 { try context.expect(open.isEmpty, "it stays open, the harness declares otherwise") }
            if isOfEach { try context.expect(!open.isEmpty, "it was decided, the harness declares otherwise") }
            if !isOfEach { _ = try fresh.approved(try await fresh.client.status(attempt)) }
        },
        Check(
            "lookup.read-only", "Looking up leaves the provider's books as they are.", .lookup, needs: ["sale"],
            .critical, .core
        ) { context in
            try await context.signIn()
            let attempt = try context.attempt()
            try context.dropReplies()
            let error = try await context.failure("the sale") { _ = try await context.sale(attempt: attempt) }
            try context.expect(error.outcome, is: .unknown, "the outcome")
            try await context.wait(context.declaration.decidedAfterMilliseconds)
            let fresh = try context.restarted()
            try await fresh.withoutMoving("looking up") {
                for _ in 1...3 { _ = try await fresh.trying { try await fresh.client.status(attempt) } }
                try await fresh.client.recover()
            }
            if fresh.log.count == 0 {
                let mayStayOpen = context.declaration.expectedOpenAttempts.keys.contains { $0.operation == .sale }
                try context.expect(mayStayOpen, "nothing was looked up")
                throw NotApplicable("a lookup asks the provider nothing, and sales are declared to stay open")
            }
        },
        Check(
            "lookup.read-only-declined", "Looking up an attempt that never arrived does not make it arrive.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            let attempt = try context.attempt()
            _ = try await context.loseSale(attempt: attempt)
            let (fresh, _) = try await context.recovered()
            let said = try await fresh.trying { try await fresh.client.status(attempt) }
            try context.expect(said?.payment == nil, "it never arrived and is called approved")
            try fresh.expectNothingMoved(attempt)
        },
        Check(
            "lookup.quiet-time", "Before the quiet time has passed, not seen is not taken for never arrived.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            guard let plan = context.driver.lookupPlan(for: .sale), let quiet = plan.quiet else {
                throw NotApplicable("absence proves nothing at this provider")
            }
            try context.expect(quiet >= 1_000, "a quiet time of \(quiet) ms proves nothing")
            try context.expect(plan.giveUpAfter >= 0, "it gives up before it begins")
            try await context.signIn()
            let attempt = try context.attempt()
            _ = try await context.loseSale(attempt: attempt)
            let (fresh, _) = try await context.recovered()
            let record = try await fresh.record(attempt)
            guard record?.state == .notExecuted, let submitted = record?.submittedAt,
                case .lookup(let asked, _)? = record?.evidence
            else {
                throw CheckFailure("what never arrived is not closed")
            }
            try context.expect(
                asked.wall - submitted >= quiet, "it was given up \(asked.wall - submitted) ms after it was sent")
        },
        Check(
            "lookup.late-arrival", "A request that arrives within the quiet time is not sent again.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let attempt = try context.attempt()
            try context.armMoney("reply.lost")
            let first = try await context.attemptedSale(attempt: attempt)
            try await context.deliverWebhooks()
            let again = try await context.approvedSale(attempt: attempt)
            if let first { try context.expect(first.payment?.id, is: again.id, "the payment") }
            try context.expectMoved(attempt, .charge, again.requested)
        },
        Check(
            "lookup.executed-late",
            "A request that is executed as late as the documents allow is not called absent before.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            guard let quiet = context.driver.lookupPlan(for: .sale)?.quiet else {
                throw NotApplicable("absence proves nothing here")
            }
            guard let late = context.declaration.executesWithinMilliseconds else {
                throw CheckFailure("Absence proves something. Say what that rests on in `executesWithinMilliseconds`.")
            }
            try context.expect(late <= quiet, "absence counts after \(quiet) ms, execution may take \(late) ms")
            try await context.signIn()
            let attempt = try context.attempt()
            try context.loseLine(arrivingAfter: max(0, late - 1_000))
            let told = try await context.result { try await context.sale(attempt: attempt) }
            let (fresh, open) = try await context.recovered()
            let isDone = !fresh.fixture.ledger.entries(of: attempt).isEmpty
            guard isDone else {
                if case .success(let result) = told { try context.expect(result.payment == nil, "nothing was charged") }
                throw NotApplicable("what arrives so late charges nothing")
            }
            try context.expectUndenied(told, "before it was executed")
            if !open.contains(attempt) { try await fresh.expectBooked(attempt) }
        },
        Check(
            "lookup.never-arrived", "After the quiet time, what was not seen never arrived, and may be sent again.",
            .lookup, needs: ["sale"], .critical, .core
        ) { context in
            guard context.driver.lookupPlan(for: .sale)?.quiet != nil else {
                throw NotApplicable("absence proves nothing here")
            }
            // What was sold before is not what is asked about.
            _ = try await context.approvedSale(reference: "before")
            try await context.letCopiesPass()
            try await context.signIn()
            let attempt = try context.attempt()
            let isKeyed = context.declaration.idempotentOperations.contains(.sale)
            if !isKeyed { try context.armMoney("request.lost") }
            let first =
                isKeyed
                ? try await context.loseSale(attempt: attempt) : try await context.attemptedSale(attempt: attempt)
            try context.expect(first == nil, "it never arrived and has a result")
            try await context.wait(context.declaration.decidedAfterMilliseconds)
            // The line stays silent for a process that lost every send.
            let fresh = isKeyed ? try context.restarted() : context
            let error = try await context.failure("asking") { _ = try await fresh.client.status(attempt) }
            try context.expect(error, .notReceived, .notExecuted)
            let payment = try await fresh.approvedSale(attempt: attempt)
            try context.expectMoved(attempt, .charge, payment.requested)
        },
        Check(
            "lookup.declined", "A decline whose reply was lost is found as a decline.", .lookup, needs: ["sale"],
            .critical, .core
        ) { context in
            try await context.signIn()
            let attempt = try context.attempt()
            try context.armMoney("reply.lost")
            _ = try await context.attemptedSale(.insufficientFunds, attempt: attempt)
            let requests = try await context.record(attempt)?.requests ?? []
            if context.driver.lookupPlan(for: .sale) == nil,
                requests.contains(where: { $0.cards == .several && $0.ending == .lost })
            {
                // Another card of the same call may have been approved, and nothing can be asked: a person decides.
                let (_, open) = try await context.recovered()
                return try context.expect(open == [attempt], "it is not left to a person")
            }
            let fresh = try await context.decided()
            _ = try fresh.declined(try await fresh.settled(attempt))
        },
        Check(
            "lookup.refund", "A refund whose reply was lost is found, and executed once.", .lookup,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { context in
            let (payment, attempt) = (try await context.approvedSale(), try context.attempt())
            try context.armMoney("reply.lost")
            // A half, where there is such a thing: done twice, it would go through twice.
            let part = try context.has("refund.partial") ? payment.requested.half : payment.requested
            _ = try await context.trying(attempt) { try await context.refund(payment.id, of: part, attempt: attempt) }
            try await context.decided().expectBooked(attempt, .refund, part)
        },
        Check(
            "lookup.capture", "A capture whose reply was lost is found, and taken once.", .lookup, needs: ["authorize"],
            .critical, .backOffice
        ) { context in
            let (held, attempt) = (try await context.authorized(), try context.attempt())
            try context.armMoney("reply.lost")
            let part = try context.has("capture.partial") ? held.requested.half : held.requested
            _ = try await context.trying(attempt) {
                try await context.client.capture(held.id, of: part, attempt: attempt)
            }
            try await context.recovered().context.expectBooked(attempt, .capture, part)
        },
        Check(
            "lookup.void", "A void whose reply was lost is found, and done once.", .lookup, needs: ["void", "sale"],
            .critical, .backOffice
        ) { context in
            let (payment, attempt) = (try await context.approvedSale(), try context.attempt())
            try context.armMoney("reply.lost")
            _ = try await context.trying(attempt) { try await context.client.void(payment.id, attempt: attempt) }
            try await context.recovered().context.expectBooked(attempt, .reversal, payment.requested)
        },
        Check(
            "lookup.unlinked-refund",
            "A refund without an original whose reply was lost is found, and executed once.", .lookup,
            needs: ["refund.unlinked"], .critical, .backOffice
        ) { context in
            let taken = context.driver.capabilities.unlinkedRefundSources
            let scripted = try context.scripted(
                .approved, .unlinkedRefund, from: taken.contains(.reader) ? .reader : context.source)
            try await context.signIn()
            let attempt = try context.attempt()
            try context.armMoney("reply.lost")
            let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "back")
            _ = try await context.trying(attempt) {
                try await context.client.refundUnlinked(request, attempt: attempt)
            }
            try await context.decided().expectBooked(attempt, .refund, scripted.amount)
        },
        Check(
            "lookup.adjust", "An adjustment whose reply was lost is found, and made once.", .lookup,
            needs: ["adjust", "authorize"], .critical, .backOffice
        ) { context in
            let (held, attempt) = (try await context.authorized(), try context.attempt())
            try context.armMoney("reply.lost")
            _ = try await context.trying(attempt) {
                try await context.client.adjust(held.id, to: held.requested.plus(1_000), attempt: attempt)
            }
            let more = Money(minorUnits: 1_000, held.requested.currency)
            try await context.decided().expectBooked(attempt, .hold, more)
        },
        Check(
            "lookup.tip", "A tip whose reply was lost is found, and charged once.", .lookup,
            needs: ["tip.adjust", "sale"], .critical, .backOffice
        ) { context in
            let (payment, attempt) = (try await context.approvedSale(), try context.attempt())
            try context.armMoney("reply.lost")
            let tip = Money(minorUnits: 300, payment.requested.currency)
            _ = try await context.trying(attempt) {
                try await context.client.adjustTip(payment.id, to: tip, attempt: attempt)
            }
            let fresh = try await context.decided()
            _ = try fresh.approved(try await fresh.client.status(attempt))
            // The audit compares it with the provider's books.
            let charged = try await fresh.client.payment(payment.id).amounts.captured
            try fresh.expect(charged, is: payment.requested.plus(300), "what was charged with the tip")
        },
        Check(
            "lookup.failing", "A lookup that fails decides nothing; the next one decides.", .lookup, needs: ["sale"],
            .critical, .core
        ) { context in
            var current = context
            let faults = try current.played(
                ["status.500-before", "status.404-after", "body.empty", "body.html"], as: { $0 })
            for (number, fault) in faults.enumerated() {
                let till = current
                try await till.signIn()
                let attempt = try till.attempt()
                try till.armMoney("reply.lost")
                try till.armMoney(fault, times: 100)
                let first = try await till.result {
                    try await till.sale(reference: "order-\(number)", attempt: attempt)
                }
                try till.expectUndenied(first, "while lookups end as \(fault)")
                // The quiet time is over, and the access is a fresh one: now a lookup that shows nothing would decide.
                till.fixture.disarm()
                try await till.wait(till.declaration.decidedAfterMilliseconds)
                try await till.signIn()
                try till.arm(fault, times: 20)
                _ = try? await till.client.recover()
                let asked = try await till.result { try await till.client.status(attempt) }
                till.fixture.disarm()
                try till.expectUndenied(asked, "after the quiet time, while lookups end as \(fault)")
                current = try await till.recovered().context
                try await current.expectBooked(attempt)
                try await current.letCopiesPass()
            }
        },
        Check(
            "lookup.behind-others", "A sale whose reply was lost is found behind those of a busy day.", .lookup,
            needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let attempt = try context.attempt()
            try context.dropReplies()
            _ = try await context.attemptedSale(attempt: attempt)
            context.calm()
            let isDone = !context.fixture.ledger.entries(of: attempt).isEmpty
            try context.expect(isDone, or: "without its answers the sale is never done")
            let busy = try context.restarted()
            let other = Money(minorUnits: 2_500, try context.scripted().amount.currency)
            for number in 1...busyDaySales { _ = try await busy.approvedSale(other, reference: "later-\(number)") }
            let (fresh, open) = try await busy.recovered()
            // A driver that can't tell is honest; one that says that it never arrived is not.
            if !open.contains(attempt) { try await fresh.expectBooked(attempt) }
        },
        Check(
            "lookup.unknown-attempt", "Asking about an unknown attempt is refused, and nothing is sent.", .lookup,
            .minor, .core
        ) { context in
            let error = try await context.expectNoRequests(during: "it") {
                try await context.failure { _ = try await context.client.status(try AttemptID("unknown")) }
            }
            try context.expect(error, .notFound, .unknown)
        },
        Check(
            "lookup.decided", "Asking about a decided attempt gives the recorded result, and nothing is sent.", .lookup,
            needs: ["sale"], .major, .core
        ) { context in
            let payment = try await context.approvedSale()
            let again = try await context.expectNoRequests(during: "it") {
                try await context.client.status(payment.attempt)
            }
            try context.expect(again.payment?.id, is: payment.id, "the payment")
        },
    ]
}
