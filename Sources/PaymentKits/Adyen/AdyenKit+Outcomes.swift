extension AdyenKit {
    /// The SDK's calls.
    public enum Call: String, KitCall {
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
    public static func outcome(of error: ErrorCode, in call: Call) -> KitOutcome {
        table.outcome(of: error.rawValue, in: call, seen: .nothingSeen)
    }

    /// The outcome rules of payments on phones: the document's rows, then those of the SDK's public interface.
    public static let table = KitTable(documentRows + interfaceRows)

    private static let documentRows: [KitRule] = [
        cancelled("DEBUGGER_ENABLED", 139, .deviceCompromised, KitAdvice(.afterFix, "take the debugger off")),
        KitRule(
            "INVALID_NYC1_FIRMWARE_VERSION", .nothingMoved, .readerUnavailable, at(140, 136),
            advice: KitAdvice(.afterFix, "update the card reader"),
            why: "errors of the security check have to be settled before a payment can be made"),
        cancelled("LOCAL_TIME_TAMPERING", 141, .deviceCompromised, KitAdvice(.afterFix, "let the phone set its clock")),
        cancelled("NON_SELF_RESOLVABLE", 142, .deviceCompromised, KitAdvice(.never, "ask the vendor's support")),
        KitRule(
            "NO_TOKEN", .nothingMoved, .deviceCompromised, at(143), advice: online,
            why: "the phone can't make payments"),
        KitRule(
            "OFFLINE_DATA_TAMPERING", .nothingMoved, .deviceCompromised, at(144, 136), advice: online,
            why: "this payment is not made before the check is settled; the payments kept on the phone are in doubt"),
        cancelled(
            "PASSCODE_NOT_ENABLED", 145, .deviceUnsupported,
            KitAdvice(.afterFix, "set a passcode; kept payments are lost")),
        cancelled("SCREEN_RECORDING", 147, .deviceCompromised, KitAdvice(.afterFix, "stop the recording")),
        cancelled("SCREEN_CAPTURED", 148, .deviceCompromised, KitAdvice(.again, "without capturing the screen")),
        cancelled("SCREEN_TAMPERING", 149, .deviceCompromised, KitAdvice(.again, "keep the application full-screen")),
        cancelled("SCREEN_OVERLAY", 150, .deviceCompromised, KitAdvice(.afterFix, "keep the application full-screen")),
        cancelled(
            "SYSTEM_CHANGE", 151, .deviceCompromised, KitAdvice(.afterFix, "go online; put a changed clock right")),
        KitRule(
            "TOKEN_EXPIRED_S&F", .nothingMoved, .deviceCompromised, at(153), advice: online,
            why: "payments can no longer be kept on the phone, so none was"),
    ]

    private static let interfaceRows: [KitRule] = [
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

    private static let online = KitAdvice(.afterFix, "go online, so that the phone can be checked")

    /// A row whose document says that the transaction was cancelled.
    private static func cancelled(_ code: String, _ line: Int, _ cause: KitCause, _ advice: KitAdvice) -> KitRule {
        KitRule(
            code, .nothingMoved, cause, at(line), advice: advice,
            why: "the document says that the payment was cancelled")
    }

    private static func before(_ code: String, _ cause: KitCause, _ why: String) -> KitRule {
        wire(code, .nothingMoved, cause, why)
    }

    /// A row of the SDK's public interface, which names errors without a word on them.
    private static func wire(_ code: String, _ outcome: KitOutcome, _ cause: KitCause, _ why: String) -> KitRule {
        KitRule(code, outcome, cause, [KitCitation("wire/adyen.md", 253), KitCitation("wire/adyen.md", 323)], why: why)
    }

    private static func at(_ lines: Int...) -> [KitCitation] { lines.map { KitCitation("seeds/adyen.txt", $0) } }
}
