import HaloProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// A payment that the customer ends, or that ends since the screen is captured: no document says that this comes before the
/// card's data went out, so that only the payment's steps can show it.
@Suite struct HaloKitAbortTests {
    static let aborts = ["USER_CANCELLED", "SCREEN_CAPTURE_DETECTED", "userCancelled", "screenCaptureDetected"]

    private static func told(_ kit: AbortingKit) throws -> String {
        var till = HaloKitTill()
        till.bend = { inner in
            var kit = kit
            kit.inner = inner
            return kit
        }
        do {
            switch try till.play({ try await HaloTill.sale($0) }) {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }

    private static func isCancel(_ code: String) -> Bool { code.lowercased().hasPrefix("user") }

    private static func notExecuted(_ code: String) -> String {
        isCancel(code) ? "cancelled" : "deviceCompromised notExecuted"
    }

    private static func unknown(_ code: String) -> String {
        isCancel(code) ? "cancelled unknown" : "deviceCompromised unknown"
    }

    @Test(arguments: aborts) func abort_beforeAnyCard_movedNothing(_ code: String) throws {
        let steps: [HaloPhoneSDK.EventType] = [.paymentStarted, .paymentValidated, .readyForTap]
        #expect(try Self.told(AbortingKit(code: code, steps: steps)) == Self.notExecuted(code))
    }

    @Test(arguments: aborts) func abort_ofAKitThatReportsNoStep_isUnknown(_ code: String) throws {
        #expect(try Self.told(AbortingKit(code: code, steps: [])) == Self.unknown(code))
        #expect(try Self.told(AbortingKit(code: code, steps: [.sdkReaderPrepared])) == Self.unknown(code))
    }

    @Test(
        arguments: aborts,
        [
            HaloPhoneSDK.EventType.cardDetected, .transactionSubmissionStarted, .pinCaptureStarted,
            .transactionResponseReceived, HaloPhoneSDK.EventType(rawValue: "cardTapped"),
        ])
    func abort_afterACardOrAStepThatNoDocumentLists_isUnknown(
        _ code: String, _ last: HaloPhoneSDK.EventType
    ) throws {
        let steps: [HaloPhoneSDK.EventType] = [.paymentStarted, .readyForTap, last]
        #expect(try Self.told(AbortingKit(code: code, steps: steps)) == Self.unknown(code))
    }

    /// The page of 1.0.95 names what comes before `paymentStarted`, too.
    @Test(arguments: aborts) func abort_afterStepsOfThePreparation_movedNothing(_ code: String) throws {
        let steps = ["connectionTokenRequested", "termsAccepted", "readerPrepareCompleted", "paymentStarted"]
        let told = try Self.told(
            AbortingKit(code: code, steps: steps.map { HaloPhoneSDK.EventType(rawValue: $0) }))
        #expect(told == Self.notExecuted(code))
    }
}

/// A kit whose payments end with a code after some steps, and submit nothing.
private struct AbortingKit: HaloPhoneSDK.SDK {
    let code: String
    let steps: [HaloPhoneSDK.EventType]
    var inner: any HaloPhoneSDK.SDK = SilentKit()
    private let delegate = Locked<(@Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void)?>(nil)

    init(code: String, steps: [HaloPhoneSDK.EventType]) { (self.code, self.steps) = (code, steps) }

    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        try await inner.initialize(tokenProvider: tokenProvider, environment: environment)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let tell = delegate.withLock { $0 }
        for step in steps { tell?(.didEmitAnalyticsEvent(.init(step, timestamp: 1_767_225_600_000))) }
        return .declined(errorCode: HaloPhoneSDK.HaloErrorCode(rawValue: code), errorMessage: nil)
    }

    func cancelPayment() async { await inner.cancelPayment() }

    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        self.delegate.withLock { $0 = delegate }
        await inner.setEventDelegate(delegate)
    }

    func deinitialize() async { await inner.deinitialize() }
}

/// Stands where no kit was handed over yet.
private struct SilentKit: HaloPhoneSDK.SDK {
    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities { throw .notInitialized }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult { .declined(errorCode: nil, errorMessage: nil) }

    func cancelPayment() async {}
    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {}
    func deinitialize() async {}
}
