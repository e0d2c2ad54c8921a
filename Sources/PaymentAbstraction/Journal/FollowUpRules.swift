internal import PaymentBase
package import PaymentModel

extension PaymentRecord {
    /// Why an operation on the payment may not begin, by what is left of it; nil if it may.
    func refusal(of terms: Begin, isHoldOver: Bool) -> JournalRefusal? {
        let intent = terms.intent
        guard let origin else { return .noSuchPayment }
        if let same = origin.absorbedBy { return .notAllowed("The payment is the same as \(same).") }
        let others = attempts.filter { $0.intent.attempt != intent.attempt }
        // A movement of the provider's in doubt reserves its amount, and blocks only if the amount is not known.
        if let doubt = others.first(where: { $0.state == .inDoubt && !$0.isByProvider }) {
            return .blocked(by: [doubt.intent.attempt])
        }
        if origin.isOpen { return .blocked(by: [origin.intent.attempt]) }
        let currency = origin.intent.amount.currency
        // What was captured of a hold that has ended can be refunded.
        let isCharged =
            intent.operation == .refund && PaymentTotals(others, currency: currency).refundable.minorUnits > 0
        guard origin.state == .approved || isCharged else { return .notAllowed("The payment was not approved.") }
        if origin.isOfflineStill, intent.operation != .void {
            return .notAllowed(
                "The payment was approved offline and is not forwarded yet. Until then it can only be voided.")
        }
        // The money is where it was executed, not where the newest run went.
        if intent.operation != .unlinkedRefund, !holders.contains(terms.account) { return .otherAccount(holders) }
        let blocking = others.filter { other in
            guard other.isOpen else { return false }
            return terms.showsTotalsOnly || other.intent.operation.changesWhole || other.isAmountUnknown
        }
        if !blocking.isEmpty { return .blocked(by: blocking.map(\.intent.attempt)) }
        if let foreign = others.first(where: { $0.blocksByCurrency(currency) }) {
            return .blocked(by: [foreign.intent.attempt])
        }
        if intent.amount.currency != currency {
            return .notAllowed("The payment is in \(currency.code), and the amount in \(intent.amount.currency.code).")
        }
        // Any account can refund what is left of the whole; all else is about what one account has.
        let isOfOne = holders.count > 1 && intent.operation != .unlinkedRefund
        let totals = PaymentTotals(others, currency: currency, at: isOfOne ? terms.account : nil)
        let whole = isOfOne ? PaymentTotals(others, currency: currency) : totals
        return refusal(of: intent, totals, whole, others, isHoldOver: isHoldOver)
    }

    /// The most that a follow-up can have moved beside all others, whatever is asked for; nil if nothing bounds it.
    func most(of attempt: Attempt) -> Money? {
        guard let origin, origin.state == .approved, !attempt.intent.isOrigin, attempt.intent.operation.paysOnce else {
            return nil
        }
        let others = attempts.filter { $0.intent.attempt != attempt.intent.attempt && $0.absorbedBy == nil }
        let amounts = PaymentTotals(others, currency: origin.intent.amount.currency).amounts
        return attempt.intent.operation == .capture
            ? amounts.authorized.less(amounts.captured) : amounts.captured.less(amounts.refunded)
    }

