internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension Command {
    /// What became of something.
    static let status = Command(
        name: "status", summary: "says what became of an attempt or a payment; asks the provider if nobody knows yet",
        example: "payctl status --attempt 01890c2e-5b1a-7c3d-9e4f-001122334455",
        takes: AcceptedArguments(
            operands: ["[PAYMENT]"],
            options: AcceptedArguments.Option.configured + [
                .value("attempt", "ID", "the attempt, when it is not what began the payment")
            ])
    ) { call in
        guard let text = call.given["attempt"] ?? call.operand(0) else {
            throw UsageError(message: "name a PAYMENT, or an attempt with --attempt ID")
        }
        return try await CommandSession.use(call) { till in
            _ = try await till.takeNews()
            let attempt = try await till.attempt(text)
            let result: PaymentResult
            do { result = try await till.status(attempt) } catch let error as PaymentError
                where error.code == .neverArrived
            {
                call.say(
                    ["status": "notMoved", "attempt": .string(attempt.text), "error": ErrorReport(error, call).json],
                    [
                        "\(call.paint.bad("nothing moved")): \(error.detail)", "attempt    \(attempt)",
                        "It is safe to charge again, also under the same id.",
                    ])
                return ExitStatus(error)
            }
            return try await till.tell(result, attempt)
        }
    }

    /// Decides what can be decided.
    static let recover = Command(
        name: "recover", summary: "looks up everything that is open, and says what became of each",
        example: "payctl recover", takes: AcceptedArguments(options: AcceptedArguments.Option.configured)
    ) { call in
        try await CommandSession.use(call) { till in
            let before = try await till.undecided()
            let news = try await till.takeNews()
            _ = try await till.client.recover()
            await till.lookInto(try await till.reread(before))
            let after = try await till.reread(before)
            let others = try await till.attemptsOfOtherScopes().filter(\.isUndecided)
            let configured = Set(till.configuration.providers.map(\.id))
            let open = after.filter(\.isUndecided)
            call.say(
                [
                    "news": .integer(news), "looked": .array(after.map(\.json)),
                    "open": .array(open.map { .string($0.intent.attempt.text) }),
                    "openOfOtherScopes": .array(others.map { .string($0.intent.attempt.text) }),
                ], Recovered(call, news: news, after, others, configured: configured).lines)
            if (open + others).contains(where: { !$0.isPending }) { return .unknown }
            return open.isEmpty && others.isEmpty ? .fine : .pending
        }
    }

    /// A person decides.
    static let resolve = Command(
        name: "resolve", summary: "records a person's decision about an attempt that nobody else can tell about",
        example: "payctl resolve ATTEMPT --not-moved --because \"the bank's statement of 21 November lacks it\"",
        takes: AcceptedArguments(
            operands: ["ATTEMPT"],
            options: AcceptedArguments.Option.configured + [
                .value("moved", "REF", "the money moved, and this is the provider's name for it"),
                .flag("not-moved", "the money did not move"),
                .flag("withdrawn", "an earlier --moved of somebody's was wrong"),
                .value("because", "TEXT", "how you know; it is kept in the journal"),
            ])
    ) { call in
        let text = try call.operand(0, "ATTEMPT")
        let said = [call.given["moved"] != nil, call.given.has("not-moved"), call.given.has("withdrawn")]
        guard said.count(where: { $0 }) == 1 else {
            throw UsageError(message: "say one of --moved REF, --not-moved and --withdrawn")
        }
        if call.given["moved"]?.isEmpty == true { throw UsageError(message: "--moved needs the provider's reference") }
        guard let because = call.given["because"], !because.isEmpty else {
            throw UsageError(message: "--because TEXT is missing: a decision needs a reason")
        }
        return try await CommandSession.use(call) { till in
            let attempt = try await till.attempt(text)
            let denied: Decision = call.given.has("withdrawn") ? .withdrawn : .nothingMoved
            let decision = call.given["moved"].map { Decision.moved(reference: $0) } ?? denied
            let record = try await till.client.resolve(attempt, decision, because: because)
            call.say(
                record.json,
                ["\(record.painted(call.paint)): \(record.intent.operation.rawValue) of \(record.intent.amount)"])
            return .fine
        }
    }
}

extension CommandSession {
    /// Every attempt that isn't decided, oldest payment last.
    func undecided() async throws -> [AttemptRecord] {
        var open: [AttemptRecord] = []
        for try await payment in client.everyPayment() { open += payment.undecided }
        return open
    }

    /// The same attempts as they stand now.
    func reread(_ records: [AttemptRecord]) async throws -> [AttemptRecord] {
        var now: [AttemptRecord] = []
        for record in records { now.append(try await client.attempt(record.intent.attempt) ?? record) }
        return now
    }
}

/// What a recovery came to, for people.
private struct Recovered {
    private let call: Invocation
    private let news: Int
    private let records: [AttemptRecord]
    /// What is open in other scopes, which the applications that have them look up.
    private let others: [AttemptRecord]
    private let configured: Set<ProviderID>

    init(
        _ call: Invocation, news: Int, _ records: [AttemptRecord], _ others: [AttemptRecord],
        configured: Set<ProviderID>
    ) {
        (self.call, self.news, self.records, self.others) = (call, news, records, others)
        self.configured = configured
    }

    var lines: [String] {
        var lines = news > 0 ? ["\(news) messages of providers came in"] : []
        if !others.isEmpty {
            lines.append(
                "\(others.count) open of other scopes (\(others.scopes.joined(separator: ", "))) and not looked up here: "
                    + others.map(\.intent.attempt.text).joined(separator: ", "))
        }
        if records.isEmpty { return others.isEmpty ? lines + ["nothing is open"] : lines }
        for record in records {
            let intent = record.intent
            lines += [
                "\(record.painted(call.paint)): \(intent.operation.rawValue) of \(intent.amount), \(meaning(record))",
                "  attempt \(intent.attempt), reference \(intent.reference), at \(record.provider.id)",
            ]
        }
        let open = records.filter(\.isUndecided)
        let isAllDecided = open.isEmpty && others.isEmpty
        lines.append(isAllDecided ? "Nothing is open any more." : "\(open.count) open in the default scope.")
        if let doubt = open.first(where: { !$0.isPending }) {
            lines += [
                "next       \(call.command("recover")), in a while",
                "or decide  \(call.command("resolve \(doubt.intent.attempt) --moved REF --because TEXT"))",
            ]
        }
        return lines
    }

    /// What the state means for the money.
    private func meaning(_ record: AttemptRecord) -> String {
        if record.isUndecided, !configured.contains(record.provider.id) {
            return "nobody can be asked: \(record.provider.id) is not configured here"
        }
        if record.isPending { return "received, and decided later" }
        if record.isUndecided { return "nobody can tell yet" }
        let by = record.evidence.map { ", known by \($0.rawValue)" } ?? ""
        return (record.facts.hasMoved ? "money moved" : "nothing moved") + by
    }
}
