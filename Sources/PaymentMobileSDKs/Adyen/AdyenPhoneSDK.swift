public import PaymentBase

/// Adyen's POS Mobile SDK for iOS, which takes card payments on a phone or a paired reader, as values and a protocol.
///
/// The name space is not called `Adyen`, which would hide the module of that name. A payment's request and answer are
/// Terminal API messages as JSON bytes; what they mean is the adapter's business, as with a terminal.
public enum AdyenPhoneSDK {
    /// The SDK's payment service, which makes card payments and refunds; an application makes the SDK conform.
    ///
    /// The SDK opens and renews its session on its own. Payments and refunds don't throw: what went wrong is in the
    /// answer.
    public protocol PaymentService: Sendable {
        /// The installation that a payment's `MessageHeader` names as its `POIID`; throws while there is no session.
        var installationId: String { get async throws(ErrorCode) }

        /// Looks after the session and the reader ahead of the first payment, at each return to the foreground.
        func warmUp() async throws(ErrorCode)

        /// Asks whether the phone has the reader that payments are to use, so that a payment doesn't fail for it.
        func getPaymentInterface(with interface: PaymentInterface) async throws(ErrorCode)

        /// Forgets the session, so that the SDK asks for another one before the next payment; the document leaves it out,
        /// and the SDK's public interface has it.
        func resetSession() async throws(ErrorCode)

        /// Makes a payment or an unreferenced refund, with the SDK's own screens.
        func performTransaction(
            with request: Payment.Request, paymentInterface: PaymentInterface,
            presentationMode: TransactionPresentationMode
        ) async -> Payment.Response

        /// Makes a referenced refund; its answer says only that the refund was received.
        func performReversal(with request: Reversal.Request) async -> Reversal.Response
    }

    /// The server leg: gives the session's `sdkData` for the SDK's set-up token.
    ///
    /// The application's server calls `/checkout/possdk/v68/sessions` with its own key; no key for payments is on the
    /// phone. A conformance hands the function to the SDK as the delegate that registers it.
    public typealias Registration = @Sendable (_ setupToken: Secret) async throws -> Secret

    /// The messages of payments and unreferenced refunds.
    public enum Payment {
        /// A payment's request, of which the SDK refuses what it can't read.
        public struct Request: Hashable, Sendable {
            /// The Terminal API request as JSON.
            public let data: [UInt8]
            /// Wraps a payment's request.
            public init(data: [UInt8]) { self.data = data }
        }

        /// A payment's answer.
        public typealias Response = Answer
    }

    /// The messages of referenced refunds.
    public enum Reversal {
        /// A refund's request, of which the SDK refuses what it can't read.
        public struct Request: Hashable, Sendable {
            /// The Terminal API request as JSON.
            public let data: [UInt8]
            /// Wraps a refund's request.
            public init(data: [UInt8]) { self.data = data }
        }

        /// A refund's answer.
        public typealias Response = Answer
    }

    /// What the SDK answers to a payment or a refund.
    public enum Answer: Hashable, Sendable {
        /// The Terminal API answer as JSON, with the payment's result or with errors in it.
        case message([UInt8])
        /// The SDK ended the payment without such an answer; the document speaks only of errors inside one.
        case failed(ErrorCode)
    }

    /// Which reader takes the payment's card.
    public struct PaymentInterface: SDKTextCode {
        /// The reader's spelling in the SDK.
        public let rawValue: String
        /// Takes a reader's spelling in the SDK.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A paired card reader.
        public static let cardReader = Self(rawValue: "cardReader")
        /// The phone itself; the document names the solution, not the case.
        public static let tapToPay = Self(rawValue: "tapToPay")
    }

    /// How a payment's screen is shown; the view itself stays with the application.
    public struct TransactionPresentationMode: Hashable, Sendable {
        /// Which framework of Apple's shows the payment's screen.
        public let style: Style
        /// What of the payment's screen can be changed.
        public var parameters: Parameters

        /// Chooses how a payment's screen is shown.
        public init(_ style: Style, parameters: Parameters = Parameters()) {
            (self.style, self.parameters) = (style, parameters)
        }

