internal import PaymentBase
public import PaymentDriverKit
internal import PaymentSystem

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
                path, bytesMax: Self.bytesMax, forbidding: RegularFile.otherUsers, followsLinks: false)
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
                path, bytesMax: Self.bytesMax, forbidding: RegularFile.otherUsers, followsLinks: false)
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

/// The folder in which programs of this user keep what has to outlive them.
///
/// A configuration means a file in it by `state:` before the name, as in `"path": "state:journal.sqlite"`.
public struct StateDirectory: Hashable, Sendable {
    /// What a path begins with that is meant in this folder.
    public static let prefix = "state:"
    private static let name = "payments"

    /// Where it is.
    public let path: String

    /// Takes a folder of one's own choice.
    public init(_ path: String) { self.path = path }

    /// The user's own: `$XDG_STATE_HOME/payments`, else `~/.local/state/payments`; on Apple's systems
    /// `Library/Application Support/payments` of the application's container, which its home folder is.
    ///
    /// - Throws: `configuration`, nothing moved, when the environment names neither.
    public static func user() throws(PaymentError) -> StateDirectory {
        #if os(Linux) && !APPLE_CHECK
        let place = ".local/state"
        if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return StateDirectory("\(base)/\(name)") }
        #else
        let place = "Library/Application Support"
        #endif
        if let home = variable("HOME"), home.hasPrefix("/") { return StateDirectory("\(home)/\(place)/\(name)") }
        throw PaymentError.notExecuted(
            .configuration, "where this user's state belongs is not known: set HOME or XDG_STATE_HOME, or name a folder"
        )
    }

    /// The place of a file in it.
    public func file(_ name: String) -> String { FilePath.join(path, name) }

    /// Makes it, with the folders above it, unless it is there; for this user alone.
    ///
    /// - Throws: `configuration`, nothing moved, when it can't be made or others may write into it.
    public func make() throws(PaymentError) {
        do throws(FileFailure) {
            var missing: [String] = []
            var folder = path
            while !folder.isEmpty, folder != "/", unsafe access(folder, F_OK) != 0 {
                missing.append(folder)
                folder = FilePath.folder(of: folder)
            }
            for folder in missing.reversed() { try RegularFile.makeFolder(folder) }
            try RegularFile.makeFolder(path)
            // What comes back from a backup is an old journal, which would charge again what it doesn't know.
            guard HostDefaults.leaveOutOfBackups(path) else { throw FileFailure.failed(code: EPERM) }
        } catch {
            let advice =
                switch error {
                case .foreign, .foreignFolder: "run as that user, or name another folder"
                default: "name another, or change its mode to 700"
                }
            throw PaymentError.notExecuted(
                .configuration, "the folder \(path) can't be used: \(error.problem); \(advice)")
        }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// The errors of the file stores, in words.
enum StoreFailure {
    static func error(_ what: String, _ path: String, _ failure: FileFailure) -> PaymentError {
        let advice: String
        switch failure {
        case .exposed: advice = "Run chmod go= on it, and take what it held for known to others"
        case .notRegular: advice = "Remove what stands there"
        case .missing: advice = "Make the folder that it belongs into"
        case .foreign, .foreignFolder: advice = "Run as that user, or name another place"
        case .openFolder(let folder): advice = "Run chmod go-w \(folder), or name a place where no other user may write"
        case .forbidden, .tooLarge, .failed: advice = "Check the path that was given to the store"
        }
        return PaymentError.notExecuted(
            .configuration, "\(what) can't be kept in \(path): \(failure.problem). \(advice).")
    }

    static func unreadable(_ what: String, _ path: String) -> PaymentError {
        PaymentError.notExecuted(
            .configuration, "\(what) in \(path) can't be understood. Restore the file, or remove it to begin again.")
    }
}
