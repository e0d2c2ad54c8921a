internal import PaymentBase
internal import PaymentCore

extension Check {
    private static func answered(
        _ id: String, _ what: String, _ script: SimulatedOutcome, _ source: PaymentSource.Kind?
    ) -> Check {
        Check(
            "question.\(id)", "A payment that asks for \(what) is approved when it is answered, and charged once.",
            .question,
            needs: source == .reader ? ["sale", "source.reader"] : ["sale"], .critical, .inPerson
        ) { context in
            try context.expectCharged(try await context.approvedSale(script, from: source))
        }
    }

    private static func unanswered(_ id: String, _ what: String, _ script: SimulatedOutcome) -> Check {
        Check(
            "question.\(id)-unanswered", "Without an answer to \(what), nothing is charged and nothing stays open.",
            .question,
            needs: ["sale"], .critical, .inPerson
        ) { context in
            let asked = Locked(0)
            let asking = try context.restarted(answers: CheckContext.defaultHandlers { asked.withLock { $0 += 1 } })
            _ = try await asking.approvedSale(script, reference: "answered")
            try context.expect(asked.withLock { $0 } > 0, "nothing was asked that could stay unanswered")
            let (id, mute) = (try context.attempt(), try asking.restarted(answers: QuestionHandlers()))
            let result = try await mute.attemptedSale(script, attempt: id)
            try context.expect(result?.payment == nil, "it was approved")
            try context.expectNothingMoved(id)
            let (_, open) = try await mute.recovered()
            try context.expect(open.isEmpty, "it stays open")
            try context.expectNothingMoved(id)
        }
    }

