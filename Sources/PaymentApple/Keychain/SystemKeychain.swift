#if canImport(Security)
internal import Foundation
internal import PaymentBase
internal import Security

/// The Keychain of this device.
struct SystemKeychain: Keychain {
    func copyMatching(_ query: KeychainQuery) -> (status: Int32, data: Secret?) {
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(Self.dictionary(query), &found)
        return (status, (found as? Data).map { Secret(bytes: Array($0)) })
    }

    func add(_ attributes: KeychainQuery) -> Int32 { SecItemAdd(Self.dictionary(attributes), nil) }

    func update(_ query: KeychainQuery, to attributes: KeychainQuery) -> Int32 {
        SecItemUpdate(Self.dictionary(query), Self.dictionary(attributes))
    }

    func delete(_ query: KeychainQuery) -> Int32 { SecItemDelete(Self.dictionary(query)) }

    private static func dictionary(_ query: KeychainQuery) -> CFDictionary {
        SystemDictionary.make(query.map { ($0.key.constant, $0.value.object) })
    }
}

extension KeychainAttribute {
    /// Security's constant of that name.
    fileprivate var constant: CFString {
        switch self {
        case .kSecClass: Security.kSecClass
        case .kSecAttrService: Security.kSecAttrService
        case .kSecAttrAccount: Security.kSecAttrAccount
        case .kSecAttrAccessGroup: Security.kSecAttrAccessGroup
        case .kSecAttrAccessible: Security.kSecAttrAccessible
        case .kSecAttrSynchronizable: Security.kSecAttrSynchronizable
        case .kSecUseDataProtectionKeychain: Security.kSecUseDataProtectionKeychain
        case .kSecMatchLimit: Security.kSecMatchLimit
        case .kSecReturnData: Security.kSecReturnData
        case .kSecValueData: Security.kSecValueData
        }
    }
}

extension KeychainValue {
    /// What Security takes for it.
    fileprivate var object: AnyObject? {
        switch self {
        case .genericPassword: kSecClassGenericPassword
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .one: kSecMatchLimitOne
        case .flag(let isSet): isSet ? kCFBooleanTrue : kCFBooleanFalse
        case .text(let text): SystemDictionary.text(text)
        case .data(let secret): SystemDictionary.data(secret.exposeBytes())
        }
    }
}
#endif
