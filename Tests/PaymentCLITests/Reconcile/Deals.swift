import PaymentAbstraction
import PaymentBase
import PaymentTestTill

@testable import PaymentCLI

/// Ways in which a payment can be in the journal and in Adyen's accounting report.
enum BookedDeal: String, CaseIterable {
    // Both say the same.
    case sale, saleSettled, saleOfEarlierDay, refused, hold, captures, voided, tipped, refund, refundOfTwoRows
    case refundsWithoutNames, refundThatFailed, pending, partlyApproved, voidAsRefund, voidAsRefundAlone
    // It will be in a later report, or is about no money of the account.
    case young, youngRefund, fee, otherAccount, refusedElsewhere, chargebackReversed
    // Both say something else.
    case saleMissing, saleElsewhere, saleOverOtherAmount, authorisedMore, settledLess, saleRefusedThere
    case declinedHere, captureFailedAlone, captureFailedLater, captureUnknown, captureMissing
    case captureOverOtherAmount, voidNotThere, cancelledThere, refundMissing, refundUnknown
    case refundOverOtherAmount, refundLaterRowDiffers, refundFailed, chargeback, doubtUnderItsID
    case doubtUnderItsReference, doubtMissing, pendingDecided, typeUnknown
    case captureBelowZero, capturesWithoutNames, otherCurrency, rowsTwice, otherAccountWithName, chargebackReturned
    case saleOfAnotherDay, sentLess, refundEarlierRowDiffers

    /// Those of which one of two is to be looked at.
    static let planted = Array(allCases.drop { $0 != .saleMissing })
    static let agreeing = Array(allCases.prefix { $0 != .young })
}

extension DealMaker {
    mutating func booked(_ kind: BookedDeal) throws -> Deal {
        var deal = Deal(kind: kind.rawValue)
        try agree(kind, &deal)
        try agreeOnRefunds(kind, &deal)
        try leaveOut(kind, &deal)
        try differ(kind, &deal)
        try differLater(kind, &deal)
        return deal
    }

    private mutating func agree(_ kind: BookedDeal, _ deal: inout Deal) throws {
        let (id, psp, reference) = next()
        let amount = amount()
        let sale = try attempt(id, .sale, amount, under: reference, names: [psp])
        let whole = [("Received", amount), ("Authorised", amount), ("SentForSettle", amount)]
        func add(_ attempts: [Attempt], _ rows: [Deal.Row]) {
            deal.attempts += attempts
            deal.rows += rows
            for facts in attempts { deal.groups[facts.intent.attempt.text] = .matched }
        }
        switch kind {
        case .sale: add([sale], booked(psp, reference, whole, name: "M\(psp)", .matched))
        case .saleSettled:
            add([sale], booked(psp, reference, whole + [("Settled", amount)], name: "M\(psp)", .matched))
        case .saleOfEarlierDay:
            let early = try attempt(id, .sale, amount, under: reference, names: [psp], on: -20)
            add([early], booked(psp, reference, [("Settled", amount)], name: "M\(psp)", .matched))
        case .refused:
            let declined = try attempt(id, .sale, amount, under: reference, names: [psp], .declined)
            add([declined], booked(psp, reference, [("Received", amount), ("Refused", amount)], .matched))
        case .hold:
            let hold = try attempt(id, .authorize, amount, under: reference, names: [psp])
            add([hold], booked(psp, reference, [("Received", amount), ("Authorised", amount)], .matched))
        case .captures:
            let parts = try amount.split(into: 1 + pick(min(3, Int(amount.minorUnits))))
            add(
                [try attempt(id, .authorize, amount, under: reference, names: [psp])],
                booked(psp, reference, [("Authorised", amount)], .matched))
            for (index, part) in parts.enumerated() {
                let name = "C\(index)\(psp)"
                add(
                    [
                        try attempt(
                            "\(id)-c\(index)", .capture, part, under: reference, of: id, names: [name])
                    ], booked(psp, reference, [("SentForSettle", part), ("Settled", part)], name: name, .matched))
            }
        case .voided:
            let void = try attempt("\(id)-v", .void, amount, under: reference, of: id, names: ["V\(psp)"])
            let rows = [("Received", amount), ("Authorised", amount), ("Cancelled", amount)]
            add([sale, void], booked(psp, reference, rows, .matched))
        case .voidAsRefund, .voidAsRefundAlone:
            let void = try attempt("\(id)-v", .void, amount, under: reference, of: id, names: ["R\(psp)"])
            let rows = kind == .voidAsRefund ? whole : []
            add(
                [sale, void],
                booked(psp, reference, rows, .matched)
                    + booked(psp, reference, [("SentForRefund", amount)], name: "R\(psp)", .matched))
        case .tipped:
            let total = try amount.adding(.cents(100))
            let tip = try attempt("\(id)-t", .tipAdjustment, .cents(100), under: reference, of: id)
            add([sale, tip], booked(psp, reference, [("Authorised", amount), ("SentForSettle", total)], .matched))
        case .partlyApproved:
            let part = Money.cents(1)
            add(
                [try attempt(id, .sale, amount, under: reference, names: [psp], approved: part)],
                booked(psp, reference, [("Received", amount), ("Authorised", part), ("SentForSettle", part)], .matched))
        case .pending:
            let pending = try attempt(id, .sale, amount, under: reference, names: [psp], .pending)
            add([pending], booked(psp, reference, [("Received", amount)], .matched))
        default: break
        }
    }

