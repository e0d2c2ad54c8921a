extension PaymentOperation {
    /// The word with its article, for a sentence.
    var withArticle: String { "\("aeiou".contains(rawValue.prefix(1)) ? "an" : "a") \(rawValue)" }
}

extension PaymentError {
    /// The attempt's id was used for something else.
    static func conflict(_ record: AttemptRecord) -> PaymentError {
        var error = PaymentError(
            .conflict, outcome: record.outcome, attempt: record.intent.attempt, retry: .never,
            detail: "the attempt id was used before for \(record.intent.operation.withArticle) of "
                + "\(record.intent.amount) under \(record.intent.reference); use a fresh one for something else")
        error.recorded = record.state
        return error
    }

    /// The attempt is open, and nobody can tell; with the reason why the last look could not.
    static func stillOpen(_ record: AttemptRecord, _ reason: String? = nil) -> PaymentError {
        let why = reason.map { " (the last look: \($0))" } ?? ""
        return PaymentError(
            .inDoubt, outcome: record.outcome, attempt: record.intent.attempt,
            detail: "nobody can tell yet what became of it\(why); ask again later, or decide with `resolve`")
    }

    /// The journal's rules refuse to begin an attempt; nothing was sent.
    static func refused(_ refusal: JournalRefusal, _ intent: AttemptIntent) -> PaymentError {
        switch refusal {
        case .blocked(let by): return blocked(by)
        case .exceeds(let left, _):
            return .nothingMoved(.exceeds, "\(intent.amount) was asked for, and \(left) is left")
        case .notAllowed(let why), .noProof(let why):
            return PaymentError(.conflict, outcome: .nothingMoved, retry: .never, detail: why)
        case .noSuchPayment:
            return .nothingMoved(.notFound, "there is no payment \(intent.paymentID) in this journal")
        case .otherProvider(let provider):
            return .nothingMoved(
                .configuration, "the payment was taken by \(provider); it can't go through another account")
        case .mayBeLost:
            return PaymentError(
                .inDoubt, outcome: .unknown, attempt: intent.attempt, retry: .never,
                detail: "the journal was restored from a copy, and this attempt may be one of those that it has lost; "
                    + "ask the provider what became of it")
        case .fenced, .unansweredSend:
            return PaymentError(
                .conflict, outcome: .unknown, attempt: intent.attempt, retry: .afterStatusCheck,
                detail: "somebody else has taken this attempt over; ask for its status")
        }
    }

    /// Others stand in the way that are open, or moved money of which nobody heard.
    package static func blocked(_ by: [AttemptRecord]) -> PaymentError {
        guard let moved = by.first(where: { !$0.isUndecided }) else {
            let names = by.map(\.intent.attempt.text).joined(separator: ", ")
            return .nothingMoved(
                .inDoubt, "an earlier attempt is still open (\(names)); ask for its status or decide with `resolve`")
        }
        let (earlier, amount) = (moved.intent.attempt, moved.approval?.amount ?? moved.intent.amount)
        var error = PaymentError(
            .conflict, outcome: .moved, attempt: earlier, retry: .never,
            detail:
                "the \(moved.intent.operation.rawValue) \(earlier) under \(moved.intent.reference) moved \(amount), "
                + "and its caller never heard so; begin it again under its own id to get its result, or name it in "
                + "`after` to move money once more")
        error.recorded = moved.state
        return error
    }
}
