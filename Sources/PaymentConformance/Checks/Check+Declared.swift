internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit

extension Check {
    /// What the list shows is compared with the journal by what the adapter declares, so a wrong declaration would report
    /// a movement as missing, or a missing one as no matter.
    static let declarations: [Check] = [
        Check(
            "list.declared", "The list shows the kinds that the adapter declares and no other, in declared words.",
            .list,
            needs: ["list", "sale"], .critical, .backOffice
        ) { context in
            guard let listed = context.driver.capabilities.listed else {
                throw NotApplicable("the adapter doesn't declare what its list shows")
            }
            var shown = ShownMovements(listed)
            let sale = try await context.approvedSale(reference: "o-sale")
            if context.declaration.unsupportedOutcomes[.insufficientFunds] == nil {
                let declined = try context.attempt()
                _ = try await context.attemptedSale(.insufficientFunds, reference: "o-declined", attempt: declined)
            }
            shown.expect(.charge, sale.approved, of: sale)
            if try context.has("authorize") {
                let hold = try await context.authorized(reference: "o-hold")
                shown.expect(.hold, hold.approved, of: hold)
                let taken = try await context.authorized(reference: "o-capture")
                _ = try await context.captured(taken.id)
                shown.expect(.capture, taken.approved, of: taken)
            }
            if try context.has("void") {
                let undone = try await context.approvedSale(reference: "o-void")
                _ = try await context.voided(undone.id)
                shown.expect(.void, undone.approved, of: undone)
            }
            if try context.has("refund") {
                let back = try await context.approvedSale(reference: "o-refund")
                let half = Money(minorUnits: back.approved.minorUnits / 2, back.approved.currency)
                let part = try context.has("refund.partial") ? half : nil
                _ = try await context.refunded(back.id, of: part)
                shown.expect(.refund, part ?? back.approved, of: back)
            }
            var query = ListQuery(limit: 50)
            repeat {
                guard let page = try await context.view.transactions?.list(query) else { break }
                for item in page.items { try shown.add(item) }
                query.cursor = page.next
            } while query.cursor != nil
            try shown.compare()
        }
    ]
}

/// What was played, and what a list shows of it.
private struct ShownMovements {
    /// One movement that was played.
    private struct Played {
        let movement: ListedTransactions.Movement
        /// What the provider calls the payment.
        let payment: Set<String>
        let amount: Money
    }

    private let listed: ListedTransactions
    private var played: [Played] = []
    private var items: [PaymentDetails] = []

    init(_ listed: ListedTransactions) { self.listed = listed }

    mutating func expect(_ movement: ListedTransactions.Movement, _ amount: Money, of payment: Payment) {
        played.append(Played(movement: movement, payment: Set(payment.references.values), amount: amount))
    }

    /// Takes an item, whose words have to be declared.
    mutating func add(_ item: PaymentDetails) throws {
        let words = [item.kind, item.state].compactMap(\.self).filter { !$0.isEmpty }
        for word in words where listed.words[word] == nil {
            throw CheckFailure("the list says \(word), and the adapter doesn't declare what that means")
        }
        items.append(item)
    }

    func compare() throws {
        for one in played {
            let isShown = try shows(one)
            let isDeclared = listed.movements.contains(one.movement)
            if isDeclared, !isShown { throw CheckFailure("a \(one.movement) is declared, and the list shows none") }
            if !isDeclared, isShown { throw CheckFailure("the list shows a \(one.movement), and none is declared") }
        }
    }

    private func shows(_ one: Played) throws -> Bool {
        let payments = items.filter { meaning($0.kind) ?? .payment == .payment }
        let own = payments.first { !one.payment.isDisjoint(with: $0.references.values) }
        guard let own else { throw CheckFailure("the list lacks the payment of a \(one.movement)") }
        let state = meaning(own.state)
        switch one.movement {
        case .charge:
            return state == .charged || state == .executed && own.captured?.minorUnits != 0
        case .hold:
            let isHeld = state == .held || state == .executed && own.captured?.minorUnits ?? 0 == 0
            if isHeld, let amount = own.amount, amount != one.amount {
                throw CheckFailure("a hold of \(one.amount) is listed over \(amount)")
            }
            return isHeld
        case .capture: return own.captured == one.amount
        case .void:
            return state == .undone
                || state == .executed && own.captured?.minorUnits == 0 && own.amount?.minorUnits == 0
        case .refund:
            if listed.hasRefundTotals {
                guard let total = own.refunded else { return false }
                guard total == one.amount else {
                    throw CheckFailure("a refund of \(one.amount) is listed as \(total)")
                }
                return true
            }
            let rows = items.filter { meaning($0.kind) == .refund }
            if rows.contains(where: { $0.amount == nil }) { throw CheckFailure("a refund is listed without an amount") }
            return rows.contains { $0.amount == one.amount }
        case .change, .tip, .chargeback: return false
        }
    }

    private func meaning(_ word: String?) -> ListedTransactions.Meaning? {
        word.flatMap { $0.isEmpty ? nil : listed.words[$0] }
    }
}