    private func refusal(
        of intent: Attempt.Intent, _ totals: PaymentTotals, _ whole: PaymentTotals, _ others: [Attempt],
        isHoldOver: Bool
    ) -> JournalRefusal? {
        let open = others.filter(\.isOpen).map(\.intent.attempt)
        let amounts = totals.amounts
        switch intent.operation {
        case .capture:
            guard origin?.intent.operation == .authorize else {
                return .notAllowed("Only an authorization can be captured.")
            }
            if intent.amount.minorUnits <= 0 {
                return .notAllowed(
                    intent.isForAll ? "Nothing is left to capture." : "A capture must be greater than zero.")
            }
            if !amounts.refunded.isZero { return .notAllowed("A part was refunded already.") }
            let left = isHoldOver ? .zero(intent.amount.currency) : totals.capturable
            return intent.amount.minorUnits <= left.minorUnits ? nil : .exceeds(left: left, open: open)
        case .refund, .unlinkedRefund:
            if intent.amount.minorUnits <= 0 {
                return .notAllowed(
                    intent.isForAll ? "Nothing is left to refund." : "A refund must be greater than zero.")
            }
            if let back = others.first(where: \.standsBesideRefunds) { return Self.refusal(beside: back) }
            let (here, all) = (totals.refundable, whole.refundable)
            let left = here.minorUnits < all.minorUnits ? here : all
            return intent.amount.minorUnits <= left.minorUnits ? nil : .exceeds(left: left, open: open)
        case .void:
            if amounts.refunded.minorUnits > 0 { return .notAllowed("A part was refunded already. Refund the rest.") }
            if totals.hasVoid { return .notAllowed("The payment was voided already.") }
            return open.isEmpty ? nil : .blocked(by: open)
        case .adjust:
            guard origin?.intent.operation == .authorize else {
                return .notAllowed("Only an authorization can be adjusted.")
            }
            if intent.amount.minorUnits <= 0 {
                return .notAllowed("A hold must be greater than zero. Void it instead.")
            }
            if totals.isReleased { return .notAllowed("The payment was voided or released already.") }
            if amounts.captured.minorUnits > 0 { return .notAllowed("A part was captured already.") }
            return open.isEmpty ? nil : .blocked(by: open)
        case .tipAdjustment:
            if intent.amount.isNegative { return .notAllowed("A tip must not be less than zero.") }
            if let origin, let moved = origin.moved, moved.minorUnits > origin.intent.amount.minorUnits {
                return .notAllowed(
                    "The provider charged \(moved) where \(origin.intent.amount) was asked for, so how much of it is a tip "
                        + "is not known. Refund what is too much.")
            }
            if amounts.isVoided { return .notAllowed("The payment was voided.") }
            if !amounts.refunded.isZero, amounts.refunded.minorUnits >= amounts.captured.minorUnits {
                return .notAllowed("The payment was refunded.")
            }
            if intent.amount.minorUnits < totals.tip?.minorUnits ?? 0, !amounts.refunded.isZero {
                return .notAllowed("A part was refunded already, which a lower tip might not cover.")
            }
            return open.isEmpty ? nil : .blocked(by: open)
        case .chargeback: return .notAllowed("Only the customer's bank takes money back.")
        case .sale, .authorize, .debit, .verify, .tokenize: return .notAllowed("It starts a payment of its own.")
        }
    }

    /// A refund beside a chargeback may give the money back twice, so a person must confirm it.
    private static func refusal(beside chargeback: Attempt) -> JournalRefusal {
        let (id, amount) = (chargeback.intent.attempt, chargeback.moved ?? chargeback.intent.amount)
        return .notAllowed(
            "The customer's bank took \(amount) of this payment back (chargeback \(id)), so a refund may give it twice. "
                + "To refund all the same: `\(chargeback.acknowledging("chargeback"))`, then ask again.")
    }

    /// What can't be true of a payment, whichever way it was learned: each grows with every further report of its kind.
    struct Excess: Hashable {
        /// How much more was refunded than captured, in minor units.
        var refunded: Int64 = 0
        /// How much more was captured than held, in minor units.
        var captured: Int64 = 0
        /// Captures and new totals after the payment had ended, and voids that a capture crossed.
        var late = 0

        func isMore(than other: Self) -> Bool {
            refunded > other.refunded || captured > other.captured || late > other.late
        }
    }

