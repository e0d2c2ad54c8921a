internal import PaymentJournalKit
package import PaymentModel

// Where an attempt or a payment is, in the one word that the command line and the API over HTTP use.

extension Attempt {
    /// Its state, and `cancelled` for what was cancelled before it was executed.
    package var status: String {
        switch state {
        case .declined: if case .cancelled? = verdict { "cancelled" } else { "declined" }
        // A customer or a person cancelled it before anything was sent.
        case .notExecuted: requests.isEmpty && reports.isEmpty ? "cancelled" : "notExecuted"
        case .running, .inDoubt, .pending, .approved, .reversed: state.rawValue
        }
    }

    /// The words of ``status``.
    package static let statuses = [
        "running", "inDoubt", "pending", "approved", "declined", "cancelled", "notExecuted", "reversed",
    ]

    /// Where the payment that it started is as a whole: what was captured is not called held, and what was undone or refunded
    /// is not called approved.
    package func status(with amounts: PaymentAmounts) -> String {
        guard state == .approved else { return status }
        // The till has not said yet whether the part stays.
        if mayReturnPart { return State.running.rawValue }
        if amounts.isVoided { return "voided" }
        // Money that was given without a payment is the payment itself.
        if intent.operation == .unlinkedRefund { return status }
        if amounts.chargedBack.minorUnits > 0 { return "chargedBack" }
        if amounts.refunded.minorUnits > 0 {
            // What is held still is not refunded.
            let isHeld = intent.operation == .authorize && !amounts.capturable.isZero
            let isAll = amounts.refunded.minorUnits >= amounts.captured.minorUnits && !isHeld
            return isAll ? "refunded" : "partlyRefunded"
        }
        guard intent.operation == .authorize else { return status }
        return amounts.captured.isZero ? "held" : "captured"
    }
}

extension PaymentRecord {
    /// Where it is as a whole.
    package var status: String { origin?.status(with: amounts) ?? state.rawValue }

    /// The words of ``status``.
    package static let statuses =
        Attempt.statuses + ["held", "captured", "voided", "refunded", "partlyRefunded", "chargedBack"]

    /// Whether a void left less than was asked for of what was charged, or of what is held. The void of a copy at another account
    /// leaves as much.
    private func hasLostPart(_ amounts: PaymentAmounts) -> Bool {
        let isVoid = attempts.contains { attempt in
            attempt.intent.operation == .void && attempt.state == .approved && attempt.absorbedBy == nil
        }
        guard isVoid else { return false }
        let isHold = origin?.intent.operation == .authorize
        // What was captured of a hold is charged, whatever became of the rest.
        if isHold, !amounts.captured.isZero { return false }
        let left = isHold ? amounts.authorized : amounts.captured
        return !left.isZero && left.minorUnits < requested.minorUnits
    }

    /// The same for handing over goods: what may be going back is not called approved.
    package var statusForGoods: String { statusForGoods(totals()) }

    private func statusForGoods(_ totals: PaymentTotals) -> String {
        let word = origin?.status(with: totals.shown) ?? state.rawValue
        guard ["approved", "captured", "held", "partlyRefunded"].contains(word) else { return word }
        if origin?.isDryRun == true { return "dryRun" }
        let currency = requested.currency
        let isHold = origin?.intent.operation == .authorize
        let isVoiding = attempts.contains { attempt in
            // The rest of a hold of which something was captured is nothing that goes back.
            let isRest = isHold && attempt.intent.releasesRest && !totals.amounts.captured.isZero
            return attempt.isOpen && attempt.intent.operation == .void && !isRest
        }
        if isVoiding { return "voiding" }
        // What went back in an amount that is not known, or in another currency, is in no sum.
        let isUnsure = attempts.contains { attempt in
            attempt.intent.operation.movementKind == .refunds && attempt.absorbedBy == nil
                && (attempt.isAmountUnknown || attempt.blocksByCurrency(currency))
        }
        if isUnsure { return "refunding" }
        let (captured, back) = (totals.amounts.captured, totals.refundedOrPending)
        guard !captured.isZero, !back.isZero else { return hasLostPart(totals.amounts) ? "partlyRefunded" : word }
        return captured.less(back).isZero ? "refunding" : "partlyRefunded"
    }

    /// The words of ``statusForGoods``.
    package static let statusesForGoods = statuses + goingBack + ["dryRun"]
    private static let goingBack = ["refunding", "voiding"]

    /// Whether what is left of it may be going back, by its totals.
    func isGoingBack(_ totals: PaymentTotals) -> Bool {
        let word = statusForGoods(totals)
        if Self.goingBack.contains(word) { return true }
        guard word == "chargedBack" else { return false }
        if attempts.contains(where: { $0.isOpen && $0.intent.operation == .void }) { return true }
        let left = totals.amounts.captured
        return !left.less(totals.amounts.refunded).isZero && left.less(totals.refundedOrPending).isZero
    }
}
