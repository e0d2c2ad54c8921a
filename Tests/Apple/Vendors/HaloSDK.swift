// The names of Halo.Swift 4.0 as its document has them, as far as Examples/Phone uses them, for Scripts/apple alone. Assumed:
// that its calls belong to the main actor, and what its events hold beside the documented members. Nothing of it ever runs.

public import Combine
public import Foundation

@MainActor public enum HaloSDK {
    public static func initialize(
        tokenProvider: @escaping @Sendable () -> Future<String, any Error>, environment: HaloEnvironment
    ) async throws -> HaloDeviceCapabilities { HaloDeviceCapabilities() }
    public static func startContactlessPayment(
        amountMinor: Int, currency: String, merchantReference: String, type: HaloTransactionType = .purchase
    ) async -> HaloPaymentResult { .declined(errorCode: nil, errorMessage: nil) }
    public static func cancelPayment() {}
    public static func setEventDelegate(_ delegate: any HaloEventDelegate) {}
    public static func deinitialize() {}
}

public enum HaloEnvironment: Sendable {
    case sandbox, production
}

public enum HaloTransactionType: Sendable {
    case purchase, refund
}

public struct HaloDeviceCapabilities: Sendable {
    public let canAcceptPayments = false
}

public enum HaloPaymentResult: Sendable {
    case approved(HaloReceipt)
    case declined(errorCode: String?, errorMessage: String?)
}

public struct HaloReceipt: Sendable {
    public let transactionId = ""
    public let authCode: String? = nil
    public let cardBrand: String? = nil
    public let last4: String? = nil
    public let amountMinor = 0
    public let currency = ""
    public let reference = ""
    public let approvedAt = Date()
}

public enum HaloReason: String, Sendable {
    case modelNotSupported, osVersionNotSupported
}

public enum HaloError: Error, LocalizedError, Sendable {
    case notInitialized, deviceNotCompliant, paymentInProgress, authTokenUnauthorized, userCancelled, cardDeclined
    case deviceNotSupported(HaloReason)
    case networkError(HaloReason)
    case accountLinkingError(HaloReason)
    case tokenError(HaloReason, String?)
    case readerError(HaloReason, String?)
    // The document's list ends with a default, so there are more.
    case undocumented
    public var errorDescription: String? { nil }
}

public protocol HaloEventDelegate: AnyObject {
    func haloSDK(didUpdatePreparationProgress progress: Double)
    func haloSDKDidBecomeReady()
    func haloSDK(didFailPreparationWithError error: HaloError)
    func haloSDK(didReceiveError event: HaloErrorEvent)
    func haloSDK(didEmitAnalyticsEvent event: HaloAnalyticsEvent)
}

public struct HaloErrorEvent: Sendable {
    public enum Source: String, Sendable {
        case payment
    }

    public let errorCode = ""
    public let errorName = ""
    public let errorDescription = ""
    public let source = Source.payment
}

public struct HaloAnalyticsEvent: Sendable {
    public enum EventType: String, Sendable {
        case sdkInitialized
    }

    public let type = EventType.sdkInitialized
    public let timestamp = Date()
    public let metadata: [String: String] = [:]
}
