// The names of the ARISE Mobile SDK 1.0.0 as its document has them, as far as Examples/Phone uses them, for Scripts/apple
// alone. Assumed: that the SDK belongs to the main actor, on which the document wants it made, and the initialisers of values.
// Nothing of it ever runs.

public import Foundation
public import UIKit

@MainActor public final class AriseMobileSdk {
    public let ttp = TTP()
    public init(environment: Environment) throws {}
    public func authenticate(clientId: String, clientSecret: String) async throws -> Bool { false }
    public func getAccessToken() -> String? { nil }
    public func refreshAccessToken() async throws -> Bool { false }
    public func clearStoredToken() {}
    public func calculateAmount(request: CalculateAmountRequest) async throws -> CalculateAmountResponse {
        CalculateAmountResponse()
    }
}

@MainActor public final class TTP {
    public func checkCompatibility() -> TTPCompatibilityResult { TTPCompatibilityResult() }
    public func getStatus() async throws -> TTPStatus { .inactive }
    public func activate() async throws {}
    public func showEducationalInfo(from viewController: UIViewController) async throws {}
    public func prepare() async throws {}
    public func performTransaction(amount: Decimal) async throws -> TTPTransactionResult { TTPTransactionResult() }
    public func performTransaction(
        calculationResult: CalculateAmountResponse, isDebitCard: Bool
    ) async throws -> TTPTransactionResult { TTPTransactionResult() }
    public func abortTransaction() async throws -> Bool { false }
    public func eventsStream() throws -> AsyncStream<TTPEvent> { AsyncStream { $0.finish() } }
}

public enum Environment: Sendable {
    case uat, production
}

public enum Currency: Sendable {
    case usd
}

public struct CalculateAmountRequest: Sendable {
    public init(
        amount: Double, currency: Currency = .usd, percentageOffRate: Double? = nil, surchargeRate: Double? = nil,
        tipAmount: Double? = nil, tipRate: Double? = nil, useCardPrice: Bool? = nil
    ) {}
}

public struct CalculateAmountResponse: Sendable {
    public let currencyCode: String? = nil
    public let useCardPrice: Bool? = nil
    public let cash: AmountDto? = nil
    public let creditCard: AmountDto? = nil
    public let debitCard: AmountDto? = nil
    public let ach: AmountDto? = nil
}

public struct AmountDto: Sendable {
    public let baseAmount = 0.0, percentageOffAmount = 0.0, percentageOffRate = 0.0, cashDiscountAmount = 0.0
    public let cashDiscountRate = 0.0, surchargeAmount = 0.0, surchargeRate = 0.0, tipAmount = 0.0, tipRate = 0.0
    public let taxAmount = 0.0, taxRate = 0.0, totalAmount = 0.0
}

public struct TTPCompatibilityResult: Sendable {
    public struct DeviceModelCheck: Sendable {
        public let isCompatible = false
        public let modelIdentifier = ""
    }

    public struct IOSVersionCheck: Sendable {
        public let isCompatible = false
        public let version = ""
        public let minimumRequiredVersion = ""
    }

    public let isCompatible = false
    public let deviceModelCheck = DeviceModelCheck()
    public let iosVersionCheck = IOSVersionCheck()
    public let locationPermission = LocationPermissionStatus.denied
    public let tapToPayEntitlement = TapToPayEntitlementStatus.unavailable
    public let incompatibilityReasons: [String] = []
}

public enum LocationPermissionStatus: String, Sendable {
    case granted, denied, undetermined
}

public enum TapToPayEntitlementStatus: String, Sendable {
    case available, unavailable
}

public enum TTPStatus: String, Sendable {
    case active, inactive
}

public enum TTPTransactionStatus: String, Sendable {
    case approved, declined, cancelled, failed
}

public struct TTPTransactionResult: Sendable {
    public let transactionId: String? = nil
    public let transactionOutcome: String? = nil
    public let status = TTPTransactionStatus.failed
    public let orderId: String? = nil
    public let authorizedAmount: String? = nil
    public let authorizationCode: String? = nil
    public let authorisationResponseCode: String? = nil
    public let authorizedDate: String? = nil
    public let authorizedDateFormat: String? = nil
    public let cardBrandName: String? = nil
    public let maskedCardNumber: String? = nil
    public let externalReferenceID: String? = nil
    public let applicationIdentifier: String? = nil
    public let applicationPreferredName: String? = nil
    public let applicationTransactionCounter: String? = nil
    public let terminalVerificationResults: String? = nil
    public let cvmAction: String? = nil
}

public enum TTPEvent: Sendable {
    case readerEvent(TTPReaderEvent)
    case customEvent(TTPCustomEvent)
}

public enum TTPReaderEvent: Sendable {
    case notReady, readyForTap, cardDetected, removeCard, readCompleted, readRetry, readCancelled, pinEntryRequested
    case pinEntryCompleted, userInterfaceDismissed, readNotCompleted
    case updateProgress(Int)
}

public enum TTPCustomEvent: Sendable {
    case preparing, ready, cardDetected, cardReadSuccess, cardReadFailure, authorizing, approved, declined
    case errorOccurred, inProgress
    case readerNotReady(String)
    case updateReaderProgress(Int)
    case unknownEvent(String)
}

public enum AriseApiError: Error, Sendable {
    case badRequest(String), unauthorized(String), forbidden(String), notFound(String), serverError(String)
    case unknown(String), invalidResponse(String), networkError(String), apiError(String)
}

public enum TTPError: Error, Sendable {
    case notCompatible(incompatibilityReasons: [String])
    case notActive, sdkNotInitialized
    case configurationFailed(String, String), activationFailed(String, String), transactionFailed(String, String)
    case failedToAbortTransaction(String, String), unknown(String, String)
}

public enum AuthenticationError: String, Error, Sendable {
    case invalidCredentials, networkError, invalidResponse, tokenExpired, unknown
}