        /// The payment's screen inside a SwiftUI view.
        public static let viewModifier = Self(.viewModifier)
        /// The payment's screen over a UIKit view controller.
        public static let presentingViewController = Self(.presentingViewController)

        /// Which framework of Apple's shows the payment's screen.
        public enum Style: String, Hashable, Sendable, CaseIterable {
            /// SwiftUI, around the payment's button.
            case viewModifier
            /// UIKit, over the till's own screen.
            case presentingViewController
        }
    }

    /// What of a payment's screen can be changed.
    public struct Parameters: Hashable, Sendable {
        /// The shortest time that the success screen may stay after a payment, in milliseconds.
        public static let successScreenMillisecondsMin: Int64 = 500
        /// The longest time that the success screen may stay after a payment, in milliseconds.
        public static let successScreenMillisecondsMax: Int64 = 4_000

        /// A bitmap to show in the payment, with a transparent ground, at most 40 points high.
        public var logo: [UInt8]?
        /// How long the success screen stays after a payment, in milliseconds; four seconds without it.
        public var successScreenTimeout: Int64?

        /// Leaves the payment's screen as it is.
        public init(logo: [UInt8]? = nil, successScreenTimeout: Int64? = nil) {
            (self.logo, self.successScreenTimeout) = (logo, successScreenTimeout)
        }
    }
}

extension AdyenPhoneSDK {
    /// The SDK's calls.
    public enum Call: String, SDKCall {
        /// Reads the installation that payments name.
        case installationId
        /// Looks after session and reader before payments.
        case warmUp
        /// Asks for a reader for payments.
        case getPaymentInterface
        /// Makes a payment or an unreferenced refund.
        case performTransaction
        /// Makes a referenced refund.
        case performReversal

        /// Whether the call pays or refunds.
        public var isAboutMoney: Bool { self == .performTransaction || self == .performReversal }
    }

    /// What an error of the SDK proves about the money of the call that it ended.
    ///
    /// The SDK reports nothing on the way, so a payment's own error decides alone. An answer that is a Terminal API
    /// message is judged by its result, as on terminals.
    public static func outcome(of error: ErrorCode, in call: Call) -> SDKOutcome {
        table.outcome(of: error.rawValue, in: call, seen: .nothingSeen)
    }

    /// The outcome rules of payments on phones: the document's rows, then those of the SDK's public interface.
    public static let table = SDKErrorTable(documentRows + interfaceRows)

    private static let documentRows: [SDKErrorRule] = [
        cancelled("DEBUGGER_ENABLED", 139, .deviceCompromised, SDKErrorAdvice(.afterFix, "take the debugger off")),
        SDKErrorRule(
            "INVALID_NYC1_FIRMWARE_VERSION", .notExecuted, .readerUnavailable, at(140, 136),
            advice: SDKErrorAdvice(.afterFix, "update the card reader"),
            why: "errors of the security check have to be settled before a payment can be made"),
        cancelled(
            "LOCAL_TIME_TAMPERING", 141, .deviceCompromised, SDKErrorAdvice(.afterFix, "let the phone set its clock")),
        cancelled("NON_SELF_RESOLVABLE", 142, .deviceCompromised, SDKErrorAdvice(.never, "ask the vendor's support")),
        SDKErrorRule(
            "NO_TOKEN", .notExecuted, .deviceCompromised, at(143), advice: online,
            why: "the phone can't make payments"),
        SDKErrorRule(
            "OFFLINE_DATA_TAMPERING", .unknown, .deviceCompromised, at(144), advice: online,
            why: "that this payment was cancelled the document does not say; those kept on the phone are in doubt"),
        cancelled(
            "PASSCODE_NOT_ENABLED", 145, .deviceUnsupported,
            SDKErrorAdvice(.afterFix, "set a passcode; kept payments are lost")),
        cancelled("SCREEN_RECORDING", 147, .deviceCompromised, SDKErrorAdvice(.afterFix, "stop the recording")),
        cancelled("SCREEN_CAPTURED", 148, .deviceCompromised, SDKErrorAdvice(.again, "without capturing the screen")),
        cancelled(
            "SCREEN_TAMPERING", 149, .deviceCompromised, SDKErrorAdvice(.again, "keep the application full-screen")),
        cancelled(
            "SCREEN_OVERLAY", 150, .deviceCompromised, SDKErrorAdvice(.afterFix, "keep the application full-screen")),
        cancelled(
            "SYSTEM_CHANGE", 151, .deviceCompromised, SDKErrorAdvice(.afterFix, "go online; put a changed clock right")),
        SDKErrorRule(
            "TOKEN_EXPIRED_S&F", .unknown, .deviceCompromised, at(153), advice: online,
            why: "none can be kept on the phone any more; that this payment was cancelled the document does not say"),
    ]

