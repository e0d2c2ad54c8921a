import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentTransport
import Testing

/// The driver of Network International with its mapping broken in one place each.
@Suite struct NIMutantTests {
    @Test(arguments: Mutant.ni) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        try mutant.isCaught(NIHarness())
    }

    @Test func thereAreEnough() {
        print("ni: \(Mutant.ni.count) mutants")
        #expect(Mutant.ni.count >= 15 && Set(Mutant.ni.map(\.id)).count == Mutant.ni.count)
    }
}

extension Mutant {
    private static func units(_ change: @escaping @Sendable (Int64) -> Int64) -> @Sendable (JSON) -> JSON? {
        { .number(JSONNumber(change($0.int64 ?? 0))) }
    }

    /// The running amounts of an order, which tell the same as its words, are not seen either.
    private static let unseenTotals = LineChange("paymentInfo") { _ in nil }

    static let ni: [Mutant] = [
        reads(
            "failed-as-purchased", "Reads FAILED as PURCHASED.", "sale.insufficient-funds", "/purchase",
            .word("state", "FAILED", "PURCHASED"), LineChange("authResponse.success") { _ in true }),
        reads(
            "purchased-as-failed", "Reads PURCHASED as FAILED.", "sale.approved", "/purchase",
            .word("state", "PURCHASED", "FAILED"), LineChange("authResponse.success") { _ in false }),
        reads(
            "authorised-as-failed", "Reads AUTHORISED as FAILED.", "authorize.held", "/authorise",
            .word("state", "AUTHORISED", "FAILED"), LineChange("authResponse.success") { _ in false }),
        reads(
            "pending-as-failed", "Reads PENDING as FAILED.", "sale.pending-approved", "/purchase",
            .word("state", "PENDING", "FAILED")),
        reads(
            "requested-as-success", "Reads REQUESTED as SUCCESS.", "refund.pending", "/actions/refund",
            .word("status", "REQUESTED", "SUCCESS")),
        reads(
            "order-failed-as-purchased", "Reads FAILED in an order as PURCHASED.", "lookup.declined",
            "/reporting/orders/", .word("captureStatus", "FAILED", "PURCHASED")),
        reads(
            "order-purchased-as-failed", "Reads PURCHASED in an order as FAILED.", "lookup.reply-lost",
            "/reporting/orders/", .word("captureStatus", "PURCHASED", "FAILED")),
        reads(
            "reversed-not-known", "Does not know REVERSED.", "lookup.void", "/reporting/orders/",
            .word("captureStatus", "REVERSED", "CAPTURED"), unseenTotals),
        reads(
            "code-lost", "Takes every result code for 05.", "sale.insufficient-funds", "/purchase",
            .word("authResponse.resultCode", "51", "05")),
        writes(
            "capture-in-major-units", "Captures major units where minor ones are meant.", "capture.part", "/capture",
            LineChange("amount.value", units { $0 / 100 })),
        writes(
            "refund-a-tenth", "Gives back a tenth.", "refund.part", "/actions/refund",
            LineChange("amount.value", units { $0 / 10 })),
        writes(
            "refund-in-dollars", "Gives back in dollars.", "refund.all", "/actions/refund",
            LineChange("amount.currencyCode") { _ in "USD" }),
        reads(
            "report-in-minor-units", "Reads the report's amounts as minor units.", "lookup.reply-lost",
            "/reporting/payments",
            LineChange("items.*.amount") { $0.string.map { .string($0.replacing(".", with: "")) } }),
        reads(
            "report-of-another-day", "Looks for payments of another day.", "lookup.reply-lost", "/reporting/payments",
            LineChange("items.*.createdDateTime") { _ in "2020-01-01T00:00:00Z" }),
        reads(
            "report-of-another-kind", "Looks for payments of another kind.", "lookup.reply-lost",
            "/reporting/payments", LineChange("items.*.action") { _ in "AUTH" }),
        reads(
            "another-terminal", "Compares the terminal with another.", "lookup.reply-lost", "/reporting/orders/",
            LineChange("tid") { _ in "1" }),
        reads(
            "captures-not-seen", "Does not see the captures of an order.", "lookup.capture", "/reporting/orders/",
            LineChange("capturesNRefunds.*.eventGroupType") { _ in "OTHER" }, unseenTotals),
        reads(
            "refunds-not-seen", "Does not see the refunds of an order.", "lookup.refund", "/reporting/orders/",
            LineChange("capturesNRefunds.*.eventGroupType") { _ in "CAPTURE" }, unseenTotals),
        reads(
            "order-of-another-name", "Keeps another name for the order.", "refund.all", "/purchase",
            LineChange("orderReference") { _ in "payment-00000001" }),
        reads(
            "dinar-has-cents", "Takes three decimals for two.", "amount.exponent-3", "/softpos/",
            LineChange("amount.value", units { $0 / 10 })),
        reads(
            "refund-name-lost", "Forgets what a pending refund is called.", "refund.pending", "/actions/refund",
            LineChange("refundId") { _ in "rfn_0" }),
        connection("refund-twice", "Gives back twice.", "refund.part", "/actions/refund") {
            request, next async throws(TransportFailure) in
            _ = try await next(request)
            return try await next(request)
        },
    ]
}
