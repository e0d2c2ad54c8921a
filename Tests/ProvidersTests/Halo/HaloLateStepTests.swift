import HaloProvider
import PaymentBase
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// No document names the thread of the kit's steps, so that a step can come after the end of the call that it is about.
@Suite struct HaloLateStepTests {
    /// What is reported of a payment whose call ends with a code, and whose submission is reported after that.
    private static func told(_ code: HaloPhoneSDK.HaloErrorCode) throws -> String {
        var till = HaloKitTill()
        let scheduler = till.scheduler
        till.bend = { inner in LateKit(inner, scheduler, code) }
        do {
            switch try till.play({ try await HaloTill.sale($0) }) {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }

    @Test func abort_whoseSubmissionIsReportedAfterItsEnd_isUnknown() throws {
        #expect(try Self.told(.userCancelled) == "cancelled unknown")
    }

    /// Refused for its token, which a gateway also says of what it has carried out: a submission makes that unknown.
    @Test(arguments: ["AUTH_TOKEN_UNAUTHORIZED", "authTokenUnauthorized"])
    func refusal_whoseSubmissionIsReportedAfterItsEnd_isUnknown(_ code: String) throws {
        let told = try Self.told(.init(rawValue: code))
        #expect(told.hasSuffix(" unknown"), "\(told)")
    }
}

/// A kit that ends its call with a code, and reports its last steps a little later from another thread.
private struct LateKit: HaloPhoneSDK.SDK {
    let inner: any HaloPhoneSDK.SDK
    let scheduler: TestScheduler
    let code: HaloPhoneSDK.HaloErrorCode
    private let delegate = Locked<(@Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void)?>(nil)

    init(_ inner: any HaloPhoneSDK.SDK, _ scheduler: TestScheduler, _ code: HaloPhoneSDK.HaloErrorCode) {
        (self.inner, self.scheduler, self.code) = (inner, scheduler, code)
    }

    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        try await inner.initialize(tokenProvider: tokenProvider, environment: environment)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let step: @Sendable (HaloPhoneSDK.EventType) -> Void = { [delegate, scheduler] type in
            delegate.withLock { $0 }?(.didEmitAnalyticsEvent(.init(type, timestamp: scheduler.now)))
        }
        for type in [HaloPhoneSDK.EventType.paymentStarted, .paymentValidated, .readyForTap] { step(type) }
        Task(executorPreference: scheduler) { [scheduler] in
            try await scheduler.sleep(until: scheduler.now + 100)
            for type in [HaloPhoneSDK.EventType.cardDetected, .transactionSubmissionStarted] { step(type) }
        }
        return .declined(errorCode: code, errorMessage: nil)
    }

    func cancelPayment() async { await inner.cancelPayment() }

    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        self.delegate.withLock { $0 = delegate }
        await inner.setEventDelegate(delegate)
    }

    func deinitialize() async { await inner.deinitialize() }
}
