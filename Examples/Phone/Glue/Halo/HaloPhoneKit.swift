#if canImport(HaloSDK)
import Combine
import Foundation
import HaloSDK
import PaymentBase
import PaymentMobileSDKs

/// Halo.Swift as the kit that our driver pays with.
@MainActor final class HaloPhoneKit: HaloPhoneSDK.SDK {
    /// Kept, since the SDK may hold it weakly.
    private var listener: HaloListener?

    @MainActor func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        do {
            let able = try await HaloSDK.initialize(
                tokenProvider: { @Sendable in Self.future(tokenProvider) },
                environment: environment == .production ? .production : .sandbox)
            return HaloPhoneSDK.HaloDeviceCapabilities(canAcceptPayments: able.canAcceptPayments)
        } catch { throw HaloPhoneSDK.HaloError(error) }
    }

    @MainActor func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        guard
            let members = try? JSONSerialization.jsonObject(with: Data(passthroughFields.json.utf8)) as? [String: Any],
            let fields = HaloPassthroughFields(members)
        else {
            return .declined(errorCode: .invalidPassthroughFields, errorMessage: "The fields are no JSON object.")
        }
        return HaloPhoneSDK.HaloPaymentResult(
            await HaloSDK.startContactlessPayment(
                amountMinor: Int(amountMinor), currency: currency, merchantReference: merchantReference,
                passthroughFields: fields, type: type == .refund ? .refund : .purchase))
    }

    @MainActor func cancelPayment() async { HaloSDK.cancelPayment() }
    @MainActor func deinitialize() async { HaloSDK.deinitialize() }

    @MainActor func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        let listener = HaloListener(delegate)
        self.listener = listener
        HaloSDK.setEventDelegate(listener)
    }

    /// Combine lets a promise be kept from any thread, which its type doesn't say.
    private nonisolated static func future(_ provider: @escaping HaloPhoneSDK.TokenProvider) -> Future<
        String, any Error
    > {
        Future { promise in
            let promise = unsafe unsafeBitCast(promise, to: (@Sendable (Result<String, any Error>) -> Void).self)
            Task {
                do { promise(.success(try await provider().expose())) } catch { promise(.failure(error)) }
            }
        }
    }
}

/// Hands the SDK's events on, on whatever thread they come.
private nonisolated final class HaloListener: HaloEventDelegate {
    private let tell: @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void
    init(_ tell: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) { self.tell = tell }

    func haloSDK(didUpdatePreparationProgress progress: Double) {
        tell(.didUpdatePreparationProgress(thousandths: Int(exactly: (progress * 1_000).rounded()) ?? 0))
    }
    func haloSDKDidBecomeReady() { tell(.haloSDKDidBecomeReady) }
    func haloSDK(didFailPreparationWithError error: HaloError) {
        tell(.didFailPreparationWithError(HaloPhoneSDK.HaloError(error)))
    }
    func haloSDK(didReceiveError event: HaloErrorEvent) {
        tell(
            .didReceiveError(
                HaloPhoneSDK.HaloErrorEvent(
                    errorCode: HaloPhoneSDK.HaloErrorCode(rawValue: event.errorCode), errorName: event.errorName,
                    errorDescription: event.errorDescription, source: event.source.rawValue)))
    }
    func haloSDK(didEmitAnalyticsEvent event: HaloAnalyticsEvent) {
        tell(
            .didEmitAnalyticsEvent(
                HaloPhoneSDK.HaloAnalyticsEvent(
                    HaloPhoneSDK.EventType(rawValue: event.type.rawValue), timestamp: event.timestamp.milliseconds,
                    metadata: event.metadata)))
    }
}

nonisolated extension HaloPhoneSDK.HaloPaymentResult {
    /// The SDK's result; one of another kind has no code, so that it proves nothing about the money.
    fileprivate init(_ said: HaloPaymentResult) {
        switch said {
        case .declined(let code, let message):
            self = .declined(errorCode: code.map { .init(rawValue: $0) }, errorMessage: message)
        case .approved(let said):
            self = .approved(
                HaloPhoneSDK.HaloReceipt(
                    transactionId: said.transactionId, authCode: said.authCode, cardBrand: said.cardBrand,
                    cardType: said.cardType, last4: said.last4, amountMinor: Int64(said.amountMinor),
                    currency: said.currency, reference: said.reference, approvedAt: said.approvedAt.milliseconds))
        @unknown default:
            self = .declined(errorCode: nil, errorMessage: "The SDK gave a result that is no approval and no decline.")
        }
    }
}

nonisolated extension HaloPhoneSDK.HaloError {
    /// The SDK's error by its case, and its reason by the case that the page shows; of a reason without one the description
    /// is all that there is. An error that the page doesn't list proves nothing.
    fileprivate init(_ error: any Error) {
        guard let error = error as? HaloError else {
            self = .other(name: String(describing: Swift.type(of: error)), description: error.localizedDescription)
            return
        }
        switch error {
        case .notInitialized: self = .notInitialized
        case .deviceNotSupported(.modelNotSupported): self = .deviceNotSupported(.modelNotSupported)
        case .deviceNotSupported(.osVersionNotSupported): self = .deviceNotSupported(.osVersionNotSupported)
        case .deviceNotSupported(let why): self = .deviceNotSupported(.init(rawValue: String(describing: why)))
        case .deviceNotCompliant: self = .deviceNotCompliant
        case .paymentInProgress: self = .paymentInProgress
        case .networkError(let why): self = .networkError(.init(rawValue: String(describing: why)))
        case .authTokenUnauthorized: self = .authTokenUnauthorized
        case .accountLinkingError(let why): self = .accountLinkingError(.init(rawValue: String(describing: why)))
        case .tokenError(let why, let more): self = .tokenError(.init(rawValue: String(describing: why)), detail: more)
        case .readerError(let why, let more):
            self = .readerError(.init(rawValue: String(describing: why)), detail: more)
        case .locationError(.servicesDisabled): self = .locationError(.servicesDisabled)
        case .locationError(.permissionDenied): self = .locationError(.permissionDenied)
        case .locationError(.timeout): self = .locationError(.timeout)
        case .locationError(.unavailable): self = .locationError(.unavailable)
        case .locationError(let why): self = .locationError(.init(rawValue: String(describing: why)))
        case .userCancelled: self = .userCancelled
        case .cardDeclined: self = .cardDeclined
        case .offlineDeclined: self = .offlineDeclined
        case .cardNotSupported: self = .cardNotSupported
        default: self = .other(name: String(describing: error), description: error.localizedDescription)
        }
    }
}

nonisolated extension Date {
    /// Milliseconds since 1970; 0 for a date without a number, which must not end the program behind a payment.
    fileprivate var milliseconds: Int64 { Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? 0 }
}
#else
#error("No module HaloSDK: add the package synthesis.halosdk, or leave this file out.")
#endif
