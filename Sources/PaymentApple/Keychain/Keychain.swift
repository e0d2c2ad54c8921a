internal import PaymentBase

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
