internal import PaymentBase

extension EcommpaySimulator {
    /// A person refunds at the Dashboard, which gives the refund no name of the shop's; false where that is not possible.
    ///
    /// The label is for the books alone. Without an amount, all that is left is refunded.
    package func refundByHand(_ id: String, of units: Int64?, label: String) -> Bool {
        let now = clock.now
        defer { changed(now) }
        return state.withLock { state in
            guard var payment = state.payments[id], payment.amounts.captured > 0,
                !payment.operations.contains(where: { $0.status == "external processing" })
            else { return false }
            let (left, charged) = (payment.amounts.refundable, payment.operations.last { $0.type != "refund" }?.at ?? 0)
            let amount = units ?? left
            guard amount > 0, amount <= left else { return false }
            let isReversal = amount == payment.amounts.captured && charged > state.clearedUntil
            _ = Self.add(isReversal ? "reversal" : "refund", "success", amount, label, to: &payment, &state, now)
            Self.bookRefund(&payment, amount, isReversal, label, &state, now)
            state.payments[id] = payment
            return true
        }
    }
}
