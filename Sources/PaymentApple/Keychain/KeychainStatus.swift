internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// What the numbers mean that Security's calls on items answer with; no money is in any of them.
enum KeychainStatus {
    /// The calls on items.
    enum Call: String, SDKCall {
        /// `SecItemCopyMatching`.
        case copyMatching
        /// `SecItemAdd`.
        case add
        /// `SecItemUpdate`.
        case update
        /// `SecItemDelete`.
        case delete

        /// No call on items pays.
        var isAboutMoney: Bool { false }
    }

    static let success: Int32 = 0
    static let decode: Int32 = -26275
    static let duplicateItem: Int32 = -25299
    static let itemNotFound: Int32 = -25300
    static let dataTooLarge: Int32 = -25302

    /// A number as our error. It speaks of keeping names and tokens, so nothing has moved by it, also where the number is
    /// listed nowhere.
    static func error(_ status: Int32, in call: Call) -> PaymentError {
        let row = rows.first { $0.status == status }
        let rule = row?.rule ?? unlisted
        return PaymentError(rule, .notExecuted, ProviderMessage(code: row?.rule.code ?? "OSStatus \(status)"))
    }

    /// An item that is there and says nothing that we know.
    static func unreadable(_ what: String) -> PaymentError {
        PaymentError.notExecuted(
            .configuration, "\(what) in the Keychain can't be understood; forget them to begin again")
    }

    private static let unlisted = SDKErrorRule(
        "", .notExecuted, .providerUnavailable, [], why: "the Keychain failed with a number that isn't in its lists")
}

extension KeychainStatus {
    /// One number of Security's with its name and what it means for a store.
    struct Row: Sendable {
        /// The number.
        let status: Int32
        /// Its name, and what it means.
        let rule: SDKErrorRule
    }

    /// The numbers of Security's general list and of its list about keychains, in their order.
    static let rows: [Row] = general + keychains + data

    private static let later = SDKErrorAdvice(.later)
    private static let unlock = SDKErrorAdvice(.later, "unlock the phone")
    private static let entitle = SDKErrorAdvice(.never, "sign the application with the Keychain's entitlement")
    private static let report = SDKErrorAdvice(.never, "report it: the store asked wrongly")
    private static let room = SDKErrorAdvice(.afterFix, "make room on the device")
    private static let signInAgain = SDKErrorAdvice(.afterFix, "forget the item and sign in again")
    private static let restart = SDKErrorAdvice(.afterFix, "restart the device")

    private static let general: [Row] = [
        row(0, "errSecSuccess", .providerFailed, report, "success is no error"),
        row(-4, "errSecUnimplemented", .deviceUnsupported, report, "the system has no such call"),
        row(-34, "errSecDiskFull", .providerUnavailable, room, "the disk is full"),
        row(-36, "errSecIO", .providerUnavailable, later, "reading or writing the Keychain failed"),
        row(-49, "errSecOpWr", .providerUnavailable, later, "the Keychain's file is being written by another"),
        row(-50, "errSecParam", .invalidRequest, report, "an argument isn't valid"),
        row(-61, "errSecWrPerm", .permission, entitle, "the Keychain may not be written"),
        row(-108, "errSecAllocate", .providerUnavailable, later, "there was no memory"),
        row(-128, "errSecUserCanceled", .cancelled, SDKErrorAdvice(.again), "a person refused at the system's prompt"),
        row(-909, "errSecBadReq", .invalidRequest, report, "an argument or the state isn't valid for the call"),
        row(-2070, "errSecInternalComponent", .providerFailed, later, "a part of the system failed"),
        row(-4960, "errSecCoreFoundationUnknown", .providerFailed, later, "a part of the system failed"),
        row(-34018, "errSecMissingEntitlement", .configuration, entitle, "an entitlement is missing"),
        row(-34020, "errSecRestrictedAPI", .configuration, entitle, "the application may not make the call"),
    ]

