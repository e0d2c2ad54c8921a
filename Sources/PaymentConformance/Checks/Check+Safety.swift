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
            guard let error = await outcome({ _ = try await kit.sell(attempt: id) }) else { return }
            if error.outcome == .nothingMoved { try kit.expectNothingMoved(id) }
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
            let result = try? await kit.sell(attempt: id)
            try kit.expect(result.map { $0.payment != nil } ?? true, "it was called declined")
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
            let result = try? await kit.sell(attempt: id)
            if result?.payment == nil {
                let (fresh, _) = try await kit.recovered()
                try fresh.expectNothingMoved(id)
            }
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

    private static func outcome(_ call: () async throws -> Void) async -> PaymentError? {
        do { try await call() } catch { return error as? PaymentError }
        return nil
    }

    static let redactions: [Check] = [
        Check(
            "redaction.payment", "A payment prints nothing of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            try kit.expectHidden(await secrets(kit), in: payment, "the payment")
        },
        Check(
            "redaction.decline", "A decline prints nothing of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let decline = try kit.declined(try await kit.sell(.doNotHonor))
            try kit.expectHidden(await secrets(kit, .doNotHonor), in: decline, "the decline")
        },
        Check(
            "redaction.error", "No error prints anything of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            try await kit.signIn()
            for (number, fault) in ["status.500-before", "status.503-before", "body.html", "reply.lost", "status.307"]
                .enumerated()
            {
                try kit.armMoney(fault, times: 4)
                guard let error = await outcome({ _ = try await kit.sell(reference: "o-\(number)") }) else { continue }
                try kit.expectHidden(await secrets(kit), in: error, "the error after \(fault)")
                try await kit.wait(kit.declaration.settlesAfterMilliseconds)
                try await kit.client.recover()
            }
        },
        Check(
            "redaction.echoed", "What a company echoes of a request in a refusal is not printed.", .redaction,
            needs: ["sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let secrets = await secrets(kit)
            let text = secrets.joined(separator: " and ")
            kit.rewrite(
                Tap { (request, next) async throws(WireFailure) in
                    if request.method == "GET" { return try await next(request) }
                    let body: JSON = [
                        "error": ["code": "tooMuch", "message": .string(text)], "message": .string(text),
                    ]
                    return WireReply(409, body: body.bytes())
                })
            let error = await outcome { _ = try await kit.sell() }
            if let error { try kit.expectHidden(secrets, in: error, "the error") }
            kit.calm()
        },
        Check(
            "redaction.journal", "Nothing of the card or the access is written down.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            for record in try await kit.journal.records(.payment(payment.id)) {
                try kit.expectHidden(await secrets(kit), in: record, "the journal")
            }
        },
        Check(
            "redaction.events", "No event tells anything of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { kit in
            let payment = try await kit.sold()
            for event in try await kit.client.timeline(of: payment.id) {
                try kit.expectHidden(await secrets(kit), in: event, "the event \(event.kind)")
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

    private static func secrets(_ kit: Kit, _ script: Script = .approved) async -> [String] {
        let token = await kit.client.session?.token().map { [$0.expose()] } ?? []
        return ((try? kit.cue(script).secrets) ?? []) + kit.declaration.secrets + token
    }
}

extension Kit {
    /// Puts a tap on the line until it is calm again.
    func rewrite(_ tap: Tap) { mishaps.withLock { $0.append(.rewrite(tap)) } }

    /// Takes everything off the line that a check has put there.
    func calm() { mishaps.withLock { $0 = [] } }
}
