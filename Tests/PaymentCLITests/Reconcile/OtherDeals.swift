import PaymentAbstraction
import PaymentBase
import PaymentTestTill

@testable import PaymentCLI

/// Ways in which a payment can be in the journal and in Adyen's settlement details report.
enum SettledDeal: String, CaseIterable {
    case sale, captures, refund, young, hold, voided, doubt, fee
    case otherAmount, missing, elsewhere, refundElsewhere, refundReversed, chargeback, debit, voidedHere
}

/// Ways in which a payment can be in the journal and in a list.
enum ListedDeal: String, CaseIterable {
    case sale, hold, captured, voided, declined, refund, elsewhere, missing, otherAmount, otherState, refundMissing
    case refundOverOtherAmount, doubt, wordUnknown, verified, declinedElsewhere, openVoid, otherDay
}

extension DealMaker {
    mutating func settled(_ kind: SettledDeal) throws -> Deal {
        var deal = Deal(kind: kind.rawValue)
        let (id, psp, reference) = next()
        let amount = amount()
        let sale = try attempt(id, .sale, amount, under: reference, names: [psp])
        let paid = settled(psp, reference, "Settled", amount, name: "M\(psp)", .matched)
        func refund() throws -> Attempt {
            try attempt("\(id)-r", .refund, amount, under: reference, of: id, names: ["R\(psp)"])
        }
        func set(_ attempts: [Attempt], _ rows: [Deal.Row], _ groups: [Deal.Group], open: Int = 0) {
            (deal.attempts, deal.rows, deal.openCount) = (attempts, rows, open)
            for (facts, group) in zip(attempts, groups) { deal.groups[facts.intent.attempt.text] = group }
        }
        switch kind {
        case .sale: set([sale], paid, [.matched])
        case .captures:
            let hold = try attempt(id, .authorize, amount, under: reference, names: [psp])
            let capture = try attempt("\(id)-c", .capture, amount, under: reference, of: id, names: ["M\(psp)"])
            set([hold, capture], paid, [.notComparable, .matched])
        case .refund:
            let back = settled(psp, reference, "Refunded", amount, name: "R\(psp)", .matched)
            set([sale, try refund()], paid + back, [.matched, .matched])
        case .young:
            let young = try attempt(id, .sale, amount, under: reference, names: [psp], on: 25)
            set([young], [], [.inTransit], open: 1)
        case .hold:
            set([try attempt(id, .authorize, amount, under: reference, names: [psp])], [], [.notComparable])
        case .voided:
            let void = try attempt("\(id)-v", .void, amount, under: reference, of: id)
            set([sale, void], [], [.notComparable, .notComparable])
        case .doubt:
            set([try attempt(id, .sale, amount, under: reference, .doubt)], [], [.notComparable], open: 1)
        case .fee: set([], settled("", "", "MerchantPayout", amount, .notComparable), [])
        case .otherAmount:
            let other = try amount.adding(.cents(1))
            set([sale], settled(psp, reference, "Settled", other, .differs), [.differs], open: 1)
        case .missing: set([sale], [], [.onlyInJournal], open: 1)
        case .elsewhere: set([], settled(psp, reference, "Settled", amount, .onlyInStatement), [], open: 1)
        case .refundElsewhere:
            let back = settled(psp, reference, "Refunded", amount, name: "R\(psp)", .onlyInStatement)
            set([sale], paid + back, [.matched], open: 1)
        case .refundReversed:
            let back = settled(psp, reference, "Refunded", amount, name: "R\(psp)", .differs)
            let again = settled(psp, reference, "RefundedReversed", amount, name: "R\(psp)", .differs)
            set([sale, try refund()], paid + back + again, [.matched, .differs], open: 1)
        case .chargeback:
            let back = settled(psp, reference, "Chargeback", amount, name: "B\(psp)", .onlyInStatement)
            set([sale], paid + back, [.matched], open: 1)
        case .debit:
            let row = settled(psp, reference, "Settled", amount, .notComparable)[0]
            let credit = ",EUR,,\(amount.decimalText),"
            let line = row.line.replacing(credit, with: ",EUR,\(amount.decimalText),,")
            set([sale], [.init(line: line, group: .notComparable)], [.onlyInJournal], open: 2)
        case .voidedHere:
            let void = try attempt("\(id)-v", .void, amount, under: reference, of: id)
            let rows = settled(psp, reference, "Settled", amount, .differs)
            set([sale, void], rows, [.differs, .notComparable], open: 1)
        }
        return deal
    }

