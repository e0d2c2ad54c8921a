public import PaymentAbstraction
internal import PaymentBase
internal import PaymentLinux
public import PaymentProviderKit
internal import PaymentSQLite

/// The journals that an application can choose by name.
public enum Journals {
    /// The journal that a configuration names.
    ///
    /// - Parameters:
    ///   - folder: Where paths begin that are not absolute.
    ///   - state: What `state:` before a path means; nil for the user's own folder.
    ///   - others: How kinds are opened that aren't part of this library.
    ///   - secrets: What follows a reference to a connection; nil for the system's own.
    /// - Throws: `journal`, nothing moved, when the file can't be used; `configuration` when none is named.
    public static func open(
        _ choice: JournalConfiguration, folder: String, state: StateDirectory? = nil, others: [JournalFactory] = [],
        secrets: (any SecretResolver)? = nil
    ) async throws(PaymentError) -> JournalStore {
        switch choice.kind {
        case .memory: return .memory
        case .sqlite:
            guard let named = choice.path else {
                throw PaymentError.notExecuted(
                    .configuration, "journal.path: a sqlite journal needs the path of its file")
            }
            let path = try place(of: named, folder, state)
            do { try RegularFile.check(path, forbidding: RegularFile.othersMayWrite) } catch {
                throw PaymentError.notExecuted(
                    .journal, "the journal \(path) can't be trusted: \(error.problem). \(advice(error, path))")
            }
            let known = try BuiltinJournals.look(state, meantBy: named)
            try known?.expect(path)
            let owner = TimeOrderedID.make(now: SystemClock().now, random: SystemRandom())
            let locks = try ProcessLocks(besideJournal: path, owner: owner)
            let journal = try await SQLiteJournal.open(path: path, processes: locks)
            try known?.remember(path)
            // What can't be swept now is swept another time.
            _ = try? await journal.clearOwners(locks)
            return JournalStore(journal)
        case .postgres:
            guard let opening = others.first(where: { $0.kind == choice.kind }) else {
                throw PaymentError.notExecuted(
                    .configuration,
                    "journal.kind: a postgres journal is opened by PaymentPostgres; import it, and say "
                        + "journals = [.postgres] where the client is opened")
            }
            return try await opening.open(choice, secrets ?? SystemSecretResolver(folder: folder))
        }
    }

    private static func advice(_ failure: FileFailure, _ path: String) -> String {
        switch failure {
        case .exposed: "Run chmod go-w \(path), and compare what it holds with the providers."
        case .openFolder(let folder): "Run chmod go-w \(folder), or keep the journal where nobody else may write."
        case .foreign: "Make it this user's own."
        case .missing, .forbidden, .notRegular, .tooLarge, .failed: "Is it the right file?"
        }
    }

    /// Where the file of a journal is.
    ///
    /// - Throws: `configuration`, nothing moved, when `state:` is meant and there is no such folder, or the path leads out
    ///   of it.
    public static func place(
        of named: String, _ folder: String, _ state: StateDirectory? = nil
    ) throws(PaymentError) -> String {
        guard named.hasPrefix(StateDirectory.prefix) else { return FilePath.join(folder, named) }
        let name = String(named.dropFirst(StateDirectory.prefix.count))
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !steps.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw PaymentError.notExecuted(
                .configuration,
                "journal.path: what follows state: is the name of a file in the folder of the state, without .. or / "
                    + "at its beginning; name a file elsewhere by its path alone")
        }
        let folder = if let state { state } else { try StateDirectory.user() }
        try folder.make()
        return folder.file(name)
    }
}
