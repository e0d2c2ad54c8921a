import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
import Testing

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

/// A kit that is heard and asked as a mutant would.
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
