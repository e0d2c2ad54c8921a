internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    private static func answered(_ id: String, _ what: String, _ script: Script, _ source: SourceKind?) -> Check {
        Check(
            "question.\(id)", "A payment that asks for \(what) is approved when it is answered, and charged once.",
            .question,
            needs: source == .reader ? ["sale", "source.reader"] : ["sale"], .critical, .terminal
        ) { kit in
            let payment = try await kit.sold(script, from: source)
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        }
    }

    private static func unanswered(_ id: String, _ what: String, _ script: Script) -> Check {
        Check(
            "question.\(id)-unanswered", "When nobody can answer \(what), nothing is charged and nothing stays open.",
            .question,
            needs: ["sale"], .critical, .terminal
        ) { kit in
            let asked = Locked(0)
            let asking = try kit.restarted(answers: Kit.obliging { asked.withLock { $0 += 1 } })
            _ = try await asking.sold(script, reference: "answered")
            try kit.expect(asked.withLock { $0 } > 0, "nothing was asked that could stay unanswered")
            let (id, mute) = (try kit.attempt(), try asking.restarted(answers: Answers()))
            let result = try await mute.trySelling(script, attempt: id)
            try kit.expect(result?.payment == nil, "it was approved")
            try kit.expectNothingMoved(id)
            let (_, open) = try await mute.recovered()
            try kit.expect(open.isEmpty, "it stays open")
            try kit.expectNothingMoved(id)
        }
    }

    static let questions: [Check] = [
        answered("challenge", "3-D Secure", .challenge, nil), unanswered("challenge", "3-D Secure", .challenge),
        answered("clarification", "more fields", .clarification, nil),
        unanswered("clarification", "more fields", .clarification),
        answered("pin", "a PIN", .pin, .reader),
        Check(
            "question.wrong-pin", "A wrong PIN is a decline, and nothing moved.", .question,
            needs: ["sale", "source.reader"], .critical, .terminal
        ) { kit in
            let id = try kit.attempt()
            let decline = try kit.declined(try await kit.sell(.wrongPIN, from: .reader, attempt: id))
            try kit.expect(decline.reason, is: .incorrectPIN, "the reason")
            try kit.expectNothingMoved(id)
        },
        Check(
            "question.no-pin", "When nobody types the PIN, nothing is charged.", .question,
            needs: ["sale", "source.reader"], .critical, .terminal
        ) { kit in
            let id = try kit.attempt()
            let result = try await kit.trySelling(.noPIN, from: .reader, attempt: id)
            try kit.expect(result?.payment == nil, "it was approved")
            _ = try await kit.recovered()
            try kit.expectNothingMoved(id)
        },
        Check(
            "question.challenge-failed", "A challenge that fails is a decline, and nothing moved.", .question,
            needs: ["sale"], .critical, .terminal
        ) { kit in
            var answers = Kit.obliging
            answers.on(ThreeDSecureChallenge.self) { _ in .init(result: Secret("failed")) }
            let (id, other) = (try kit.attempt(), try kit.restarted(answers: answers))
            _ = try other.declined(try await other.sell(.challenge, attempt: id))
            try other.expectNothingMoved(id)
        },
        Check(
            "question.no-second-charge", "A question in between does not make a second charge of a replay.", .question,
            needs: ["sale"], .critical, .terminal
        ) { kit in
            let id = try kit.attempt()
            let payment = try await kit.sold(.challenge, attempt: id)
            let again = try await kit.silently("a replay") { try await kit.sold(.challenge, attempt: id) }
            try kit.expect(again.id, is: payment.id, "the payment")
            try kit.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "question.asked-nothing-moved", "While a question is open, nothing has moved.", .question, needs: ["sale"],
            .critical, .terminal
        ) { kit in
            let seen = Locked(-1)
            var answers = Kit.obliging
            answers.on(ThreeDSecureChallenge.self) { [fixture = kit.fixture] _ in
                seen.withLock { $0 = fixture.ledger.entries.count }
                return .init(result: Secret("ok"))
            }
            let asking = try kit.restarted(answers: answers)
            _ = try await asking.sold(.challenge)
            try kit.expect(seen.withLock { $0 }, is: 0, "movements while it was asked")
        },
        Check(
            "question.partial-taken", "A part that the till takes is approved as a part, with both amounts.", .question,
            needs: ["sale", "request.partialApproval"], .critical, .terminal
        ) { kit in
            let payment = try await kit.sold(.partial) { $0.acceptsPartial = true }
            try kit.expect(payment.isPartial, "it does not say that it is a part")
            try kit.expectMoved(payment.attempt, .charge, payment.approved)
        },
        Check(
            "question.partial-refused", "A part that the till does not take is given back.", .question,
            needs: ["sale", "request.partialApproval"], .critical, .terminal
        ) { kit in
            var answers = Kit.obliging
            answers.on(PartialApprovalOffer.self) { _ in false }
            let (id, other) = (try kit.attempt(), try kit.restarted(answers: answers))
            let result = try await other.sell(.partial, attempt: id) { $0.acceptsPartial = true }
            try kit.expect(result.payment == nil, "it is approved although nobody took it")
            try await kit.companyDecides()
            try kit.expect(try await kit.client.status(id).payment == nil, "it is approved in the end")
            let ledger = kit.fixture.ledger
            try kit.expect(ledger.sum(of: id, .charge), is: ledger.sum(of: id, .reversal), "charged and given back")
        },
        Check(
            "question.partial-not-asked", "A part is never approved for a till that did not ask for parts.", .question,
            needs: ["sale"], .critical, .terminal
        ) { kit in
            let id = try kit.attempt()
            let result = try await kit.sell(.partial, attempt: id)
            if let payment = result.payment {
                let isAllowed = !payment.isPartial || kit.declaration.approvesPartsUnasked != nil
                try kit.expect(isAllowed, "a part was approved, which the company gives only to who asks for it")
                try kit.expectMoved(id, .charge, payment.approved)
            } else {
                try kit.expectNothingMoved(id)
            }
        },
        Check(
            "question.partial-needs-handler", "Asking for a part without a handler is refused, and nothing is sent.",
            .question, needs: ["sale", "request.partialApproval"], .major, .terminal
        ) { kit in
            let mute = try kit.restarted(answers: Answers())
            try await mute.expectUnsupported("it") { _ = try await mute.sell(.partial) { $0.acceptsPartial = true } }
        },
        Check(
            "question.handler-throws", "A handler that throws charges nothing.", .question, needs: ["sale"], .critical,
            .terminal
        ) { kit in
            var answers = Answers()
            let asked = Locked(0)
            answers.on(ThreeDSecureChallenge.self) { _ in
                asked.withLock { $0 += 1 }
                throw CheckFailure("the handler fails")
            }
            let (id, other) = (try kit.attempt(), try kit.restarted(answers: answers))
            let result = try await other.trySelling(.challenge, attempt: id)
            try kit.expect(asked.withLock { $0 } > 0, "the handler was not asked")
            try kit.expect(result?.payment == nil, "it was approved")
            try kit.expectNothingMoved(id)
            _ = try await other.recovered()
        },
    ]
}
