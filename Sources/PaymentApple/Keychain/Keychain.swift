internal import PaymentBase
internal import PaymentModel

/// Security's four calls on items, by the numbers that they answer with (`OSStatus`).
protocol Keychain: Sendable {
    /// `SecItemCopyMatching`: what the item keeps.
    func copyMatching(_ query: KeychainQuery) -> (status: Int32, data: Secret?)
    /// `SecItemAdd`.
    func add(_ attributes: KeychainQuery) -> Int32
    /// `SecItemUpdate`.
    func update(_ query: KeychainQuery, to attributes: KeychainQuery) -> Int32
    /// `SecItemDelete`.
    func delete(_ query: KeychainQuery) -> Int32
}

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

/// What is under an attribute of an item: a constant of Security's, a truth, a text, or what is kept.
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
    /// Our own text.
    case text(String)
    /// What is kept.
    case data(Secret)
}

/// The parameters of a call on items.
typealias KeychainQuery = [KeychainAttribute: KeychainValue]

/// One item of the Keychain: what it is found by, and the parameters of the four calls.
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

    /// Makes the item again.
    func made(with data: Secret) -> KeychainQuery { found.merging(Self.changed(to: data)) { _, new in new } }

    /// What an item that is there is changed to: what it keeps, and who may read it.
    static func changed(to data: Secret) -> KeychainQuery {
        [.kSecValueData: .data(data), .kSecAttrAccessible: .afterFirstUnlockThisDeviceOnly]
    }
}

/// What the stores do with items: read one, keep one, forget one.
struct KeychainDrawer: Sendable {
    /// The most bytes that an item keeps.
    static let bytesMax = 256 * 1_024
    /// The longest name of an item.
    static let nameBytesMax = 1_024

    let keychain: any Keychain
    let service: String
    let accessGroup: String?

    func read(_ account: String) throws(PaymentError) -> Secret? {
        let (status, data) = try keychain.copyMatching(item(account).asked)
        if status == KeychainStatus.itemNotFound { return nil }
        guard status == KeychainStatus.success else { throw KeychainStatus.error(status, in: .copyMatching) }
        // Security's word for what it can't read itself.
        guard let data, data.exposeBytes().count <= Self.bytesMax else {
            throw KeychainStatus.error(KeychainStatus.decode, in: .copyMatching)
        }
        return data
    }

    /// Keeps an item: in the place of the one that is there, else as a new one, which another process may have made
    /// in the meantime.
    func keep(_ data: Secret, _ account: String) throws(PaymentError) {
        guard data.exposeBytes().count <= Self.bytesMax else {
            throw KeychainStatus.error(KeychainStatus.dataTooLarge, in: .add)
        }
        let item = try item(account)
        let change = KeychainItem.changed(to: data)
        var (status, call) = (keychain.update(item.found, to: change), KeychainStatus.Call.update)
        if status == KeychainStatus.itemNotFound {
            (status, call) = (keychain.add(item.made(with: data)), .add)
            if status == KeychainStatus.duplicateItem {
                (status, call) = (keychain.update(item.found, to: change), .update)
            }
        }
        guard status == KeychainStatus.success else { throw KeychainStatus.error(status, in: call) }
    }

    func forget(_ account: String) throws(PaymentError) {
        let status = try keychain.delete(item(account).found)
        guard status == KeychainStatus.success || status == KeychainStatus.itemNotFound else {
            throw KeychainStatus.error(status, in: .delete)
        }
    }

    private func item(_ account: String) throws(PaymentError) -> KeychainItem {
        guard !service.isEmpty, !account.isEmpty, service.utf8.count + account.utf8.count <= Self.nameBytesMax else {
            throw PaymentError.notExecuted(
                .configuration, "an item of the Keychain needs a name of at most \(Self.nameBytesMax) bytes")
        }
        return KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }
}
