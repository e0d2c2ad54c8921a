import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
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

/// The driver of the vendor's kit with one thing misunderstood each: what the kit says is bent as the mistake would.
@Suite struct NIKitMutantTests {
    @Test(arguments: NIKitMutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: NIKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(NIHarness.all().first { $0.name == "ni-kit" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.bending { BentNIKit($0, mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        print("ni-kit: \(NIKitMutant.all.count) mutants")
        #expect(NIKitMutant.all.count >= 8 && Set(NIKitMutant.all.map(\.id)).count == NIKitMutant.all.count)
    }
}

/// What is misunderstood.
struct NIKitMutant: Sendable, CustomStringConvertible {
    typealias End = Result<NIPhoneSDK.PaymentResponse, NIPhoneSDK.AppleTapToPaySDKError>

    let id: String
    let check: String
    /// Bends how a payment ended; asked is the amount.
    var end: @Sendable (End, String) -> End = { end, _ in end }
    /// Bends what the kit is asked for.
    var amount: @Sendable (String) -> String = { $0 }
    var currency: @Sendable (String) -> String = { $0 }
    var isDryRun: @Sendable (Bool) -> Bool = { $0 }
    /// How often it is asked for the same payment.
    var callCount = 1
    /// Whether the preparation is left out.
    var isUnprepared = false

    var description: String { "\(id) → \(check)" }

    private static func answers(
        _ bend: @escaping @Sendable (NIPhoneSDK.PaymentResponse, String) -> NIPhoneSDK.PaymentResponse
    ) -> @Sendable (End, String) -> End {
        { end, asked in end.map { bend($0, asked) } }
    }

    private static func errors(
        _ from: NIPhoneSDK.AppleTapToPaySDKError, _ to: NIPhoneSDK.AppleTapToPaySDKError
    ) -> @Sendable (End, String) -> End {
        { end, _ in end.mapError { $0.code == from.code ? to : $0 } }
    }

    private static func said(_ word: String, _ answer: NIPhoneSDK.PaymentResponse) -> NIPhoneSDK.PaymentResponse {
        var bent = NIPhoneSDK.PaymentResponse(
            reference: answer.reference, orderReference: answer.orderReference, state: word)
        (bent.amount, bent.outletId) = (answer.amount, answer.outletId)
        return bent
    }

    static let all = [
        NIKitMutant(
            id: "network-error-as-closed-screen", check: "lookup.reply-lost",
            end: errors(.networkError, .processPaymentReadError)),
        NIKitMutant(
            id: "unreadable-answer-as-refused", check: "unknown.missing-member",
            end: errors(.invalidPaymentProcessResponse, .invalidAmount)),
        NIKitMutant(
            id: "unexpected-as-decline", check: "lookup.fails-after",
            end: errors(.genericError, NIPhoneSDK.AppleTapToPaySDKError(113, "invalidPAN"))),
        NIKitMutant(
            id: "failed-as-purchased", check: "sale.insufficient-funds",
            end: answers { answer, _ in answer.state == "FAILED" ? said("PURCHASED", answer) : answer }),
        NIKitMutant(
            id: "pending-as-purchased", check: "sale.pending-declined",
            end: answers { answer, _ in answer.state == "PENDING" ? said("PURCHASED", answer) : answer }),
        NIKitMutant(
            id: "amount-as-asked", check: "sale.approved",
            end: answers { answer, asked in
                var bent = answer
                bent.amount = NIPhoneSDK.Amount(
                    currencyCode: answer.amount?.currencyCode ?? "", value: Int64(asked) ?? 0)
                return bent
            }, amount: { String((Int64($0) ?? 0) + 100) }),
        NIKitMutant(id: "amount-in-major-units", check: "sale.approved", amount: { String((Int64($0) ?? 0) / 100) }),
        NIKitMutant(id: "another-currency", check: "sale.approved", currency: { _ in "USD" }),
        NIKitMutant(id: "rehearsed-as-paid", check: "sale.approved", isDryRun: { _ in true }),
        NIKitMutant(id: "dry-run-forgotten", check: "sale.dry-run", isDryRun: { _ in false }),
        NIKitMutant(id: "paid-twice", check: "sale.approved", callCount: 2),
        NIKitMutant(id: "never-prepared", check: "reader.prepared-by-sale", isUnprepared: true),
    ]
}

/// A kit whose events and answers a mutant changes.
private struct BentNIKit: NIPhoneSDK.AppleTapToPayManager {
    let inner: any NIPhoneSDK.AppleTapToPayManager
    let mutant: NIKitMutant

    init(_ inner: any NIPhoneSDK.AppleTapToPayManager, _ mutant: NIKitMutant) {
        (self.inner, self.mutant) = (inner, mutant)
    }

    func onError(_ handler: @escaping @Sendable (NIPhoneSDK.AppleTapToPaySDKError) -> Void) async {
        await inner.onError(handler)
    }

    func isSoftPOSSupported() async -> NIPhoneSDK.SoftPOSSupport { await inner.isSoftPOSSupported() }

    func prepare(
        authToken: Secret, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) {
        if mutant.isUnprepared { return }
        try await inner.prepare(authToken: authToken, currencyCode: currencyCode, onProgress: onProgress)
    }

    func isAccountLinked(authToken: Secret, currencyCode: String) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> Bool
    {
        try await inner.isAccountLinked(authToken: authToken, currencyCode: currencyCode)
    }

    func linkAccount(using token: Secret) async throws(NIPhoneSDK.AppleTapToPaySDKError) {
        try await inner.linkAccount(using: token)
    }

    func processPayment(
        authToken: Secret, paymentType: NIPhoneSDK.PaymentType, amount: String, currencyCode: String, dryRun: Bool,
        onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        var end = NIKitMutant.End.failure(.genericError)
        for _ in 0..<mutant.callCount {
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                end = .success(
                    try await inner.processPayment(
                        authToken: authToken, paymentType: paymentType, amount: mutant.amount(amount),
                        currencyCode: mutant.currency(currencyCode), dryRun: mutant.isDryRun(dryRun),
                        onProgress: onProgress))
            } catch { end = .failure(error) }
        }
        return try mutant.end(end, amount).get()
    }

    func getTransactions(
        limit: Int, offset: Int, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionsResponse {
        try await inner.getTransactions(limit: limit, offset: offset, authToken: authToken)
    }

    func getTransactionDetails(
        reference: String, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionDetailsResponse {
        try await inner.getTransactionDetails(reference: reference, authToken: authToken)
    }

    func refundTransaction(
        authToken: Secret, transactionId: String, amount: String, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.RefundTransactionResponse {
        try await inner.refundTransaction(
            authToken: authToken, transactionId: transactionId, amount: amount, currencyCode: currencyCode)
    }

    func voidTransaction(
        authToken: Secret, transactionId: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.VoidTransactionResponse {
        try await inner.voidTransaction(authToken: authToken, transactionId: transactionId)
    }
}
