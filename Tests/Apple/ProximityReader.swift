// The documented names of Apple's ProximityReader as far as Sources/PaymentApple uses them, for Scripts/apple alone: a module
// of this name is made of it to check types against, and nothing of it ever runs.

public import Foundation

public final class PaymentCardReader: Sendable {
    public struct Options: Sendable {
        public var includeErrorInReadResult = false
        public var returnReadResultImmediately = false
        public init() {}
    }

    public struct Token: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public enum Event: Sendable {
        case readyForTap, cardDetected, removeCard, readCompleted, readCancelled, readNotCompleted, readRetry
        case pinEntryRequested, pinEntryCompleted, userInterfaceDismissed, notReady
        case updateProgress(Int)
    }

    public static let isSupported = false
    public let events = AsyncStream<Event> { $0.finish() }
    public init(options: Options = Options()) {}
    public func prepare(using token: Token) async throws -> PaymentCardReaderSession { PaymentCardReaderSession() }
    public func isAccountLinked(using token: Token) async throws -> Bool { false }
    public func linkAccount(using token: Token) async throws {}
    public func relinkAccount(using token: Token) async throws {}
}

public final class PaymentCardReaderSession: Sendable {
    public struct PINToken: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public enum ReadError: Error, Sendable {
        case cardNotSupported, cardReadFailed, invalidAmount, invalidCurrencyCode, invalidPreferredAID
        case nfcDisabled, noReaderSession, passcodeDisabled, paymentCardDeclined, paymentReadFailed
        case pinCancelled, pinEntryFailed, pinEntryTimeout, pinNotAllowed, pinTokenInvalid, readCancelled
        case readFromBackgroundError, readNotAllowed, readNotAllowedDuringCall, readerInitializationFailed
        case readerNotAvailable, readerServiceConnectionError, readerServiceError
        case readerSessionAuthenticationError, readerSessionBusy, readerSessionExpired
        case readerSessionNetworkError, readerTokenExpired, storeAndForwardDeclineFailed
        case storeAndForwardResultNotFound, vasReadFail
        case invalidVASMerchants(String?)
        case invalidVASRequestParameters(String?)
        case unknown(code: Int)
        public var errorName: String { "" }
    }

    init() {}
    public func readPaymentCard(_ request: PaymentCardTransactionRequest) async throws -> PaymentCardReadResult {
        PaymentCardReadResult()
    }
    public func readPaymentCard(_ request: PaymentCardVerificationRequest) async throws -> PaymentCardReadResult {
        PaymentCardReadResult()
    }
    public func capturePIN(
        using token: PINToken, cardReaderTransactionID: String
    ) async throws -> PaymentCardReadResult { PaymentCardReadResult() }
    public func cancelRead() async throws -> Bool { false }
}

public struct PaymentCardTransactionRequest: Sendable {
    public enum TransactionType: Sendable {
        case purchase, refund
    }

    public init(amount: Decimal, currencyCode: String, for type: TransactionType = .purchase) {}
}

public struct PaymentCardVerificationRequest: Sendable {
    public enum Reason: Sendable {
        case lookUp, saveCard, openTab, other
    }

    public init(currencyCode: String, for reason: Reason = .other) {}
}

public struct PaymentCardReadResult: Identifiable, Sendable {
    public enum ReadOutcome: Sendable {
        case success, failure, cardDeclined
    }

    public let id = ""
    public let generalCardData: String? = nil
    public let paymentCardData: String? = nil
    public let outcome = ReadOutcome.failure
    public let pinBypassed = false
    public let isPINFallback = false
}

public enum PaymentCardReaderError: Error, Sendable {
    case accountAlreadyLinked, accountDeactivated, accountLinkingCancelled, accountLinkingCheckFailed
    case accountLinkingFailed, accountLinkingRequiresiCloudSignIn, accountNotLinked
    case backgroundRequestNotAllowed, emptyReaderToken, invalidMerchant, merchantBlocked, modelNotSupported
    case networkAuthenticationError, networkError, notAllowed, notReady, osVersionNotSupported
    case passcodeDisabled, prepareExpired, readerBusy, readerMemoryFull, requestInterrupted
    case serviceConnectionError, storeAndForwardNotAllowed, storeAndForwardSessionExpired
    case storeAndForwardSessionInvalidated, storeAndForwardTokenIssuerChanged, tokenExpired, unsupported
    case deviceBanned(Date?)
    case invalidReaderToken(String?)
    case prepareFailed(String?)
    case unknown(code: Int)
    public var errorName: String { "" }
}
