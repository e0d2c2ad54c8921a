/// The journal that a configuration names.
public struct JournalChoice: Hashable, Sendable {
    /// What keeps the attempts.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Memory, which forgets everything with the process.
        case memory
        /// A SQLite file on this machine.
        case sqlite
    }

    /// What keeps the attempts.
    public let kind: Kind
    /// The file, where there is one; a path that is not absolute begins at the configuration's folder.
    public let path: String?

    /// Makes a choice.
    public init(_ kind: Kind, path: String? = nil) { (self.kind, self.path) = (kind, path) }
}
