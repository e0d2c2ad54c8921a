extension ProximityReaderErrors {
    /// The rows of the errors of a card's read.
    static let readRows: [KitRule] = [
        read("cardNotSupported", .invalidRequest, 155, KitAdvice(.afterFix, "another card")),
        read("cardReadFailed", .readerUnavailable, 156, tapAgain),
        read("invalidAmount", .invalidRequest, 157, never),
        read("invalidCurrencyCode", .invalidRequest, 158, never),
        read("invalidPreferredAID", .invalidRequest, 159, never),
        read("invalidVASMerchants", .invalidRequest, 160, never),
        read("invalidVASRequestParameters", .invalidRequest, 160, never),
        read("nfcDisabled", .deviceUnsupported, 161, KitAdvice(.afterFix, "switch the radio on")),
        read("noReaderSession", .readerUnavailable, 162, prepare),
        read("passcodeDisabled", .deviceUnsupported, 163, KitAdvice(.afterFix, "set a passcode")),
        KitRule(
            "paymentCardDeclined", .declined, .declined, at(164), advice: KitAdvice(.afterFix, "another card"),
            why: "the card itself refused, without its issuer"),
        read("paymentReadFailed", .readerUnavailable, 165, tapAgain),
        read("pinCancelled", .cancelled, 166, KitAdvice(.again)),
        read("pinEntryFailed", .readerUnavailable, 167, newRead),
        read("pinEntryTimeout", .timedOut, 168, newRead),
        read("pinNotAllowed", .timedOut, 169, newRead),
        read("pinTokenInvalid", .authentication, 170, newRead),
        read("readCancelled", .cancelled, 171, KitAdvice(.again)),
        read("readFromBackgroundError", .readerUnavailable, 172, KitAdvice(.afterFix, "come to the foreground")),
        read("readNotAllowed", .configuration, 173, KitAdvice(.never, "check the entitlement")),
        read("readNotAllowedDuringCall", .readerUnavailable, 174, KitAdvice(.afterFix, "end the telephone call")),
        read("readerInitializationFailed", .readerUnavailable, 175, KitAdvice(.again)),
        read("readerNotAvailable", .readerUnavailable, 176, KitAdvice(.later, "after some seconds")),
        read("readerServiceConnectionError", .readerUnavailable, 177, KitAdvice(.again)),
        read("readerServiceError", .readerUnavailable, 177, KitAdvice(.again)),
        read(
            "readerSessionAuthenticationError", .authentication, 178, KitAdvice(.afterFix, "a new token, prepare again")
        ),
        read("readerSessionBusy", .readerBusy, 179, KitAdvice(.later)),
        read("readerSessionExpired", .readerUnavailable, 180, prepare),
        read("readerSessionNetworkError", .network, 181, KitAdvice(.again, "check the connection")),
        read("readerTokenExpired", .authentication, 182, KitAdvice(.afterFix, "a new token")),
        stored("storeAndForwardDeclineFailed", .conflict),
        stored("storeAndForwardResultNotFound", .notFound),
        read("unknown", .readerUnavailable, 184, KitAdvice(.again)),
        read("vasReadFail", .readerUnavailable, 185, KitAdvice(.again)),
    ]

    private static let never = KitAdvice(.never)
    private static let tapAgain = KitAdvice(.again, "tap the card again")
    private static let prepare = KitAdvice(.again, "prepare again")
    private static let newRead = KitAdvice(.afterFix, "read the card anew; first look up what was submitted")

    private static func read(_ name: String, _ cause: KitCause, _ line: Int, _ advice: KitAdvice) -> KitRule {
        KitRule(
            name, .nothingMoved, cause, at(line), advice: advice,
            why: "a read moves no money, and this one gave no card")
    }

    /// An error of taking a stored read back, which then stays and will be paid, or was sent already.
    private static func stored(_ name: String, _ cause: KitCause) -> KitRule {
        KitRule(
            name, .unknown, cause, at(183), advice: never,
            why: "the stored payment stays to be sent, or was sent already")
    }

    private static func at(_ line: Int) -> [KitCitation] { [KitCitation("wire/proximityreader.md", line)] }
}
