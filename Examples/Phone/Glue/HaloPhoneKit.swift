#if canImport(HaloSDK)
import Combine
import Foundation
import HaloSDK
import PaymentBase
import PaymentKits

/// Halo.Swift as the kit that our driver pays with.
@MainActor final class HaloPhoneKit: HaloKit.SDK {
    /// Kept, since the SDK may hold it weakly.
    private var ear: HaloEar?

    @MainActor func initialize(
        tokenProvider: @escaping HaloKit.TokenProvider, environment: HaloKit.Environment
    ) async throws(HaloKit.HaloError) -> HaloKit.HaloDeviceCapabilities {
        do {
            let able = try await HaloSDK.initialize(
                tokenProvider: { Self.future(tokenProvider) },
                environment: environment == .production ? .production : .sandbox)
            return HaloKit.HaloDeviceCapabilities(canAcceptPayments: able.canAcceptPayments)
        } catch { throw HaloKit.HaloError(error) }
    }

    @MainActor func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String, type: HaloKit.HaloTransactionType
    ) async -> HaloKit.HaloPaymentResult {
        let result = await HaloSDK.startContactlessPayment(
            amountMinor: Int(amountMinor), currency: currency, merchantReference: merchantReference,
            type: type == .refund ? .refund : .purchase)
        switch result {
        case .declined(let code, let message):
            return .declined(errorCode: code.map { HaloKit.HaloErrorCode(rawValue: $0) }, errorMessage: message)
        case .approved(let said):
            return .approved(
                HaloKit.HaloReceipt(
                    transactionId: said.transactionId, authCode: said.authCode, cardBrand: said.cardBrand,
                    last4: said.last4, amountMinor: Int64(said.amountMinor), currency: said.currency,
                    reference: said.reference, approvedAt: said.approvedAt.milliseconds))
        }
    }

    @MainActor func cancelPayment() async { HaloSDK.cancelPayment() }
    @MainActor func deinitialize() async { HaloSDK.deinitialize() }

    @MainActor func setEventDelegate(_ delegate: @escaping @Sendable (HaloKit.HaloEventDelegate) -> Void) async {
        let ear = HaloEar(delegate)
        self.ear = ear
        HaloSDK.setEventDelegate(ear)
    }

    /// Combine lets a promise be kept from any thread, which its type doesn't say.
    private nonisolated static func future(_ provider: @escaping HaloKit.TokenProvider) -> Future<String, any Error> {
        Future { promise in
            let promise = unsafe unsafeBitCast(promise, to: (@Sendable (Result<String, any Error>) -> Void).self)
            Task {
                do { promise(.success(try await provider().expose())) } catch { promise(.failure(error)) }
            }
        }
    }
}

/// Hands the SDK's events on, on whatever thread they come.
private final class HaloEar: HaloEventDelegate {
    private let hear: @Sendable (HaloKit.HaloEventDelegate) -> Void
    init(_ hear: @escaping @Sendable (HaloKit.HaloEventDelegate) -> Void) { self.hear = hear }

    func haloSDK(didUpdatePreparationProgress progress: Double) {
        hear(.didUpdatePreparationProgress(thousandths: Int((progress * 1_000).rounded())))
    }
    func haloSDKDidBecomeReady() { hear(.haloSDKDidBecomeReady) }
    func haloSDK(didFailPreparationWithError error: HaloError) {
        hear(.didFailPreparationWithError(HaloKit.HaloError(error)))
    }
    func haloSDK(didReceiveError event: HaloErrorEvent) {
        hear(
            .didReceiveError(
                HaloKit.HaloErrorEvent(
                    errorCode: HaloKit.HaloErrorCode(rawValue: event.errorCode), errorName: event.errorName,
                    errorDescription: event.errorDescription, source: event.source.rawValue)))
    }
    func haloSDK(didEmitAnalyticsEvent event: HaloAnalyticsEvent) {
        hear(
            .didEmitAnalyticsEvent(
                HaloKit.HaloAnalyticsEvent(
                    HaloKit.EventType(rawValue: event.type.rawValue), timestamp: event.timestamp.milliseconds,
                    metadata: event.metadata)))
    }
}

extension HaloKit.HaloError {
    /// The SDK's error under its own name; one that the document doesn't list proves nothing.
    fileprivate init(_ error: any Error) {
        guard let error = error as? HaloError else {
            self = .other(name: String(describing: Swift.type(of: error)), description: "")
            return
        }
        switch error {
        case .notInitialized: self = .notInitialized
        case .deviceNotSupported(let why): self = .deviceNotSupported(.init(rawValue: why.rawValue))
        case .deviceNotCompliant: self = .deviceNotCompliant
        case .paymentInProgress: self = .paymentInProgress
        case .networkError(let why): self = .networkError(.init(rawValue: why.rawValue))
        case .authTokenUnauthorized: self = .authTokenUnauthorized
        case .accountLinkingError(let why): self = .accountLinkingError(.init(rawValue: why.rawValue))
        case .tokenError(let why, let more): self = .tokenError(.init(rawValue: why.rawValue), detail: more)
        case .readerError(let why, let more): self = .readerError(.init(rawValue: why.rawValue), detail: more)
        case .userCancelled: self = .userCancelled
        case .cardDeclined: self = .cardDeclined
        default: self = .other(name: String(describing: error), description: error.errorDescription ?? "")
        }
    }
}

extension Date {
    fileprivate var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }
}
#endif
