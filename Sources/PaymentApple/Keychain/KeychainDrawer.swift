internal import PaymentAbstraction
internal import PaymentBase

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
    /// meanwhile.
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
