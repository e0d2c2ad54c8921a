internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension Services {
    /// The application's result of a recorded outcome; `fresh` still has what a journal must not hold.
    ///
    /// - Parameter isAlone: Whether the journal has no other attempt of the payment.
    func result(
        _ attempt: Attempt, fresh: Verdict? = nil, isAlone: Bool = false
    ) async throws(PaymentError) -> PaymentResult {
        let attempts =
            isAlone ? [attempt] : try await payment(attempt.intent.paymentID, .unknown)?.attempts ?? [attempt]
        let account = attempt.holders.first ?? attempt.newest?.account
        return result(fresh ?? attempt.verdict, attempt, account, attempts, isRecorded: true)
    }

    /// The result of an outcome that the journal could not take, with the sums that it will have.
    func unrecorded(_ verdict: Verdict, _ attempt: Attempt, _ account: ProviderIdentity) async -> PaymentResult {
        var attempts: [Attempt] = []
        if let run = attempt.newest {
            var after = attempt
            after.apply(.report(.init(.verdict(verdict), .reply, run: run.number, entry: .max, at: instant)))
            let stored = attempt.intent.isOrigin ? nil : try? await payment(attempt.intent.paymentID)
            attempts = (stored?.attempts ?? []).filter { $0.intent.attempt != attempt.intent.attempt } + [after]
        }
        return result(verdict, attempt, account, attempts, isRecorded: false)
    }

    private func result(
        _ verdict: Verdict?, _ attempt: Attempt, _ account: ProviderIdentity?, _ attempts: [Attempt], isRecorded: Bool
    ) -> PaymentResult {
        switch verdict {
        case .approved(var approval):
            // What was saved there can be charged there alone.
            if let account, let id = approval.saved?.id.rawValue {
                approval.saved?.id = SavedInstrument.ID(id, at: account)
            }
            // The message that decides has none of what the answer had.
            approval.receipt = approval.receipt ?? attempt.receipt
            let record = PaymentRecord(attempts)
            let isKnown = record.origin != nil
            let totals = record.totals()
            let amounts = isKnown ? totals.shown : PaymentAmounts(approval.amount, attempt.intent.operation)
            guard let account else { return .pending(Pending(shouldPoll: false)) }
            var payment = Payment(approval, attempt.intent, account, amounts)
            payment.isRecorded = isRecorded
            payment.isGoingBack = isKnown && record.isGoingBack(totals)
            return .approved(payment)
        case .declined(var decline):
            decline.attempt = attempt.intent.attempt
            return .declined(decline)
        case .cancelled(let cancellation): return .cancelled(cancellation)
        case .pending(var pending):
            pending.attempt = attempt.intent.attempt
            return .pending(pending)
        case nil:
            var pending = Pending(shouldPoll: false)
            pending.attempt = attempt.intent.attempt
            return .pending(pending)
        }
    }

    /// The public error of a refusal: what blocks, with its attempt, and what to do.
    func refused(_ refusal: JournalRefusal, _ intent: Attempt.Intent) async -> PaymentError {
        switch refusal {
        case .referenceInUse(let id, let state):
            let other = try? await attempt(id)
            let amounts = try? await payment(PaymentID(id)).map { PaymentRecord($0.attempts).amounts }
            let back = amounts.flatMap { $0.chargedBack.isZero ? nil : $0.chargedBack }
            var error = PaymentError.referenceInUse(
                intent, id, state, other, chargedBack: intent.payment == nil ? back : nil)
            if state == .inDoubt || state == .pending { error.blocking = [id] }
            return error
        case .blocked(let ids):
            let names = ids.map(\.text).joined(separator: ", ")
            var error = PaymentError.notExecuted(
                .inDoubt, "An earlier attempt is still open (\(names)). Ask for its status, or decide with `resolve`.")
            error.blocking = ids
            return error
        case .exceeds(let left, let open):
            var error = PaymentError.notExecuted(.amountTooHigh, "\(intent.amount) was asked for, and \(left) is left.")
            error.blocking = open
            return error
        case .notAllowed(let why), .noProof(let why), .notWritten(let why):
            return PaymentError(.conflict, outcome: .notExecuted, retry: .never, detail: why)
        case .noSuchPayment:
            return .notExecuted(.notFound, "There is no payment \(intent.paymentID) in this journal.")
        case .noSuchAttempt:
            return .notExecuted(.notFound, "There is no attempt \(intent.attempt) in this journal.")
        case .otherAccount(let accounts):
            let names = accounts.map(\.description).joined(separator: ", ")
            return .notExecuted(
                .configuration, "The money of this payment is at \(names). It can't go through another account.")
        case .mayBeLost:
            // An id that the client drew is of an older generation: the next one is not.
            generation.forget()
            return PaymentError(
                .inDoubt, outcome: .unknown, attempt: intent.attempt, retry: .never, detail: refusal.words)
        case .changed:
            var error = PaymentError(
                .conflict, outcome: .notExecuted,
                detail: "The payment changed while the request was prepared. Read it again, then decide.")
            error.isChange = true
            return error
        case .conflict:
            if let held = try? await attempt(intent.attempt) { return .conflict(held) }
            return PaymentError(
                .conflict, outcome: .unknown, attempt: intent.attempt, retry: .never,
                detail: "Attempt id \(intent.attempt) was already used for something else. Use a new id.")
        case .fenced, .inDoubt, .claimed, .mayBe, .couldMatch, .runs, .ofCopy, .pruned:
            return PaymentError(
                .conflict, outcome: .unknown, attempt: intent.attempt, retry: .afterStatusCheck, detail: refusal.words)
        }
    }
}

extension PaymentAmounts {
    /// The amounts of a payment of which nothing but an approval is known.
    fileprivate init(_ approved: Money, _ operation: PaymentOperation) {
        self.init(approved.currency)
        switch operation {
        case .sale, .debit: (authorized, captured) = (approved, approved)
        case .authorize: authorized = approved
        case .capture: captured = approved
        case .refund, .unlinkedRefund, .chargeback: refunded = approved
        case .adjust, .void, .tipAdjustment, .verify, .tokenize: break
        }
    }
}