    private mutating func agreeOnRefunds(_ kind: BookedDeal, _ deal: inout Deal) throws {
        let (id, psp, reference) = next()
        let amount = amount()
        let sale = try attempt(id, .sale, amount, under: reference, names: [psp])
        let whole = [("Received", amount), ("Authorised", amount), ("SentForSettle", amount)]
        func add(_ attempts: [Attempt], _ rows: [Deal.Row]) {
            deal.attempts += attempts
            deal.rows += rows
            for facts in attempts { deal.groups[facts.intent.attempt.text] = .matched }
        }
        switch kind {
        case .refund, .refundOfTwoRows, .refundThatFailed:
            add([sale], booked(psp, reference, whole, .matched))
            let back = try attempt(
                "\(id)-r", .refund, amount, under: reference, of: id, names: ["R\(psp)"],
                kind == .refundThatFailed ? .declined : .approved)
            let last = kind == .refundThatFailed ? "RefundFailed" : "Refunded"
            let rows = [("SentForRefund", amount)] + (kind == .refund ? [] : [(last, amount)])
            add([back], booked(psp, reference, rows, name: "R\(psp)", .matched))
        case .refundsWithoutNames:
            add([sale], booked(psp, reference, whole, .matched))
            let parts = try amount.split(into: 2)
            for (index, part) in parts.enumerated() {
                add(
                    [
                        try attempt(
                            "\(id)-r\(index)", .refund, part, under: reference, of: id, names: ["R\(index)\(psp)"])
                    ], booked(psp, reference, [("SentForRefund", part)], .matched))
            }
        default: break
        }
    }

