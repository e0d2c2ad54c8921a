internal import PaymentBase
public import PaymentDriverKit

/// Keeps the installation's names in the Keychain of this device, apart from tokens.
///
/// They outlive the application: installed again on the same device, it has the names that providers know.
public struct KeychainInstallationStore: InstallationStore {
    /// The item's own name.
    static let account = "installation"

    private let drawer: KeychainDrawer

    /// Keeps the names in a keychain by its four calls.
    init(_ keychain: any Keychain, service: String, accessGroup: String? = nil) {
        drawer = KeychainDrawer(keychain: keychain, service: service, accessGroup: accessGroup)
    }

    /// The names, when they were made before.
    ///
    /// - Throws: what `KeychainStatus` says of the Keychain's number, nothing moved, so that a locked phone's names are
    ///   not replaced by new ones, which would have to be activated again.
    public func load() async throws -> Installation? {
        guard let bytes = try drawer.read(Self.account) else { return nil }
        guard let installation = Installation(kept: bytes) else {
            throw KeychainStatus.unreadable("the installation's names")
        }
        return installation
    }

    public func save(_ installation: Installation) async throws {
        try drawer.keep(installation.kept, Self.account)
    }
}

/// Keeps access in the Keychain of this device: one item for each provider account, in no backup that others can take.
///
/// An item outlives the application that made it: after the application was removed and installed again it is there.
public struct KeychainTokenStore: TokenStore {
    private let drawer: KeychainDrawer

    /// Keeps access in a keychain by its four calls.
    init(_ keychain: any Keychain, service: String, accessGroup: String? = nil) {
        drawer = KeychainDrawer(keychain: keychain, service: service, accessGroup: accessGroup)
    }

    /// What is kept for a provider.
    ///
    /// - Throws: what `KeychainStatus` says of the Keychain's number, nothing moved; `configuration` for an item that
    ///   can't be understood.
    public func load(_ provider: ProviderIdentity) async throws -> AccessToken? {
        guard let bytes = try drawer.read(provider.storageName) else { return nil }
        guard let access = AccessToken(kept: bytes, for: provider) else {
            throw KeychainStatus.unreadable("the tokens of \(provider)")
        }
        return access
    }

    public func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {
        guard let access else { return try drawer.forget(provider.storageName) }
        try drawer.keep(access.kept(for: provider), provider.storageName)
    }
}
