import Foundation
import PaymentBase
import PaymentModel
import Testing

/// `payctl reconcile` compares the books with what the provider says.
@Suite struct StatementTests {
    private static let columns =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC)"

    private let shop: CommandShop

    init() throws { shop = try CommandShop() }

    /// A day that is so many days from now.
    private func day(_ days: Int64) throws -> String {
        let time = try #require(Timestamp(milliseconds: SystemClock().now + days * 86_400_000))
        return String(time.text().prefix(10))
    }

    /// A row of Adyen's accounting report about a payment in the books, booked so many days from now.
    private func row(_ payment: String, _ type: String, captured: String, on days: Int64) async throws -> String {
        let name = try #require(try await shop.shown(payment)["names"]?["psp"]?.string)
        let psp = name.split(separator: ".").last.map(String.init) ?? name
        return "TestMerchant,\(psp),order-1,\(try day(days)) 12:00:00,UTC,\(type),EUR,,,\(captured)"
    }

    /// Compares the books with a report of the days from one to another.
    private func reconcile(_ rows: [String], from: Int64, to: Int64) async throws -> CommandShop.Call {
        let path = "\(shop.folder)/report.csv"
        try ([Self.columns] + rows).joined(separator: "\n").appending("\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return await shop.run("reconcile adyen --from \(try day(from)) --to \(try day(to)) --file", path)
    }

    /// The sale's own rows are in the report of the days before; this report has the failed capture alone.
    @Test func captureFailedAlone_inTheReport_isADifference() async throws {
        let sale = await shop.run("sale 10 EUR --provider adyen --attempt sale-1 --reference order-1")
        #expect(sale.status == 0, "\(sale)")
        let failed = try await row("sale-1", "CaptureFailed", captured: "10.00", on: 3)
        let call = try await reconcile([failed], from: 2, to: 4)
        #expect(call.status != 0 && !call.text.contains("nothing differs"), "\(call)")
    }

    /// The till captured 70.00 of 100.00, and the rest was captured at the dashboard.
    @Test func twoCaptures_oneSentAndOneSettled_areAddedUp() async throws {
        let held = await shop.run("authorize 100 EUR --provider adyen --attempt sale-1 --reference order-1")
        #expect(held.status == 0, "\(held)")
        _ = await shop.run("capture sale-1 70")
        _ = await shop.runBare("sandbox clock --advance 1h")
        _ = await shop.run("recover")
        let show = await shop.run("show sale-1")
        #expect(show.text.contains("captured 70.00 EUR"), "\(show)")
        let rows = [
            try await row("sale-1", "SentForSettle", captured: "30.00", on: 1),
            try await row("sale-1", "Settled", captured: "70.00", on: 1),
        ]
        let call = try await reconcile(rows, from: -1, to: 2)
        #expect(call.status != 0 && !call.text.contains("nothing differs"), "\(call)")
    }

    /// The books have a refund that ARISE never saw, and ARISE's list has no other refund.
    @Test func refundThatTheListLacks_withoutOtherRefunds_isADifference() async throws {
        let sale = await shop.run(
            "sale 100 USD --provider arise --source card --card visa --attempt sale-1 --reference order-1")
        #expect(sale.status == 0, "\(sale)")
        _ = await shop.runBare("sandbox clock --advance 2d")
        await shop.plant("request.lost", at: "arise", path: "*/return")
        _ = await shop.run("refund sale-1 50 --attempt refund-1 --within 10")
        let resolved = await shop.run(
            "resolve refund-1 --executed a1000000-0000-4000-8000-0000000000ff --because", "The provider said so.")
        #expect(resolved.status == 0, "\(resolved)")
        let call = await shop.run("reconcile arise --from \(try day(-1)) --to \(try day(9))")
        #expect(call.status != 0 && !call.text.contains("nothing differs"), "\(call)")
    }

    /// ARISE approved 50.10 of 100.20, the reply was lost, and a person says that it moved and under which name.
    @Test func resolveMoved_ofPartlyApprovedSale_booksWhatTheProviderTook() async throws {
        await shop.plant("reply.lost", at: "arise", path: "*/sale", times: 1)
        await shop.plant("status.503-before", at: "arise", path: "*/transactions")
        let sale = await shop.run(
            "sale 100.20 USD --provider arise --source card --card visa --accept-partial --attempt sale-1 --within 10 --reference order-1"
        )
        #expect(sale.status == 3, "\(sale)")
        // A person who does not say how much says that it was as much as was asked for.
        let resolved = await shop.run(
            "resolve sale-1 --executed a1000000-0000-4000-8000-000000000001 --amount 50.10 --because",
            "The provider's list shows it.")
        #expect(resolved.status == 0, "\(resolved)")
        let show = await shop.run("show sale-1")
        #expect(show.text.contains("captured 50.10 USD"), "\(show)")
    }

    /// The import says when the sale was taken, and up to when it counts the refunds.
    @Test func importedSaleThatWasRefunded_isOfTheDayItWasTaken() async throws {
        let line =
            #"{"attempt":"old-1","provider":"adyen","adapter":"adyen","environment":"simulated","#
            + #""merchant":"TestMerchant","reference":"old","minorUnits":1250,"currency":"EUR","#
            + #""takenAt":"2025-01-21T19:58:55Z","references":{"psp":"OLD1"},"refunded":200,"#
            + #""holdsUntil":"2025-03-10T09:00:00Z"}"#
        let path = "\(shop.folder)/old.jsonl"
        try (line + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let adopted = await shop.run("journal import", path)
        #expect(adopted.status == 0, "\(adopted)")
        let day = await shop.run("day --date 2025-01-21")
        #expect(day.text.contains("12.50 EUR"), "\(day)")
    }

    /// A table of one payment where there are two.
    @Test func listAsTable_thatIsCut_saysSo() async throws {
        for number in 1...2 {
            let sale = await shop.run("sale 1 EUR --source card --card visa --reference order-\(number)")
            #expect(sale.status == 0, "\(sale)")
        }
        let table = await shop.run("list --limit 1 --format csv")
        #expect(table.out.count == 2 && table.errors.contains { $0.contains("--after") }, "\(table)")
    }
}
