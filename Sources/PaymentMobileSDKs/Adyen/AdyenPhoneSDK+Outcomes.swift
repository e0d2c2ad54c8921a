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
    /// The SDK tells nothing on the way, so a payment's own error decides alone. An answer that is a Terminal API
    /// message is judged by its result, as on terminals.
    public static func outcome(of error: ErrorCode, in call: Call) -> SDKOutcome {
        table.outcome(of: error.rawValue, in: call, seen: .nothingSeen)
    }

    /// The outcome rules of payments on phones: the document's rows, then those of the SDK's public interface.
    public static let table = SDKErrorTable(documentRows + interfaceRows)

    private static let documentRows: [SDKErrorRule] = [
        cancelled("DEBUGGER_ENABLED", 139, .deviceCompromised, SDKErrorAdvice(.afterFix, "take the debugger off")),
        SDKErrorRule(
            "INVALID_NYC1_FIRMWARE_VERSION", .nothingMoved, .readerUnavailable, at(140, 136),
            advice: SDKErrorAdvice(.afterFix, "update the card reader"),
            why: "errors of the security check have to be settled before a payment can be made"),
        cancelled(
            "LOCAL_TIME_TAMPERING", 141, .deviceCompromised, SDKErrorAdvice(.afterFix, "let the phone set its clock")),
        cancelled("NON_SELF_RESOLVABLE", 142, .deviceCompromised, SDKErrorAdvice(.never, "ask the vendor's support")),
        SDKErrorRule(
            "NO_TOKEN", .nothingMoved, .deviceCompromised, at(143), advice: online,
            why: "the phone can't make payments"),
        SDKErrorRule(
            "OFFLINE_DATA_TAMPERING", .nothingMoved, .deviceCompromised, at(144, 136), advice: online,
            why: "this payment is not made before the check is settled; the payments kept on the phone are in doubt"),
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
            "TOKEN_EXPIRED_S&F", .nothingMoved, .deviceCompromised, at(153), advice: online,
            why: "payments can no longer be kept on the phone, so none was"),
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
        wire(
            "tapToPayPaymentInterfaceFailure", .unknown, .readerUnavailable,
            "the reader failed, before or after the payment went out"),
    ]

    private static let online = SDKErrorAdvice(.afterFix, "go online, so that the phone can be checked")

    /// A row whose document says that the transaction was cancelled.
    private static func cancelled(_ code: String, _ line: Int, _ cause: SDKErrorCause, _ advice: SDKErrorAdvice)
        -> SDKErrorRule
    {
        SDKErrorRule(
            code, .nothingMoved, cause, at(line), advice: advice,
            why: "the document says that the payment was cancelled")
    }

    private static func before(_ code: String, _ cause: SDKErrorCause, _ why: String) -> SDKErrorRule {
        wire(code, .nothingMoved, cause, why)
    }

    /// A row of the SDK's public interface, which names errors without a word on them.
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
