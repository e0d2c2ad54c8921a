internal import PaymentBase
internal import PaymentCore
package import PaymentModel

/// An attempt as the API shows it: what the journal has, and what this process knows beside it.
package struct AttemptView: Sendable {
    /// The id that is shown.
    let id: AttemptID
    /// What was asked for.
    let intent: Attempt.Intent
    /// The journal's record; nil before the first request, and for what ended before it.
    var record: Attempt?
    /// Whether a task of this process works on it.
    var isRunning = false
    /// How the call ended, if not with a result.
    var error: PaymentError?
    /// Whether the result that was returned is written.
    package var isResultRecorded = true
    /// What the customer is asked to do at the reader, as the last event of it says.
    var prompt: String?
    /// Why the last look could not tell what became of it.
    var doubt: String?
    /// Where its payment stands as a whole; nil where that was not read.
    package var paymentStatus: String?
    /// What it asks now.
    var question: QuestionDesk.Asked?
    /// The id that was asked for, if the attempt has absorbed it.
    var absorbed: [AttemptID] = []

    /// A view of a record.
    package init(_ record: Attempt, askedFor id: AttemptID? = nil) {
        (self.id, intent, self.record) = (record.intent.attempt, record.intent, record)
        if let id, id != record.intent.attempt { absorbed = [id] }
    }

    /// A view of something that the journal does not have.
    init(_ intent: Attempt.Intent) { (id, self.intent) = (intent.attempt, intent) }

    /// Whether the journal has the outcome.
    var isRecorded: Bool { record != nil && isResultRecorded }

    /// Whether it asks something that still decides: the whole is decided, whatever is asked.
    private var isAsking: Bool {
        guard question != nil else { return false }
        guard let record, record.state == .approved else { return true }
        return record.moved != record.intent.amount
    }

    /// Whether what was approved may not be what stays.
    private var isOpen: Bool { isAsking || record?.mayReturnPart == true }

    /// What became of the money.
    var outcome: PaymentError.Outcome {
        if !isResultRecorded || isOpen { return .unknown }
        if let record { return record.outcome }
        return isRunning ? .unknown : error?.outcome ?? .unknown
    }

    /// Where it stands, in one word.
    var status: String {
        if isOpen { return "running" }
        guard let record else {
            if isRunning { return "running" }
            guard let error, error.outcome == .notExecuted else { return "inDoubt" }
            return error.code == .cancelled ? "cancelled" : "notExecuted"
        }
        return record.status
    }

    /// The status of an answer about a money operation.
    var httpStatus: Int {
        switch outcome {
        case .executed: 201
        case .notExecuted: 402
        case .unknown: 202
        }
    }

    /// After how many seconds it makes sense to ask again.
    var retryAfterSeconds: Int {
        if isRunning || record?.state == .running { return 1 }
        return record?.state == .pending ? 60 : 5
    }

    /// Why there is no execution: `message` is for a cashier, `detail` for developers.
    private struct Obstacle {
        let code: Problem.Code
        let retry: PaymentError.RetryAdvice
        let message: String
        var detail: String?
        var diagnosis: FailureDiagnosis?

        init(_ code: Problem.Code, _ retry: PaymentError.RetryAdvice, _ message: String) {
            (self.code, self.retry, self.message) = (code, retry, message)
        }
    }

    private var problem: Obstacle? {
        if let error, error.outcome == outcome {
            // Once nothing was executed for certain, there is no status left to be asked for.
            let isKnown = outcome == .notExecuted && error.retry == .afterStatusCheck
            var obstacle = Obstacle(Problem.Code(error.code), isKnown ? .safe : error.retry, error.message)
            (obstacle.detail, obstacle.diagnosis) = (error.detail, error.diagnosis)
            return obstacle
        }
        switch status {
        case "cancelled": return Obstacle(.cancelled, .safe, "It was cancelled before it was executed.")
        case "notExecuted": return Obstacle(.notReceived, .safe, "It is proven that nothing was executed.")
        case "declined": return Obstacle(.declined, .safe, "The provider or the issuer refused it; `decline` says why.")
        case "reversed": return Obstacle(.reversed, .never, "It was approved, and failed afterwards.")
        case "inDoubt":
            var obstacle = Obstacle(.inDoubt, .afterStatusCheck, "It is not known yet what became of it.")
            obstacle.detail = doubt
            return obstacle
        default: return nil
        }
    }

    private var decline: Decline? {
        if case .declined(let decline)? = record?.verdict { return decline }
        return nil
    }

    /// The card of the approval that is valid, of one before it, or of the decline; else the last digits that were asked for.
    private var card: CardSummary? {
        record?.approval?.card ?? decline?.card ?? record?.reports.lazy.compactMap { $0.approval?.card }.first
            ?? intent.last4.map { CardSummary(last4: $0) }
    }

    /// The journal has what the provider calls it; the attempt says which one that is.
    private var saved: SavedInstrument.ID? {
        guard let record, let id = record.approval?.saved?.id else { return nil }
        return SavedInstrument.ID(id.rawValue, at: record.account)
    }

    /// What a text of a provider may look like in an answer.
    private static func shown(_ text: String, _ role: ServiceRole) -> JSON {
        role == .office ? .string(Masking.cardNumbers(in: text)) : .null
    }

    /// The shape of every attempt.
    package static let shape = Shape<AttemptView>("Attempt", uses: [PaymentView.money], members)

    private static let members: [Shape<AttemptView>.Member] = identity + money + provider + history

    private static let identity: [Shape<AttemptView>.Member] = [
        .init("attempt", Schema.text, "The id. It differs from the one that was asked for if that one was absorbed.") {
            .string($0.id.text)
        },
        .init("absorbed", Schema.texts, "Ids that turned out to be this attempt.") {
            .array($0.absorbed.map { .string($0.text) })
        },
        .init("payment", Schema.text, "The payment that it belongs to.") { .string($0.intent.paymentID.attempt.text) },
        .init(
            "paymentStatus", Schema.orNull(Schema.open(PaymentRecord.statusesForGoods)),
            "Where its payment stands as a whole. Hand over goods for `approved`, `captured` and `held` alone: the rest went "
                + "back or may, in part or as a whole. Null in lists, before it is recorded, and while it can't be read."
        ) { view in
            // The payment is where the attempt is that begins it.
            .text(view.paymentStatus)
        },
        .init("operation", Schema.open(PaymentOperation.allCases.map(\.rawValue)), "What was asked for.") {
            .string($0.intent.operation.rawValue)
        },
        .init("status", Schema.open(Attempt.statuses), "Where it stands. Treat an unknown word as open.") {
            .string($0.status)
        },
        .init(
            "outcome", Schema.closed(["executed", "notExecuted", "unknown"]),
            "What this attempt did with the money. `paymentStatus` says whether it went back since."
        ) { .string($0.outcome.word) },
        .init("isRecorded", Schema.flag, "Whether the journal has it.") { .bool($0.isRecorded) },
        .init(
            "problem",
            Schema.orNull(
                Schema.object([
                    ("code", Schema.open(Problem.Code.allCases.map(\.rawValue))),
                    ("retry", Schema.closed(PaymentError.RetryAdvice.allCases.map(\.rawValue))),
                    ("message", Schema.text),
                    ("detail", Schema.textOrNull),
                    ("step", Schema.stepOrNull),
                    ("host", Schema.textOrNull), ("cause", Schema.textOrNull), ("reason", Schema.textOrNull),
                ])),
            "Why it was not executed or is not known, and whether a further try makes sense: `safe` with a further "
                + "Idempotency-Key, `afterStatusCheck` only if it turns out that nothing was executed, `never` not as it is. "
                + "`message` is for the cashier, `detail` for developers; only an office key sees it. `step`, `host`, "
                + "`cause` and `reason` say where a request to the provider or the journal failed."
        ) { view, role in
            guard let problem = view.problem else { return .null }
            return [
                "code": .string(problem.code.rawValue), "retry": .string(problem.retry.rawValue),
                "message": .string(problem.message), "detail": problem.detail.map { shown($0, role) } ?? .null,
                "step": .text(problem.diagnosis?.step.rawValue), "host": .text(problem.diagnosis?.host),
                "cause": .text(problem.diagnosis?.cause.rawValue), "reason": .text(problem.diagnosis?.reason),
            ]
        },
    ]

    private static let money: [Shape<AttemptView>.Member] = [
        .init("amount", Schema.moneyOrNull, "What was asked for; null if that is not known yet.") { view in
            let isUnknown = view.intent.amount.isZero && view.record?.isByProvider ?? true
            return isUnknown ? .null : .money(view.intent.amount)
        },
        .init("approvedAmount", Schema.moneyOrNull, "What was executed.") { view in
            // Of what the provider said in another currency, a person says how much it was.
            .money(view.record.flatMap { record in record.moved.map { record.acknowledgedAmount ?? $0 } })
        },
        .init("reference", Schema.textOrNull, "The reference.") { .text($0.intent.reference) },
        .init("part", Schema.text, "The part of the reference; empty for the whole.") { .string($0.intent.part) },
        .init("holdsFor", Schema.orNull(Schema.count), "For how many seconds the reference is kept; null for ever.") {
            .init($0.intent.holdsFor.map { $0 / 1_000 })
        },
        .init("metadata", Schema.map, "What the shop keeps with it.") { view in
            .object(JSONObject(texts: view.intent.metadata))
        },
    ]

    private static let provider: [Shape<AttemptView>.Member] = [
        .init("provider", Schema.textOrNull, "The provider that was asked.") { .text($0.record?.account.id.rawValue) },
        .init("account", Schema.textOrNull, "The merchant's account there.") { .text($0.record?.account.merchant) },
        .init("environment", Schema.textOrNull, "The environment, such as `sandbox`.") {
            .text($0.record?.account.environment)
        },
        .init("names", Schema.map, "What the provider calls it.") { view in
            .object(JSONObject(texts: view.record?.verdict?.references ?? [:]))
        },
        .init("authorizationCode", Schema.textOrNull, "The issuer's approval code.") {
            .text($0.record?.approval?.receipt?.authorizationCode)
        },
        .init(
            "card", Schema.orNull(CardSummary.schema), "The card, as far as it may be shown."
        ) { view in view.card?.json ?? .null },
        .init("source", Schema.textOrNull, "Where the money came from, such as `reader`.") {
            .text($0.intent.source?.rawValue)
        },
        .init("saved", Schema.textOrNull, "The instrument that the provider keeps for later, to be sent as `saved`.") {
            .text($0.saved?.text)
        },
        .init(
            "decline",
            Schema.orNull(
                Schema.object([
                    ("reason", Schema.text), ("code", Schema.text), ("message", Schema.textOrNull),
                ])), "Why the provider refused; `reason` is for the till."
        ) { view, role in
            guard let decline = view.decline else { return .null }
            return [
                "reason": .string(decline.reason.rawValue), "code": .string(decline.provider.code),
                "message": shown(decline.provider.message, role),
            ]
        },
        .init("cancelledBy", Schema.textOrNull, "What ended it.") { view in
            guard case .cancelled(let cancellation)? = view.record?.verdict else { return .null }
            return .string(cancellation.cause.rawValue)
        },
    ]

    private static let history: [Shape<AttemptView>.Member] = [
        .init(
            "question", Schema.orNull(QuestionDesk.Asked.schema),
            "What it asks; answer it with `answers`. A viewer's key sees none: who has a page's address can pay there."
        ) { view, role in role >= .till && view.isAsking ? view.question?.json ?? .null : .null },
        .init("prompt", Schema.textOrNull, "What happens at the reader now, such as `readyForCard`; an open list.") {
            .text($0.isRunning ? $0.prompt : nil)
        },
        .init("attention", Schema.texts, "What a person has to look at.") { view in
            var words: [JSON] = []
            if view.record?.isContradicted == true { words.append("contradiction") }
            if view.record?.hasOpenDispute == true { words.append("disputed") }
            if view.record?.isUnseenChargeback == true { words.append("chargeback") }
            if view.record?.excess != nil { words.append("amount") }
            return .array(words)
        },
        .init(
            "evidence", Schema.textOrNull, "How its end is known: `reply`, `lookup`, `webhook`, `person` or `imported`."
        ) {
            .text($0.record?.evidence?.word)
        },
        .init(
            "reports", ["type": "array", "items": Attempt.Report.schema],
            "What was said about it, in the order in which it came. An office key alone sees it."
        ) { view, role in
            guard role == .office else { return [] }
            return .array((view.record?.reports ?? []).map(\.json))
        },
        .init("absorbedBy", Schema.textOrNull, "The attempt that it turned out to be.") {
            .text($0.record?.absorbedBy?.text)
        },
        .init("version", Schema.count, "Rises with everything that can change money.") {
            .count($0.record?.version ?? 0)
        },
        .init("createdAt", Schema.moment, "When it began; null before it is recorded.") {
            Moment.json($0.record?.runs.first?.begunAt.wall)
        },
        .init("updatedAt", Schema.moment, "When its state changed last.") { Moment.json($0.record?.changedAt?.wall) },
        .init("by", Schema.textOrNull, "The person who decided it, else the key that asked for it.") { view in
            guard case .person(let by, _, _)? = view.record?.evidence else { return .text(view.intent.requestedBy) }
            return .string(by)
        },
        .init("resolutionReason", Schema.textOrNull, "Why a person decided so.") { view in
            guard case .person(_, let reason, _)? = view.record?.evidence else { return .null }
            return .string(reason)
        },
    ]
}

extension JSON {
    /// A whole number, or null.
    init(_ number: Int64?) { self = number.map { .number(JSONNumber($0)) } ?? .null }
}

extension JSONObject {
    /// Texts by name, in the order of their names.
    init(texts: [String: String]) {
        self.init()
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) { self[name] = .string(text) }
    }
}

extension CardSummary {
    /// What may be shown of it.
    var json: JSON {
        [
            "brand": .text(brand), "lastFour": .text(last4), "entryMode": .text(entry), "funding": .text(funding),
        ]
    }

    /// The schema of ``json``.
    static let schema = Schema.object([
        ("brand", Schema.textOrNull), ("lastFour", Schema.textOrNull), ("entryMode", Schema.textOrNull),
        ("funding", Schema.textOrNull),
    ])
}
