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
        guard let json = try? JSONReader().read(bytes), let id = json["id"]?.string, !id.isEmpty,
            let device = json["device"]?.string, !device.isEmpty
        else { throw StoreFailure.unreadable("the installation's names", path) }
        return Installation(id: id, device: device)
    }

    public func save(_ installation: Installation) async throws {
        let json: JSON = ["id": .string(installation.id), "device": .string(installation.device)]
        do throws(FileFailure) { try RegularFile.replace(path, with: json.bytes()) } catch {
            throw StoreFailure.error("the installation's names", path, error)
        }
    }
}
