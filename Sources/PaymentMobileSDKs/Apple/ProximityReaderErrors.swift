/// What the errors of Apple's ProximityReader prove about a payment; pure data, so that it is on any system.
///
/// A read never moves money on its own. What was sent with an earlier read is another matter, so an error after a seen
/// submission proves nothing; and a card's own refusal is a decline.
public enum ProximityReaderErrors {
    /// What an error of `PaymentCardReader` proves about the payment, by Apple's name; unknown for one not listed.
    public static func outcome(ofReader name: String, seen evidence: SDKEvidence) -> SDKOutcome {
        reader.outcome(of: name, in: Call.prepare, seen: evidence)
    }

    /// What an error of a card's read proves about the payment, by Apple's name for it; unknown for one not listed.
    public static func outcome(ofRead name: String, seen evidence: SDKEvidence) -> SDKOutcome {
        read.outcome(of: name, in: Call.readPaymentCard, seen: evidence)
    }

    /// The framework's calls around a payment, none of which pays.
    public enum Call: String, SDKCall {
        /// Makes a reader's session ready.
        case prepare
        /// Reads a card.
        case readPaymentCard

        /// Whether an error leaves a question about money: each of them may be in the midst of a payment.
        public var isAboutMoney: Bool { true }
    }

    /// The 33 errors of the reader itself, `PaymentCardReaderError`.
    public static let reader = SDKErrorTable(readerRows)
    /// The 34 errors of a card's read, `PaymentCardReaderSession.ReadError`.
    public static let read = SDKErrorTable(readRows)
}

extension ProximityReaderErrors {
    /// The rows of the errors of a card's read.
    static let readRows: [SDKErrorRule] = [
        read("cardNotSupported", .invalidRequest, 155, SDKErrorAdvice(.afterFix, "another card")),
        read("cardReadFailed", .readerUnavailable, 156, tapAgain),
        read("invalidAmount", .invalidRequest, 157, never),
        read("invalidCurrencyCode", .invalidRequest, 158, never),
        read("invalidPreferredAID", .invalidRequest, 159, never),
        read("invalidVASMerchants", .invalidRequest, 160, never),
        read("invalidVASRequestParameters", .invalidRequest, 160, never),
        read("nfcDisabled", .deviceUnsupported, 161, SDKErrorAdvice(.afterFix, "switch the radio on")),
        read("noReaderSession", .readerUnavailable, 162, prepare),
        read("passcodeDisabled", .deviceUnsupported, 163, SDKErrorAdvice(.afterFix, "set a passcode")),
        SDKErrorRule(
            "paymentCardDeclined", .declined, .declined, at(164), advice: SDKErrorAdvice(.afterFix, "another card"),
            why: "the card itself refused, without its issuer"),
        read("paymentReadFailed", .readerUnavailable, 165, tapAgain),
        read("pinCancelled", .cancelled, 166, SDKErrorAdvice(.again)),
        read("pinEntryFailed", .readerUnavailable, 167, newRead),
        read("pinEntryTimeout", .timedOut, 168, newRead),
        read("pinNotAllowed", .timedOut, 169, newRead),
        read("pinTokenInvalid", .authentication, 170, newRead),
        read("readCancelled", .cancelled, 171, SDKErrorAdvice(.again)),
        read("readFromBackgroundError", .readerUnavailable, 172, SDKErrorAdvice(.afterFix, "come to the foreground")),
        read("readNotAllowed", .configuration, 173, SDKErrorAdvice(.never, "check the entitlement")),
        read("readNotAllowedDuringCall", .readerUnavailable, 174, SDKErrorAdvice(.afterFix, "end the telephone call")),
        read("readerInitializationFailed", .readerUnavailable, 175, SDKErrorAdvice(.again)),
        read("readerNotAvailable", .readerUnavailable, 176, SDKErrorAdvice(.later, "after some seconds")),
        read("readerServiceConnectionError", .readerUnavailable, 177, SDKErrorAdvice(.again)),
        read("readerServiceError", .readerUnavailable, 177, SDKErrorAdvice(.again)),
        read(
            "readerSessionAuthenticationError", .authentication, 178,
            SDKErrorAdvice(.afterFix, "a new token, prepare again")
        ),
        read("readerSessionBusy", .readerBusy, 179, SDKErrorAdvice(.later)),
        read("readerSessionExpired", .readerUnavailable, 180, prepare),
        read("readerSessionNetworkError", .network, 181, SDKErrorAdvice(.again, "check the connection")),
        read("readerTokenExpired", .authentication, 182, SDKErrorAdvice(.afterFix, "a new token")),
        stored("storeAndForwardDeclineFailed", .conflict),
        stored("storeAndForwardResultNotFound", .notFound),
        read("unknown", .readerUnavailable, 184, SDKErrorAdvice(.again)),
        read("vasReadFail", .readerUnavailable, 185, SDKErrorAdvice(.again)),
    ]

    private static let never = SDKErrorAdvice(.never)
    private static let tapAgain = SDKErrorAdvice(.again, "tap the card again")
    private static let prepare = SDKErrorAdvice(.again, "prepare again")
    private static let newRead = SDKErrorAdvice(.afterFix, "read the card again; first look up what was submitted")

