internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit

/// What a scenario costs: money in the provider's books that the client has not recorded.
extension CheckContext {
    /// By how much the books and the client's record differ, in words; empty if they agree. While something is open the
    /// client may still find it out; after that nothing says it.
    func unrecorded(_ share: AmountShare) async throws -> (words: String, isOpen: Bool) {
        var (charged, held, isOpen, others) = (Int64(0), Int64(0), false, Set<String>())
        for origin in try await journal.records(.origins(scope: nil), limit: Self.auditMax) {
            let family = try await journal.records(of: origin.intent.paymentID)
            if family.contains(where: \.isOpen) { isOpen = true }
            // A refund without a sale is money of no payment.
            others.formUnion(family.filter { $0.intent.operation == .unlinkedRefund }.map(\.intent.attempt.text))
            guard origin.intent.operation != .unlinkedRefund else { continue }
            let amounts = try await client.payment(origin.intent.paymentID).amounts
            guard !amounts.isVoided else { continue }
            charged = charged.adding(amounts.captured.minorUnits.subtracting(amounts.refunded.minorUnits))
            if origin.intent.operation == .authorize {
                // What is reserved by an open capture is still held.
                held = held.adding(amounts.capturable.minorUnits.adding(amounts.capturePending.minorUnits))
            }
        }
        let books = fixture.ledger.entries.filter { !others.contains($0.attempt) }
        let code = books.first?.currency ?? ""
        let (more, kept) = (books.map(\.taken).sum.subtracting(charged), books.map(\.kept).sum.subtracting(held))
        // What is taken of a hold is no longer held: one movement, said once.
        let words = more != 0 ? share.charged(more, code, isOpen) : kept > 0 ? share.held(kept, code, isOpen) : ""
        return (words, isOpen)
    }
}

extension AmountShare {
    /// A difference of what the merchant has, in words.
    fileprivate func charged(_ units: Int64, _ code: String, _ isOpen: Bool) -> String {
        if units == asked?.minorUnits, !isOpen { return "charged twice" }
        let amount = words(units < 0 ? Int64(0).subtracting(units) : units, code)
        return (units > 0 ? "charged \(amount)" : "refunded \(amount)") + (isOpen ? "" : " too much")
    }

    /// A surplus of what is set aside, in words.
    fileprivate func held(_ units: Int64, _ code: String, _ isOpen: Bool) -> String {
        if units == asked?.minorUnits, !isOpen { return "held twice" }
        return "held \(words(units, code))" + (isOpen ? "" : " too much")
    }
}

extension LedgerView.Entry {
    /// How much of the customer's money it brings to the merchant.
    fileprivate var taken: Int64 {
        switch direction {
        case .charge, .capture, .returned: minorUnits
        case .reversal, .refund: Int64(0).subtracting(minorUnits)
        case .hold, .release: 0
        }
    }

    /// How much it sets aside of the customer's money.
    fileprivate var kept: Int64 {
        switch direction {
        case .hold: minorUnits
        case .release, .capture: Int64(0).subtracting(minorUnits)
        case .charge, .reversal, .refund, .returned: 0
        }
    }
}

/// How what is in doubt ends at a provider.
extension ProviderComparison {
    /// One sentence for each group of operations that ends in the same way: who asks, how often and how long, what silence
    /// proves, and who decides otherwise.
    package func doubts() throws -> [[String]] {
        try harnesses.map { harness in
            let context = try CheckContext(harness, seed: seed, mutant: nil, from: source)
            let known: [(PaymentOperation, String)] = [
                (.sale, "sale"), (.authorize, "authorize"), (.capture, "authorize"), (.void, "void"),
                (.refund, "refund"),
            ]
            var groups: [(plan: LookupPlan?, operations: [PaymentOperation])] = []
            for (operation, capability) in known where try context.has(capability) {
                let plan = context.driver.lookupPlan(for: operation)
                if let index = groups.firstIndex(where: { $0.plan?.ending == plan?.ending }) {
                    groups[index].operations.append(operation)
                } else {
                    groups.append((plan, [operation]))
                }
            }
            let hook = try context.has("webhooks") ? "The provider's webhook" : ""
            return groups.map { group in
                let words = group.operations.map(\.shopWord).joined(separator: ", ")
                return "\(words): \(group.plan.map { $0.words(hook) } ?? Self.unasked(hook))"
            }
        }
    }

    private static func unasked(_ hook: String) -> String {
        let ends = hook.isEmpty ? "A person ends it" : "\(hook) ends it, or a person"
        return "the provider can't be asked. \(ends) (payctl resolve), however long that takes."
    }
}

extension LookupPlan {
    /// What distinguishes two plans for a reader.
    fileprivate var ending: [Int64] { [every, giveUpAfter, quiet ?? -1, asksTerminal ? 1 : 0] }

    fileprivate func words(_ hook: String) -> String {
        let asked = asksTerminal ? "terminal" : "provider"
        let first =
            "the client asks the \(asked) every \(every.seconds) for at most \(giveUpAfter.seconds) within the call."
        let later = "Later it asks again with each payctl status or payctl recover."
        let proof =
            quiet.map { "If nothing is found \($0.seconds) after the last request, no money moved: that ends it." }
            ?? "That nothing is found proves nothing and ends nothing."
        let ends = hook.isEmpty ? "A person can end it" : "\(hook) can end it as well, or a person"
        return "\(first) \(later) \(proof) \(ends) (payctl resolve)."
    }
}

extension Int64 {
    /// Milliseconds as seconds.
    fileprivate var seconds: String { "\(self / 1_000) s" }
}
