internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentModel

/// A report of Adyen's as a file: only those whose columns are published, each named in `docs/reconciliation.md`.
struct AdyenReport {
    let kind: Statement.Kind
    let title: String
    private let typeColumn: String
    private let timeColumn: String
    private let currencyColumn: String
    private let columns: [String]
    private let lists: Set<Statement.Movement>

    static let accounting = AdyenReport(
        kind: .accounting, title: "payment accounting report", typeColumn: "Record Type", timeColumn: "Booking Date",
        currencyColumn: "Payment Currency",
        columns: [
            "Merchant Account", "Psp Reference", "Merchant Reference", "Booking Date", "TimeZone", "Record Type",
            "Payment Currency", "Received (PC)", "Authorised (PC)", "Captured (PC)",
        ], lists: [.hold, .charge, .capture, .tip, .void, .refund, .chargeback])
    static let settlement = AdyenReport(
        kind: .settlement, title: "settlement details report", typeColumn: "Type", timeColumn: "Creation Date",
        currencyColumn: "Gross Currency",
        columns: [
            "Merchant Account", "Psp Reference", "Merchant Reference", "Creation Date", "TimeZone", "Type",
            "Modification Reference", "Gross Currency", "Gross Debit (GC)", "Gross Credit (GC)",
        ], lists: [.charge, .capture, .tip, .refund, .chargeback])

    /// Reads a file with a report of one merchant account.
    ///
    /// - Throws: `UsageError` when no report of the provider has such columns, or when the file is no table.
    static func statement(
        _ bytes: [UInt8], _ name: String, adapter: String, merchant: String
    ) throws(UsageError) -> Statement {
        guard adapter == "adyen" else {
            throw UsageError(
                message:
                    "\(adapter) publishes no columns of a report, so none is read; leave --file out to compare with "
                    + "the provider's list, where it has one")
        }
        let table: CSVTable
        do throws(CSVTable.Unreadable) { table = try CSVTable(bytes) } catch {
            throw UsageError(message: "\(name) is no table: \(error.words)")
        }
        for report in [accounting, settlement] {
            let missing = report.columns.filter { !table.columns.contains($0) }
            if missing.isEmpty { return report.read(table, name, merchant) }
            if table.columns.contains(report.typeColumn), missing.count < report.columns.count / 2 {
                throw UsageError(
                    message: "\(name) looks like Adyen's \(report.title), and lacks \(missing.joined(separator: ", "))")
            }
        }
        throw UsageError(
            message: "\(name) has neither the columns of Adyen's \(accounting.title) nor those of its "
                + "\(settlement.title)")
    }

    private func read(_ table: CSVTable, _ name: String, _ merchant: String) -> Statement {
        var statement = Statement(kind, "Adyen's \(title) \(name)", lists: lists)
        statement.paymentName = "psp"
        var lives: [AdyenPaymentRows] = []
        var numbers: [AdyenPaymentRows.Key: Int] = [:]
        var broken: [String: String] = [:]
        for row in table.rows {
            let (type, psp, reference) = (row[typeColumn], row["Psp Reference"], row["Merchant Reference"])
            let place = "line \(row.line)"
            func names() -> Set<String> { Set([psp, reference]).subtracting([""]) }
            if row["Merchant Account"] != merchant {
                let why = "rows of another merchant account"
                statement.leaveOut(place, try? amount(row, nil), why, isOtherAccount: true, names: names())
                continue
            }
            if AdyenRowType.others.contains(type) {
                let why = "rows of no payment (\(type.isEmpty ? "without a type" : type))"
                statement.leaveOut(place, try? amount(row, nil), why, names: names())
                continue
            }
            do throws(PaymentError) {
                if psp.isEmpty { throw Self.unread("the Psp Reference is missing") }
                guard let meaning = AdyenRowType.all[type] else {
                    throw Self.unread("none of Adyen's documents that were read explains the type")
                }
                guard let time = moment(row) else {
                    let zone = row["TimeZone"]
                    throw Self.unread("\(row[timeColumn]) in the zone \(zone) is no moment that is known here")
                }
                statement.saidAt = max(statement.saidAt, time)
                let amount = try amount(row, meaning)
                let named = [row["Modification Reference"], row["Modification Psp Reference"]].first { !$0.isEmpty }
                let key = AdyenPaymentRows.Key(psp, meaning.subject, meaning.subject == .payment ? nil : named)
                let number = numbers[key] ?? lives.count
                if number == lives.count {
                    numbers[key] = number
                    lives.append(AdyenPaymentRows(key, reference))
                }
                lives[number].add(type, meaning.step, amount, time, row: statement.add(place, amount))
            } catch {
                statement.refuse(place, "\(type): \(error.detail)", names: names())
                broken[psp] = broken[psp] ?? "\(place), which is about the same payment, can't be read"
            }
        }
        statement.listings = lives.map { $0.listing(broken[$0.key.psp]) }
        return statement
    }

