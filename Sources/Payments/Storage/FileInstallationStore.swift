public import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux

/// Keeps the installation's names in a file that only this user can read, apart from tokens.
public struct FileInstallationStore: InstallationStore {
    /// The largest file.
    static let bytesMax = 4 * 1_024

    private let path: String

    /// Keeps the names in a file, whose folder has to be there.
    public init(path: String) { self.path = path }

    /// The names, when they were made before.
    ///
    /// - Throws: `configuration`, nothing moved, when the file can't be read or others can: new names in place of the
    ///   old ones would have to be activated again.
    public func load() async throws -> Installation? {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try RegularFile.read(
                path, bytesMax: Self.bytesMax, forbidding: RegularFile.anybodyElse, followsLinks: false)
        } catch .missing { return nil } catch { throw StoreFailure.error("the installation's names", path, error) }
        guard let installation = Installation(kept: Secret(bytes: bytes)) else {
            throw StoreFailure.unreadable("the installation's names", path)
        }
        return installation
    }

    public func save(_ installation: Installation) async throws {
        do throws(FileFailure) { try RegularFile.replace(path, with: installation.kept.exposeBytes()) } catch {
            throw StoreFailure.error("the installation's names", path, error)
        }
    }
}