    /// What can't be true of the payment as it is recorded.
    var excess: Excess {
        guard attempts.count > 1, let origin, !origin.isOpen else { return Excess() }
        var excess = Excess()
        let totals = self.totals()
        excess.refunded = totals.refundedTooMuch
        if origin.state == .approved {
            excess.captured = totals.amounts.captured.less(totals.amounts.authorized).minorUnits
        }
        let executed = attempts.filter { $0.state == .approved && !$0.intent.isOrigin && !$0.isDryRun }
        excess.late = origin.state == .approved ? totals.late : 0
        for other in executed {
            switch other.intent.operation {
            case .capture where origin.state != .approved: excess.late += 1
            case .adjust where origin.state != .approved, .tipAdjustment where origin.state != .approved:
                // What changed the payment while it stood is over with it.
                let end = origin.reports.last { !$0.isApproval && !$0.isPending }?.entry ?? 0
                if other.approvalEntry > end { excess.late += 1 }
            case .void where !other.isByProvider:
                let began = other.runs.last?.entry ?? 0
                let isCrossed = executed.contains {
                    $0.intent.operation == .capture && began < $0.approvalEntry
                        && $0.approvalEntry < other.approvalEntry
                }
                if isCrossed { excess.late += 1 }
            case .sale, .authorize, .capture, .adjust, .tipAdjustment, .refund, .unlinkedRefund, .void, .verify,
                .tokenize, .debit, .chargeback:
                break
            }
        }
        return excess
    }

    /// Whether what the provider did without us can't be true beside what is recorded.
    func contradicts(_ operation: PaymentOperation, besides id: AttemptID, isHoldOver: Bool) -> Bool {
        guard let origin, origin.absorbedBy == nil, !origin.isOpen else { return false }
        if origin.state != .approved { return true }
        let others = attempts.filter { $0.intent.attempt != id }
        let totals = PaymentTotals(others, currency: origin.intent.amount.currency)
        if operation == .capture { return totals.isReleased || totals.amounts.isVoided || isHoldOver }
        return totals.amounts.isVoided || totals.isReleased && totals.amounts.captured.isZero
    }
}

extension Attempt {
    /// The command by which a person acknowledges something of it.
    package func acknowledging(_ what: String) -> String {
        let scope = intent.scope.isEmpty ? "" : " --scope \(intent.scope)"
        return "payctl resolve \(intent.attempt) --acknowledge \(what)\(scope) --because TEXT"
    }

    /// Whether it is a chargeback that is not lifted, and beside which no person has allowed a refund.
    fileprivate var standsBesideRefunds: Bool {
        guard intent.operation == .chargeback, absorbedBy == nil else { return false }
        return (state == .approved || isOpen) && !acknowledged.contains(.chargeback)
    }

    /// Whether it is a movement of the provider's in another currency than the payment's, of which no person has said
    /// the amount.
    package func blocksByCurrency(_ currency: Currency) -> Bool {
        guard isByProvider, state != .declined, state != .reversed else { return false }
        return lastKnownAmount.currency != currency
    }
}

extension PaymentRecord {
    /// Whether an operation on the payment did what a report says of the payment as a whole: a void, or a refund under one of
    /// the report's names.
    func hasUndone(_ report: Attempt.Report) -> Bool {
        if let origin, origin.runs.indices.contains(report.run - 1) {
            let account = origin.runs[report.run - 1].account
            if totals(at: account).amounts.isVoided { return true }
        }
        return attempts.contains { other in
            guard !other.intent.isOrigin, other.state == .approved, other.absorbedBy == nil else { return false }
            let takesBack = [.refunds, .voids].contains(other.intent.operation.movementKind)
            return takesBack && report.carries(other.names.map(\.value))
        }
    }

    /// Whether an operation on the payment took money back, or may yet.
    var takesBack: Bool {
        attempts.contains { other in
            !other.intent.isOrigin && other.absorbedBy == nil && (other.isOpen || other.state == .approved)
                && [.refunds, .voids].contains(other.intent.operation.movementKind)
        }
    }
}

extension Money {
    /// Whether an amount is another one times 10, 100 or 1,000, either way.
    func isOffByTens(from asked: Money) -> Bool {
        [10, 100, 1_000].contains { (factor: Int64) in
            let mine = minorUnits.multipliedReportingOverflow(by: factor)
            let theirs = asked.minorUnits.multipliedReportingOverflow(by: factor)
            return !mine.overflow && mine.partialValue == asked.minorUnits
                || !theirs.overflow && theirs.partialValue == minorUnits
        }
    }
}