    private static func unread(_ words: String) -> PaymentError { .notExecuted(.invalidRequest, words) }

    /// The amount of a row with the sign that it has there; nil where it has none and needs none.
    private func amount(_ row: CSVTable.Row, _ type: AdyenRowType?) throws(PaymentError) -> Money? {
        func money(_ column: String) throws(PaymentError) -> Money? {
            let text = row[column]
            if text.isEmpty { return nil }
            let amount = try Money(signed: text, Currency(row[currencyColumn]))
            guard amount.minorUnits.magnitude <= Money.believableMinorUnitsMax.magnitude else {
                throw Self.unread("no payment is over that amount (got \(amount))")
            }
            return amount
        }
        guard kind == .settlement else {
            let amount = try money(type?.column ?? "Captured (PC)")
            if amount == nil, type?.needsAmount == true { throw Self.unread("the amount is missing") }
            if let amount, amount.isNegative, type?.adds == true {
                throw Self.unread("an amount of this type can't be below zero (got \(amount))")
            }
            return amount
        }
        let (debit, credit) = (try money("Gross Debit (GC)"), try money("Gross Credit (GC)"))
        if let type {
            let (side, other) = type.isCredit ? (credit, debit) : (debit, credit)
            guard let side, !side.isNegative, other?.isZero ?? true else {
                let column = type.isCredit ? "credit" : "debit"
                throw Self.unread("the one amount of this type is a \(column) without a sign")
            }
        }
        guard let debit else { return credit }
        return try (credit ?? .zero(debit.currency)).subtracting(debit)
    }

    /// A moment as Adyen writes it, `2026-11-21 19:58:55`, in the zone that the next column names.
    ///
    /// It places a row in a period and proves nothing: the documents' own sample calls a moment in June CET.
    private func moment(_ row: CSVTable.Row) -> Int64? {
        guard let minutes = Self.zones[row["TimeZone"]] else { return nil }
        let text = String(row[timeColumn].map { $0 == " " ? "T" : $0 })
        return Timestamp(text, offsetMinutes: minutes)?.milliseconds
    }

    /// Zones by their short names, in minutes ahead of universal time; those that two places share are left out.
    private static let zones: [String: Int] = [
        "UTC": 0, "GMT": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180,
        "MSK": 180, "SGT": 480, "HKT": 480, "AWST": 480, "JST": 540, "AEST": 600, "AEDT": 660, "NZST": 720,
        "NZDT": 780, "EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
        "BRT": -180,
    ]
}

/// What a row of a type says: about what, and how far that has come.
private struct AdyenRowType {
    let subject: Statement.Listing.Subject
    let step: AdyenPaymentRows.Step
    /// The register of the accounting report that it changes.
    var column = "Captured (PC)"
    /// Whether it adds to its register; what takes out of one is written with a minus or without.
    var adds = false

    var needsAmount: Bool { step != .refused && step != .cancelled }
    /// Whether a settlement pays it to the merchant.
    var isCredit: Bool { (subject == .capture) != (step == .failed) }

