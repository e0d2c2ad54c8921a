/// Decides whether an intent may begin; pure, and called inside a journal's transaction.
public enum Admission {
    /// The decision.
    ///
    /// It needs the record under the same attempt id; for an operation on a payment, the payment's origin and
    /// everything that followed; for one that starts a payment, the other origins under its reference.
    public static func decide(
        _ intent: AttemptIntent, _ terms: AdmissionTerms, existing: AttemptRecord?, family: [AttemptRecord],
        sameReference: [AttemptRecord], at instant: Int64
    ) -> Beginning {
        if let existing {
            if existing.intent != intent { return .conflict(existing) }
            switch existing.state {
            case .concluded: return .recorded(existing)
            case .begun, .submitted, .inDoubt: return .open(existing)
            case .notMoved: break
            }
        }
        let others = family.filter { $0.intent.attempt != intent.attempt }
        let refusal =
            intent.isOrigin
            ? refusal(intent, sameReference: sameReference) : refusal(intent, terms, family: others)
        if let refusal { return .refused(refusal) }
        let round = (existing?.round ?? 0) + 1
        return .fresh(AttemptRecord(intent, terms.provider, round: round, at: instant, owner: terms.owner))
    }

    /// While a reference has an open attempt, a new one under it is refused.
    private static func refusal(_ intent: AttemptIntent, sameReference: [AttemptRecord]) -> Beginning.Refusal? {
        let open = sameReference.filter { record in
            guard record.intent.isOrigin, record.intent.attempt != intent.attempt,
                record.intent.reference == intent.reference
            else { return false }
            return record.isUndecided
        }
        return open.isEmpty ? nil : .blocked(by: open.map(\.intent.attempt))
    }

    private static func refusal(
        _ intent: AttemptIntent, _ terms: AdmissionTerms, family: [AttemptRecord]
    ) -> Beginning.Refusal? {
        guard let origin = family.first(where: { $0.intent.isOrigin }) else { return .noSuchPayment }
        // A refund without an original on the wire may go through another account than the payment's.
        if intent.operation != .unlinkedRefund, origin.provider != terms.provider {
            return .otherProvider(origin.provider)
        }
        let doubtful = family.filter { $0.state == .inDoubt }.map(\.intent.attempt)
        if !doubtful.isEmpty { return .blocked(by: doubtful) }
        if origin.isUndecided { return .blocked(by: [origin.intent.attempt]) }
        guard let flow = PaymentFlow(family, captures: terms.captures) else { return .noSuchPayment }
        switch flow.permission(for: intent.operation, intent.amount) {
        case .granted: return nil
        case .notAllowed(let why): return .notAllowed(why)
        case .exceeds(let left):
            return .exceeds(left: left, open: family.filter(\.reserves).map(\.intent.attempt))
        case .busy: return .blocked(by: family.filter(\.isUndecided).map(\.intent.attempt))
        }
    }
}

extension AttemptRecord {
    /// Whether it keeps a part of its payment from others until it is decided.
    fileprivate var reserves: Bool { isUndecided && intent.operation.takesFromPayment }
}
