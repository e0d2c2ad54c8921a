internal import PaymentAbstraction
internal import PaymentBase

/// A report of a provider's as a file; only those whose columns are published, each named in `docs/reconciliation.md`.
struct StatementFile {
    /// Whose report it is, and of which of the merchant's accounts.
    let adapter: String
    let merchant: String

    /// Reads a report.
    ///
    /// - Throws: `UsageError` when no report of this provider has such columns, or when the file is none.
    func read(_ bytes: [UInt8], _ name: String) throws(UsageError) -> Statement {
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
        for report in [AdyenReport.accounting, .settlement] {
            let missing = report.columns.filter { !table.columns.contains($0) }
            if missing.isEmpty { return report.read(table, name, merchant: merchant) }
            if table.columns.contains(report.typeColumn), missing.count < report.columns.count / 2 {
                throw UsageError(
                    message: "\(name) looks like Adyen's \(report.title), and lacks \(missing.joined(separator: ", "))")
            }
        }
        throw UsageError(
            message: "\(name) has neither the columns of Adyen's \(AdyenReport.accounting.title) nor those of its "
                + "\(AdyenReport.settlement.title)")
    }
}

/// What both of Adyen's reports share: which columns must be there, and how moments and amounts are read.
struct AdyenReport {
    let title: String
    let kind: Statement.Kind
    let typeColumn: String
    let timeColumn: String
    let columns: [String]

    static let accounting = AdyenReport(
        title: "payment accounting report", kind: .accounting, typeColumn: "Record Type", timeColumn: "Booking Date",
        columns: [
            "Merchant Account", "Psp Reference", "Merchant Reference", "Booking Date", "TimeZone", "Record Type",
            "Payment Currency", "Received (PC)", "Authorised (PC)", "Captured (PC)",
        ])
    static let settlement = AdyenReport(
        title: "settlement details report", kind: .settlement, typeColumn: "Type", timeColumn: "Creation Date",
        columns: [
            "Merchant Account", "Psp Reference", "Merchant Reference", "Creation Date", "TimeZone", "Type",
            "Modification Reference", "Gross Currency", "Gross Debit (GC)", "Gross Credit (GC)",
        ])

    func read(_ table: CSVTable, _ name: String, merchant: String) -> Statement {
        var statement = Statement(kind, "Adyen's \(title) \(name)")
        var lives: [String: AdyenLife] = [:]
        var order: [String] = []
        for row in table.rows {
            let type = row[typeColumn]
            if let why = reasonToLeaveOut(row, type, merchant) {
                statement.leaveOut(why)
                let names = Set([row["Psp Reference"], row["Merchant Reference"]]).subtracting([""])
                if !names.isEmpty { statement.foreign.append(.init(names: names, why: why, place: "line \(row.line)")) }
            } else {
                let psp = row["Psp Reference"]
                if lives[psp] == nil { order.append(psp) }
                var life = lives[psp] ?? AdyenLife(psp, row["Merchant Reference"], line: row.line)
                if let problem = life.add(type, row, time: moment(row), kind) {
                    statement.unreadable.append("line \(row.line): \(problem)")
                }
                lives[psp] = life
            }
        }
        for life in order.compactMap({ lives[$0] }) {
            if let payment = life.payment {
                statement.payments.append(payment)
            } else {
                statement.foreign.append(life.foreign)
            }
            statement.movements += life.movements
        }
        return statement
    }

    /// Why a row is none of the account's payments; nil where it is one.
    private func reasonToLeaveOut(_ row: CSVTable.Row, _ type: String, _ merchant: String) -> String? {
        if row["Merchant Account"] != merchant { return "rows of another merchant account" }
        guard AdyenLife.others.contains(type) || row["Psp Reference"].isEmpty else { return nil }
        return "rows of no payment (\(type.isEmpty ? "without a type" : type))"
    }

    /// A moment as Adyen writes it, `2026-11-21 19:58:55`, in the zone that the next column names.
    ///
    /// It places a row in a period and proves nothing: the documents' own sample calls a moment in June CET.
    private func moment(_ row: CSVTable.Row) -> Int64? {
        guard let minutes = Self.zones[row["TimeZone"]] else { return nil }
        return Timestamp(row[timeColumn].replacing(" ", with: "T"), offsetMinutes: minutes)?.milliseconds
    }

    /// Zones by their short names, in minutes ahead of universal time; those that two places share are left out.
    private static let zones: [String: Int] = [
        "UTC": 0, "GMT": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180,
        "MSK": 180, "SGT": 480, "HKT": 480, "AWST": 480, "JST": 540, "AEST": 600, "AEDT": 660, "NZST": 720,
        "NZDT": 780, "EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
        "BRT": -180,
    ]
}
