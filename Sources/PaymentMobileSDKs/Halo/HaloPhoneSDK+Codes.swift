// The SDK's codes in both spellings: up to 1.0.86 in capitals, from 1.0.90 on in Apple's lower camel case, and more of them.
extension HaloPhoneSDK {
    /// The codes whose older spelling stands for one newer code alone.
    private static let renamed = [
        "CARD_DECLINED": ("cardDeclined", 3),
        "NETWORK_ERROR": ("networkError", 4),
        "TIMEOUT": ("timeout", 7), "PAYMENT_IN_PROGRESS": ("paymentInProgress", 16),
        "NOT_INITIALIZED": ("notInitialized", 18),
        "AUTH_TOKEN_UNAUTHORIZED": ("authTokenUnauthorized", 19),
    ]

    /// The rows of a document's codes once more, under their spelling since 1.0.90.
    static func respelt(_ rows: [SDKErrorRule]) -> [SDKErrorRule] {
        rows.compactMap { row in
            guard let (code, line) = renamed[row.code] else { return nil }
            return SDKErrorRule(
                code, row.outcome, row.cause, row.citations + [published(line)], holds: row.holdsAfterSubmission,
                advice: row.advice, why: row.why)
        }
    }

    /// The rows of the codes that came after the document which the first rows are of.
    static let laterRows: [SDKErrorRule] =
        noReadRows
        + [
            before(["readNotAllowedDuringCall"], 9, .readerUnavailable, "the read isn't allowed, so no card was read"),
            before(["deviceBanned", "DEVICE_BANNED"], 15, .deviceCompromised, "the device is barred from payments"),
            before(
                ["locationError", "LOCATION_ERROR"], 20, .locationRequired,
                "the document says that it fails before the reader's screen"),
            before(
                ["prepareFailed"], 31, .readerUnavailable, "the reader was being prepared, so no card was read"),
            before(["readerMemoryFull"], 35, .readerUnavailable, "no card can be read"),
            before(["notAllowed"], 38, .configuration, "the entitlement or the set-up is missing, so no card was read"),
            before(
                ["invalidPassthroughFields"], 39, .invalidRequest,
                "the document says that it is declined before the reader's screen"),
            before(["invalidAmount", "INVALID_AMOUNT"], 44, .invalidRequest, "the request was not taken"),
            before(["invalidCurrency", "INVALID_CURRENCY"], 45, .invalidRequest, "the request was not taken"),
            before(["invalidReference", "INVALID_REFERENCE"], 46, .invalidRequest, "the request was not taken"),
            before(
                ["offlineDeclined", "OFFLINE_DECLINED"], 48, .declined,
                "the document says that the card declined before a submission"),
        ].flatMap { $0 } + undecidedRows

    /// No card can be read: by the device, or without the merchant's account.
    private static let noReadRows: [SDKErrorRule] = [
        before(["modelNotSupported"], 11, .deviceUnsupported, "no card can be read"),
        before(["osVersionNotSupported"], 12, .deviceUnsupported, "no card can be read"),
        before(["passcodeDisabled"], 13, .deviceUnsupported, "no card can be read"),
        before(["unsupported"], 14, .deviceUnsupported, "no card can be read"),
        before(["accountNotLinked", "ACCOUNT_LINKING_ERROR"], 21, .accountNotLinked, linking),
        before(["accountLinkingRequiresiCloudSignIn"], 22, .accountNotLinked, linking),
        before(["accountLinkingFailed"], 23, .accountNotLinked, linking),
        before(["accountLinkingCheckFailed"], 24, .accountNotLinked, linking),
        before(["accountLinkingCancelled"], 25, .termsNotAccepted, linking),
        before(["accountAlreadyLinked"], 26, .conflict, "the account is linked already, and no payment was begun"),
        before(["accountDeactivated"], 27, .permission, linking),
        before(["invalidReaderToken"], 28, .configuration, "the reader's session is not made without its token"),
        before(["emptyReaderToken"], 29, .configuration, "the reader's session is not made without its token"),
    ].flatMap { $0 }

    private static let linking = "no card is read before the account is linked"

    /// The codes of which the document doesn't say when in a payment they come.
    ///
    /// A cancel proves nothing here: the steps by which a submission would be seen may have other names, too.
    private static let undecidedRows: [SDKErrorRule] = [
        undecided(["userCancelled"], 2, .cancelled), undecided(["screenCaptureDetected"], 17, .deviceCompromised),
        undecided(["networkAuthenticationError"], 5, .network), undecided(["serviceConnectionError"], 6, .unavailable),
        undecided(["backgroundRequestNotAllowed", "APP_IN_BACKGROUND"], 8, .readerUnavailable),
        undecided(["requestInterrupted"], 10, .readerUnavailable),
        undecided(["tokenExpired", "TOKEN_ERROR"], 30, .configuration),
        undecided(["readerBusy"], 32, .readerBusy), undecided(["notReady", "READER_ERROR"], 33, .readerUnavailable),
        undecided(["prepareExpired"], 34, .readerUnavailable),
        undecided(["merchantBlocked", "MERCHANT_BLOCKED"], 36, .permission),
        undecided(["invalidMerchant", "MERCHANT_NOT_ALLOWED"], 37, .configuration),
        undecided(["storeAndForwardNotAllowed", "STORE_FORWARD_ERROR"], 40, .configuration),
        undecided(["storeAndForwardSessionExpired"], 41, .configuration),
        undecided(["storeAndForwardSessionInvalidated"], 42, .configuration),
        undecided(["storeAndForwardTokenIssuerChanged"], 43, .configuration),
        undecided(["transactionError"], 47, .providerFailed),
        undecided(["cardNotSupported", "CARD_NOT_SUPPORTED"], 49, .declined),
        undecided(["unknown"], 50, .providerFailed),
        undecided(["systemError", "SYSTEM_ERROR"], 51, .providerFailed),
    ].flatMap { $0 }

    private static func before(_ codes: [String], _ line: Int, _ cause: SDKErrorCause, _ why: String) -> [SDKErrorRule]
    {
        codes.map { SDKErrorRule($0, .nothingMoved, cause, [published(line)], why: why) }
    }

    private static func undecided(_ codes: [String], _ line: Int, _ cause: SDKErrorCause) -> [SDKErrorRule] {
        codes.map {
            SDKErrorRule($0, .unknown, cause, [published(line)], why: "when in a payment it comes is not said")
        }
    }

    private static func published(_ line: Int) -> DocumentCitation {
        DocumentCitation("Tests/Contracts/sdk/halo-codes.tsv", line)
    }
}
