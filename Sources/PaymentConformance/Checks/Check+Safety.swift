internal import PaymentAbstraction
internal import PaymentBase

extension Check {
    /// What each fault of the sandbox means for a sale, by its class.
    static let errors: [Check] = [
        Check(
            "error.refused-before",
            "A refusal before anything was done is an error that moved nothing, and may be tried again.", .error,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let id = try kit.attempt()
            try kit.armMoney("status.429", times: 5)
            let error = try await kit.failure("the sale") { _ = try await kit.sell(attempt: id) }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
            try kit.expect(error.isRetryable, "it may not be tried again")
            try kit.expectNothingMoved(id)
        },
        Check(
            "error.busy-once", "A company that is busy for a moment is asked again, and charges once.", .error,
            needs: ["sale"], .critical, .core
        ) { kit in
            let payment = try await kit.sold(.busyOnce)
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
        },
        Check(
            "error.server-failure", "A server failure after the request is unknown until it is looked up.", .error,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let id = try kit.attempt()
            try kit.armMoney("status.500-after")
            if let result = try await kit.trySelling(attempt: id) {
                try kit.expect(result.payment != nil, "it was called \(Kit.word(result))")
            }
            let (fresh, _) = try await kit.recovered()
            let payment = try fresh.approved(try await fresh.client.status(id))
            try fresh.expectMoved(id, .charge, payment.requested)
        },
        Check(
            "error.names-attempt", "An error after the intent was written names its attempt.", .error, needs: ["sale"],
            .major, .core
        ) { kit in
            try await kit.signIn()
            let id = try kit.attempt()
            try kit.armMoney("request.lost", times: 13)
            let error = try await kit.failure { _ = try await kit.sell(attempt: id) }
            try kit.expect(error.attempt, is: id, "the attempt")
        },
        Check(
            "error.unknown-advice", "While the outcome is unknown, the advice is to ask for the status first.", .error,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let id = try kit.attempt()
            try kit.armMoney("reply.lost", times: kit.lookupsMax + 10)
            let error = try await kit.failure { _ = try await kit.sell(attempt: id) }
            try kit.expect(error.outcome, is: .unknown, "the outcome")
            try kit.expect(error.retry, is: .afterStatusCheck, "the advice")
            try kit.expect(!error.isRetryable, "it may be tried again at once")
        },
        Check(
            "error.redirect", "A redirect is not followed and moves nothing.", .error, needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let id = try kit.attempt()
            try kit.armMoney("status.307")
            if let result = try await kit.trySelling(attempt: id) {
                // A redirect that is known as a refusal before execution may have been asked again.
                return try kit.expectMoved(id, .charge, try kit.approved(result).requested)
            }
            let (fresh, _) = try await kit.recovered()
            try fresh.expectNothingMoved(id)
        },
        Check(
            "error.raw-code", "The provider's own code comes through untouched.", .error, needs: ["sale"], .major, .core
        ) { kit in
            let cue = try kit.cue(.lostCard)
            guard let code = cue.code else { throw NotApplicable("the harness names no code") }
            let decline = try kit.declined(try await kit.sell(.lostCard))
            try kit.expect(decline.provider.code, is: code, "the raw code")
        },
        Check(
            "error.classify-nothing", "An error that the adapter does not know is never taken for proof.", .error,
            .critical, .core
        ) { kit in
            struct Strange: Error {}
            let fault = kit.driver.classify(Strange())
            try kit.expect(fault.delivery == .maybeSent, "a strange error proves something")
            try kit.expect(!fault.mayRepeat, "a strange error may be repeated")
        },
        Check("error.classify-cancelled", "A cancelled exchange may have been sent.", .error, .critical, .core) { kit in
            try kit.expect(
                kit.driver.classify(CancellationError()).delivery == .maybeSent, "a cancelled exchange proves something"
            )
        },
    ]

