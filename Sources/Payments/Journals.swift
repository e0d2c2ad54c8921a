public import PaymentCore
public import PaymentProviderKit
internal import PaymentSQLite

extension JournalStore {
    /// A journal in a file. On Linux the processes of this machine share it; on Apple's systems one process has it.
    ///
    /// - Throws: `journal`, nothing moved, when the file can't be used.
    public static func sqlite(_ path: String) async throws(PaymentError) -> JournalStore {
        try Journals.check(path)
        return try await Journals.open(path)
    }
}

/// The journals that a configuration can name.
package enum Journals {
    /// The journal that a configuration names.
    ///
    /// - Parameters:
    ///   - choice: The kind of journal, and where it is.
    ///   - folder: Where paths begin that are not absolute.
    ///   - state: What `state:` before a path means; nil for the user's own folder.
    ///   - others: How kinds are opened that aren't part of this library.
    ///   - secrets: What follows a reference to a connection; nil for the system's own.
    /// - Throws: `journal`, nothing moved, when the file can't be used; `configuration` when none is named.
    package static func open(
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
            try check(path)
            let known = try BuiltinJournals.look(state, meantBy: named)
            try known?.expect(path)
            let journal = try await open(path)
            try known?.remember(path)
            return journal
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

    /// Refuses a file that another user may write or replace.
    ///
    /// - Throws: `journal`, nothing moved, with what to do.
    package static func check(_ path: String) throws(PaymentError) {
        try trust(path) { path throws(FileFailure) in
            try RegularFile.check(path, forbidding: RegularFile.othersMayWrite)
        }
        #if os(Linux) && !APPLE_CHECK
        // What lies beside it decides as well: entries that are not in the file yet, how far it had come, and who lives.
        for file in SQLiteJournal.companions(of: path) {
            try trust(file) { file throws(FileFailure) in
                try RegularFile.check(file, forbidding: RegularFile.othersMayWrite)
            }
        }
        try trust(SQLiteJournal.locks(of: path)) { folder throws(FileFailure) in
            try RegularFile.check(folder: folder)
        }
        #endif
    }

    private static func trust(
        _ path: String, _ check: (String) throws(FileFailure) -> Void
    ) throws(PaymentError) {
        do { try check(path) } catch {
            throw PaymentError.notExecuted(
                .journal, "the journal \(path) can't be trusted: \(error.problem). \(advice(error, path))")
        }
    }

    #if os(Linux) && !APPLE_CHECK
    /// Opens a file that the processes of this machine share.
    fileprivate static func open(_ path: String) async throws(PaymentError) -> JournalStore {
        let locks = try ProcessLocks(besideJournal: path, owner: newOwner())
        let journal = try await SQLiteJournal.open(path: path, processes: locks)
        // What can't be swept now is swept another time.
        _ = try? await journal.clearOwners(locks)
        return JournalStore(journal)
    }
    #else
    /// Opens a file of this application's container.
    fileprivate static func open(_ path: String) async throws(PaymentError) -> JournalStore {
        try await openAlone(path)
    }
    #endif

    /// Opens a file that one process uses at a time: the form for systems where an application has its files for itself.
    package static func openAlone(_ path: String) async throws(PaymentError) -> JournalStore {
        JournalStore(try await SQLiteJournal.open(path: path, host: SoleProcess(newOwner())))
    }

    private static func newOwner() -> String { TimeOrderedID.make(now: SystemClock().now, random: SystemRandom()) }

    private static func advice(_ failure: FileFailure, _ path: String) -> String {
        switch failure {
        case .exposed: "Run chmod go-w \(path), and compare what it holds with the providers."
        case .openFolder(let folder): "Run chmod go-w \(folder), or keep the journal where no other user may write."
        case .foreign, .foreignFolder: "Run as that user, or make it this user's own."
        case .notRegular: "It may be a folder or a device; name a file."
        case .missing, .forbidden, .tooLarge, .failed: "Is it the right file?"
        }
    }

    /// Refuses a journal that was used from a state folder before and now is missing or empty, as opening it does.
    package static func expect(
        _ path: String, meantBy named: String, _ state: StateDirectory?
    ) throws(PaymentError) { try BuiltinJournals.look(state, meantBy: named)?.expect(path) }

    /// Where the file of a journal is.
    ///
    /// - Throws: `configuration`, nothing moved, when `state:` is meant and there is no such folder, or the path leads out
    ///   of it.
    package static func place(
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

/// Which journals were used from a state folder, kept apart from them: one that is gone, with everything beside it, would
/// begin again in silence, and what it held would be charged again.
struct BuiltinJournals {
    /// The file that names them.
    static let name = "journals.json"
    private static let bytesMax = 64 * 1_024
    /// How many are remembered; then the oldest is forgotten.
    private static let journalsMax = 64

    private let file: String
    private var paths: [String] = []

    /// Reads the file of the state folder that was given or is meant; nil where neither is so.
    static func look(_ state: StateDirectory?, meantBy journal: String) throws(PaymentError) -> BuiltinJournals? {
        if let state { return try BuiltinJournals(state) }
        return journal.hasPrefix(StateDirectory.prefix) ? try BuiltinJournals(.user()) : nil
    }

    private init(_ state: StateDirectory) throws(PaymentError) {
        try state.make()
        file = state.file(Self.name)
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try RegularFile.read(
                file, bytesMax: Self.bytesMax, forbidding: RegularFile.othersMayWrite, followsLinks: false)
        } catch .missing { return } catch { throw StoreFailure.error("the names of the journals", file, error) }
        guard let items = (try? JSONReader().read(bytes))?["journals"]?.array else {
            throw StoreFailure.unreadable("the names of the journals", file)
        }
        paths = items.compactMap(\.string)
    }

    /// Refuses a journal that was used before and now is missing or empty.
    func expect(_ path: String) throws(PaymentError) {
        guard paths.contains(FileWay.plain(path)), RegularFile.isEmptyOrMissing(path) else { return }
        throw PaymentError.notExecuted(
            .journal,
            "the journal \(path) was used here before, and now it is gone or empty: its payments could be charged again. "
                + "Restore it from a copy; or check all of them with the providers, and take its path out of \(file)")
    }

    /// Remembers a journal that was opened.
    func remember(_ path: String) throws(PaymentError) {
        let path = FileWay.plain(path)
        if paths.contains(path) { return }
        let kept = (paths + [path]).suffix(Self.journalsMax)
        let json: JSON = ["journals": .array(kept.map { .string($0) })]
        do { try RegularFile.replace(file, with: json.bytes()) } catch {
            throw StoreFailure.error("the names of the journals", file, error)
        }
    }
}

/// How a kind of journal is opened that isn't part of `Payments`: an application gives those that it links.
///
/// ```swift
/// import PaymentPostgres
///
/// let payments = try await PaymentClient.open(configuration: "providers.json") { $0.journals = [.postgres] }
/// ```
public struct JournalFactory: Sendable {
    /// The kind in a configuration.
    public let kind: JournalConfiguration.Kind
    /// Opens the journal that a configuration names.
    public let open: @Sendable (JournalConfiguration, any SecretResolver) async throws(PaymentError) -> JournalStore

    /// Opens journals of a kind.
    public init(
        _ kind: JournalConfiguration.Kind,
        open: @escaping @Sendable (JournalConfiguration, any SecretResolver) async throws(PaymentError) -> JournalStore
    ) { (self.kind, self.open) = (kind, open) }
}
