#if DEBUG
import AllProviders
import PaymentBase
import PaymentModel
import PaymentProviderKit
import PaymentTransport

@testable import PaymentCLI
@testable import PaymentConformance
@testable import PaymentJournalKit

extension Axis {
    /// Files that a person gives: statements, tables to import, recordings, a configuration.
    static var files: [Axis] { statements + reconciliations + imports + cassettes + configurations + printed }

    private static func times(_ part: String, _ count: Int) -> String {
        String(repeating: part, count: max(count, 1))
    }

    // MARK: - Statements

    private static let columns =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC),Modification Reference"

    private static func row(_ psp: Int, _ type: String, _ modification: Int, _ merchant: String = "m") -> String {
        "\n\(merchant),P\(psp),r\(psp),2026-01-01 10:00:00,CET,\(type),EUR,1.00,1.00,1.00,M\(modification)"
    }

    private static func rows(_ count: Int, _ row: (Int) -> String) -> String {
        columns + (0..<max(count / 64, 1)).map(row).joined() + "\n"
    }

    private static var statements: [Axis] {
        let shapes: [(String, @Sendable (Int) -> String)] = [
            ("payments", { rows($0) { row($0, "Received", $0) } }),
            ("onePayment", { rows($0) { _ in row(1, "Authorised", 1) } }),
            ("refunds", { rows($0) { row(1, "Refunded", $0) } }),
            ("otherAccounts", { rows($0) { row($0, "Received", $0, "n") } }),
            ("unknownTypes", { rows($0) { row($0, "Type\($0)", $0) } }),
            ("columns", { columns + (0..<max($0 / 8, 1)).map { ",c\($0)" }.joined() }),
            ("cell", { columns + "\n" + times("x", $0) }), ("blanks", { columns + "\n" + times(" ", $0) + "x," }),
            ("quotes", { columns + "\n\"" + times("\"\"", $0 / 2) + "\"," }),
            ("openQuote", { columns + "\n\"" + times("a\n", $0 / 2) }), ("commas", { times(",", $0) }),
            ("lines", { columns + times("\n", $0) }),
        ]
        return shapes.map { name, make in
            Axis("statement", name, memory: 24, make) {
                _ = try? AdyenReport.statement($0, "f", adapter: "adyen", merchant: "m")
            }
        }
    }

    /// Statements that are compared with a journal that has none of their payments.
    private static var reconciliations: [Axis] {
        let shapes: [(String, @Sendable (Int) -> String)] = [
            ("strangers", { rows($0) { row($0 / 2, $0.isMultiple(of: 2) ? "SentForSettle" : "Refunded", $0) } }),
            ("onePayment", { rows($0) { row(1, $0 == 0 ? "SentForSettle" : "Refunded", $0) } }),
        ]
        let account = ProviderIdentity("adyen", adapter: "adyen", environment: "test", merchant: "m")
        return shapes.map { name, make in
            Axis("reconciliation", name, memory: 96, make) {
                guard let statement = try? AdyenReport.statement($0, "f", adapter: "adyen", merchant: "m"),
                    let day = CalendarDate(iso: "2026-01-01"), let days = try? ReconciledDays(day, day),
                    let books = try? OwnBooks([], account)
                else { return }
                let found = Reconciliation(books, statement, days, transit: 0)
                Kept.number.withLock { $0 = found.items.count }
            }
        }
    }

    private static var imports: [Axis] {
        let shapes: [(String, @Sendable (Int) -> String)] = [
            ("rows", { "attempt,currency,amount\n" + times("a-1,EUR,10.00\n", $0 / 14) }),
            ("columns", { (0..<max($0 / 14, 1)).map { "references.c\($0)" }.joined(separator: ",") + "\n" }),
            ("cell", { "attempt,reference\n" + times("x", $0) + ",1\n" }),
        ]
        let lines: [(String, @Sendable (Int) -> String)] = JSONShape.allCases.map { shape in
            (shape.rawValue, shape.text)
        }
        return shapes.map { name, make in
            Axis("import-table", name, memory: 24, make) { _ = try? ImportedTable.lines($0) }
        }
            + lines.map { name, make in
                Axis("import-line", name, memory: 48, make) {
                    _ = try? ImportedPayment(String(decoding: $0, as: UTF8.self))
                }
            }
    }

    // MARK: - Recordings

    private static let header = #"{"cassette":1,"provider":"memory","environment":"simulated","clock":0,"seed":1}"#

    private static var cassettes: [Axis] {
        let shapes = JSONShape.allCases.map { shape in
            (shape.rawValue, { @Sendable (count: Int) in header + "\n" + shape.text(count) + "\n" })
        }
        let redacted: [(String, @Sendable (Int) -> String)] = [
            ("letters", { times("a", $0) }), ("digits", { times("4", $0) }), ("names", { times("a=b&", $0 / 4) }),
            ("tokens", { times("token=abcdefgh1&", $0 / 16) }),
            ("members", { JSONShape.members.text($0) }), ("items", { JSONShape.items.text($0) }),
            ("sameValue", { JSONShape.sameValue.text($0) }), ("nested", { times("{\"a\":\"", $0 / 6) }),
            ("quotes", { times("\"", $0) }), ("tags", { times("<a>", $0 / 3) }),
        ]
        return shapes.map { name, make in
            Axis("cassette", name, memory: 48, make) { _ = try? Cassette(text: $0) }
        }
            + redacted.map { name, make in
                Axis("cassette-secrets", name, memory: 48, make) {
                    _ = CassetteRedactor(["made-up-secret"]).body($0)
                }
            }
    }

    // MARK: - Configuration

    private static let reader = ConfigurationReader(.builtin)

    private static var configurations: [Axis] {
        @Sendable func provider(_ number: Int) -> String {
            "\"p\(number)\":{\"adapter\":\"memory\",\"environment\":\"simulated\"}"
        }
        @Sendable func file(_ providers: String) -> String {
            "{\"active\":\"p0\",\"journal\":{\"kind\":\"memory\"},\"providers\":{" + providers + "}}"
        }
        @Sendable func list(_ count: Int, _ part: (Int) -> String) -> String {
            (0..<max(count, 1)).map(part).joined(separator: ",")
        }
        let shapes: [(String, @Sendable (Int) -> String)] = [
            ("providers", { file(list($0 / 56) { provider($0) }) }),
            ("unknownMembers", { "{" + list($0 / 14) { "\"member\($0)\":0" } + "}" }),
            (
                "unknownSettings",
                { count in
                    file(
                        "\"p0\":{\"adapter\":\"memory\",\"settings\":{" + list(count / 14) { "\"name\($0)\":\"x\"" }
                            + "}}")
                }
            ), ("unknownName", { file("\"" + times("p", $0) + "\":{\"adapter\":\"memory\"}") }),
            ("unknownAdapter", { file("\"p0\":{\"adapter\":\"" + times("m", $0) + "\"}") }),
            ("depth", { JSONShape.depth.text($0) }), ("deepValues", { JSONShape.deepValues.text($0) }),
            ("lines", { JSONShape.lines.text($0) }), ("spaces", { JSONShape.spaces.text($0) }),
            ("sameMember", { "{" + list($0 / 6) { _ in "\"a\":0" } + "}" }),
        ]
        return shapes.map { name, make in
            Axis("configuration", name, memory: 96, make) { _ = try? reader.read($0, file: "f") }
        }
    }

    private static var printed: [Axis] {
        [("letters", "a"), ("controls", "\u{1B}[31m"), ("marks", "\u{301}"), ("lines", "\n")].map { name, part in
            Axis("printed", name, memory: 48, { times(part, $0 / part.utf8.count) }) {
                _ = PrintedText(String(decoding: $0, as: UTF8.self))
            }
        }
    }
}
#endif