    static let redactions: [Check] = [
        Check(
            "redaction.payment", "A payment prints nothing of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            try kit.expectHidden(try await secrets(kit), in: payment, "the payment")
        },
        Check(
            "redaction.decline", "A decline prints nothing of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let decline = try kit.declined(try await kit.sell(.doNotHonor))
            try kit.expectHidden(try await secrets(kit, .doNotHonor), in: decline, "the decline")
        },
        Check(
            "redaction.error", "No error prints anything of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await kit.signIn()
            var errors = 0
            for (number, fault) in ["status.500-before", "status.503-before", "body.html", "reply.lost", "status.307"]
                .enumerated()
            {
                try kit.armMoney(fault, times: 4)
                guard case .failure(let error) = try await kit.told({ try await kit.sell(reference: "o-\(number)") })
                else { continue }
                errors += 1
                try kit.expectHidden(try await secrets(kit), in: error, "the error after \(fault)")
                try await kit.wait(kit.declaration.settlesAfterMilliseconds)
                try await kit.client.recover()
            }
            try kit.expect(errors > 0, "no fault ended with an error")
        },
        Check(
            "redaction.echoed", "What a company echoes of a request in a refusal is not printed.", .redaction,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let secrets = try await secrets(kit)
            let text = secrets.joined(separator: " and ")
            kit.rewrite(
                Tap { (request, next) async throws(WireFailure) in
                    if request.method == "GET" { return try await next(request) }
                    let body: JSON = [
                        "error": ["code": "tooMuch", "message": .string(text)], "message": .string(text),
                    ]
                    return WireReply(409, body: body.bytes())
                })
            switch try await kit.told({ try await kit.sell() }) {
            case .success(.declined(let decline)): try kit.expectHidden(secrets, in: decline, "the decline")
            case .success(let result): throw CheckFailure("a refusal was called \(Kit.word(result))")
            case .failure(let error): try kit.expectHidden(secrets, in: error, "the error")
            }
            kit.calm()
        },
        Check(
            "redaction.journal", "Nothing of the card or the access is written down.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            let records = try await kit.journal.records(.payment(payment.id))
            try kit.expect(!records.isEmpty, "nothing was written down")
            for record in records {
                try kit.expectHidden(try await secrets(kit), in: record, "the journal")
            }
        },
        Check(
            "redaction.events", "No event tells anything of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            let events = try await kit.client.timeline(of: payment.id)
            try kit.expect(!events.isEmpty, "no event was kept")
            for event in events {
                try kit.expectHidden(try await secrets(kit), in: event, "the event \(event.kind)")
            }
        },
        Check("redaction.driver", "The driver itself prints none of its credentials.", .redaction, .critical, .core) {
            kit in
            try kit.expectHidden(kit.declaration.secrets, in: kit.driver, "the driver")
        },
        Check(
            "redaction.reference", "A reference that looks like a card number is refused, and nothing is sent.",
            .redaction, needs: ["sale"], .critical, .core
        ) { kit in
            let error = try await kit.silently("it") {
                try await kit.failure { _ = try await kit.sell(reference: "4111111111111111") }
            }
            try kit.expect(error, .invalidRequest, .nothingMoved)
        },
        Check(
            "redaction.declared-secrets", "The driver names its credentials, so that they can be taken out of echoes.",
            .redaction, .major, .core
        ) { kit in
            let given = Set(kit.driver.secrets.map { $0.expose() })
            try kit.expect(Set(kit.declaration.secrets).isSubset(of: given), "a credential is not named by the driver")
        },
    ]

    /// What must not be printed; a check that has nothing to look for would prove nothing.
    private static func secrets(_ kit: Kit, _ script: Script = .approved) async throws -> [String] {
        let token = await kit.client.session?.token().map { [$0.expose()] } ?? []
        let secrets = try kit.cue(script).secrets + kit.declaration.secrets + token
        try kit.expect(!secrets.isEmpty, "the harness names no secret to look for")
        return secrets
    }
}

extension Kit {
    /// Puts a tap on the line until it is calm again.
    func rewrite(_ tap: Tap) { mishaps.withLock { $0.append(.rewrite(tap)) } }

    /// Takes everything off the line that a check has put there.
    func calm() { mishaps.withLock { $0 = [] } }
}