    mutating func listed(_ kind: ListedDeal) throws -> Deal {
        var deal = Deal(kind: kind.rawValue)
        let (id, psp, reference) = next()
        let (amount, isTotals, none) = (amount(), shape == .totals, Money.cents(0))
        let sale = try attempt(id, .sale, amount, under: reference, names: [psp])
        func row(_ there: Money, _ group: Deal.Group, refunded: Money? = nil) -> [Deal.Row] {
            listed(
                psp, reference, isTotals ? "approved" : "Captured", isTotals ? none : there, captured: there,
                refunded: isTotals ? refunded ?? none : nil, group)
        }
        func word(_ state: String, _ plain: String, held: Money? = nil, _ group: Deal.Group) -> [Deal.Row] {
            listed(
                psp, reference, isTotals ? plain : state, held ?? (isTotals ? none : amount),
                captured: isTotals ? none : nil, refunded: isTotals ? none : nil, group)
        }
        func back(_ there: Money, _ group: Deal.Group) -> [Deal.Row] {
            listed("R\(psp)", "", "Captured", there, kind: "Refund", of: psp, group)
        }
        let refund = try attempt("\(id)-r", .refund, amount, under: reference, of: id, names: ["R\(psp)"])
        func set(_ attempts: [Attempt], _ rows: [Deal.Row], _ groups: [Deal.Group], open: Int = 0) {
            (deal.attempts, deal.rows, deal.openCount) = (attempts, rows, open)
            for (facts, group) in zip(attempts, groups) { deal.groups[facts.intent.attempt.text] = group }
        }
        switch kind {
        case .sale: set([sale], row(amount, .matched), [.matched])
        case .hold:
            let hold = try attempt(id, .authorize, amount, under: reference, names: [psp])
            set([hold], word("Authorized", "approved", held: amount, .matched), [.matched])
        case .captured:
            let hold = try attempt(id, .authorize, amount, under: reference, names: [psp])
            let capture = try attempt("\(id)-c", .capture, amount, under: reference, of: id)
            set([hold, capture], row(amount, .matched), [.matched, .matched])
        case .voided:
            let void = try attempt("\(id)-v", .void, amount, under: reference, of: id)
            set([sale, void], word("Voided", "approved", .matched), [.matched, .matched])
        case .declined:
            let attempt = try attempt(id, .sale, amount, under: reference, names: [psp], .declined)
            set([attempt], word("Declined", "declined", .matched), [.matched])
        case .refund:
            let rows = row(amount, .matched, refunded: amount) + (isTotals ? [] : back(amount, .matched))
            set([sale, refund], rows, [.matched, .matched])
        case .elsewhere: set([], row(amount, .onlyInStatement), [], open: 1)
        case .missing: set([sale], [], [.onlyInJournal], open: 1)
        case .otherAmount: set([sale], row(try amount.adding(.cents(1)), .differs), [.differs], open: 1)
        case .otherState: set([sale], word("Declined", "declined", .differs), [.differs], open: 1)
        case .refundMissing, .refundOverOtherAmount:
            let other = kind == .refundMissing ? none : try amount.subtracting(.cents(1))
            let group: Deal.Group = kind == .refundMissing ? .onlyInJournal : .differs
            let rows = row(amount, isTotals ? .differs : .matched, refunded: other)
            let isRow = !isTotals && kind == .refundOverOtherAmount
            let groups = isTotals ? [.differs, .differs] : [.matched, group]
            set([sale, refund], rows + (isRow ? back(other, .differs) : []), groups, open: 1)
        case .doubt:
            let doubt = try attempt(id, .sale, amount, under: reference, .doubt)
            set([doubt], row(amount, .differs), [.differs], open: 1)
        case .wordUnknown:
            set([sale], word("Levitated", "levitated", .notComparable), [.notComparable], open: 1)
        case .verified: set([], listed(psp, reference, "Verified", none, .notComparable), [])
        case .declinedElsewhere: set([], word("Declined", "declined", .notComparable), [])
        case .otherDay:
            var rows = row(amount, .notComparable)
            rows[0].item?.at = Self.noon(-3)
            set([], rows, [])
        case .openVoid:
            let void = try attempt("\(id)-v", .void, amount, under: reference, of: id, .doubt)
            set([sale, void], row(amount, .matched), [.matched, .onlyInJournal], open: 1)
        }
        return deal
    }
}
