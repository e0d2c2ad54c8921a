/// The journal that a configuration names.
public struct JournalConfiguration: Hashable, Sendable {
    /// What keeps the attempts.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Memory, which forgets everything with the process.
        case memory
        /// A SQLite file on this machine.
        case sqlite
        /// A PostgreSQL database that many machines share.
        case postgres
    }

    /// What it takes for an acknowledged write to a database to be safe.
    public enum Durability: String, Hashable, Sendable, CaseIterable {
        /// A synchronous standby has it, too.
        case standby
        /// The server's own disk has it: what is acknowledged is lost with that server.
        case local
    }

    /// What keeps the attempts.
    public let kind: Kind
    /// The file, where there is one; a path that is not absolute begins at the configuration's folder.
    public let path: String?
    /// Where the database's connection string is found, which may hold a password.
    public var connection: SecretReference?
    /// The schema of the database in which the journal is.
    public var schema: String?
    /// What it takes for an acknowledged write to the database to be safe.
    public var durability: Durability?

    /// Makes a choice.
    public init(_ kind: Kind, path: String? = nil) { (self.kind, self.path) = (kind, path) }
}