    private static let interfaceRows: [SDKErrorRule] = [
        before("transactionInProgress", .readerBusy, "another payment is being made; ours was not begun"),
        before("tapToPayNotAllowed", .permission, "refused before a card is asked for"),
        before("tapToPayNotSupported", .deviceUnsupported, "refused before a card is asked for"),
        before("paymentInterfaceNotSupported", .deviceUnsupported, "refused before a card is asked for"),
        before("noPairedReaders", .readerUnavailable, "there is no reader to ask for a card"),
        wire(
            "deviceConnectionFailure", .unknown, .readerUnavailable, "the reader may be lost at any time of a payment"),
        before("malformedTransactionRequest", .invalidRequest, "the request was not taken"),
        before("invalidSuccessScreenTimeout", .invalidRequest, "the request was not taken"),
        before("unableToObtainInstallationId", .configuration, "without a session no payment begins"),
        before("backgroundWarmupNotAllowed", .configuration, "an error of the warm-up alone"),
        before("bluetoothFirmwareUpdateError", .readerUnavailable, "an error of the reader's care, not of a payment"),
        before("firmwareDownloadError", .readerUnavailable, "an error of the reader's care, not of a payment"),
        before("firmwareUpdateError", .readerUnavailable, "an error of the reader's care, not of a payment"),
        before(
            "unableToFetchCardReaderBatteryInfo", .readerUnavailable,
            "an error of the reader's care, not of a payment"),
        before(
            "tapToPayPaymentInterfaceFailure", .readerUnavailable,
            "the documentation archive says that fetching the reader failed, which comes before a payment"),
    ]

    private static let online = SDKErrorAdvice(.afterFix, "go online, so that the phone can be checked")

    /// A row whose document says that the transaction was cancelled.
    private static func cancelled(_ code: String, _ line: Int, _ cause: SDKErrorCause, _ advice: SDKErrorAdvice)
        -> SDKErrorRule
    {
        SDKErrorRule(
            code, .notExecuted, cause, at(line), advice: advice,
            why: "the document says that the payment was cancelled")
    }

    private static func before(_ code: String, _ cause: SDKErrorCause, _ why: String) -> SDKErrorRule {
        wire(code, .notExecuted, cause, why)
    }

    /// A row of the SDK's public interface, which names errors without describing them.
    private static func wire(_ code: String, _ outcome: SDKOutcome, _ cause: SDKErrorCause, _ why: String)
        -> SDKErrorRule
    {
        SDKErrorRule(
            code, outcome, cause, [DocumentCitation("wire/adyen.md", 253), DocumentCitation("wire/adyen.md", 323)],
            why: why)
    }

    private static func at(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("seeds/adyen.txt", $0) }
    }
}

