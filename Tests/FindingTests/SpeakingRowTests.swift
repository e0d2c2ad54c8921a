import Foundation
import PaymentBase
import PaymentModel
import Testing

/// `payctl reconcile` beside rows that speak against the line that it proposes to type.
@Suite struct SpeakingRowTests {
    private static let columns =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC)"
    private static let name = "X123456789012345"

    private let shop: CommandShop

    init() throws { shop = try CommandShop() }

    /// A day that is so many days from now.
    private func day(_ days: Int64) throws -> String {
        let time = try #require(Timestamp(milliseconds: SystemClock().now + days * 86_400_000))
        return String(time.text().prefix(10))
    }

    /// A row of Adyen's accounting report about 10.00 EUR.
    private func row(
        _ psp: String, _ reference: String, _ type: String, on days: Int64, zone: String = "UTC",
        account: String = "TestMerchant"
    ) throws -> String {
        "\(account),\(psp),\(reference),\(try day(days)) 12:00:00,\(zone),\(type),EUR,,,10.00"
    }

    private func psp(_ payment: String) async throws -> String {
        let name = try #require(try await shop.shown(payment)["names"]?["psp"]?.string)
        return name.split(separator: ".").last.map(String.init) ?? name
    }

    /// Leaves a sale in doubt that the provider can't tell of any more, between two that were approved.
    private func leaveInDoubt() async throws {
        let first = await shop.run("sale 10 EUR --provider adyen --attempt sale-0 --reference order-0")
        #expect(first.status == 0, "\(first)")
        _ = await shop.runBare("sandbox clock --advance 1h")
        // What asks the terminal before the payment is let through.
        let words = "sandbox fault request.lost --provider adyen --times 400 --skip 1 --path */sync"
        let fault = await shop.runBare(words)
        #expect(fault.status == 0, "\(fault)")
        let sale = await shop.run("sale 10 EUR --provider adyen --attempt sale-1 --reference order-1 --within 8")
        #expect(sale.status == 3, "\(sale)")
        _ = await shop.runBare("sandbox fault --clear")
        _ = await shop.runBare("sandbox clock --advance 3d")
        let last = await shop.run("sale 10 EUR --provider adyen --attempt sale-2 --reference order-2")
        #expect(last.status == 0, "\(last)")
        let look = await shop.run("recover")
        #expect(look.status == 3, "\(look)")
    }

    private func reconcile(_ rows: [String]) async throws -> CommandShop.Call {
        let path = "\(shop.folder)/report.csv"
        let own = [
            try row(try await psp("sale-0"), "sale-0", "SentForSettle", on: 0),
            try row(try await psp("sale-2"), "sale-2", "SentForSettle", on: 3),
        ]
        try ([Self.columns] + own + rows).joined(separator: "\n").appending("\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return await shop.run("reconcile adyen --from \(try day(-1)) --to \(try day(9)) --file", path)
    }

    /// The sale's own rows are in an earlier report; what this one shows followed a charge, and left it standing.
    @Test(arguments: ["ChargebackReversed", "RefundFailed", "RefundedReversed", "PaidOut"])
    func rowThatFollowedACharge_carriesTheID_isNotProposedAsNotMoved(_ type: String) async throws {
        try await leaveInDoubt()
        let call = try await reconcile([try row(Self.name, "sale-1", type, on: 2)])
        #expect(!call.text.contains("--not-executed"), "\(type): \(call)")
    }

    /// The capture was made and then failed: the request arrived, whatever became of it.
    @Test func captureFailedAlone_carriesTheID_isNotProposedAsNotMoved() async throws {
        try await leaveInDoubt()
        let call = try await reconcile([try row(Self.name, "sale-1", "CaptureFailed", on: 2)])
        #expect(!call.text.contains("--not-executed"), "\(call)")
    }

    /// The row that says that the capture failed is in a zone that isn't known, and so can't be read.
    @Test func movedRow_besideAnUnreadableRowOfItsName_isNotProposedAsMoved() async throws {
        try await leaveInDoubt()
        let call = try await reconcile([
            try row(Self.name, "sale-1", "SentForSettle", on: 1),
            try row(Self.name, "sale-1", "CaptureFailed", on: 2, zone: "XYZ"),
        ])
        #expect(!call.text.contains("--executed"), "\(call)")
    }

    /// Two rows carry the attempt's id, one of them in another merchant account.
    @Test func movedRow_besideARowOfAnotherAccountWithTheID_isNotProposedAsMoved() async throws {
        try await leaveInDoubt()
        let call = try await reconcile([
            try row(Self.name, "sale-1", "SentForSettle", on: 1),
            try row("Y123456789012345", "sale-1", "SentForSettle", on: 2, account: "Other"),
        ])
        #expect(!call.text.contains("--executed"), "\(call)")
    }
}
