internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTransport

extension Check {
    /// What each fault of the sandbox means for a sale, by its class.
    static let errors: [Check] = [
        Check(
            "error.refused-before",
            "A refusal before anything was done is an error that moved nothing, and may be tried again.", .error,
            needs: ["sale"], .critical, .core
        ) { context in
            if let why = context.declaration.startsWithoutRequest { throw NotApplicable(why) }
            try await context.signIn()
            let id = try context.attempt()
            try context.armEachMoney("status.429")
            let error = try await context.failure("the sale") { _ = try await context.sale(attempt: id) }
            try context.expectNothingMoved(id)
            try await context.expectRefused(error, id)
            try context.expect(error.isRetryable, is: error.outcome == .notExecuted, "whether it may be tried again")
        },
        Check(
            "error.busy-once", "A provider that is busy for a moment is asked again, and charges once.", .error,
            needs: ["sale"], .critical, .core
        ) { context in
            let id = try context.attempt()
            guard let result = try await context.attemptedSale(.busyOnce, attempt: id) else {
                return try await context.expectNotRepeated(id)
            }
            try context.expectCharged(try context.approved(result))
        },
        Check(
            "error.server-failure", "A server failure after the request is unknown until it is looked up.", .error,
            needs: ["sale"], .critical, .core
        ) { context in
            let statuses = try context.played(["500", "502", "503", "504"], as: { "status.\($0)-after" })
            try await executeBehind(statuses, context)
        },
        Check(
            "error.refused-after",
            "After a gateway's refusal the provider is asked before another request leaves, and it charges once.",
            .error, needs: ["sale"], .critical, .core
        ) { context in
            try await executeBehind(["401", "403", "404", "307", "308", "429"], context)
        },
        Check(
            "error.names-attempt", "An error after the intent was written names its attempt.", .error, needs: ["sale"],
            .major, .core
        ) { context in
            try await context.signIn()
            let id = try context.attempt()
            try context.armMoney("request.lost", times: 13)
            let error = try await context.failure { _ = try await context.sale(attempt: id) }
            try context.expect(error.attempt, is: id, "the attempt")
        },
        Check(
            "error.unknown-advice", "While the outcome is unknown, the advice is to ask for the status first.", .error,
            needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let id = try context.attempt()
            try context.armMoney("reply.lost", times: context.lookupsMax + 10)
            let error = try await context.failure { _ = try await context.sale(attempt: id) }
            try context.expect(error.outcome, is: .unknown, "the outcome")
            try context.expect(error.retry, is: .afterStatusCheck, "the advice")
            try context.expect(!error.isRetryable, "it may be tried again at once")
        },
        Check(
            "error.redirect", "A redirect is not followed and moves nothing.", .error, needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let id = try context.attempt()
            try context.armMoney("status.307")
            if let result = try await context.attemptedSale(attempt: id) {
                // A redirect that is known as a refusal before execution may have been asked again.
                return try context.expectMoved(id, .charge, try context.approved(result).requested)
            }
            let (fresh, _) = try await context.recovered()
            try fresh.expectNothingMoved(id)
        },
        Check(
            "error.raw-code", "The provider's own code comes through untouched.", .error, needs: ["sale"], .major, .core
        ) { context in
            let scripted = try context.scripted(.lostCard)
            guard let code = scripted.code else { throw NotApplicable("the harness names no code") }
            let decline = try context.declined(try await context.sale(.lostCard))
            try context.expect(decline.provider.code, is: code, "the raw code")
        },
        Check(
            "error.classify-nothing", "An error that the adapter does not know is never taken for proof.", .error,
            .critical, .core
        ) { context in
            struct Strange: Error {}
            let fault = context.driver.classify(Strange())
            try context.expect(fault.delivery == .maybeSent, "a strange error proves something")
            try context.expect(!fault.isRetryable, "a strange error may be repeated")
        },
        Check("error.classify-cancelled", "A cancelled exchange may have been sent.", .error, .critical, .core) {
            context in
            try context.expect(
                context.driver.classify(CancellationError()).delivery == .maybeSent,
                "a cancelled exchange proves something"
            )
        },
    ]

