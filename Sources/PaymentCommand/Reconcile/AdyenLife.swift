internal import PaymentAbstraction
internal import PaymentBase

/// Everything that a report of Adyen's says about one payment, row by row.
struct AdyenLife {
    /// Rows that are about fees and payouts.
    static let others: Set<String> = [
        "Fee", "MiscCosts", "MerchantPayout", "DepositCorrection", "InvoiceDeduction", "MatchedStatement",
        "ManualCorrected", "BankInstructionReturned", "EpaPaid", "Balancetransfer", "PaymentCost", "PaidOut",
        "PaidOutReversed", "ReserveAdjustment",
    ]

    private let psp: String
    private let reference: String
    private let line: Int
    private var (isReceived, isRefused, isUndone, isUnread) = (false, false, false, false)
    private var held: Money?
    private var sent: Money?
    private var settled: Money?
    private var failed: Money?
    private var words: [String] = []
    private var at: Int64?
    private var others: [String: Statement.Movement] = [:]

    init(_ psp: String, _ reference: String, line: Int) {
        (self.psp, self.reference, self.line) = (psp, reference, line)
    }

    /// Takes a row in; gives what is wrong with it, if anything is.
    mutating func add(_ type: String, _ row: CSVTable.Row, time: Int64?, _ kind: Statement.Kind) -> String? {
        guard let time else {
            return
                "\(row["Booking Date"])\(row["Creation Date"]) in the zone \(row["TimeZone"]) is no moment known here"
        }
        at = min(at ?? time, time)
        func money(_ columns: String...) throws(PaymentError) -> Money {
            let currency = try Currency(row[kind == .settlement ? "Gross Currency" : "Payment Currency"])
            let text = columns.map { row[$0] }.first { !$0.isEmpty } ?? ""
            return try Money(text.hasPrefix("-") ? String(text.dropFirst()) : text, currency)
        }
        do throws(PaymentError) {
            switch type {
            case "Received": isReceived = true
            case "Authorised": held = try money("Authorised (PC)")
            case "Refused", "Error": isRefused = true
            case "Cancelled", "Expired": isUndone = true
            case "SentForSettle": sent = try Self.sum(sent, money("Captured (PC)"))
            case "Settled", "SettledExternally":
                settled = try Self.sum(settled, money("Gross Credit (GC)", "Captured (PC)"))
            case "CaptureFailed": failed = try Self.sum(failed, money("Captured (PC)"))
            case "SentForRefund", "Refunded", "RefundedExternally":
                move(.refund, try money("Gross Debit (GC)", "Captured (PC)"), row, type, time)
            case "RefundFailed", "RefundedReversed":
                move(.refund, try money("Gross Credit (GC)", "Captured (PC)"), row, type, time, .undone)
            case "Chargeback", "SecondChargeback":
                move(.chargeback, try money("Gross Debit (GC)", "Captured (PC)"), row, type, time)
            case "ChargebackReversed":
                move(.chargeback, try money("Gross Credit (GC)", "Captured (PC)"), row, type, time, .undone)
            default:
                isUnread = true
                return "no document of Adyen's that was read here explains the type \(type)"
            }
        } catch {
            return "\(type): \(error.detail)"
        }
        if words.last != type { words.append(type) }
        return nil
    }

    /// Books a row about money that went back; the same movement has several rows in its life.
    private mutating func move(
        _ kind: Statement.Movement.Kind, _ amount: Money, _ row: CSVTable.Row, _ type: String, _ time: Int64,
        _ state: Statement.State = .charged
    ) {
        let named = [row["Modification Reference"], row["Modification Psp Reference"]].first { !$0.isEmpty }
        let name = named ?? "\(kind.rawValue) of line \(row.line)"
        let key = "\(kind.rawValue) \(name)"
        if var known = others[key] {
            (known.state, known.words) = (state == .undone ? .undone : known.state, "\(known.words), \(type)")
            others[key] = known
            return
        }
        others[key] = Statement.Movement(
            kind: kind, names: named.map { [$0] } ?? [], payment: psp, amount: amount, state: state, words: type,
            at: time, place: "line \(row.line)")
    }

    private static func sum(_ one: Money?, _ other: Money) throws(PaymentError) -> Money {
        guard let one else { return other }
        return try one.adding(other)
    }

    /// What there was of the payment itself; nil where the rows are about what followed alone.
    var payment: Statement.Payment? {
        // A capture is sent first and settled later; a report of few days may have either row alone.
        let taken = [sent, settled].compactMap(\.self).max { $0.minorUnits < $1.minorUnits }
        let left = taken.flatMap { taken in (try? failed.map { try taken.subtracting($0) }) ?? taken }
        var state: Statement.State
        if let left, left.minorUnits > 0 {
            state = .charged
        } else if isRefused {
            state = .refused
        } else if isUndone || left != nil {
            state = .undone
        } else if held != nil {
            state = .held
        } else if isReceived {
            state = .pending
        } else {
            return nil
        }
        if isUnread { state = .unread }
        return Statement.Payment(
            names: [psp], state: state, words: words.joined(separator: ", "),
            reference: reference.isEmpty ? nil : reference, held: held, charged: left, refunded: nil, at: at,
            place: "line \(line)")
    }

    /// The rows as those that are about what followed alone: the payment itself stands in another report.
    var foreign: Statement.ForeignRow {
        Statement.ForeignRow(
            names: Set([psp, reference]).subtracting([""]), why: "rows of what followed alone", place: "line \(line)")
    }

    /// What went the other way, in the order of the report.
    var movements: [Statement.Movement] { others.values.sorted { ($0.at ?? 0, $0.place) < ($1.at ?? 0, $1.place) } }
}
