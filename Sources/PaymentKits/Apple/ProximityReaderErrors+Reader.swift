extension ProximityReaderErrors {
    /// The rows of the reader's own errors, which come before or instead of a card.
    static let readerRows: [KitRule] = [
        reader("accountAlreadyLinked", .conflict, 118, KitAdvice(.never, "take it as linked and prepare")),
        reader("accountDeactivated", .accountNotLinked, 119, KitAdvice(.never, "enrol the merchant again")),
        reader("accountLinkingCancelled", .termsNotAccepted, 120, KitAdvice(.again, "accept the terms")),
        reader("accountLinkingCheckFailed", .unavailable, 121, KitAdvice(.again)),
        reader("accountLinkingFailed", .accountNotLinked, 122, KitAdvice(.again, "another Apple account")),
        reader("accountLinkingRequiresiCloudSignIn", .accountNotLinked, 123, KitAdvice(.afterFix, "sign in to iCloud")),
        reader("accountNotLinked", .termsNotAccepted, 124, KitAdvice(.afterFix, "link the account")),
        reader("backgroundRequestNotAllowed", .readerUnavailable, 125, KitAdvice(.afterFix, "come to the foreground")),
        reader("deviceBanned", .deviceCompromised, 126, KitAdvice(.later, "after the date that it names; ask support")),
        reader("emptyReaderToken", .configuration, 127, KitAdvice(.afterFix, "a new token")),
        reader("invalidMerchant", .configuration, 128, KitAdvice(.never, "enrol the merchant")),
        reader("invalidReaderToken", .authentication, 129, KitAdvice(.afterFix, "a new token")),
        reader("merchantBlocked", .permission, 130, KitAdvice(.never, "ask the provider")),
        reader("modelNotSupported", .deviceUnsupported, 131, KitAdvice(.never, "another phone")),
        reader("networkAuthenticationError", .network, 132, KitAdvice(.again, "check the network")),
        reader("networkError", .network, 133, KitAdvice(.again, "check the connection")),
        reader("notAllowed", .configuration, 134, KitAdvice(.never, "check entitlement, bundle and token")),
        reader("notReady", .readerUnavailable, 135, KitAdvice(.again, "prepare again")),
        reader("osVersionNotSupported", .deviceUnsupported, 136, KitAdvice(.afterFix, "update the system")),
        reader("passcodeDisabled", .deviceUnsupported, 137, KitAdvice(.afterFix, "set a passcode")),
        reader("prepareExpired", .readerUnavailable, 138, KitAdvice(.again, "prepare again")),
        reader("prepareFailed", .readerUnavailable, 139, KitAdvice(.again)),
        reader("readerBusy", .readerBusy, 140, KitAdvice(.again, "prepare again")),
        reader("readerMemoryFull", .readerUnavailable, 141, KitAdvice(.afterFix, "remove cards from the wallet")),
        reader("requestInterrupted", .readerUnavailable, 142, KitAdvice(.again)),
        reader("serviceConnectionError", .unavailable, 143, KitAdvice(.again)),
        reader("storeAndForwardNotAllowed", .permission, 144, KitAdvice(.never, "ask the provider")),
        reader("storeAndForwardSessionExpired", .readerUnavailable, 145, KitAdvice(.afterFix, "go online")),
        reader(
            "storeAndForwardSessionInvalidated", .readerUnavailable, 146, KitAdvice(.afterFix, "upload what was kept")),
        reader("storeAndForwardTokenIssuerChanged", .conflict, 147, KitAdvice(.afterFix, "upload what was kept")),
        reader("tokenExpired", .authentication, 148, KitAdvice(.afterFix, "a new token")),
        reader("unknown", .readerUnavailable, 149, KitAdvice(.again)),
        reader("unsupported", .deviceUnsupported, 150, KitAdvice(.never, "another phone")),
    ]

    private static func reader(_ name: String, _ cause: KitCause, _ line: Int, _ advice: KitAdvice) -> KitRule {
        KitRule(
            name, .nothingMoved, cause, [KitCitation("wire/proximityreader.md", line)], advice: advice,
            why: "the reader gave no card to submit")
    }
}
