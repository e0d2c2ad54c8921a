public import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux

/// Keeps access in files that only this user can read: one for each provider account, in one folder.
///
/// A file is replaced as a whole, so that two processes never read half of one. A file that others can read is refused.
public struct FileTokenStore: TokenStore {
    /// The largest file.
    static let bytesMax = 256 * 1_024
    /// The longest name of a file.
    static let nameBytesMax = 200

    private let folder: String

    /// Keeps the files in a folder, which is made when it is first needed.
    public init(folder: String) { self.folder = folder }

    /// What is kept for a provider.
    ///
    /// - Throws: `configuration`, nothing moved, when the file can't be read or others can.
    public func load(_ provider: ProviderIdentity) async throws -> AccessToken? {
        let path = try path(provider)
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try RegularFile.read(
                path, bytesMax: Self.bytesMax, forbidding: RegularFile.anybodyElse, followsLinks: false)
        } catch .missing { return nil } catch { throw StoreFailure.error("tokens", path, error) }
        guard let access = AccessToken(kept: Secret(bytes: bytes), for: provider) else {
            throw StoreFailure.unreadable("tokens", path)
        }
        return access
    }

    public func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {
        let path = try path(provider)
        do throws(FileFailure) {
            guard let access else { return try RegularFile.remove(path) }
            try RegularFile.makeFolder(folder)
            try RegularFile.replace(path, with: access.kept(for: provider).exposeBytes())
        } catch { throw StoreFailure.error("tokens", path, error) }
    }

    /// Where an account's file lies; all four parts of the account are in its name.
    private func path(_ provider: ProviderIdentity) throws(PaymentError) -> String {
        let name = provider.storageName + ".json"
        guard name.utf8.count <= Self.nameBytesMax, !folder.isEmpty else {
            throw PaymentError.notExecuted(
                .configuration, "the tokens of \(provider) can't be kept in a file: its name would be too long")
        }
        return FilePath.join(folder, name)
    }
}
