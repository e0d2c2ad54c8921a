import PaymentAbstraction
import PaymentBase
import Testing

@testable import PaymentCLI

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
        try AdyenReport.statement(
            Array(("\u{FEFF}" + lines.joined(separator: "\r\n") + "\r\n").utf8), "report.csv", adapter: adapter,
            merchant: "Shop")
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
        #expect(payments.map(\.state) == [.held, .refused, .undone, .pending, .held])
        #expect(payments[0].held?.minorUnits == 1_250 && payments[0].reference == "order, 1")
        #expect(payments[0].at == Timestamp("2026-11-03T10:00:00Z")?.milliseconds)
        let movements = statement.listings.filter { $0.subject != .payment }
        #expect(movements.map(\.names) == [["M1"], ["R1"], ["C1"]])
        #expect(movements.map(\.subject) == [.capture, .refund, .chargeback])
        #expect(movements.map(\.moved?.minorUnits) == [1_250, 250, 800] && movements[1].payment == "P1")
        let amounts = statement.rows.map { $0.amount?.minorUnits }
        #expect(amounts.prefix(7) == [1_250, 1_250, 1_250, -1_250, -250, 250, 300])
        #expect(statement.outside.count == 2 && statement.unreadable.isEmpty && statement.rows.count == 15)
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
        let listings = statement.listings
        #expect(listings.map(\.names) == [["M1"], ["R1"], ["M2"], ["M3"], ["R2"]])
        #expect(listings.map(\.moved?.minorUnits) == [500, 200, 300, 30, 0])
        #expect(listings[0].at == Timestamp("2026-11-03T09:00:00Z")?.milliseconds)
        #expect(listings.map(\.state) == [.charged, .charged, .charged, .charged, .undone])
        #expect(statement.rows.map { $0.amount?.minorUnits } == [500, -200, 300, 30, -90, 90, -830])
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
        #expect(throws: UsageError.self) {
            try AdyenReport.statement(bytes, "f", adapter: "adyen", merchant: "")
        }
    }
}
