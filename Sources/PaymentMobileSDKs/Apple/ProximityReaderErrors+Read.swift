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
    private static let newRead = SDKErrorAdvice(.afterFix, "read the card anew; first look up what was submitted")

    private static func read(_ name: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice)
        -> SDKErrorRule
    {
        SDKErrorRule(
            name, .nothingMoved, cause, at(line), advice: advice,
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
