internal import PaymentBase
internal import PaymentModel
internal import PaymentProviderKit

/// Payments from elsewhere as values between commas, which become the lines of JSON that the journal takes.
///
/// The first row names the columns: `attempt`, `provider`, `adapter`, `environment`, `merchant`, `reference`, `amount`,
/// `currency`, `takenAt`, and `references.NAME` for each of the provider's names; `source`, `refunded`, `last4`, `part`,
/// `scope` and `holdsUntil` may be there as well, and of one chargeback `chargeback.name`, `chargeback.amount` and
/// `chargeback.at`. Amounts have decimals, and moments are texts such as
/// `2026-11-21T19:58:55Z`. A cell that is empty says nothing.
enum ImportedTable {
    private static let texts = [
        "attempt", "provider", "adapter", "environment", "merchant", "reference", "currency", "takenAt", "source",
        "last4",
        "part", "scope", "holdsUntil",
    ]
    private static let amounts = ["amount": "minorUnits", "refunded": "refunded"]
    private static let chargeback = ["chargeback.name", "chargeback.amount", "chargeback.at"]
    private static let names = "references."

    /// Whether bytes are such a table and no lines of JSON.
    static func isMeant(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first.map { $0 != UInt8(ascii: "{") } ?? false
    }

    /// The lines of JSON.
    static func lines(_ bytes: [UInt8]) throws(UsageError) -> [String] {
        let table: CSVTable
        do { table = try CSVTable(bytes) } catch {
            throw UsageError(message: "the table can't be read: \(error.words)")
        }
        for column in table.columns where !isKnown(column) {
            let all = (texts + amounts.keys.sorted() + [names + "NAME"] + chargeback).joined(separator: ", ")
            let near = SpellingSuggestion.of(column, in: texts + amounts.keys + chargeback)
            throw UsageError(
                message: "line 1: there is no column \(column)"
                    + (near.map { "; did you mean \($0)?" } ?? "; there are \(all)"))
        }
        var lines: [String] = []
        for row in table.rows {
            var (line, references, back) = (JSONObject(), JSONObject(), JSONObject())
            for column in table.columns {
                let text = row[column]
                if text.isEmpty { continue }
                if column.hasPrefix(names) {
                    references[String(column.dropFirst(names.count))] = .string(text)
                } else if chargeback.contains(column) {
                    let isAmount = column == "chargeback.amount"
                    back[isAmount ? "minorUnits" : String(column.dropFirst("chargeback.".count))] =
                        isAmount ? .number(JSONNumber(try units(text, row, column))) : .string(text)
                } else if let member = amounts[column] {
                    line[member] = .number(JSONNumber(try units(text, row, column)))
                } else {
                    line[column] = .string(text)
                }
            }
            line["references"] = .object(references)
            if !back.members.isEmpty { line["chargebacks"] = [.object(back)] }
            lines.append(JSON.object(line).line)
        }
        return lines
    }

    private static func isKnown(_ column: String) -> Bool {
        texts.contains(column) || amounts[column] != nil || chargeback.contains(column)
            || column.hasPrefix(names) && column.count > names.count
    }

    private static func units(_ text: String, _ row: CSVTable.Row, _ column: String) throws(UsageError) -> Int64 {
        do throws(PaymentError) {
            let currency = try Currency(row["currency"])
            return try Money(text, currency).minorUnits
        } catch { throw UsageError(message: "line \(row.line): \(column): \(error.detail)") }
    }
}
