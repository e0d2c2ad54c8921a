internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentProviderKit

extension Command {
    /// What became of something.
    static let status = Command(
        name: "status", summary: "says what became of an attempt or a payment; asks the provider if that is not known",
        example: "payctl status --attempt 01890c2e-5b1a-7c3d-9e4f-001122334455",
        takes: AcceptedArguments(
            operands: ["[PAYMENT]"],
            options: AcceptedArguments.Option.configured + [
                .value("attempt", "ID", "the attempt, when it is not what began the payment"), .scope,
            ])
    ) { call in
        guard let text = call.given["attempt"] ?? call.operand(0) else {
            throw UsageError(message: "name a PAYMENT, or an attempt with --attempt ID")
        }
        return try await CommandSession.use(call, scope: call.given["scope"] ?? "") { till in
            _ = try await till.takeNews()
            let attempt = try await till.attempt(text)
            let result: PaymentResult
            do { result = try await till.status(attempt) } catch let error as PaymentError
                where error.code == .notReceived
            {
                call.say(
                    ["error": ErrorReport(error, call).json],
                    [
                        "\(call.paint.bad("not executed")): \(error.detail)", "attempt    \(attempt)",
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
        example: "payctl recover", takes: AcceptedArguments(options: AcceptedArguments.Option.configured + [.scope])
    ) { call in
        try await CommandSession.use(call, scope: call.given["scope"] ?? "") { till in
            let before = try await till.undecided()
            let news = try await till.takeNews()
            _ = try await till.client.recover()
            await till.lookInto(try await till.reread(before))
            let after = try await till.reread(before)
            let others = try await till.attemptsOfOtherScopes().filter(\.isUndecided)
            let configured = Set(till.configuration.providers.map(\.id))
            let open = after.filter(\.isUndecided)
            var vain: Set<AttemptID> = []
            for attempt in open where attempt.isInDoubt {
                if try await till.wasLookedUpInVain(attempt) { vain.insert(attempt.intent.attempt) }
            }
            let looked = try await LookedAt(of: till)
            call.say(
                BookShapes.recovery, .init(news: news, attempts: after, open: open, others: others, lookedAt: looked),
                Recovered(
                    call, news: news, after, others, configured: configured, lookedUpInVain: vain,
                    isWhole: looked.lack == nil, scopeWords: till.scopeWords
                ).lines
                    + looked.lines(scopes: till.scopeWords, within: call.console.columns))
            if (open + others).contains(where: { $0.state != .pending }) { return .unknown }
            if looked.lack != nil { return .failed }
            return open.isEmpty && others.isEmpty ? .fine : .pending
        }
    }
}

extension CommandSession {
    /// Every attempt that is not decided, oldest payment last.
    func undecided() async throws -> [Attempt] {
        var open: [Attempt] = []
        for try await payment in client.allPayments() { open += payment.openAttempts }
        return open
    }

    /// The same attempts as they are now.
    func reread(_ records: [Attempt]) async throws -> [Attempt] {
        var now: [Attempt] = []
        for record in records { now.append(try await client.attempt(record.intent.attempt) ?? record) }
        return now
    }
}

/// What a recovery came to, for people.
private struct Recovered {
    private let call: Invocation
    private let news: Int
    private let records: [Attempt]
    /// What is open in other scopes, which the applications that have them look up.
    private let others: [Attempt]
    private let configured: Set<ProviderID>
    /// Those of which the provider was asked and could not say: only then a person decides.
    private let vain: Set<AttemptID>
    /// Whether the journal has everything that was written to it: only then nothing is open that it doesn't show.
    private let isWhole: Bool
    private let scopeWords: String

    init(
        _ call: Invocation, news: Int, _ records: [Attempt], _ others: [Attempt],
        configured: Set<ProviderID>, lookedUpInVain vain: Set<AttemptID>, isWhole: Bool, scopeWords: String
    ) {
        (self.call, self.news, self.records, self.others) = (call, news, records, others)
        (self.configured, self.vain, self.isWhole, self.scopeWords) = (configured, vain, isWhole, scopeWords)
    }

    var lines: [String] {
        var lines = news > 0 ? ["\(news.counted("message")) of providers came in"] : []
        if !others.isEmpty {
            lines.append(
                "\(others.count) open of other scopes (\(others.scopeNames)) and not looked up here: "
                    + others.map(\.intent.attempt.text).joined(separator: ", "))
        }
        if records.isEmpty { return others.isEmpty ? lines + [isWhole ? "nothing is open" : Self.unproven] : lines }
        for record in records {
            let intent = record.intent
            lines += [
                "\(record.painted(call.paint)): \(intent.operation.rawValue) of \(record.knownAmount), \(meaning(record))",
                "  attempt \(intent.attempt), reference \(intent.reference ?? "none"), at \(record.account.id)",
            ]
        }
        let open = records.filter(\.isUndecided)
        let isAllDecided = open.isEmpty && others.isEmpty
        let decided = isWhole ? "Nothing is open any more." : Self.unproven
        lines.append(isAllDecided ? decided : "\(open.count) open in \(scopeWords).")
        if let doubt = open.first(where: { $0.state != .pending }) {
            lines.append("next       \(call.command("recover")), in a while")
            if vain.contains(doubt.intent.attempt) {
                let way = doubt.hasHiddenDoubt ? "--not-executed" : "--executed REF"
                let words = "resolve \(doubt.intent.attempt) \(way) --because TEXT"
                lines.append("or decide  \(call.command(words)), once the provider has told you")
            }
        }
        return lines
    }

    /// What is said of a journal that may lack attempts.
    private static let unproven = "No attempt in this journal is open; it may lack some."

    /// What the state means for the money.
    private func meaning(_ record: Attempt) -> String {
        if record.isOpen, !configured.contains(record.account.id) {
            return "it can't be looked up: \(record.account.id) is not configured here"
        }
        if record.state == .pending { return "received, and decided later" }
        if record.isOpen { return "not known yet" }
        if record.isUndecided { return "executed, and whether as much moved once more or goes back is not known yet" }
        let by = record.evidence.map { ", known by \($0.word)" } ?? ""
        return (record.state == .approved ? "executed" : "not executed") + by
    }
}

extension PaymentEvent.Kind {
    /// The provider was asked what became of an attempt, answered, and could not say.
    static let cannotTell = PaymentEvent.Kind(rawValue: "cannotTell")
}

extension Attempt {
    /// Whether it may have been executed, or once more, and the provider has not said that it works on it.
    var isInDoubt: Bool { state == .inDoubt || state == .running || hasHiddenDoubt }
}

extension CommandSession {
    /// What became of an attempt: a lookup if that is not known yet. Where the provider answers and can't say, the payment's
    /// timeline says so: then a person has to decide.
    func status(_ attempt: AttemptID) async throws(PaymentError) -> PaymentResult {
        let before = call.watch.counts
        let found: Result<PaymentResult, PaymentError>
        do { found = .success(try await client.status(attempt)) } catch { found = .failure(error) }
        // A look that failed shows nothing about the attempt, and is made again.
        let now = call.watch.counts
        let isAnswered = now.answered > before.answered && now.unanswered == before.unanswered
        switch found {
        // Another run of what is approved may be in doubt still.
        case .success: if isAnswered { await noteVainLook(attempt) }
        case .failure(let error): if error.code == .inDoubt, isAnswered { await noteVainLook(attempt) }
        }
        return try found.get()
    }

    /// Looks once more at what stays in doubt, one after the other, so that it is known of which the provider can't say.
    func lookInto(_ attempts: [Attempt]) async {
        for attempt in attempts where attempt.isInDoubt && attempt.isEnded {
            let isKnown = try? await wasLookedUpInVain(attempt)
            if isKnown != true { _ = try? await status(attempt.intent.attempt) }
        }
    }

    /// Whether the provider was asked what became of the newest run, answered, and could not say.
    func wasLookedUpInVain(_ attempt: Attempt) async throws(PaymentError) -> Bool {
        let began = attempt.newest?.begunAt.wall ?? 0
        return try await client.timeline(of: attempt.intent.paymentID).contains { step in
            step.kind == .cannotTell && step.attempt == attempt.intent.attempt && step.at >= began
        }
    }

    /// Without the step a person is sent to ask once more, which harms nothing: so it may fail.
    private func noteVainLook(_ id: AttemptID) async {
        guard let attempt = try? await client.attempt(id), attempt.isInDoubt, attempt.isEnded,
            (try? await wasLookedUpInVain(attempt)) == false
        else { return }
        let payment = attempt.intent.paymentID
        let step = PaymentEvent(
            .cannotTell, at: clock.now, payment: payment, attempt: id, provider: attempt.account.id)
        try? await journal.add([step], to: payment)
    }
}
