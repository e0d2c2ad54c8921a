internal import PaymentAbstraction
internal import PaymentBase

extension Command {
    /// What became of something.
    static let status = Command(
        name: "status", summary: "says what became of an attempt or a payment; asks the provider if nobody knows yet",
        example: "payctl status --attempt 01890c2e-5b1a-7c3d-9e4f-001122334455",
        takes: AcceptedArguments(
            operands: ["[PAYMENT]"],
            options: AcceptedArguments.Option.configured + [
                .init(name: "attempt", value: "ID", summary: "the attempt, when it is not what began the payment")
            ])
    ) { call in
        guard let text = call.given["attempt"] ?? call.operand(0) else {
            throw UsageError(message: "name a PAYMENT, or an attempt with --attempt ID")
        }
        let attempt = try AttemptID(text)
        return try await CommandSession.use(call) { till in
            _ = try await till.takeNews()
            let result: PaymentResult
            do { result = try await till.client.status(attempt) } catch let error as PaymentError
                where error.code == .neverArrived
            {
                call.say(
                    ["status": "notMoved", "attempt": .string(attempt.text), "error": error.json],
                    ["\(call.paint.bad("nothing moved")): \(error.detail)", "attempt    \(attempt)"])
                return .failed
            }
            call.say(result.json(attempt), result.lines(attempt, call.paint))
            return ExitStatus(result)
        }
    }

    /// Decides what can be decided.
    static let recover = Command(
        name: "recover", summary: "looks up everything that is open, and names what nobody can tell about yet",
        example: "payctl recover", takes: AcceptedArguments(options: AcceptedArguments.Option.configured)
    ) { call in
        try await CommandSession.use(call) { till in
            let news = try await till.takeNews()
            let open = try await till.client.recover()
            var lines = open.isEmpty ? ["nothing is open"] : ["\(open.count) open:"] + open.map { "  \($0)" }
            if news > 0 { lines.insert("\(news) messages of providers came in", at: 0) }
            if !open.isEmpty { lines.append("ask again later, or decide: payctl resolve ATTEMPT --moved REF …") }
            call.say(["open": .array(open.map { .string($0.text) }), "news": .integer(news)], lines)
            return open.isEmpty ? .fine : .unknown
        }
    }

    /// A person decides.
    static let resolve = Command(
        name: "resolve", summary: "records a person's decision about an attempt that nobody else can tell about",
        example: "payctl resolve ATTEMPT --not-moved --because \"the bank's statement of 21 November lacks it\"",
        takes: AcceptedArguments(
            operands: ["ATTEMPT"],
            options: AcceptedArguments.Option.configured + [
                .init(name: "moved", value: "REF", summary: "the money moved, and this is the provider's name for it"),
                .init(name: "not-moved", value: nil, summary: "the money did not move"),
                .init(name: "because", value: "TEXT", summary: "how you know; it is kept in the journal"),
            ])
    ) { call in
        let attempt = try AttemptID(try call.operand(0, "ATTEMPT"))
        guard (call.given["moved"] != nil) != call.given.has("not-moved") else {
            throw UsageError(message: "say either --moved REF or --not-moved")
        }
        if call.given["moved"]?.isEmpty == true { throw UsageError(message: "--moved needs the provider's reference") }
        guard let because = call.given["because"], !because.isEmpty else {
            throw UsageError(message: "--because TEXT is missing: a decision needs a reason")
        }
        return try await CommandSession.use(call) { till in
            let decision = call.given["moved"].map { Decision.moved(reference: $0) } ?? .nothingMoved
            let record = try await till.client.resolve(attempt, decision, because: because)
            call.say(
                record.json,
                ["\(record.painted(call.paint)): \(record.intent.operation.rawValue) of \(record.intent.amount)"])
            return .fine
        }
    }
}
