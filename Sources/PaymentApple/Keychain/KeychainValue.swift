internal import PaymentBase

/// What stands under an attribute of an item: a constant of Security's, a truth, a text, or what is kept.
enum KeychainValue: Hashable, Sendable {
    /// `kSecClassGenericPassword`.
    case genericPassword
    /// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`: also behind a locked screen, once the phone was unlocked since
    /// it started; in no backup that another device could take.
    case afterFirstUnlockThisDeviceOnly
    /// `kSecMatchLimitOne`.
    case one
    /// `kCFBooleanTrue` or `kCFBooleanFalse`.
    case flag(Bool)
    /// A text of ours.
    case text(String)
    /// What is kept.
    case data(Secret)
}

/// What a call on items is told.
typealias KeychainQuery = [KeychainAttribute: KeychainValue]