    static let redactions: [Check] = [
        Check(
            "redaction.payment", "A payment prints nothing of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { context in
            let payment = try await context.approvedSale()
            try context.expectHidden(try await secrets(context), in: payment, "the payment")
        },
        Check(
            "redaction.decline", "A decline prints nothing of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { context in
            let decline = try context.declined(try await context.sale(.doNotHonor))
            try context.expectHidden(try await secrets(context, .doNotHonor), in: decline, "the decline")
        },
        Check(
            "redaction.error", "No error prints anything of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { context in
            try await context.signIn()
            var errors = 0
            for (number, fault) in ["status.500-before", "status.503-before", "body.html", "reply.lost", "status.307"]
                .enumerated()
            {
                // Where a payment is only asked for, the first question that is answered ends the call well.
                try context.armMoney(fault, times: context.declaration.startsWithoutRequest == nil ? 4 : 8)
                guard
                    case .failure(let error) = try await context.result(of: {
                        try await context.sale(reference: "o-\(number)")
                    })
                else { continue }
                errors += 1
                try context.expectHidden(try await secrets(context), in: error, "the error after \(fault)")
                try await context.wait(context.declaration.decidedAfterMilliseconds)
                try await context.client.recover()
            }
            try context.expect(errors > 0, "no fault ended with an error")
        },
        Check(
            "redaction.echoed", "What a provider echoes of a request in a refusal is not printed.", .redaction,
            needs: ["sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let secrets = try await secrets(context)
            let text = secrets.joined(separator: " and ")
            context.rewrite(
                Interceptor { (request, next) async throws(TransportFailure) in
                    if request.method == "GET" { return try await next(request) }
                    let body: JSON = [
                        "error": ["code": "tooMuch", "message": .string(text)], "message": .string(text),
                    ]
                    return HTTPResponse(409, body: body.bytes())
                })
            switch try await context.result(of: { try await context.sale() }) {
            case .success(.declined(let decline)): try context.expectHidden(secrets, in: decline, "the decline")
            case .success(let result): throw CheckFailure("a refusal was called \(CheckContext.word(result))")
            case .failure(let error): try context.expectHidden(secrets, in: error, "the error")
            }
            context.calm()
        },
        Check(
            "redaction.journal", "Nothing of the card or the access is written down.", .redaction, needs: ["sale"],
            .critical, .core
        ) { context in
            let payment = try await context.approvedSale()
            let records = try await context.journal.records(of: payment.id)
            try context.expect(!records.isEmpty, "nothing was written down")
            for record in records {
                try context.expectHidden(try await secrets(context), in: record, "the journal")
            }
        },
        Check(
            "redaction.events", "No event shows anything of the card or the access.", .redaction, needs: ["sale"],
            .critical, .core
        ) { context in
            let payment = try await context.approvedSale()
            let events = try await context.client.timeline(of: payment.id)
            try context.expect(!events.isEmpty, "no event was kept")
            for event in events {
                try context.expectHidden(try await secrets(context), in: event, "the event \(event.kind)")
            }
        },
        Check("redaction.driver", "The driver itself prints none of its credentials.", .redaction, .critical, .core) {
            context in
            try context.expectHidden(context.declaration.secrets, in: context.driver, "the driver")
        },
        Check(
            "redaction.reference", "A reference that looks like a card number is refused, and nothing is sent.",
            .redaction, needs: ["sale"], .critical, .core
        ) { context in
            try await context.expectRefused(.invalidRequest) {
                _ = try await context.sale(reference: "4111111111111111")
            }
        },
        Check(
            "redaction.declared-secrets", "The driver names its credentials, so that they can be taken out of echoes.",
            .redaction, .major, .core
        ) { context in
            let given = Set(context.driver.secrets.map { $0.expose() })
            try context.expect(
                Set(context.declaration.secrets).isSubset(of: given), "a credential is not named by the driver")
        },
    ]

    /// What must not be printed; a check that has nothing to look for would prove nothing.
    private static func secrets(_ context: CheckContext, _ script: SimulatedOutcome = .approved) async throws
        -> [String]
    {
        let token = await context.client.session?.token().map { [$0.expose()] } ?? []
        let secrets = try context.scripted(script).secrets + context.declaration.secrets + token
        try context.expect(!secrets.isEmpty, "the harness names no secret to look for")
        return secrets
    }

    /// Plays a sale for each status that an answer has although the provider executed the request: none is called refused,
    /// and each is booked once.
    private static func executeBehind(_ statuses: [String], _ context: CheckContext) async throws {
        var current = context
        for status in statuses {
            try await current.signIn()
            let id = try current.attempt()
            try current.armMoney("status.\(status)-after")
            if let result = try await current.attemptedSale(reference: "order-\(status)", attempt: id) {
                try current.expect(result.payment != nil, "after \(status) it was called \(CheckContext.word(result))")
            }
            current = try await current.recovered().context
            try await current.expectBooked(id)
            // The next sale looks the same: where no reference comes back, its time alone distinguishes it from a copy of
            // this one.
            try await current.letCopiesPass()
        }
    }
}

extension CheckContext {
    /// Puts a tap on the line until it is calm again.
    func rewrite(_ interceptor: Interceptor) { mishaps.withLock { $0.append(.rewrite(interceptor)) } }

    /// Takes everything off the line that a check has put there.
    func calm() { mishaps.withLock { $0 = [] } }
}