    static let questions: [Check] = [
        answered("challenge", "3-D Secure", .challenge, nil), unanswered("challenge", "3-D Secure", .challenge),
        answered("clarification", "more fields", .clarification, nil),
        unanswered("clarification", "more fields", .clarification),
        answered("pin", "a PIN", .pin, .reader),
        Check(
            "question.wrong-pin", "A wrong PIN is a decline, and nothing moved.", .question,
            needs: ["sale", "source.reader"], .critical, .inPerson
        ) { context in
            let id = try context.attempt()
            let decline = try context.declined(try await context.sale(.wrongPIN, from: .reader, attempt: id))
            try context.expect(decline.reason, is: .incorrectPIN, "the reason")
            try context.expectNothingMoved(id)
        },
        Check(
            "question.no-pin", "When the customer types no PIN, nothing is charged.", .question,
            needs: ["sale", "source.reader"], .critical, .inPerson
        ) { context in
            let id = try context.attempt()
            let result = try await context.attemptedSale(.noPIN, from: .reader, attempt: id)
            try context.expect(result?.payment == nil, "it was approved")
            _ = try await context.recovered()
            try context.expectNothingMoved(id)
        },
        Check(
            "question.challenge-failed", "A challenge that fails is a decline, and nothing moved.", .question,
            needs: ["sale"], .critical, .inPerson
        ) { context in
            if let why = context.declaration.challengeResultsElsewhere { throw NotApplicable(why) }
            var answers = CheckContext.defaultHandlers
            answers.handle(ThreeDSecureChallenge.self) { _ in .init(result: Secret("failed")) }
            let (id, other) = (try context.attempt(), try context.restarted(answers: answers))
            _ = try other.declined(try await other.sale(.challenge, attempt: id))
            try other.expectNothingMoved(id)
        },
        Check(
            "question.no-second-charge", "A question in between does not make a second charge of a replay.", .question,
            needs: ["sale"], .critical, .inPerson
        ) { context in
            let id = try context.attempt()
            let payment = try await context.approvedSale(.challenge, attempt: id)
            let again = try await context.expectNoRequests(during: "a replay") {
                try await context.approvedSale(.challenge, attempt: id)
            }
            try context.expect(again.id, is: payment.id, "the payment")
            try context.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "question.asked-nothing-moved", "While a question is open, nothing has moved.", .question, needs: ["sale"],
            .critical, .inPerson
        ) { context in
            let seen = Locked(-1)
            var answers = CheckContext.defaultHandlers
            answers.handle(ThreeDSecureChallenge.self) { [fixture = context.fixture] _ in
                seen.withLock { $0 = fixture.ledger.entries.count }
                return .init(result: Secret("ok"))
            }
            let asking = try context.restarted(answers: answers)
            _ = try await asking.approvedSale(.challenge)
            try context.expect(seen.withLock { $0 }, is: 0, "movements while it was asked")
        },
        Check(
            "question.partial-taken", "A part that the till takes is approved as a part, with both amounts.", .question,
            needs: ["sale", "request.partialApproval"], .critical, .inPerson
        ) { context in
            let payment = try await context.approvedSale(.partial) { $0.acceptsPartialApproval = true }
            try context.expect(payment.isPartial, "it does not say that it is a part")
            let timeline = try await context.client.timeline(of: payment.id)
            try context.expect(
                !timeline.contains { $0.kind == .otherAmount }, "the adapter doesn't say that it is a part")
            try context.expectMoved(payment.attempt, .charge, payment.approved)
        },
        Check(
            "question.partial-refused", "A part that the till does not take is returned.", .question,
            needs: ["sale", "request.partialApproval"], .critical, .inPerson
        ) { context in
            struct Unanswered: Error {}
            for isAnswered in [true, false] {
                var answers = CheckContext.defaultHandlers
                answers.handle(PartialApprovalOffer.self) { _ in
                    guard isAnswered else { throw Unanswered() }
                    return false
                }
                let (id, other) = (try context.attempt(), try context.restarted(answers: answers))
                let result = try await other.sale(.partial, attempt: id) { $0.acceptsPartialApproval = true }
                try context.expect(result.payment == nil, "it is approved although no customer took it")
                try await context.decidePending()
                try context.expect(try await context.client.status(id).payment == nil, "it is approved in the end")
                let left = try await context.client.payment(PaymentID(id)).amounts
                try context.expect(
                    left.inDoubt.isZero && left.captured.isZero, "the payment has money, or money in doubt")
                let ledger = context.fixture.ledger
                try context.expect(
                    ledger.sum(of: id, .charge), is: ledger.sum(of: id, .reversal), "charged and returned")
            }
        },
        Check(
            "question.partial-not-asked", "A part is never approved for a till that did not ask for parts.", .question,
            needs: ["sale"], .critical, .inPerson
        ) { context in
            let id = try context.attempt()
            let result = try await context.sale(.partial, attempt: id)
            if let payment = result.payment {
                let isAllowed = !payment.isPartial || context.declaration.unrequestedPartialApprovals != nil
                try context.expect(isAllowed, "a part was approved, which the provider gives only to who asks for it")
                try context.expectMoved(id, .charge, payment.approved)
            } else {
                try context.expectNothingMoved(id)
            }
        },
        Check(
            "question.partial-needs-handler", "Asking for a part without a handler is refused, and nothing is sent.",
            .question, needs: ["sale", "request.partialApproval"], .major, .inPerson
        ) { context in
            let mute = try context.restarted(answers: QuestionHandlers())
            try await mute.expectUnsupported("it") {
                _ = try await mute.sale(.partial) { $0.acceptsPartialApproval = true }
            }
        },
        Check(
            "question.handler-throws", "A handler that throws charges nothing.", .question, needs: ["sale"], .critical,
            .inPerson
        ) { context in
            var answers = QuestionHandlers()
            let asked = Locked(0)
            answers.handle(ThreeDSecureChallenge.self) { _ in
                asked.withLock { $0 += 1 }
                throw CheckFailure("the handler fails")
            }
            let (id, other) = (try context.attempt(), try context.restarted(answers: answers))
            let result = try await other.attemptedSale(.challenge, attempt: id)
            try context.expect(asked.withLock { $0 } > 0, "the handler was not asked")
            try context.expect(result?.payment == nil, "it was approved")
            try context.expectNothingMoved(id)
            _ = try await other.recovered()
        },
    ]
}
