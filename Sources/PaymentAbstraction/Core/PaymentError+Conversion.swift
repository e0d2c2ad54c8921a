internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentOperation {
    /// The word with its article, for a sentence.
    var withArticle: String { "\("aeiou".contains(rawValue.prefix(1)) ? "an" : "a") \(rawValue)" }
}

extension PaymentError {
    /// The attempt's id was used for something else.
    static func conflict(_ held: Attempt) -> PaymentError {
        let reference = held.intent.reference.map { " (\($0))" } ?? ""
        // A restore lost what was asked for under it, or a person gave the id to another payment by mistake.
        let advice =
            held.isImported
            ? "An import brought it: take the money under no other id before a person has compared both."
            : "Use a new id for a different request."
        var error = PaymentError(
            .conflict, outcome: held.outcome, attempt: held.intent.attempt, retry: .never,
            detail: "Attempt id \(held.intent.attempt) was already used for \(held.intent.operation.withArticle) of "
                + "\(held.intent.amount)\(reference). \(advice)")
        error.state = held.state
        return error
    }

    /// Several accounts have money of the payment, and the call names none of them: none is taken by chance.
    static func accountNeeded(_ accounts: [ProviderIdentity]) -> PaymentError {
        let names = accounts.map(\.description).joined(separator: ", ")
        var error = PaymentError(
            .conflict, outcome: .notExecuted, retry: .never,
            detail: "The money of this payment is at \(names). Name one account, by its merchant or by its provider.")
        error.accounts = accounts
        return error
    }

    /// The attempt is open, or a part of it may go back; with the reason why the last look could not tell.
    static func stillOpen(
        _ held: Attempt, _ reason: String? = nil, after failure: PaymentError? = nil
    ) -> PaymentError {
        let why = reason.map { " (The last look: \($0))" } ?? ""
        return PaymentError(
            .inDoubt, outcome: .unknown, attempt: held.intent.attempt,
            detail: "It is not known yet what became of it.\(why) Ask again later, or decide with `resolve`.",
            diagnosis: failure?.diagnosis)
    }

    /// The reference is paid, or may be.
    static func referenceInUse(
        _ intent: Attempt.Intent, _ id: AttemptID, _ state: Attempt.State, _ other: Attempt?, chargedBack: Money?
    ) -> PaymentError {
        let isOrder = intent.payment == nil
        let detail =
            chargedBack.map { takenBack(intent, id, $0, other?.acknowledging("reference")) }
            ?? (isOrder ? paid(intent, id, state, other) : refunded(intent, id, other))
        var error = PaymentError(.referenceInUse, outcome: .notExecuted, attempt: id, retry: .never, detail: detail)
        error.state = state
        return error
    }

    private static func paid(
        _ intent: Attempt.Intent, _ id: AttemptID, _ state: Attempt.State, _ other: Attempt?
    ) -> String {
        let order = "Order \(intent.reference ?? "")"
        let amount = other.map { ", \($0.moved ?? $0.intent.amount)" } ?? ""
        let isHold = other?.intent.operation == .authorize
        if other?.intent.operation == .unlinkedRefund {
            return unlinkedRefund("reference \(intent.reference ?? "")", "attempt \(id)\(amount)", state)
        }
        switch state {
        case .running: return "\(order) is being paid now (attempt \(id)\(amount)). Nothing was charged now."
        case .inDoubt:
            return
                "It is not known yet whether \(order.lowercasedFirst) was paid (attempt \(id)\(amount)). Nothing was charged "
                + "now. Do not take the money in another way before `status` or `resolve` has decided attempt \(id)."
        case .pending:
            return
                "\(order) waits for the customer (attempt \(id)\(amount)). Nothing was charged now. Cancel attempt \(id) "
                + "first, then take it again."
        case .approved where isHold:
            return
                "\(order) has a hold (attempt \(id)\(amount)). Nothing was charged now. Capture it, or void it first."
        case .approved, .declined, .notExecuted, .reversed:
            let part = other?.intent.part ?? ""
            if !part.isEmpty, intent.part.isEmpty {
                return
                    "Of \(order.lowercasedFirst), part \"\(part)\" was paid (attempt \(id)\(amount)). Nothing was charged now. "
                    + "Name the part that is paid now."
            }
            if part.isEmpty, !intent.part.isEmpty {
                return
                    "\(order) was paid as a whole (attempt \(id)\(amount)). Nothing was charged now. A further bill needs a "
                    + "reference of its own."
            }
            return
                "\(order) was paid (attempt \(id)\(amount)). Nothing was charged now. If this is another customer's bill, give "
                + "it a reference of its own. To charge again, refund or void \(id) first."
        }
    }

