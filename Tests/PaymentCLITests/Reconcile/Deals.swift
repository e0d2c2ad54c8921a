import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
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
    case elsewhereGivenBack, elsewhereGivenBackTwice, elsewhereChargedBack, elsewhereAlsoAtAnotherAccount

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
        elsewhere(kind, &deal)
        return deal
    }

    /// Payments that only the statement has, with rows that belong to them.
    private mutating func elsewhere(_ kind: BookedDeal, _ deal: inout Deal) {
        let (_, psp, reference) = next()
        let amount = amount()
        func back(_ type: String, _ name: String) -> [Deal.Row] {
            booked(psp, reference, [(type, amount)], name: "\(name)\(psp)", .onlyInStatement)
        }
        func add(_ rows: [Deal.Row], open: Int) {
            let sale = booked(psp, reference, [("SentForSettle", amount)], name: "M\(psp)", .onlyInStatement)
            (deal.rows, deal.openCount) = (sale + rows, open)
        }
        switch kind {
        case .elsewhereGivenBack:
            add(back("SentForRefund", "R"), open: 2)
            deal.imports = [[amount, amount]]
        case .elsewhereGivenBackTwice: add(back("SentForRefund", "R") + back("SentForRefund", "S"), open: 3)
        case .elsewhereChargedBack:
            add(back("Chargeback", "B"), open: 2)
            deal.imports = [[amount, units(0), amount]]
        case .elsewhereAlsoAtAnotherAccount:
            let other = booked(psp, reference, [("SentForSettle", amount)], merchant: "Other", .notComparable)
            add(other, open: 1)
        default: break
        }
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
            let total = try amount.adding(units(100))
            let tip = try attempt("\(id)-t", .tipAdjustment, units(100), under: reference, of: id)
            add([sale, tip], booked(psp, reference, [("Authorised", amount), ("SentForSettle", total)], .matched))
        case .partlyApproved:
            let part = units(1)
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
            deal.imports = [[amount, units(0)]]
            deal.openCount = 1
        default: break
        }
    }

    private mutating func differ(_ kind: BookedDeal, _ deal: inout Deal) throws {
        let (id, psp, reference) = next()
        let amount = amount()
        let other = try amount.subtracting(units(1))
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
            deal.imports = [[amount, units(0)]]
        case .saleOverOtherAmount: one([("Authorised", amount), ("SentForSettle", other)])
        case .authorisedMore: one([("Authorised", try amount.adding(units(999_900))), ("SentForSettle", amount)])
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
        let other = try amount.subtracting(units(1))
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
            lone([("SentForSettle", try Money.zero(amount.currency).subtracting(amount))], .notComparable)
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

/// What happened with one payment: attempts of the journal and rows of a statement, each with the group in which it ends.
struct Deal {
    typealias Group = ReconciledItem.Group

    /// A row: of a file as its line, of a list as the provider's item.
    struct Row {
        var line = ""
        var item: PaymentDetails?
        var group: Group
    }

    let kind: String
    var attempts: [Attempt] = []
    var rows: [Row] = []
    /// What lines for an import say of payments that only the statement has: taken, and refunded.
    /// Each with its amount, what was refunded, and what was charged back where anything was.
    var imports: [[Money]] = []
    /// By the attempt's id; an attempt that is not here is none of what is compared.
    var groups: [String: Group] = [:]
    /// How many items of it have to be looked at.
    var openCount = 0
}

/// Makes deals for one statement.
struct DealMaker {
    /// What the statement is.
    enum Shape: CaseIterable {
        case accounting, settlement
        /// A list with refunds as rows, and one with refunds as sums.
        case rows, totals
    }

    /// How an attempt ended.
    enum Outcome { case approved, declined, pending, doubt }

    /// Noon of a day of January 2026.
    static func noon(_ day: Int) -> Int64 { ReconciledMonth.days.start + Int64(day - 1) * 86_400_000 + 43_200_000 }

    let shape: Shape
    let random: SeededRandom
    private var count = 0
    private var currency = Currency.eur

    init(_ shape: Shape, _ random: SeededRandom) { (self.shape, self.random) = (shape, random) }

    /// The account that the statement is of.
    var account: ProviderIdentity {
        let adapter =
            switch shape {
            case .accounting, .settlement: "adyen"
            case .rows: "arise"
            case .totals: "memory"
            }
        return ProviderIdentity(
            ProviderID(rawValue: adapter), adapter: adapter, environment: "test", merchant: "Shop")
    }

    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    /// Some of the currency of the present deal.
    func units(_ count: Int64) -> Money { Money(minorUnits: count, currency) }

    /// An amount of the present deal; few are as large as one may be.
    func amount() -> Money { units(pick(40) == 0 ? Money.believableMinorUnitsMax / 8 : Int64(2 + pick(50_000))) }

    /// What an adapter declares of such a list.
    static func declared(_ shape: Shape) -> ListedTransactions {
        ListedTransactions(
            [.hold, .charge, .capture, .change, .tip, .void, .refund], hasRefundTotals: shape == .totals,
            words: [
                "sale": .payment, "refund": .refund, "check": .noMoney, "Verified": .noMoney, "approved": .executed,
                "declined": .refused, "Authorized": .held, "Captured": .charged, "Voided": .undone,
                "Declined": .refused, "Pending": .pending,
            ])
    }

    /// Names that no other deal of the statement has.
    mutating func next() -> (id: String, psp: String, reference: String) {
        count += 1
        currency = [Currency.eur, .jpy, .bhd][pick(3)]
        return ("a-\(count)", "P\(count)", "order-\(count)")
    }

    /// An attempt as a journal would have it.
    func attempt(
        _ id: String, _ operation: PaymentOperation, _ amount: Money, under reference: String,
        of payment: String? = nil, names: [String] = [], approved: Money? = nil, on day: Int = 10,
        _ outcome: Outcome = .approved, scope: String = ""
    ) throws -> Attempt {
        let at = Attempt.Instant(wall: Self.noon(day), uptime: 0)
        let id = try AttemptID(id)
        var intent = Attempt.Intent(
            id, operation, amount, reference: reference, payment: try payment.map { PaymentID(try AttemptID($0)) },
            scope: scope)
        intent.source = payment == nil ? .card : nil
        var attempt = Attempt(intent)
        attempt.apply(.run(.init(number: 1, account: account, owner: "till", begunAt: at)))
        attempt.apply(.request(.init(number: 1, run: 1, key: nil, sendLimit: 1_000, openedAt: at)))
        attempt.apply(.closed(request: 1, outcome == .doubt ? .lost : .answered, at: at))
        let verdict: Verdict? =
            switch outcome {
            case .approved: .approved(Approval(approved ?? amount))
            case .declined: .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
            case .pending: .pending(Pending(shouldPoll: true))
            case .doubt: nil
            }
        if let verdict {
            attempt.apply(.report(.init(.verdict(verdict), .reply, run: 1, request: 1, entry: 2, at: at)))
        }
        for name in names { attempt.apply(.named(.init(account: account, value: name, request: 1))) }
        attempt.apply(.ended(run: 1, .owner, at: at))
        return attempt
    }

    // MARK: Rows

    /// Rows of the accounting report: the type, its amount as the register has it, and the name of the movement.
    func booked(
        _ psp: String, _ reference: String, _ types: [(String, Money)], name: String = "", on day: Int = 10,
        merchant: String = "Shop", _ group: Deal.Group
    ) -> [Deal.Row] {
        types.map { type, amount in
            let text = amount.decimalText
            // What a row takes out of a register some reports write with a minus.
            let out = psp.utf8.last.map { $0 % 2 == 0 } ?? false ? "-\(text)" : text
            let (received, authorised, captured) =
                switch type {
                case "Received": (text, "", "")
                case "Refused": ("-\(text)", "", "")
                case "Authorised": ("-\(text)", text, "")
                case "Cancelled": ("", "-\(text)", "")
                case "SentForSettle": ("", "-\(text)", text)
                case "Settled": ("", "", "-\(text)")
                case "SentForRefund", "Chargeback", "CaptureFailed": ("", "", out)
                default: ("", "", text)
                }
            let line =
                "Co,\(merchant),\(psp),\(reference),visa,2026-01-\(day < 10 ? "0" : "")\(day) 12:00:00,UTC,EUR,,\(type),"
                + "\(amount.currency),\(received),\(authorised),\(captured),EUR,,\(name)"
            return Deal.Row(line: line, group: group)
        }
    }

    /// Rows of the settlement details report.
    func settled(
        _ psp: String, _ reference: String, _ type: String, _ amount: Money, name: String = "", _ group: Deal.Group
    ) -> [Deal.Row] {
        let isCredit = ["Settled", "ChargebackReversed", "RefundedReversed"].contains(type)
        let sides = isCredit ? ",\(amount.decimalText)" : "\(amount.decimalText),"
        let line =
            "Co,Shop,\(psp),\(reference),visa,2026-01-10 12:00:00,UTC,\(type),\(name),\(amount.currency),\(sides),1,EUR,,,,4"
        return [Deal.Row(line: line, group: group)]
    }

    /// An item of a list.
    func listed(
        _ psp: String, _ reference: String, _ state: String, _ amount: Money, captured: Money? = nil,
        refunded: Money? = nil, kind: String = "sale", of payment: String? = nil, _ group: Deal.Group
    ) -> [Deal.Row] {
        var item = PaymentDetails(state, references: ["transaction": psp])
        (item.kind, item.reference, item.at, item.amount) = (kind, reference, Self.noon(10), amount)
        (item.captured, item.refunded) = (captured, refunded)
        item.additional["originalTransactionId"] = payment
        return [Deal.Row(item: item, group: group)]
    }
}

extension DealMaker {
    /// A statement of all rows of some deals, in some order.
    func statement(_ rows: [Deal.Row]) throws -> Statement {
        switch shape {
        case .accounting, .settlement:
            let head = shape == .accounting ? StatementFileTests.accounting : StatementFileTests.settlement
            let text = ([head] + rows.map(\.line)).joined(separator: "\n") + "\n"
            return try AdyenReport.statement(Array(text.utf8), "report.csv", adapter: "adyen", merchant: "Shop")
        case .rows, .totals:
            var statement = Statement.list(of: account.id, Self.declared(shape))
            for (index, row) in rows.enumerated() {
                guard let item = row.item else { continue }
                statement.add(item, Self.declared(shape), "item \(index + 1)")
            }
            return statement
        }
    }
}

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
            let other = try amount.adding(units(1))
            set([sale], settled(psp, reference, "Settled", other, .differs), [.differs], open: 1)
        case .missing: set([sale], [], [.onlyInJournal], open: 1)
        case .elsewhere:
            set([], settled(psp, reference, "Settled", amount, .onlyInStatement), [], open: 1)
            deal.imports = [[amount, units(0)]]
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
            let (code, text) = (amount.currency.code, amount.decimalText)
            let line = row.line.replacing(",\(code),,\(text),", with: ",\(code),\(text),,")
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
        let (amount, isTotals, none) = (amount(), shape == .totals, units(0))
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
            listed("R\(psp)", "", "Captured", there, kind: "refund", of: psp, group)
        }
        let refund = try attempt("\(id)-r", .refund, amount, under: reference, of: id, names: ["R\(psp)"])
        func set(_ attempts: [Attempt], _ rows: [Deal.Row], _ groups: [Deal.Group], open: Int = 0) {
            (deal.attempts, deal.rows, deal.openCount) = (attempts, rows, open)
            for (facts, group) in zip(attempts, groups) { deal.groups[facts.intent.attempt.text] = group }
        }
        if kind == .elsewhere { deal.imports = [[amount, none]] }
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
        case .otherAmount: set([sale], row(try amount.adding(units(1)), .differs), [.differs], open: 1)
        case .otherState: set([sale], word("Declined", "declined", .differs), [.differs], open: 1)
        case .refundMissing, .refundOverOtherAmount:
            let other = kind == .refundMissing ? none : try amount.subtracting(units(1))
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
