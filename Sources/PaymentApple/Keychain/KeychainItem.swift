internal import PaymentBase

/// One item of the Keychain: what it is found by, and what the four calls are told of it.
struct KeychainItem: Hashable, Sendable {
    /// The application's name for what it keeps.
    let service: String
    /// The item's own name.
    let account: String
    /// The group of applications that share it; nil for this application alone.
    var accessGroup: String?

    /// Names an item.
    init(service: String, account: String, accessGroup: String? = nil) {
        (self.service, self.account, self.accessGroup) = (service, account, accessGroup)
    }

    /// What the item is found by; never one that a cloud carries to other devices.
    var found: KeychainQuery {
        var query: KeychainQuery = [
            .kSecClass: .genericPassword, .kSecAttrService: .text(service), .kSecAttrAccount: .text(account),
            .kSecAttrSynchronizable: .flag(false), .kSecUseDataProtectionKeychain: .flag(true),
        ]
        query[.kSecAttrAccessGroup] = accessGroup.map { .text($0) }
        return query
    }

    /// Asks for what the item keeps.
    var asked: KeychainQuery {
        found.merging([.kSecReturnData: .flag(true), .kSecMatchLimit: .one]) { _, new in new }
    }

    /// Makes the item anew.
    func made(with data: Secret) -> KeychainQuery { found.merging(Self.changed(to: data)) { _, new in new } }

    /// What an item that is there is changed to: what it keeps, and who may read it.
    static func changed(to data: Secret) -> KeychainQuery {
        [.kSecValueData: .data(data), .kSecAttrAccessible: .afterFirstUnlockThisDeviceOnly]
    }
}