    private mutating func leaveOut(_ kind: BookedDeal, _ deal: inout Deal) throws {
        let (id, psp, reference) = next()
        let amount = amount()
        switch kind {
        case .young:
            deal.attempts = [try attempt(id, .sale, amount, under: reference, names: [psp], on: 31)]
            (deal.groups[id], deal.openCount) = (.inTransit, 1)
            deal.rows = booked(psp, reference, [("Authorised", amount)], on: 31, .inTransit)
        case .youngRefund:
            deal.attempts = [
                try attempt(id, .sale, amount, under: reference, names: [psp]),
                try attempt("\(id)-r", .refund, amount, under: reference, of: id, names: ["R\(psp)"], on: 31),
            ]
            deal.groups = [id: .matched, "\(id)-r": .inTransit]
            deal.rows = booked(psp, reference, [("SentForSettle", amount)], .matched)
            deal.openCount = 1
        case .fee: deal.rows = booked("", "", [("Fee", amount)], .notComparable)
        case .otherAccount:
            deal.rows = booked(psp, reference, [("SentForSettle", amount)], merchant: "Other", .notComparable)
        case .refusedElsewhere:
            deal.rows = booked(psp, reference, [("Received", amount), ("Refused", amount)], .notComparable)
        case .chargebackReversed:
            let rows = [("Chargeback", amount), ("ChargebackReversed", amount)]
            deal.rows = booked(psp, reference, rows, name: "B\(psp)", .notComparable)
        case .saleOfAnotherDay:
            let rows = booked(psp, reference, [("SentForSettle", amount)], .onlyInStatement)
            deal.rows = rows.map { .init(line: $0.line.replacing("2026-01-10", with: "2025-12-31"), group: $0.group) }
            deal.openCount = 1
        default: break
        }
    }

    private mutating func differ(_ kind: BookedDeal, _ deal: inout Deal) throws {
        let (id, psp, reference) = next()
        let amount = amount()
        let other = try amount.subtracting(.cents(1))
        let sale = try attempt(id, .sale, amount, under: reference, names: [psp])
        func add(_ attempt: Attempt?, _ rows: [Deal.Row], _ group: Deal.Group) {
            if let attempt {
                deal.attempts.append(attempt)
                deal.groups[attempt.intent.attempt.text] = group
            }
            deal.rows += rows
            deal.openCount = 1
        }
        func one(_ types: [(String, Money)], name: String = "") {
            add(sale, booked(psp, reference, types, name: name, .differs), .differs)
        }
        switch kind {
        case .saleMissing: add(sale, [], .onlyInJournal)
        case .saleElsewhere:
            let rows = [("Authorised", amount), ("SentForSettle", amount)]
            add(nil, booked(psp, reference, rows, name: "M\(psp)", .onlyInStatement), .onlyInStatement)
        case .saleOverOtherAmount: one([("Authorised", amount), ("SentForSettle", other)])
        case .authorisedMore: one([("Authorised", try amount.adding(.cents(999_900))), ("SentForSettle", amount)])
        case .settledLess: one([("SentForSettle", amount), ("Settled", other)], name: "M\(psp)")
        case .sentLess: one([("SentForSettle", other), ("Settled", amount)], name: "M\(psp)")
        case .saleRefusedThere: one([("Received", amount), ("Refused", amount)])
        case .declinedHere:
            let declined = try attempt(id, .sale, amount, under: reference, names: [psp], .declined)
            add(declined, booked(psp, reference, [("SentForSettle", amount)], .differs), .differs)
        case .captureFailedAlone: one([("CaptureFailed", amount)])
        case .captureFailedLater: one([("SentForSettle", amount), ("CaptureFailed", amount)], name: "M\(psp)")
        case .captureUnknown, .captureMissing, .captureOverOtherAmount:
            add(
                try attempt(id, .authorize, amount, under: reference, names: [psp]),
                booked(psp, reference, [("Authorised", amount)], .matched), .matched)
            let group: Deal.Group =
                kind == .captureUnknown ? .onlyInStatement : kind == .captureMissing ? .onlyInJournal : .differs
            let there = kind == .captureOverOtherAmount ? other : amount
            let rows = booked(psp, reference, [("SentForSettle", there), ("Settled", there)], name: "C\(psp)", group)
            let capture = try attempt("\(id)-c", .capture, amount, under: reference, of: id, names: ["C\(psp)"])
            add(kind == .captureUnknown ? nil : capture, kind == .captureMissing ? [] : rows, group)
        case .voidNotThere:
            add(sale, booked(psp, reference, [("SentForSettle", amount)], .differs), .differs)
            add(try attempt("\(id)-v", .void, amount, under: reference, of: id), [], .differs)
        case .cancelledThere: one([("Authorised", amount), ("Cancelled", amount)])
        case .otherCurrency: one([("SentForSettle", Money(minorUnits: amount.minorUnits, .usd))])
        case .rowsTwice: one([("Authorised", amount), ("Authorised", amount)])
        default: break
        }
    }

