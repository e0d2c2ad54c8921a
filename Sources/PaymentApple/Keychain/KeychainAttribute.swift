internal import PaymentBase

/// What can be said of an item to the Keychain, each by the name of Security's constant for it.
enum KeychainAttribute: String, CaseIterable, Sendable {
    case kSecClass
    case kSecAttrService
    case kSecAttrAccount
    case kSecAttrAccessGroup
    case kSecAttrAccessible
    case kSecAttrSynchronizable
    case kSecUseDataProtectionKeychain
    case kSecMatchLimit
    case kSecReturnData
    case kSecValueData
}