extension AdyenPhoneSDK {
    /// An error of the phone's security checks or of the SDK itself; open, since only the most common are listed.
    public struct ErrorCode: Error, SDKTextCode {
        /// The error's spelling.
        public let rawValue: String
        /// Takes an error's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A debugger is attached; the payment was cancelled.
        public static let debuggerEnabled = Self(rawValue: "DEBUGGER_ENABLED")
        /// The paired reader's firmware is not fit for payments.
        public static let invalidNYC1FirmwareVersion = Self(rawValue: "INVALID_NYC1_FIRMWARE_VERSION")
        /// The phone's clock was set by hand; the payment was cancelled.
        public static let localTimeTampering = Self(rawValue: "LOCAL_TIME_TAMPERING")
        /// The phone's safety can't be checked; the payment was cancelled.
        public static let nonSelfResolvable = Self(rawValue: "NON_SELF_RESOLVABLE")
        /// The phone has no proof of its safety, without which it makes no payment.
        public static let noToken = Self(rawValue: "NO_TOKEN")
        /// Payments that were kept on the phone may be lost.
        public static let offlineDataTampering = Self(rawValue: "OFFLINE_DATA_TAMPERING")
        /// The phone's passcode was removed; the payment was cancelled and kept ones may be lost.
        public static let passcodeNotEnabled = Self(rawValue: "PASSCODE_NOT_ENABLED")
        /// The screen was recorded; the payment was cancelled.
        public static let screenRecording = Self(rawValue: "SCREEN_RECORDING")
        /// The screen was captured; the payment was cancelled.
        public static let screenCaptured = Self(rawValue: "SCREEN_CAPTURED")
        /// The application left the full screen; the payment was cancelled.
        public static let screenTampering = Self(rawValue: "SCREEN_TAMPERING")
        /// Something covered the payment's screen; the payment was cancelled.
        public static let screenOverlay = Self(rawValue: "SCREEN_OVERLAY")
        /// The system was changed or restarted; the payment was cancelled.
        public static let systemChange = Self(rawValue: "SYSTEM_CHANGE")
        /// The time for keeping payments on the phone is over.
        public static let tokenExpiredStoreAndForward = Self(rawValue: "TOKEN_EXPIRED_S&F")
    }

    /// The errors after which payments that are kept on the phone may be lost, so that each of them is in doubt.
    public static let storedPaymentsInDoubt: Set<ErrorCode> = [.offlineDataTampering, .passcodeNotEnabled]
}

// The names that the SDK's public interface has and the document leaves out.
extension AdyenPhoneSDK.ErrorCode {
    /// Another payment is being made.
    public static let transactionInProgress = Self(rawValue: "transactionInProgress")
    /// The merchant may not take payments on the phone itself.
    public static let tapToPayNotAllowed = Self(rawValue: "tapToPayNotAllowed")
    /// The phone can't take payments on its own.
    public static let tapToPayNotSupported = Self(rawValue: "tapToPayNotSupported")
    /// The phone has no such reader for payments.
    public static let paymentInterfaceNotSupported = Self(rawValue: "paymentInterfaceNotSupported")
    /// No card reader is paired.
    public static let noPairedReaders = Self(rawValue: "noPairedReaders")
    /// The connection to the card reader failed.
    public static let deviceConnectionFailure = Self(rawValue: "deviceConnectionFailure")
    /// The payment's request can't be read.
    public static let malformedTransactionRequest = Self(rawValue: "malformedTransactionRequest")
    /// The time of a payment's success screen is out of bounds.
    public static let invalidSuccessScreenTimeout = Self(rawValue: "invalidSuccessScreenTimeout")
    /// There is no session, so no installation to name in a payment.
    public static let unableToObtainInstallationId = Self(rawValue: "unableToObtainInstallationId")
    /// The reader is not warmed up for payments in the background.
    public static let backgroundWarmupNotAllowed = Self(rawValue: "backgroundWarmupNotAllowed")
    /// The card reader's radio could not be updated.
    public static let bluetoothFirmwareUpdateError = Self(rawValue: "bluetoothFirmwareUpdateError")
    /// The card reader's firmware could not be fetched.
    public static let firmwareDownloadError = Self(rawValue: "firmwareDownloadError")
    /// The card reader's firmware could not be updated.
    public static let firmwareUpdateError = Self(rawValue: "firmwareUpdateError")
    /// The card reader doesn't tell its battery's charge.
    public static let unableToFetchCardReaderBatteryInfo = Self(rawValue: "unableToFetchCardReaderBatteryInfo")
    /// The phone's own card reader failed in a payment.
    public static let tapToPayPaymentInterfaceFailure = Self(rawValue: "tapToPayPaymentInterfaceFailure")
}
