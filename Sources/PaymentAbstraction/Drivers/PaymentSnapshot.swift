/// A payment as the journal has it: where it came from, what it is called there, and how much is where.
public struct PaymentSnapshot: Hashable, Sendable {
    /// Our name for it.
    public let id: PaymentID
    /// The operation that it came from.
    public let firstOperation: PaymentOperation
    /// The provider's names: those of the origin, and over them those that later operations brought.
    public let references: PaymentReferences
    /// What was remembered with the origin.
    public let notes: [String: String]
    /// How much is where.
    public let amounts: PaymentAmounts
    /// The tip that is a part of what was charged, as it was last changed; nil when there is none.
    public let tip: Money?
    /// The card, as far as it may be shown.
    public let card: CardSummary?
    /// The application's reference.
    public let reference: String
    /// What kind of source it came from.
    public let source: PaymentSource.Kind?
    /// When the origin was begun, in milliseconds since 1970.
    public let createdAt: Int64
    /// Who took it.
    public let provider: ProviderIdentity
}

extension PaymentSnapshot {
    /// Reads a payment off its attempts, as one account has it; nil if its origin is not among them.
    ///
    /// Names, notes and sums are that account's: the names of another one mean nothing there, or another payment.
    ///
    /// - Parameters:
    ///   - account: The account that is asked; where the money is, if nil or if it executed nothing.
    ///   - manualName: The kind of name by which an account finds what a person named: a person says none.
    package init?(
        _ record: PaymentRecord, at account: ProviderIdentity? = nil,
        manualName: (ProviderIdentity) -> String? = { _ in nil }
    ) {
        guard let origin = record.origin, let run = origin.runs.first else { return nil }
        let holders = record.holders
        let isSplit = holders.count > 1
        // The money is where it was executed, and not all refunded yet.
        let withMoney = holders.first { account in
            guard isSplit else { return true }
            let there = record.totals(at: account)
            return there.refundable.minorUnits > 0 || there.capturable.minorUnits > 0
        }
        let provider =
            holders.first { $0 == account } ?? withMoney ?? holders.first ?? origin.newest?.account ?? run.account
        let there = record.totals(at: isSplit ? provider : nil)
        let verdict = origin.verdict(at: provider, refunded: there.refundedOrPending)
        var references = verdict?.references ?? [:]
        if let kind = manualName(provider) { references.name(origin.nameByPerson(at: provider), kind) }
        // An unlinked refund is a payment of its own at the provider, and what was declined has names of nothing that was
        // executed: what is done to this payment never goes to either's names.
        for other in record.attempts
        where other.intent.attempt != origin.intent.attempt && !other.isByProvider && other.account == provider
            && other.intent.operation != .unlinkedRefund && other.state != .declined
        {
            references.merge(other.verdict?.references ?? [:]) { first, _ in first }
        }
        id = origin.intent.paymentID
        self.provider = provider
        self.firstOperation = origin.intent.operation
        self.references = references
        notes = origin.notes.reduce(into: [:]) { notes, note in
            let account = origin.runs.first { $0.number == note.run }?.account
            if account?.isExactly(provider) == true { notes[note.name] = note.value }
        }
        (amounts, tip) = (there.amounts, there.tip)
        card = verdict?.approval?.card
        reference = origin.intent.reference ?? ""
        source = origin.intent.source
        createdAt = run.begunAt.wall
    }
}

extension PaymentReferences {
    /// Gives a person's name the kind by which its account finds it.
    package mutating func name(_ name: String?, _ kind: String) {
        guard let name, self[kind] == nil else { return }
        if self[Attempt.personReference] == name { self[Attempt.personReference] = nil }
        self[kind] = name
    }
}

extension Attempt {
    /// The approval that is valid at one of the accounts that executed it. What was executed there twice is named one after the
    /// other: the first of which something is left.
    fileprivate func verdict(at account: ProviderIdentity, refunded: Money) -> Verdict? {
        let standing = executions.filter { $0.account == account && $0.report.isApproval }
        guard standing.count > 1, intent.operation.addsUp else {
            return holders.count > 1 ? standing.last?.report.verdict : verdict
        }
        var sum = Money.zero(refunded.currency)
        let withMoney = standing.first { execution in
            if let amount = execution.amount { sum.increase(by: amount) }
            return sum.minorUnits > refunded.minorUnits
        }
        return (withMoney ?? standing.first)?.report.verdict
    }
}
