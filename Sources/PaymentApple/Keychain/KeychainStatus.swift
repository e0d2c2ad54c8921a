internal import PaymentAbstraction
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
            .configuration, "\(what) in the Keychain can't be understood; forget them to begin anew")
    }

    private static let unlisted = SDKErrorRule(
        "", .nothingMoved, .unavailable, [], why: "the Keychain failed with a number that isn't in its lists")
}
