import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
import Testing

/// The driver of Halo's kit with one thing misunderstood each: what the kit says is bent as the mistake would.
@Suite struct HaloKitMutantTests {
    @Test(arguments: HaloKitMutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: HaloKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(HaloHarness.all().first { $0.name == "halo-kit" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.bending { BentHaloKit($0, mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        print("halo-kit: \(HaloKitMutant.all.count) mutants")
        #expect(HaloKitMutant.all.count >= 4 && Set(HaloKitMutant.all.map(\.id)).count == HaloKitMutant.all.count)
    }
}

/// What is misunderstood.
struct HaloKitMutant: Sendable, CustomStringConvertible {
    let id: String
    let check: String
    /// Bends how a payment ended; asked is the amount.
    var result: @Sendable (HaloPhoneSDK.HaloPaymentResult, Int64) -> HaloPhoneSDK.HaloPaymentResult = { result, _ in
        result
    }
    /// Bends what the kit is asked; nil keeps it.
    var amount: @Sendable (Int64) -> Int64 = { $0 }
    var reference: @Sendable (String) -> String = { $0 }
    var type: @Sendable (HaloPhoneSDK.HaloTransactionType) -> HaloPhoneSDK.HaloTransactionType = { $0 }
    /// Which events come through.
    var hears: @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Bool = { _ in true }

    var description: String { "\(id) → \(check)" }

    private static func declined(_ code: HaloPhoneSDK.HaloErrorCode) -> HaloPhoneSDK.HaloPaymentResult {
        .declined(errorCode: code, errorMessage: nil)
    }

    private static func isSubmission(_ event: HaloPhoneSDK.HaloEventDelegate) -> Bool {
        if case .didEmitAnalyticsEvent(let step) = event { return step.type == .transactionSubmissionStarted }
        return false
    }

    private static func isCard(_ event: HaloPhoneSDK.HaloEventDelegate) -> Bool {
        if case .didEmitAnalyticsEvent(let step) = event { return step.type == .cardDetected }
        return false
    }

    static let all = [
        HaloKitMutant(
            id: "network-error-as-cancelled", check: "lookup.reply-lost",
            result: { result, _ in
                if case .declined(.networkError, _) = result { return declined(.userCancelled) }
                return result
            }, hears: { !isSubmission($0) }),
        HaloKitMutant(
            id: "unlisted-code-as-decline", check: "unknown.word",
            result: { result, _ in
                if case .declined(nil, _) = result { return declined(.requestTooOld) }
                return result
            }),
        HaloKitMutant(
            id: "decline-as-cancelled", check: "sale.insufficient-funds",
            result: { result, _ in
                if case .declined(.cardDeclined, _) = result { return declined(.userCancelled) }
                return result
            }, hears: { !isSubmission($0) }),
        HaloKitMutant(
            id: "echo-ignored", check: "sale.approved",
            result: { result, asked in
                guard case .approved(let receipt) = result else { return result }
                return .approved(
                    HaloPhoneSDK.HaloReceipt(
                        transactionId: receipt.transactionId, amountMinor: asked, currency: receipt.currency,
                        reference: receipt.reference, approvedAt: receipt.approvedAt))
            }, amount: { $0 + 100 }),
        HaloKitMutant(id: "amount-in-major-units", check: "sale.approved", amount: { $0 / 100 }),
        HaloKitMutant(id: "reference-renamed", check: "attempt.wire-names", reference: { "x" + $0 }),
        HaloKitMutant(id: "refund-as-purchase", check: "refund.unlinked-reader", type: { _ in .purchase }),
        HaloKitMutant(id: "cancel-after-the-card", check: "reader.cancel-too-late", hears: { !isCard($0) }),
    ]
}

/// A kit that is heard and asked as a mutant would.
private struct BentHaloKit: HaloPhoneSDK.SDK {
    let inner: any HaloPhoneSDK.SDK
    let mutant: HaloKitMutant

    init(_ inner: any HaloPhoneSDK.SDK, _ mutant: HaloKitMutant) { (self.inner, self.mutant) = (inner, mutant) }

    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        try await inner.initialize(tokenProvider: tokenProvider, environment: environment)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let result = await inner.startContactlessPayment(
            amountMinor: mutant.amount(amountMinor), currency: currency,
            merchantReference: mutant.reference(merchantReference), passthroughFields: passthroughFields,
            type: mutant.type(type))
        return mutant.result(result, amountMinor)
    }

    func cancelPayment() async { await inner.cancelPayment() }

    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        await inner.setEventDelegate { [mutant] event in if mutant.hears(event) { delegate(event) } }
    }

    func deinitialize() async { await inner.deinitialize() }
}