    private static let keychains: [Row] = [
        row(-25291, "errSecNotAvailable", .providerUnavailable, restart, "there is no Keychain"),
        row(-25292, "errSecReadOnly", .permission, report, "the keychain can't be changed"),
        row(-25293, "errSecAuthFailed", .authentication, unlock, "the application was not let in"),
        row(-25294, "errSecNoSuchKeychain", .configuration, report, "there is no such keychain"),
        row(-25295, "errSecInvalidKeychain", .configuration, report, "the file is no keychain"),
        row(-25296, "errSecDuplicateKeychain", .conflict, report, "a keychain of that name is there"),
        row(-25297, "errSecDuplicateCallback", .conflict, report, "the function is registered already"),
        row(-25298, "errSecInvalidCallback", .invalidRequest, report, "the function can't be registered"),
        row(-25299, "errSecDuplicateItem", .conflict, SDKErrorAdvice(.again), "another made the item at the same time"),
        row(-25300, "errSecItemNotFound", .notFound, SDKErrorAdvice(.again), "the item is not there"),
        row(-25301, "errSecBufferTooSmall", .providerUnavailable, later, "there was no memory for the item"),
        row(-25302, "errSecDataTooLarge", .invalidRequest, report, "more than an item keeps"),
        row(-25303, "errSecNoSuchAttr", .invalidRequest, report, "there is no such attribute"),
        row(-25304, "errSecInvalidItemRef", .notFound, SDKErrorAdvice(.again), "the item is gone"),
        row(-25305, "errSecInvalidSearchRef", .invalidRequest, report, "the search isn't valid"),
        row(-25306, "errSecNoSuchClass", .invalidRequest, report, "there is no such class of items"),
        row(-25307, "errSecNoDefaultKeychain", .configuration, restart, "there is no default keychain"),
        row(
            -25308, "errSecInteractionNotAllowed", .providerUnavailable, unlock,
            "locked, and no person may be asked now"),
        row(-25309, "errSecReadOnlyAttr", .invalidRequest, report, "the attribute can't be changed"),
        row(-25310, "errSecWrongSecVersion", .configuration, report, "made by another version of the system"),
        row(-25311, "errSecKeySizeNotAllowed", .invalidRequest, report, "no key has that size"),
        row(-25312, "errSecNoStorageModule", .providerUnavailable, restart, "a part of the system is not loaded"),
        row(-25313, "errSecNoCertificateModule", .providerUnavailable, restart, "a part of the system is not loaded"),
        row(-25314, "errSecNoPolicyModule", .providerUnavailable, restart, "a part of the system is not loaded"),
        row(
            -25315, "errSecInteractionRequired", .providerUnavailable, unlock,
            "a person must be asked, which isn't allowed now"
        ),
        row(-25316, "errSecDataNotAvailable", .providerUnavailable, unlock, "what the item keeps can't be read now"),
        row(-25317, "errSecDataNotModifiable", .permission, signInAgain, "what the item keeps can't be changed"),
        row(-25318, "errSecCreateChainFailed", .configuration, report, "a certificate is missing"),
        row(-25319, "errSecInvalidPrefsDomain", .invalidRequest, report, "there is no such set of preferences"),
        row(-25320, "errSecInDarkWake", .providerUnavailable, unlock, "the device sleeps with its screen dark"),
    ]

    private static let data: [Row] = [
        row(-26275, "errSecDecode", .unreadableReply, signInAgain, "what the item keeps can't be decoded"),
        row(-67808, "errSecVerifyFailed", .unreadableReply, signInAgain, "what the item keeps has been changed"),
    ]

    private static func row(
        _ status: Int32, _ name: String, _ cause: SDKErrorCause, _ advice: SDKErrorAdvice, _ why: String
    )
        -> Row
    {
        Row(status: status, rule: SDKErrorRule(name, .notExecuted, cause, [], advice: advice, why: why))
    }
}