    private mutating func differLater(_ kind: BookedDeal, _ deal: inout Deal) throws {
        let (id, psp, reference) = next()
        let amount = amount()
        let other = try amount.subtracting(.cents(1))
        let settled = booked(psp, reference, [("SentForSettle", amount)], .matched)
        let sale = try attempt(id, .sale, amount, under: reference, names: [psp])
        func refunded(_ types: [(String, Money)], _ group: Deal.Group, isHere: Bool = true) throws {
            deal.attempts = [sale]
            deal.groups[id] = .matched
            deal.rows = settled + booked(psp, reference, types, name: "R\(psp)", group)
            deal.openCount = 1
            guard isHere else { return }
            deal.attempts.append(
                try attempt("\(id)-r", .refund, amount, under: reference, of: id, names: ["R\(psp)"]))
            deal.groups["\(id)-r"] = group
        }
        func open(_ outcome: Outcome, names: [String] = [], _ rows: [Deal.Row], _ group: Deal.Group) throws {
            deal.attempts = [try attempt(id, .sale, amount, under: reference, names: names, outcome)]
            (deal.groups[id], deal.rows, deal.openCount) = (group, rows, 1)
        }
        func lone(_ types: [(String, Money)], name: String = "", merchant: String = "Shop", _ group: Deal.Group) {
            deal.rows += booked(psp, reference, types, name: name, merchant: merchant, group)
            deal.openCount = 1
        }
        switch kind {
        case .refundMissing: try refunded([], .onlyInJournal)
        case .refundUnknown: try refunded([("SentForRefund", amount)], .onlyInStatement, isHere: false)
        case .refundOverOtherAmount: try refunded([("SentForRefund", other)], .differs)
        case .refundLaterRowDiffers: try refunded([("SentForRefund", amount), ("Refunded", other)], .differs)
        case .refundEarlierRowDiffers: try refunded([("SentForRefund", other), ("Refunded", amount)], .differs)
        case .refundFailed: try refunded([("SentForRefund", amount), ("RefundFailed", amount)], .differs)
        case .chargeback: try refunded([("Chargeback", amount)], .onlyInStatement, isHere: false)
        case .chargebackReturned: try refunded([("ChargebackReversed", amount)], .onlyInStatement, isHere: false)
        case .doubtUnderItsID:
            try open(.doubt, booked(psp, id, [("SentForSettle", amount)], .differs), .differs)
        case .doubtUnderItsReference:
            try open(.doubt, booked(psp, reference, [("SentForSettle", amount)], .differs), .differs)
        case .doubtMissing: try open(.doubt, [], .onlyInJournal)
        case .pendingDecided:
            let rows = booked(psp, reference, [("Received", amount), ("SentForSettle", amount)], .differs)
            try open(.pending, names: [psp], rows, .differs)
        case .typeUnknown: lone([("Levitated", amount)], .notComparable)
        case .captureBelowZero:
            lone([("SentForSettle", try Money.zero(.eur).subtracting(amount))], .notComparable)
        case .capturesWithoutNames:
            deal.attempts = [sale]
            deal.groups[id] = .notComparable
            lone([("SentForSettle", amount), ("Settled", other)], .notComparable)
        case .otherAccountWithName:
            deal.attempts = [sale]
            deal.groups[id] = .matched
            deal.rows = settled
            lone([("SentForSettle", amount)], merchant: "Other", .notComparable)
        default: break
        }
    }
}
