internal import PaymentBase

extension Services {
    /// The application's result of a recorded outcome; `fresh` still has what a journal must not hold.
    func result(_ record: AttemptRecord, fresh: Verdict? = nil) async throws(PaymentError) -> PaymentResult {
        // Nothing can have followed a payment of which nothing was said before this reply.
        let words = record.facts.words
        let isAlone = fresh != nil && record.intent.isOrigin && words.count == 1 && words.first?.source == .reply
        let family = isAlone ? [record] : try await family(record.intent.paymentID, .unknown)
        return result(fresh ?? record.verdict, record, family, isRecorded: true)
            ?? .pending(Pending(lookAgain: false))
    }

    /// The result of an outcome that the journal could not take.
    func unrecorded(_ verdict: Verdict, _ record: AttemptRecord) -> PaymentResult {
        result(verdict, record, [], isRecorded: false) ?? .pending(Pending(lookAgain: false))
    }

    private func result(
        _ verdict: Verdict?, _ record: AttemptRecord, _ family: [AttemptRecord], isRecorded: Bool
    ) -> PaymentResult? {
        switch verdict {
        case .approved(var approval):
            // What was saved there can be charged there alone.
            approval.saved?.id.provider = record.provider.id
            let rule = captures[record.provider.id] ?? .several
            var flow = PaymentFlow(family, captures: rule)
            if flow == nil {
                flow = PaymentFlow(record.intent.amount.currency, captures: rule)
                flow?.add(record.intent.operation, record.intent.amount, .approved(approval.amount))
            }
            let amounts = flow?.amounts ?? PaymentAmounts(approval.amount.currency)
            var payment = Payment(approval, of: record, amounts: amounts)
            payment.isRecorded = isRecorded
            return .approved(payment)
        case .declined(var decline):
            decline.attempt = record.intent.attempt
            return .declined(decline)
        case .cancelled(let cancellation): return .cancelled(cancellation)
        case .pending(var pending):
            pending.attempt = record.intent.attempt
            return .pending(pending)
        case nil: return nil
        }
    }
}

extension PaymentSnapshot {
    /// Reads a payment off its attempts, the origin first; nil when there is none.
    init?(_ family: [AttemptRecord], captures: CaptureRule) {
        guard let origin = family.first(where: \.intent.isOrigin), let flow = PaymentFlow(family, captures: captures)
        else { return nil }
        var references = origin.verdict?.references ?? [:]
        for record in family where record.intent.attempt != origin.intent.attempt {
            references.merge(record.verdict?.references ?? [:]) { first, _ in first }
        }
        id = origin.intent.paymentID
        self.origin = origin.intent.operation
        self.references = references
        notes = origin.notes
        amounts = flow.amounts
        tip = flow.tip
        card = origin.approval?.card
        reference = origin.intent.reference
        source = origin.intent.source
        begunAt = origin.begunAt
        provider = origin.provider
    }
}
