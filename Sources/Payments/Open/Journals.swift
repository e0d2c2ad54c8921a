public import PaymentAbstraction
internal import PaymentBase
internal import PaymentJournal
public import PaymentProviderKit

/// The journals that an application can choose by name.
public enum Journals {
    /// A journal, with what tells its processes apart.
    public struct Opened: Sendable {
        /// The journal.
        public let journal: any Journal
        /// The name of this process in the journal.
        public let owner: String?
        /// Tells which other processes are still there.
        public let owners: any OwnerRegistry

        /// Takes an open journal.
        public init(journal: any Journal, owner: String?, owners: any OwnerRegistry) {
            (self.journal, self.owner, self.owners) = (journal, owner, owners)
        }
    }

    /// One that forgets everything with the process.
    public static func memory() -> any Journal { MemoryJournal() }

    /// The journal that a configuration names.
    ///
    /// - Parameters:
    ///   - folder: Where paths begin that are not absolute.
    ///   - state: What `state:` before a path means; nil for the user's own folder.
    ///   - others: How kinds are opened that aren't part of this library.
    ///   - secrets: What follows a reference to a connection; nil for the system's own.
    /// - Throws: `journal`, nothing moved, when the file can't be used; `configuration` when none is named.
    public static func open(
        _ choice: JournalChoice, folder: String, state: StateFolder? = nil, others: [JournalOpening] = [],
        secrets: (any SecretResolver)? = nil
    ) async throws(PaymentError) -> Opened {
        switch choice.kind {
        case .memory: return Opened(journal: memory(), owner: nil, owners: SoleOwner())
        case .sqlite:
            guard let named = choice.path else {
                throw PaymentError.nothingMoved(
                    .configuration, "journal.path: a sqlite journal needs the path of its file")
            }
            let path = try place(of: named, folder, state)
            let owner = TimeOrderedID.make(now: SystemClock().now, random: SystemRandom())
            let locks = try ProcessLocks(besideJournal: path, owner: owner)
            let journal = try await SQLiteJournal.open(path: path)
            return Opened(journal: journal, owner: owner, owners: locks)
        case .postgres:
            guard let opening = others.first(where: { $0.kind == choice.kind }) else {
                throw PaymentError.nothingMoved(
                    .configuration,
                    "journal.kind: a postgres journal is opened by PaymentPostgres; import it, and say "
                        + "journals = [.postgres] where the client is opened")
            }
            return try await opening.open(choice, secrets ?? SystemSecrets(folder: folder))
        }
    }

    /// Where the file of a journal is.
    ///
    /// - Throws: `configuration`, nothing moved, when `state:` is meant and there is no such folder.
    public static func place(
        of named: String, _ folder: String, _ state: StateFolder? = nil
    ) throws(PaymentError) -> String {
        guard named.hasPrefix(StateFolder.prefix) else { return FilePath.join(folder, named) }
        let folder = if let state { state } else { try StateFolder.user() }
        try folder.make()
        return folder.file(String(named.dropFirst(StateFolder.prefix.count)))
    }
}
