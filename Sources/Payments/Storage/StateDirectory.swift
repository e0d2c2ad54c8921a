public import PaymentAbstraction
internal import PaymentLinux
internal import PaymentSystem

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

    /// The user's own: `$XDG_STATE_HOME/payments`, else `~/.local/state/payments`.
    ///
    /// - Throws: `configuration`, nothing moved, when the environment names neither.
    public static func user() throws(PaymentError) -> StateDirectory {
        if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return StateDirectory("\(base)/\(name)") }
        if let home = variable("HOME"), home.hasPrefix("/") { return StateDirectory("\(home)/.local/state/\(name)") }
        throw PaymentError.notExecuted(
            .configuration, "nobody says where this user's state belongs: set HOME or XDG_STATE_HOME, or name a folder")
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
        } catch {
            throw PaymentError.notExecuted(
                .configuration,
                "the folder \(path) can't be used: \(error.problem); name another, or change its mode to 700")
        }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