    private static func read(_ name: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice)
        -> SDKErrorRule
    {
        SDKErrorRule(
            name, .notExecuted, cause, at(line), advice: advice,
            why: "a read moves no money, and this one gave no card")
    }

    /// An error of taking a stored read back, which then stays and will be paid, or was sent already.
    private static func stored(_ name: String, _ cause: SDKErrorCause) -> SDKErrorRule {
        SDKErrorRule(
            name, .unknown, cause, at(183), advice: never,
            why: "the stored payment stays to be sent, or was sent already")
    }

    private static func at(_ line: Int) -> [DocumentCitation] { [DocumentCitation("wire/proximityreader.md", line)] }
}

extension ProximityReaderErrors {
    /// The rows of the reader's own errors, which come before or instead of a card.
    static let readerRows: [SDKErrorRule] = [
        reader("accountAlreadyLinked", .conflict, 118, SDKErrorAdvice(.never, "take it as linked and prepare")),
        reader("accountDeactivated", .accountNotLinked, 119, SDKErrorAdvice(.never, "enrol the merchant again")),
        reader("accountLinkingCancelled", .termsNotAccepted, 120, SDKErrorAdvice(.again, "accept the terms")),
        reader("accountLinkingCheckFailed", .providerUnavailable, 121, SDKErrorAdvice(.again)),
        reader("accountLinkingFailed", .accountNotLinked, 122, SDKErrorAdvice(.again, "another Apple account")),
        reader(
            "accountLinkingRequiresiCloudSignIn", .accountNotLinked, 123, SDKErrorAdvice(.afterFix, "sign in to iCloud")
        ),
        reader("accountNotLinked", .termsNotAccepted, 124, SDKErrorAdvice(.afterFix, "link the account")),
        reader(
            "backgroundRequestNotAllowed", .readerUnavailable, 125, SDKErrorAdvice(.afterFix, "come to the foreground")),
        reader(
            "deviceBanned", .deviceCompromised, 126, SDKErrorAdvice(.later, "after the date that it names; ask support")
        ),
        reader("emptyReaderToken", .configuration, 127, SDKErrorAdvice(.afterFix, "a new token")),
        reader("invalidMerchant", .configuration, 128, SDKErrorAdvice(.never, "enrol the merchant")),
        reader("invalidReaderToken", .authentication, 129, SDKErrorAdvice(.afterFix, "a new token")),
        reader("merchantBlocked", .permission, 130, SDKErrorAdvice(.never, "ask the provider")),
        reader("modelNotSupported", .deviceUnsupported, 131, SDKErrorAdvice(.never, "another phone")),
        reader("networkAuthenticationError", .network, 132, SDKErrorAdvice(.again, "check the network")),
        reader("networkError", .network, 133, SDKErrorAdvice(.again, "check the connection")),
        reader("notAllowed", .configuration, 134, SDKErrorAdvice(.never, "check entitlement, bundle and token")),
        reader("notReady", .readerUnavailable, 135, SDKErrorAdvice(.again, "prepare again")),
        reader("osVersionNotSupported", .deviceUnsupported, 136, SDKErrorAdvice(.afterFix, "update the system")),
        reader("passcodeDisabled", .deviceUnsupported, 137, SDKErrorAdvice(.afterFix, "set a passcode")),
        reader("prepareExpired", .readerUnavailable, 138, SDKErrorAdvice(.again, "prepare again")),
        reader("prepareFailed", .readerUnavailable, 139, SDKErrorAdvice(.again)),
        reader("readerBusy", .readerBusy, 140, SDKErrorAdvice(.again, "prepare again")),
        reader("readerMemoryFull", .readerUnavailable, 141, SDKErrorAdvice(.afterFix, "remove cards from the wallet")),
        reader("requestInterrupted", .readerUnavailable, 142, SDKErrorAdvice(.again)),
        reader("serviceConnectionError", .providerUnavailable, 143, SDKErrorAdvice(.again)),
        reader("storeAndForwardNotAllowed", .permission, 144, SDKErrorAdvice(.never, "ask the provider")),
        reader("storeAndForwardSessionExpired", .readerUnavailable, 145, SDKErrorAdvice(.afterFix, "go online")),
        reader(
            "storeAndForwardSessionInvalidated", .readerUnavailable, 146,
            SDKErrorAdvice(.afterFix, "upload what was kept")),
        reader("storeAndForwardTokenIssuerChanged", .conflict, 147, SDKErrorAdvice(.afterFix, "upload what was kept")),
        reader("tokenExpired", .authentication, 148, SDKErrorAdvice(.afterFix, "a new token")),
        reader("unknown", .readerUnavailable, 149, SDKErrorAdvice(.again)),
        reader("unsupported", .deviceUnsupported, 150, SDKErrorAdvice(.never, "another phone")),
    ]

    private static func reader(_ name: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice)
        -> SDKErrorRule
    {
        SDKErrorRule(
            name, .notExecuted, cause, [DocumentCitation("wire/proximityreader.md", line)], advice: advice,
            why: "the reader gave no card to submit")
    }
}