    static let all: [String: AdyenRowType] = [
        "Received": .init(subject: .payment, step: .received, column: "Received (PC)", adds: true),
        "Authorised": .init(subject: .payment, step: .authorised, column: "Authorised (PC)", adds: true),
        "Refused": .init(subject: .payment, step: .refused, column: "Received (PC)"),
        "Error": .init(subject: .payment, step: .refused, column: "Received (PC)"),
        "Cancelled": .init(subject: .payment, step: .cancelled, column: "Authorised (PC)"),
        "Expired": .init(subject: .payment, step: .cancelled, column: "Authorised (PC)"),
        "SentForSettle": .init(subject: .capture, step: .sent, adds: true),
        "Settled": .init(subject: .capture, step: .done), "SettledExternally": .init(subject: .capture, step: .done),
        "CaptureFailed": .init(subject: .capture, step: .failed),
        "SentForRefund": .init(subject: .refund, step: .sent), "Refunded": .init(subject: .refund, step: .done),
        "RefundedExternally": .init(subject: .refund, step: .done),
        "RefundFailed": .init(subject: .refund, step: .failed),
        "RefundedReversed": .init(subject: .refund, step: .failed),
        "Chargeback": .init(subject: .chargeback, step: .done),
        "SecondChargeback": .init(subject: .chargeback, step: .done),
        "ChargebackReversed": .init(subject: .chargeback, step: .failed),
    ]

    /// Types of rows that are about fees and payouts.
    static let others: Set<String> = [
        "Fee", "MiscCosts", "MerchantPayout", "DepositCorrection", "InvoiceDeduction", "MatchedStatement",
        "ManualCorrected", "BankInstructionReturned", "EpaPaid", "Balancetransfer", "PaymentCost", "PaidOut",
        "PaidOutReversed", "ReserveAdjustment",
    ]
}

/// Everything that a report says about one movement. Sums are kept for each step, so that a later row of the movement is
/// compared with the earlier ones.
private struct AdyenPaymentRows {
    struct Key: Hashable {
        let psp: String
        let subject: Statement.Listing.Subject
        /// The provider's name of the capture, refund or chargeback.
        let name: String?

        init(_ psp: String, _ subject: Statement.Listing.Subject, _ name: String?) {
            (self.psp, self.subject, self.name) = (psp, subject, name)
        }
    }

    enum Step { case received, authorised, refused, cancelled, sent, done, failed }

    /// How many types a movement is described with.
    private static let wordsMax = 12

    let key: Key
    private let reference: String
    private var steps: Set<Step> = []
    private var sums: [Step: Money] = [:]
    private var signs: [String: Bool] = [:]
    private var words: [String] = []
    private var at: Int64?
    private var problem: String?
    private var rows: [Int] = []

    init(_ key: Key, _ reference: String) { (self.key, self.reference) = (key, reference) }

    mutating func add(_ type: String, _ step: Step, _ amount: Money?, _ time: Int64, row: Int) {
        rows.append(row)
        steps.insert(step)
        at = min(at ?? time, time)
        if words.last != type, words.count < Self.wordsMax { words.append(type) }
        guard let amount else { return }
        if let sign = signs.updateValue(amount.isNegative, forKey: type), sign != amount.isNegative {
            problem = "the rows of the type \(type) have both signs"
        }
        do throws(PaymentError) {
            let size = amount.isNegative ? try Money.zero(amount.currency).subtracting(amount) : amount
            let sum = try sums[step]?.adding(size) ?? size
            if sum.isBelievable { sums[step] = sum } else { problem = "no payment is over what its rows add up to" }
        } catch { problem = error.detail }
    }

    /// - Parameter broken: Why a row of the payment can't be read.
    func listing(_ broken: String?) -> Statement.Listing {
        var listing = Statement.Listing(
            subject: key.subject, names: [key.subject == .payment ? key.psp : key.name].compactMap(\.self),
            payment: key.psp, reference: reference.isEmpty ? nil : reference, state: .pending,
            words: words.joined(separator: ", "), at: at, problem: broken ?? problem, rows: rows)
        if key.subject == .payment { hold(&listing) } else { move(&listing) }
        return listing
    }

