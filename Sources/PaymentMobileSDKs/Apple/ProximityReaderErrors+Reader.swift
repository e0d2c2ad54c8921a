extension ProximityReaderErrors {
    /// The rows of the reader's own errors, which come before or instead of a card.
    static let readerRows: [SDKErrorRule] = [
        reader("accountAlreadyLinked", .conflict, 118, SDKErrorAdvice(.never, "take it as linked and prepare")),
        reader("accountDeactivated", .accountNotLinked, 119, SDKErrorAdvice(.never, "enrol the merchant again")),
        reader("accountLinkingCancelled", .termsNotAccepted, 120, SDKErrorAdvice(.again, "accept the terms")),
        reader("accountLinkingCheckFailed", .unavailable, 121, SDKErrorAdvice(.again)),
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
        reader("serviceConnectionError", .unavailable, 143, SDKErrorAdvice(.again)),
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
            name, .nothingMoved, cause, [DocumentCitation("wire/proximityreader.md", line)], advice: advice,
            why: "the reader gave no card to submit")
    }
}