    /// A paid order of which the customer's bank took the money back. A dispute that is won brings it again.
    private static func takenBack(
        _ intent: Attempt.Intent, _ id: AttemptID, _ amount: Money, _ command: String?
    ) -> String {
        "Order \(intent.reference ?? "") was paid, and the customer's bank took \(amount) of it back (attempt \(id)). Nothing "
            + "was charged now: if the dispute is won, it is paid. To charge it again, free its reference first"
            + (command.map { ": `\($0)`." } ?? ".")
    }

    /// A reference that a refund without a payment has: nothing was paid under it.
    private static func unlinkedRefund(_ reference: String, _ attempt: String, _ state: Attempt.State) -> String {
        switch state {
        case .running, .pending:
            "A refund without a payment is under way under the \(reference) (\(attempt)). Nothing moved now."
        case .inDoubt:
            "It is not known yet whether the refund under the \(reference) was made (\(attempt)). Nothing moved now. Do not "
                + "give the money back in another way before `status` or `resolve` has decided it."
        case .approved, .declined, .notExecuted, .reversed:
            "Under the \(reference), money was refunded without a payment (\(attempt)). Nothing moved now. Give another "
                + "refund a reference of its own."
        }
    }

    private static func refunded(_ intent: Attempt.Intent, _ id: AttemptID, _ other: Attempt?) -> String {
        let verb = intent.operation == .capture ? "captured" : "refunded"
        let kind = intent.operation == .capture ? "capture" : "refund"
        let amount = other.map { ($0.moved ?? $0.intent.amount).description } ?? "\(intent.amount)"
        let isOpen = other?.isOpen == true
        let first = isOpen ? "A \(kind) of \(amount) is not decided yet" : "\(amount) of this payment were \(verb)"
        return
            "\(first) (attempt \(id)). Nothing was \(verb) now. If this is another \(kind) of the same amount, say what it is "
            + "for with a reference."
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension PaymentError {
    /// Makes the public error of whatever an adapter, a reader or a transport threw.
    init(
        wrapping error: any Error, _ outcome: Outcome, _ attempt: AttemptID? = nil, _ driver: any PaymentDriver,
        scrub: SecretScrubber = SecretScrubber([])
    ) {
        let own = error as? PaymentError
        let fault = own.map { RequestFailure($0) } ?? driver.classify(error)
        let found = own?.diagnosis ?? (error as? any DiagnosedFailure)?.diagnosis
        self.init(
            fault.code, outcome: outcome, attempt: attempt ?? own?.attempt, provider: scrub(fault.provider),
            retry: fault.retry, requiresUserAction: fault.requiresUserAction, detail: scrub(fault.detail),
            diagnosis: found?.mappingReason { scrub($0) })
    }

    /// The same about a call that was ended on our side, because its time was over.
    func ended(as code: Code) -> FailureDiagnosis? {
        guard code == .timedOut, let diagnosis, diagnosis.cause.rawValue == "cancelled" else { return diagnosis }
        return diagnosis.with(.timedOut)
    }
}

extension PaymentDriver {
    /// The public error of a call that moves no money.
    func wrapped(_ error: any Error) -> PaymentError { PaymentError(wrapping: error, .notExecuted, nil, self) }
}