    private func hold(_ listing: inout Statement.Listing) {
        (listing.held, listing.repeated) = (sums[.authorised], sums[.received])
        listing.state =
            steps.contains(.refused)
            ? .refused : steps.contains(.cancelled) ? .undone : steps.contains(.authorised) ? .held : .pending
        for (end, begin) in [(Step.cancelled, Step.authorised), (.refused, .received)] {
            guard let less = sums[end], let whole = sums[begin], less != whole else { continue }
            listing.problem = listing.problem ?? "of \(whole) only \(less) is \(end)"
        }
    }

    private func move(_ listing: inout Statement.Listing) {
        let (sent, done, failed) = (sums[.sent], sums[.done], sums[.failed])
        do throws(PaymentError) {
            func left(_ sum: Money?) throws(PaymentError) -> Money? {
                guard let sum, let failed else { return sum }
                let rest = try sum.subtracting(failed)
                if rest.isNegative {
                    throw PaymentError.notExecuted(.invalidRequest, "more failed than there was (\(failed) of \(sum))")
                }
                return rest
            }
            (listing.moved, listing.repeated) = (try left(done ?? sent), try left(sent ?? done))
        } catch { listing.problem = listing.problem ?? error.detail }
        if key.name == nil, listing.moved != listing.repeated {
            listing.problem =
                listing.problem ?? "the rows don't say which \(key.subject) they are about, and their amounts differ; "
                + "choose the column Modification Psp Reference for the report"
        }
        let isUndone = failed != nil && listing.moved?.isZero ?? true
        listing.state = isUndone ? .undone : .charged
        listing.moved = listing.moved ?? failed
    }
}

/// A table of values between commas, as RFC 4180 has it: with a row of names, and quotes around what contains a comma.
///
/// A file that was cut or changed on its way is refused with the line: every row has as many values as the first one,
/// all lines end alike, and the last one ends, too.
struct CSVTable {
    /// The most columns of a table.
    static let columnsMax = 1_000

    /// Why a text is no table, and what to do.
    struct Unreadable: Error { let words: String }

    /// One row with its place in the file.
    struct Row {
        /// The line on which it begins.
        let line: Int
        fileprivate let table: CSVTable
        fileprivate let first: Int

        /// The value of a column; empty where there is no such column.
        subscript(column: String) -> String {
            table.places[column].map { table.text(table.cells[first + $0]) } ?? ""
        }
    }

    private struct Cell {
        var start = 0
        var end = 0
        var hasQuotes = false
    }

    private(set) var columns: [String] = []
    private let bytes: [UInt8]
    private var cells: [Cell] = []
    private var lines: [Int] = []
    private var places: [String: Int] = [:]

    /// The rows below the names.
    var rows: some Sequence<Row> {
        lines.indices.dropFirst().lazy.map { Row(line: lines[$0], table: self, first: $0 * columns.count) }
    }

    init(_ bytes: [UInt8]) throws(Unreadable) {
        self.bytes = bytes
        try checkEncoding()
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 1
        var hasReturns: Bool?
        while index < bytes.count {
            lines.append(line)
            repeat { try readCell(&index, &line) } while try isMore(&index, line, &hasReturns)
            line += 1
            try checkLength()
        }
        if places.isEmpty { throw Unreadable(words: "it is empty; \(Self.advice)") }
    }

    private static let advice = "download it again"

