import PaymentAbstraction
import PaymentBase
import PaymentTestTill

@testable import PaymentCLI

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

    func amount() -> Money { .cents(Int64(2 + pick(50_000))) }

    /// Names that no other deal of the statement has.
    mutating func next() -> (id: String, psp: String, reference: String) {
        count += 1
        return ("a-\(count)", "P\(count)", "order-\(count)")
    }

    /// An attempt as a journal would have it.
    func attempt(
        _ id: String, _ operation: PaymentOperation, _ amount: Money, under reference: String,
        of payment: String? = nil, names: [String] = [], approved: Money? = nil, on day: Int = 10,
        _ outcome: Outcome = .approved
    ) throws -> Attempt {
        let at = JournalInstant(wall: Self.noon(day), uptime: 0)
        let id = try AttemptID(id)
        var intent = Attempt.Intent(
            id, operation, amount, reference: reference, payment: try payment.map { PaymentID(try AttemptID($0)) })
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
            var statement = Statement.list(of: account.id, account.adapter)
            for (index, row) in rows.enumerated() {
                guard let item = row.item else { continue }
                statement.add(item, account.adapter, "item \(index + 1)")
            }
            return statement
        }
    }
}
