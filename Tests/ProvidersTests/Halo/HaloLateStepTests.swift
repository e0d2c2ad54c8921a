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
    @Test func abort_whoseSubmissionIsReportedAfterItsEnd_isUnknown() throws {
        var till = HaloKitTill()
        let scheduler = till.scheduler
        till.bend = { inner in LateKit(inner, scheduler) }
        let told: String
        do {
            switch try till.play({ try await HaloTill.sale($0) }) {
            case .approved: told = "approved"
            case .declined: told = "declined"
            case .cancelled: told = "cancelled"
            case .pending: told = "pending"
            }
        } catch let error as PaymentError { told = "\(error.code.rawValue) \(error.outcome.rawValue)" }
        #expect(told == "cancelled unknown")
    }
}

/// A kit that says that the customer cancelled, and reports its last steps a little later from another thread.
private struct LateKit: HaloPhoneSDK.SDK {
    let inner: any HaloPhoneSDK.SDK
    let scheduler: TestScheduler
    private let delegate = Locked<(@Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void)?>(nil)

    init(_ inner: any HaloPhoneSDK.SDK, _ scheduler: TestScheduler) {
        (self.inner, self.scheduler) = (inner, scheduler)
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
        return .declined(errorCode: .userCancelled, errorMessage: nil)
    }

    func cancelPayment() async { await inner.cancelPayment() }

    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        self.delegate.withLock { $0 = delegate }
        await inner.setEventDelegate(delegate)
    }

    func deinitialize() async { await inner.deinitialize() }
}
