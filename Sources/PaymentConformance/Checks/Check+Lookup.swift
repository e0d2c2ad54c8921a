internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    private static func lost(_ id: String, _ sentence: String, _ script: Script, isDone: Bool) -> Check {
        Check("lookup.\(id)", sentence, .lookup, needs: ["sale"], .critical, .core) { kit in
            let attempt = try kit.attempt()
            let result = try await kit.trySelling(script, attempt: attempt)
            if !isDone {
                try kit.expect(result?.payment == nil, "it never arrived and is called approved")
                return try kit.expectNothingMoved(attempt)
            }
            let (fresh, open) = try await kit.recovered()
            try kit.expect(open.isEmpty, "it stays open")
            let payment = try fresh.approved(try await fresh.client.status(attempt))
            try fresh.expectMoved(attempt, .charge, payment.requested)
        }
    }

    static let lookups: [Check] = [
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
        ) { kit in
            _ = try await kit.sold(reference: "warm")
            let start = kit.log.count
            _ = try await kit.sold()
            let usual = kit.log.count - start
            let attempt = try kit.attempt()
            // The last exchange of a sale is the one that tells about it.
            try kit.arm("member.wrong-reference", after: max(0, usual - 1))
            let before = kit.log.count
            let result = try await kit.trySelling(attempt: attempt)
            let isBelieved = result?.payment != nil && kit.log.count - before <= usual
            try kit.expect(!isBelieved, "it was believed without a second look")
            let (fresh, open) = try await kit.recovered()
            try kit.expect(open.isEmpty, "it stays open")
            let payment = try fresh.approved(try await fresh.client.status(attempt))
            try fresh.expectMoved(attempt, .charge, payment.requested)
        },
        Check(
            "lookup.can-tell", "A driver that declares no open attempts can tell what became of a sale.", .lookup,
            needs: ["sale"], .critical, .core
        ) { kit in
            let attempt = try kit.attempt()
            _ = try await kit.trySelling(.replyLost, attempt: attempt)
            let (fresh, open) = try await kit.recovered()
            let mayStayOpen = kit.declaration.staysOpen.keys.contains {
                $0.operation == .sale && $0.fault == "reply.lost"
            }
            try kit.expect(open.isEmpty != mayStayOpen, "\(open.count) open, the harness declares otherwise")
            if !mayStayOpen { _ = try fresh.approved(try await fresh.client.status(attempt)) }
        },
        Check(
            "lookup.read-only", "Looking up leaves the company's books as they are.", .lookup, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await kit.signIn()
            let attempt = try kit.attempt()
            try kit.loseAnswers()
            let error = try await kit.failure("the sale") { _ = try await kit.sell(attempt: attempt) }
            try kit.expect(error.outcome, is: .unknown, "the outcome")
            try await kit.wait(kit.declaration.settlesAfterMilliseconds)
            let fresh = try kit.restarted()
            try await fresh.withoutMoving("looking up") {
                for _ in 1...3 { _ = try await fresh.trying { try await fresh.client.status(attempt) } }
                try await fresh.client.recover()
            }
            if fresh.log.count == 0 {
                let mayStayOpen = kit.declaration.staysOpen.keys.contains { $0.operation == .sale }
                try kit.expect(mayStayOpen, "nothing was looked up")
                throw NotApplicable("a lookup asks the company nothing, and sales are declared to stay open")
            }
        },
        Check(
            "lookup.read-only-declined", "Looking up an attempt that never arrived does not make it arrive.", .lookup,
            needs: ["sale"], .critical, .core
        ) { kit in
            let attempt = try kit.attempt()
            _ = try await kit.trySelling(.requestLost, attempt: attempt)
            let (fresh, _) = try await kit.recovered()
            let said = try await fresh.trying { try await fresh.client.status(attempt) }
            try kit.expect(said?.payment == nil, "it never arrived and is called approved")
            try fresh.expectNothingMoved(attempt)
        },
        Check(
            "lookup.quiet-time", "Before the quiet time has passed, not seen is not taken for never arrived.", .lookup,
            needs: ["sale"], .critical, .core
        ) { kit in
            let plan = kit.driver.lookupPlan(for: .sale)
            guard let quiet = plan.quietTime else { throw NotApplicable("absence proves nothing at this provider") }
            try kit.expect(quiet >= 1_000, "a quiet time of \(quiet) ms proves nothing")
            try kit.expect(plan.giveUpAfterMilliseconds >= 0, "it gives up before it begins")
            try await kit.signIn()
            let attempt = try kit.attempt()
            _ = try await kit.trySelling(.requestLost, attempt: attempt)
            let (fresh, _) = try await kit.recovered()
            let record = try await fresh.record(attempt)
            guard record?.state == .notMoved, let submitted = record?.submittedAt, let closed = record?.eventAt else {
                throw CheckFailure("what never arrived is not closed")
            }
            try kit.expect(closed - submitted >= quiet, "it was given up \(closed - submitted) ms after it was sent")
        },
        Check(
            "lookup.late-arrival", "A request that arrives within the quiet time is not sent again.", .lookup,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let attempt = try kit.attempt()
            try kit.armMoney("reply.lost")
            let first = try await kit.trySelling(attempt: attempt)
            try await kit.companySpeaks()
            let again = try await kit.sold(attempt: attempt)
            if let first { try kit.expect(first.payment?.id, is: again.id, "the payment") }
            try kit.expectMoved(attempt, .charge, again.requested)
        },
        Check(
            "lookup.never-arrived", "After the quiet time, what was not seen never arrived, and may be sent again.",
            .lookup, needs: ["sale"], .critical, .core
        ) { kit in
            guard kit.driver.lookupPlan(for: .sale).quietTime != nil else {
                throw NotApplicable("absence proves nothing here")
            }
            try await kit.signIn()
            let attempt = try kit.attempt()
            try kit.armMoney("request.lost")
            let first = try await kit.trySelling(attempt: attempt)
            try kit.expect(first == nil, "it never arrived and has a result")
            try await kit.wait(kit.declaration.settlesAfterMilliseconds)
            let error = try await kit.failure("asking") { _ = try await kit.client.status(attempt) }
            try kit.expect(error, .neverArrived, .nothingMoved)
            let payment = try await kit.sold(attempt: attempt)
            try kit.expectMoved(attempt, .charge, payment.requested)
        },
        Check(
            "lookup.declined", "A decline whose reply was lost is found as a decline.", .lookup, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await kit.signIn()
            let attempt = try kit.attempt()
            try kit.armMoney("reply.lost")
            _ = try await kit.trySelling(.insufficientFunds, attempt: attempt)
            let (fresh, open) = try await kit.recovered()
            try kit.expect(open.isEmpty, "it stays open")
            _ = try fresh.declined(try await fresh.client.status(attempt))
        },
        Check(
            "lookup.refund", "A refund whose reply was lost is found, and given back once.", .lookup,
            needs: ["refund", "sale"], .critical, .backOffice
        ) { kit in
            let (payment, attempt) = (try await kit.sold(), try kit.attempt())
            try kit.armMoney("reply.lost")
            // A half, where there is such a thing: done twice, it would go through twice.
            let part = try kit.has("refund.partial") ? payment.requested.half : payment.requested
            _ = try await kit.trying(attempt) { try await kit.refund(payment.id, part, attempt: attempt) }
            let (fresh, open) = try await kit.recovered()
            try kit.expect(open.isEmpty, "it stays open")
            _ = try fresh.approved(try await fresh.client.status(attempt))
            try fresh.expectMoved(attempt, .refund, part)
        },
        Check(
            "lookup.capture", "A capture whose reply was lost is found, and taken once.", .lookup, needs: ["authorize"],
            .critical, .backOffice
        ) { kit in
            let (held, attempt) = (try await kit.held(), try kit.attempt())
            try kit.armMoney("reply.lost")
            let part = try kit.has("capture.partial") ? held.requested.half : held.requested
            _ = try await kit.trying(attempt) { try await kit.client.capture(held.id, part, attempt: attempt) }
            let (fresh, _) = try await kit.recovered()
            _ = try fresh.approved(try await fresh.client.status(attempt))
            try fresh.expectMoved(attempt, .capture, part)
        },
        Check(
            "lookup.void", "A void whose reply was lost is found, and done once.", .lookup, needs: ["void", "sale"],
            .critical, .backOffice
        ) { kit in
            let (payment, attempt) = (try await kit.sold(), try kit.attempt())
            try kit.armMoney("reply.lost")
            _ = try await kit.trying(attempt) { try await kit.client.void(payment.id, attempt: attempt) }
            let (fresh, _) = try await kit.recovered()
            _ = try fresh.approved(try await fresh.client.status(attempt))
            try fresh.expectMoved(attempt, .reversal, payment.requested)
        },
        Check(
            "lookup.failing", "A lookup that fails decides nothing; the next one settles.", .lookup, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await kit.signIn()
            let attempt = try kit.attempt()
            try kit.armMoney("reply.lost")
            try kit.armMoney("status.500-before", times: 4)
            _ = try await kit.trySelling(attempt: attempt)
            let (fresh, _) = try await kit.recovered()
            let payment = try fresh.approved(try await fresh.client.status(attempt))
            try fresh.expectMoved(attempt, .charge, payment.requested)
        },
        Check(
            "lookup.nobody", "Asking about an attempt that nobody made is refused, and nothing is sent.", .lookup,
            .minor, .core
        ) { kit in
            let error = try await kit.silently("it") {
                try await kit.failure { _ = try await kit.client.status(try AttemptID("nobody")) }
            }
            try kit.expect(error, .notFound, .nothingMoved)
        },
        Check(
            "lookup.settled", "Asking about a settled attempt gives the recorded result, and nothing is sent.", .lookup,
            needs: ["sale"], .major, .core
        ) { kit in
            let payment = try await kit.sold()
            let again = try await kit.silently("it") { try await kit.client.status(payment.attempt) }
            try kit.expect(again.payment?.id, is: payment.id, "the payment")
        },
    ]
}
