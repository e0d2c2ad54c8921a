import PaymentAbstraction
import PaymentBase
import Testing

@testable import PaymentCommand

/// Reports of providers as files.
@Suite struct StatementFileTests {
    static let accounting =
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date,TimeZone,"
        + "Main Currency,Main Amount,Record Type,Payment Currency,Received (PC),Authorised (PC),Captured (PC),"
        + "Settlement Currency,Payable (SC),Modification Psp Reference"
    static let settlement =
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,"
        + "Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,"
        + "Net Debit (NC),Net Credit (NC),Commission (NC),Batch Number"

    /// A row of the accounting report: what is booked, into which register, under which name of its own.
    static func booked(
        _ psp: String, _ reference: String, _ type: String, received: String = "", authorised: String = "",
        captured: String = "", name: String = "", at: String = "2026-11-03 10:00:00", merchant: String = "Shop"
    ) -> String {
        "Co,\(merchant),\(psp),\"\(reference)\",visa,\(at),UTC,EUR,,\(type),EUR,\(received),\(authorised),\(captured),EUR,,\(name)"
    }

    private func read(_ lines: [String], _ adapter: String = "adyen") throws -> Statement {
        try StatementFile(adapter: adapter, merchant: "Shop").read(
            Array(("\u{FEFF}" + lines.joined(separator: "\r\n") + "\r\n").utf8), "report.csv")
    }

    @Test func aLifeOfRowsBecomesOnePayment() throws {
        let statement = try read([
            Self.accounting,
            Self.booked("P1", "order, 1", "Received", received: "12.50"),
            Self.booked("P1", "order, 1", "Authorised", received: "-12.50", authorised: "12.50"),
            Self.booked("P1", "order, 1", "SentForSettle", authorised: "-12.50", captured: "12.50", name: "M1"),
            Self.booked("P1", "order, 1", "Settled", captured: "-12.50", name: "M1"),
            Self.booked("P1", "order, 1", "SentForRefund", captured: "-2.50", name: "R1"),
            Self.booked("P1", "order, 1", "Refunded", captured: "2.50", name: "R1"),
            Self.booked("P2", "o2", "Received", received: "3.00"),
            Self.booked("P2", "o2", "Refused", received: "-3.00"),
            Self.booked("P3", "o3", "Authorised", authorised: "7.00"),
            Self.booked("P3", "o3", "Cancelled", authorised: "-7.00"),
            Self.booked("P4", "o4", "Received", received: "8.00"),
            Self.booked("P5", "o5", "Authorised", authorised: "8.00"),
            Self.booked("P6", "o6", "Chargeback", captured: "-8.00", name: "C1"),
            Self.booked("X", "o", "Authorised", authorised: "8.00", merchant: "Other"),
            "Co,Shop,,,,2026-11-03 10:00:00,UTC,EUR,,Fee,EUR,,,,EUR,1,",
        ])
        let payments = statement.payments
        #expect(payments.map(\.names) == [["P1"], ["P2"], ["P3"], ["P4"], ["P5"]])
        #expect(payments.map(\.state) == [.charged, .refused, .undone, .pending, .held])
        #expect(payments[0].charged?.minorUnits == 1_250 && payments[0].reference == "order, 1")
        #expect(payments[0].at == Timestamp("2026-11-03T10:00:00Z")?.milliseconds)
        #expect(statement.movements.map(\.names) == [["R1"], ["C1"]])
        #expect(statement.movements.map(\.kind) == [.refund, .chargeback])
        #expect(statement.movements[0].amount?.minorUnits == 250 && statement.movements[0].payment == "P1")
        #expect(statement.leftOut.values.sorted() == [1, 1] && statement.unreadable.isEmpty)
    }

    @Test func aSettlementShowsWhatWasPaidOut() throws {
        func row(_ psp: String, _ type: String, _ debit: String, _ credit: String, _ name: String) -> String {
            "Co,Shop,\(psp),o-\(psp),visa,2026-11-03 10:00:00,CET,\(type),\(name),JPY,\(debit),\(credit),1,EUR,,,,4"
        }
        let statement = try read([
            Self.settlement, row("P1", "Settled", "", "500", "M1"), row("P1", "Refunded", "200", "", "R1"),
            row("P2", "Settled", "", "300", "M2"), row("P2", "Settled", "", "30", "M3"),
            row("P3", "Refunded", "90", "", "R2"), row("P3", "RefundedReversed", "", "90", "R2"),
            row("", "MerchantPayout", "830", "", ""),
        ])
        #expect(statement.kind == .settlement)
        #expect(statement.payments.map(\.charged?.minorUnits) == [500, 330])
        #expect(statement.payments[0].at == Timestamp("2026-11-03T09:00:00Z")?.milliseconds)
        #expect(statement.movements.map(\.state) == [.charged, .undone])
    }

    @Test func whatCantBeReadIsSaidWithItsLine() throws {
        let statement = try read([
            Self.accounting,
            Self.booked("P1", "o", "Authorised", authorised: "1.005"),
            Self.booked("P2", "o", "Authorised", authorised: "1.00", at: "yesterday"),
            Self.booked("P3", "o", "TotallyNew", authorised: "1.00"),
            Self.booked("P4", "o", "Authorised", authorised: "1.00").replacing("UTC", with: "CST"),
            Self.booked("P5", "o", "Authorised", authorised: "1.00").replacing("EUR", with: "E?"),
        ])
        #expect(statement.unreadable.map { $0.prefix(6) } == ["line 2", "line 3", "line 4", "line 5", "line 6"])
        #expect(statement.unreadable[2].contains("TotallyNew") && statement.unreadable[3].contains("CST"))
    }

    @Test func whatIsNoReportOfTheProvidersIsRefusedByName() {
        func refusal(_ text: String, _ adapter: String = "adyen") -> String {
            do { return try "\(read([text], adapter))" } catch { return (error as? UsageError)?.message ?? "\(error)" }
        }
        for adapter in ["arise", "ecommpay", "halo", "ni", "memory"] {
            #expect(refusal(Self.accounting, adapter).hasPrefix("\(adapter) publishes no columns"))
        }
        #expect(refusal("Date,Amount").contains("neither the columns"))
        #expect(refusal(Self.accounting.replacing(",TimeZone", with: "")).contains("lacks TimeZone"))
        #expect(refusal("a,\"b").contains("never closed") && refusal("a,b\"c\"").contains("middle of a value"))
        #expect(refusal("A,A").contains("twice") && refusal("").contains("empty"))
        let bytes: [UInt8] = [0x41, 0xFF, 0x0A]
        #expect(throws: UsageError.self) { try StatementFile(adapter: "adyen", merchant: "").read(bytes, "f") }
    }
}
