// Made by Scripts/stubs of Tests/Contracts/sdk/apple-proximityreader.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public final class PaymentCardReader: Sendable {
    public static let isSupported: Bool = { fatalError() }()
    public init(options: PaymentCardReader.Options = .init()) { fatalError() }
    public final var options: PaymentCardReader.Options { get { fatalError() } }
    public var readerIdentifier: String { get async throws { fatalError() } }
    public final var events: AsyncStream<PaymentCardReader.Event> { get { fatalError() } }
    public func prepare(using token: Token) async throws -> PaymentCardReaderSession { fatalError() }
    public func isAccountLinked(using token: Token) async throws -> Bool { fatalError() }
    public func linkAccount(using token: Token) async throws { fatalError() }
    public func relinkAccount(using token: Token) async throws { fatalError() }
    public struct Token: RawRepresentable, Hashable, Sendable {
        public init(rawValue: String) { fatalError() }
        public let rawValue: String
    }
    public struct Options {
        public init() { fatalError() }
        public var includeErrorInReadResult: Bool { get { fatalError() } set {} }
        public var returnReadResultImmediately: Bool { get { fatalError() } set {} }
    }
    public enum Event: Sendable {
        public var name: String { get { fatalError() } }
        case cardDetected
        case pinEntryCompleted
        case pinEntryRequested
        case readCancelled
        case readCompleted
        case readNotCompleted
        case readRetry
        case readyForTap
        case removeCard
        case updateProgress(Int)
        case userInterfaceDismissed
        case notReady
    }
}

public final class PaymentCardReaderSession: Sendable {
    public func readPaymentCard(_ request: PaymentCardTransactionRequest) async throws -> PaymentCardReadResult { fatalError() }
    public func readPaymentCard(_ request: PaymentCardVerificationRequest) async throws -> PaymentCardReadResult { fatalError() }
    public func capturePIN(using token: PINToken, cardReaderTransactionID: String) async throws -> PaymentCardReadResult { fatalError() }
    public func cancelRead() async throws -> Bool { fatalError() }
    public struct PINToken: RawRepresentable {
        public init(rawValue: String) { fatalError() }
        public let rawValue: String
    }
    public enum ReadError: Error, Sendable {
        public var errorName: String { get { fatalError() } }
        public var errorDescription: String { get { fatalError() } }
        case cardNotSupported
        case cardReadFailed
        case invalidAmount
        case invalidCurrencyCode
        case invalidPreferredAID
        case invalidVASMerchants(String?)
        case invalidVASRequestParameters(String?)
        case nfcDisabled
        case noReaderSession
        case passcodeDisabled
        case paymentCardDeclined
        case paymentReadFailed
        case pinCancelled
        case pinEntryFailed
        case pinEntryTimeout
        case pinNotAllowed
        case pinTokenInvalid
        case readCancelled
        case readFromBackgroundError
        case readNotAllowed
        case readNotAllowedDuringCall
        case readerInitializationFailed
        case readerNotAvailable
        case readerServiceConnectionError
        case readerServiceError
        case readerSessionAuthenticationError
        case readerSessionBusy
        case readerSessionExpired
        case readerSessionNetworkError
        case readerTokenExpired
        case storeAndForwardDeclineFailed
        case storeAndForwardResultNotFound
        case unknown(code: Int)
        case vasReadFail
    }
}

public struct PaymentCardTransactionRequest: Sendable {
    public init(amount: Decimal, currencyCode: String, for type: TransactionType = .purchase) { fatalError() }
    public enum TransactionType {
        case purchase
        case refund
    }
}

public struct PaymentCardVerificationRequest {
    public init(currencyCode: String, for reason: Reason = .other) { fatalError() }
    public enum Reason {
        case lookUp
        case saveCard
        case openTab
        case other
    }
}

public struct PaymentCardReadResult: Identifiable, Sendable {
    public let id: String
    public let generalCardData: String?
    public let paymentCardData: String?
    public let outcome: ReadOutcome
    public let pinBypassed: Bool
    public let isPINFallback: Bool
    public let applicationTypeIdentifier: String?
    public enum ReadOutcome: Sendable {
        case success
        case failure
        case cardDeclined
    }
}

public struct StoreAndForwardStatus {
    public let expiration: Date
    public let readCount: Int
}

public enum PaymentCardReaderError: Error, Sendable {
    public var errorName: String { get { fatalError() } }
    public var errorDescription: String { get { fatalError() } }
    case accountAlreadyLinked
    case accountDeactivated
    case accountLinkingCancelled
    case accountLinkingCheckFailed
    case accountLinkingFailed
    case accountLinkingRequiresiCloudSignIn
    case accountNotLinked
    case backgroundRequestNotAllowed
    case deviceBanned(Date?)
    case emptyReaderToken
    case invalidMerchant
    case invalidReaderToken(String?)
    case merchantBlocked
    case modelNotSupported
    case networkAuthenticationError
    case networkError
    case notAllowed
    case notReady
    case osVersionNotSupported
    case passcodeDisabled
    case prepareExpired
    case prepareFailed(String?)
    case readerBusy
    case readerMemoryFull
    case requestInterrupted
    case serviceConnectionError
    case storeAndForwardNotAllowed
    case storeAndForwardSessionExpired
    case storeAndForwardSessionInvalidated
    case storeAndForwardTokenIssuerChanged
    case tokenExpired
    case unknown(code: Int)
    case unsupported
}
