internal import PaymentAbstraction

/// What a journal did at one provider.
struct JournalUsage {
    /// How often each capability was used, by its name in the capability table.
    private(set) var uses: [String: Int] = [:]
    /// What isn't decided, or is held and not captured.
    private(set) var open: [Attempt] = []
    /// How many payments can still be given back.
    private(set) var refundable = 0
    /// How many instruments the provider keeps of these payments.
    private(set) var saved = 0

    init(_ client: PaymentClient, _ id: ProviderID) async throws {
        for try await payment in client.allPayments() where payment.provider.id == id { add(payment) }
    }

    private mutating func add(_ payment: PaymentRecord) {
        if payment.amounts.refundable.minorUnits > 0 { refundable += 1 }
        open += payment.openAttempts
        if payment.amounts.capturable.minorUnits > 0, payment.openAttempts.isEmpty {
            open += Array(payment.attempts.prefix(1))
        }
        if let source = payment.source { use("source.\(source.rawValue)") }
        let approved = payment.attempts.filter { $0.approval != nil }
        saved += Set(approved.compactMap { $0.approval?.saved?.id }).count
        for record in approved {
            let isPart = record.intent.amount.minorUnits < payment.amounts.authorized.minorUnits
            switch record.intent.operation {
            case .capture: if isPart { use("capture.partial") }
            case .refund:
                use("refund")
                if isPart { use("refund.partial") }
            case .unlinkedRefund: use("refund.unlinked")
            case .tipAdjustment: use("tip.adjust")
            case .sale, .authorize, .adjust, .void, .verify, .tokenize, .debit: use(record.intent.operation.rawValue)
            }
        }
        if approved.count(where: { $0.intent.operation == .capture }) > 1 { use("capture.several") }
    }

    private mutating func use(_ name: String) { uses[name, default: 0] += 1 }
}
