// Made by Scripts/stubs of Tests/Contracts/sdk/halo-1.0.95.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Combine
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

@MainActor public enum HaloSDK {
    @MainActor @discardableResult public static func initialize(tokenProvider: @escaping @Sendable () -> Future<String, Error>, environment: HaloEnvironment, enablePerformanceLogging: Bool = false) async throws -> HaloDeviceCapabilities { fatalError() }
    @MainActor public static func startContactlessPayment(amountMinor: Int, currency: String, merchantReference: String, passthroughFields: HaloPassthroughFields, type: HaloTransactionType = .purchase) async -> HaloPaymentResult { fatalError() }
    @MainActor public static func cancelPayment() { fatalError() }
    @MainActor public static func deinitialize() { fatalError() }
    @MainActor public static func setEventDelegate(_ delegate: HaloEventDelegate) { fatalError() }
}

public enum HaloEnvironment {
    case sandbox
    case production
}

public enum HaloTransactionType {
    case purchase
    case refund
}

public struct HaloDeviceCapabilities {
    public let canAcceptPayments: Bool
}

public struct HaloPassthroughFields {
    public init?(_ fields: [String: Any]) { fatalError() }
}

public enum HaloPaymentResult {
    case approved(HaloReceipt)
    case declined(errorCode: String?, errorMessage: String?)
}

public struct HaloReceipt {
    public let transactionId: String
    public let authCode: String?
    public let cardBrand: String?
    public let cardType: String?
    public let last4: String?
    public let amountMinor: Int
    public let currency: String
    public let reference: String
    public let approvedAt: Date
}

public enum HaloError: Error {
    case notInitialized
    case deviceNotSupported(HaloDeviceNotSupportedReason)
    case deviceNotCompliant
    case paymentInProgress
    case networkError(HaloNetworkReason)
    case authTokenUnauthorized
    case accountLinkingError(HaloAccountLinkingReason)
    case tokenError(HaloTokenReason, String?)
    case readerError(HaloReaderReason, String?)
    case locationError(reason: HaloLocationReason)
    case userCancelled
    case cardDeclined
    case offlineDeclined
    case cardNotSupported
    case undocumented
    public var isRetryable: Bool { get { fatalError() } }
    public var requiresUserAction: Bool { get { fatalError() } }
    public var isFatal: Bool { get { fatalError() } }
    public var requiresTokenRefresh: Bool { get { fatalError() } }
}

public enum HaloDeviceNotSupportedReason {
    case modelNotSupported
    case osVersionNotSupported
}

public enum HaloNetworkReason {
    case undocumented
}

public enum HaloAccountLinkingReason {
    case undocumented
}

public enum HaloTokenReason {
    case undocumented
}

public enum HaloReaderReason {
    case undocumented
}

public enum HaloLocationReason {
    case servicesDisabled
    case permissionDenied
    case timeout
    case unavailable
}

public enum HaloErrorCode {
    public static let userCancelled: String = { fatalError() }()
    public static let cardDeclined: String = { fatalError() }()
    public static let networkError: String = { fatalError() }()
    public static let timeout: String = { fatalError() }()
    public static let passcodeDisabled: String = { fatalError() }()
    public static let osVersionNotSupported: String = { fatalError() }()
    public static let modelNotSupported: String = { fatalError() }()
    public static let unsupported: String = { fatalError() }()
    public static let readNotAllowedDuringCall: String = { fatalError() }()
    public static let requestInterrupted: String = { fatalError() }()
    public static let backgroundRequestNotAllowed: String = { fatalError() }()
    public static let readerMemoryFull: String = { fatalError() }()
    public static let prepareFailed: String = { fatalError() }()
    public static let readerBusy: String = { fatalError() }()
    public static let notReady: String = { fatalError() }()
    public static let prepareExpired: String = { fatalError() }()
    public static let accountLinkingCancelled: String = { fatalError() }()
    public static let accountLinkingFailed: String = { fatalError() }()
    public static let accountLinkingRequiresiCloudSignIn: String = { fatalError() }()
    public static let locationError: String = { fatalError() }()
    public static let authTokenUnauthorized: String = { fatalError() }()
    public static let deviceBanned: String = { fatalError() }()
    public static let merchantBlocked: String = { fatalError() }()
    public static let invalidMerchant: String = { fatalError() }()
    public static let notAllowed: String = { fatalError() }()
    public static let systemError: String = { fatalError() }()
    public static let offlineDeclined: String = { fatalError() }()
    public static let cardNotSupported: String = { fatalError() }()
    public static let invalidPassthroughFields: String = { fatalError() }()
}

public protocol HaloEventDelegate: AnyObject {
    func haloSDK(didUpdatePreparationProgress progress: Double)
    func haloSDKDidBecomeReady()
    func haloSDK(didFailPreparationWithError error: HaloError)
    func haloSDK(didReceiveError event: HaloErrorEvent)
    func haloSDK(didEmitAnalyticsEvent event: HaloAnalyticsEvent)
}

public struct HaloErrorEvent {
    public let errorCode: String
    public let errorName: String
    public let errorDescription: String
    public let source: HaloErrorSource
}

public enum HaloErrorSource: String {
    case undocumented
}

public struct HaloAnalyticsEvent {
    public let type: HaloAnalyticsEventType
    public let timestamp: Date
    public let metadata: [String: String]
}

public enum HaloAnalyticsEventType: String {
    case sdkInitialized
    case sdkReaderPrepared
    case discoveryShown
    case paymentStarted
    case paymentValidated
    case readyForTap
    case cardDetected
    case transactionSubmissionStarted
    case transactionResponseReceived
    case pinCaptureStarted
    case pinCaptureSucceeded
    case paymentApproved
    case paymentDeclined
    case paymentCancelled
    case paymentError
    case connectionTokenRequested
    case termsAccepted
    case readerPrepareCompleted
}