    private func text(_ cell: Cell) -> String {
        var part = bytes[cell.start..<cell.end]
        while part.first == space { part.removeFirst() }
        while part.last == space { part.removeLast() }
        guard cell.hasQuotes else { return String(decoding: part, as: UTF8.self) }
        // Of two quotes one stays. They are bytes: together with a combining scalar a quote is another character.
        var (kept, isSecond) = ([UInt8](), false)
        for byte in part {
            isSecond = byte == quote && !isSecond
            if !(byte == quote && isSecond) { kept.append(byte) }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Reads a value, up to what ends it.
    private mutating func readCell(_ index: inout Int, _ line: inout Int) throws(Unreadable) {
        let begun = line
        guard count < Self.columnsMax else {
            throw Unreadable(words: "line \(line) has more than \(Self.columnsMax) values; it is no report")
        }
        let isQuoted = bytes[index] == quote
        if isQuoted { index += 1 }
        var cell = Cell(start: index)
        while isQuoted {
            guard index < bytes.count else {
                throw Unreadable(words: "line \(begun): a quote is never closed; the file is cut: \(Self.advice)")
            }
            if bytes[index] == lineFeed { line += 1 }
            if bytes[index] == quote {
                guard index + 1 < bytes.count, bytes[index + 1] == quote else { break }
                cell.hasQuotes = true
                index += 1
            }
            index += 1
        }
        if !isQuoted { while index < bytes.count, !isEnd(bytes[index]), bytes[index] != quote { index += 1 } }
        cell.end = index
        if isQuoted { index += 1 }
        if index < bytes.count, !isEnd(bytes[index]) {
            throw Unreadable(words: "line \(line): there is a quote in the middle of a value; \(Self.advice)")
        }
        cells.append(cell)
    }

    /// How many values of the last row are read.
    private var count: Int { cells.count - (lines.count - 1) * columns.count }

    private func isEnd(_ byte: UInt8) -> Bool { byte == comma || byte == lineFeed || byte == carriageReturn }

    /// Passes what ends a value; whether the row has more of them.
    private func isMore(_ index: inout Int, _ line: Int, _ hasReturns: inout Bool?) throws(Unreadable) -> Bool {
        guard index < bytes.count else {
            throw Unreadable(
                words: "line \(line) has no end; the file is cut: \(Self.advice), or end the line if it is whole")
        }
        if bytes[index] == comma {
            index += 1
            guard index == bytes.count else { return true }
            throw Unreadable(words: "line \(line) has no end; the file is cut: \(Self.advice)")
        }
        let isReturn = bytes[index] == carriageReturn
        if isReturn { index += 1 }
        guard index < bytes.count, bytes[index] == lineFeed else {
            throw Unreadable(
                words: "line \(line) contains a carriage return without a line feed; save the file with lines that end "
                    + "in LF or CR LF, or \(Self.advice)")
        }
        guard hasReturns ?? isReturn == isReturn else {
            throw Unreadable(
                words: "line \(line) ends in another way than the lines before it; the file may be put together of "
                    + "two: \(Self.advice)")
        }
        hasReturns = isReturn
        index += 1
        return false
    }

    /// Takes the first row as the names of the columns, and refuses a row of another length.
    private mutating func checkLength() throws(Unreadable) {
        guard lines.count > 1 else {
            columns = cells.map(text)
            for (index, name) in columns.enumerated() where !name.isEmpty {
                guard places.updateValue(index, forKey: name) == nil else {
                    let words = "line 1: the column \(name) is there twice; \(Self.advice) with each column once"
                    throw Unreadable(words: words)
                }
            }
            return
        }
        guard count != columns.count else { return }
        throw Unreadable(
            words: "line \(lines[lines.count - 1]) has \(count) \(count == 1 ? "value" : "values"), and line 1 names "
                + "\(columns.count) columns; the file is cut or was changed: \(Self.advice)")
    }

    private func checkEncoding() throws(Unreadable) {
        let advice = "save it as CSV in UTF-8, or \(Self.advice)"
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Unreadable(words: "it is in UTF-16; \(advice)")
        }
        if let zero = bytes.firstIndex(of: 0) {
            let line = bytes[..<zero].count { $0 == lineFeed } + 1
            throw Unreadable(words: "line \(line) contains a zero byte; \(advice)")
        }
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        let parts = bytes.split(separator: lineFeed, omittingEmptySubsequences: false)
        let bad = parts.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw Unreadable(words: "line \(bad + 1) is no UTF-8; \(advice)")
    }
}

private let space = UInt8(ascii: " ")
private let quote = UInt8(ascii: "\"")
private let comma = UInt8(ascii: ",")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
