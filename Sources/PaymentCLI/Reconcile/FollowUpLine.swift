internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentModel

extension Reconciliation {
    /// What the statement says of a refund or a capture that the journal lacks.
    private struct Lost {
        let operation: PaymentOperation
        let amount: Money
        let at: Int64
        let attempt: AttemptID
        /// Nil where the statement has only a sum.
        var name: String?
        /// Up to when a sum speaks; nil where the statement has a row of its own.
        var saidAt: Int64?
    }

    /// What `payctl journal import` would take for a refund or a capture that the journal lacks, of a payment that it has: a
    /// restore may have lost it. Nil where the statement doesn't say what it is.
    func followUpLine(_ item: ReconciledItem) -> JSON? {
        let theirs = item.listings.map { statement.listings[$0] }
        guard let number = item.paymentNumber, let row = theirs.first, theirs.count == 1, row.problem == nil,
            row.state == .charged
        else { return nil }
        let payment = books.payments[number]
        let found = item.group == .onlyInStatement ? lostRow(row) : lostTotal(row, payment, item)
        guard let lost = found else { return nil }
        let account = books.account
        var line: JSONObject = [
            "attempt": .string(lost.attempt.text), "payment": .string(payment.id.attempt.text),
            "operation": .string(lost.operation.rawValue), "provider": .string(account.id.rawValue),
            "adapter": .string(account.adapter), "environment": .string(account.environment),
            "merchant": .string(account.merchant), "minorUnits": .number(JSONNumber(lost.amount.minorUnits)),
            "currency": .string(lost.amount.currency.code), "takenAt": .number(JSONNumber(lost.at)),
        ]
        let scope = books.movements[payment.movements[0]].scope
        if !scope.isEmpty { line["scope"] = .string(scope) }
        if let saidAt = lost.saidAt { line["holdsUntil"] = .number(JSONNumber(saidAt)) }
        if let name = lost.name {
            var references = JSONObject()
            references[statement.paymentName] = .string(name)
            line["references"] = .object(references)
        }
        return .object(line)
    }

    /// A row of its own, under a name that the journal doesn't know.
    private func lostRow(_ row: Statement.Listing) -> Lost? {
        guard let amount = row.moved, amount.minorUnits > 0, let at = row.at, let name = row.names.first,
            books.holder([name], isOrigin: false) == nil, !traces.isForeign(name),
            let attempt = Self.attempt(named: name)
        else { return nil }
        switch row.subject {
        case .refund: return Lost(operation: .refund, amount: amount, at: at, attempt: attempt, name: name)
        case .capture: return Lost(operation: .capture, amount: amount, at: at, attempt: attempt, name: name)
        case .payment, .chargeback: return nil
        }
    }

    /// What a list with sums says was refunded beside what the journal has, where all else is the same. It belongs to the last
    /// of the days that are compared, unless the import of the payment speaks for that day.
    private func lostTotal(_ row: Statement.Listing, _ payment: OwnPayment, _ item: ReconciledItem) -> Lost? {
        let amounts = payment.amounts
        let here = statement.lists.contains(.chargeback) ? amounts.refunded : amounts.refunded.less(amounts.chargedBack)
        let saidAt = max(statement.saidAt, row.at ?? 0)
        let last = max(min(saidAt, days.end - 1), row.at ?? 0)
        let isCounted = books.movements[payment.movements[0]].record.listedUpTo.map { $0 >= last } ?? false
        let at = isCounted ? saidAt : last
        guard statement.hasRefundTotals, row.subject == .payment, row.moved == amounts.captured,
            let there = row.refunded, item.thereAmount == there, item.hereAmount == here,
            there.currency == here.currency, there.minorUnits > here.minorUnits, at > 0,
            let attempt = try? AttemptID("there-\(there.minorUnits)-\(payment.id.attempt.text.suffix(13))")
        else { return nil }
        return Lost(operation: .refund, amount: there.less(here), at: at, attempt: attempt, saidAt: saidAt)
    }
}
