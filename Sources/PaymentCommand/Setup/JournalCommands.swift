internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentJournal
internal import PaymentPostgres
internal import PaymentProviderKit
internal import Payments

extension Command {
    /// Reads every row again.
    static let journalCheck = Command(
        name: "journal check", summary: "reads the whole journal and says what is wrong with it, if anything",
        example: "payctl journal check", takes: ofJournal
    ) { call in
        if let options = try await JournalFileOption.database(call) {
            let journal = try await PostgresJournal.open(options)
            let report = try await journal.check()
            await journal.close()
            return tell(call, options.schema, report.attempts, report.events, report.problems)
        }
        return try await JournalFileOption.use(call) { journal, path in
            let report = try await journal.check()
            let refusal = try await journal.refusal().map { ["it begins nothing: \($0)"] } ?? []
            return tell(call, path, report.attempts, report.events, report.problems.map(\.words) + refusal)
        }
    }

    private static func tell(
        _ call: Invocation, _ path: String, _ attempts: Int, _ events: Int, _ words: [String]
    ) -> ExitStatus {
        call.say(
            [
                "path": .string(path), "attempts": .integer(attempts), "events": .integer(events),
                "problems": .array(words.map { .string($0) }),
            ],
            ["\(path): \(attempts) attempts, \(events) events"]
                + (words.isEmpty ? [call.paint.good("nothing is wrong")] : words.map { call.paint.bad($0) }))
        return words.isEmpty ? .fine : .failed
    }

    /// Makes the tables or the file.
    static let journalInit = Command(
        name: "journal init",
        summary: "makes the journal's tables or file, or brings them to this version; nothing where they are",
        example: "payctl journal init", takes: ofJournal
    ) { call in
        if let options = try await JournalFileOption.database(call) {
            let before = try await PostgresJournal.prepare(options)
            call.say(
                ["path": .string(options.schema), "made": .bool(before == nil)],
                [before == nil ? "the journal is made in the schema \(options.schema)" : "the journal is there"])
            return .fine
        }
        return try await JournalFileOption.use(call) { _, path in
            call.say(["path": .string(path), "made": .bool(false)], ["\(path) is there"])
            return .fine
        }
    }

    /// Everything as lines of JSON.
    static let journalExport = Command(
        name: "journal export", summary: "writes the whole journal as lines of JSON; there are no secrets in it",
        example: "payctl journal export > journal.jsonl", takes: ofJournal
    ) { call in
        if let options = try await JournalFileOption.database(call) {
            try await PostgresJournal.export(options) { call.console.out($0) }
            return .fine
        }
        return try await JournalFileOption.use(call) { journal, _ in
            try await journal.export { call.console.out($0) }
            return .fine
        }
    }

    /// Adopts payments that were taken before.
    static let journalImport = Command(
        name: "journal import",
        summary: "adopts payments that were taken elsewhere, so that they can be refunded; a line of JSON for each",
        example: "payctl journal import old-payments.jsonl",
        takes: .configured("[FILE|-]")
    ) { call in
        let text = String(decoding: try call.message(0), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        try ImportedLines.check(lines, try call.configuration())
        if let options = try await JournalFileOption.database(call) {
            return adopted(call, try await PostgresJournal.adopt(options, lines))
        }
        return try await JournalFileOption.use(call) { journal, _ in adopted(call, try await journal.adopt(lines)) }
    }

    private static func adopted(_ call: Invocation, _ count: Int) -> ExitStatus {
        call.say(["adopted": .integer(count)], ["\(count) payments adopted"])
        return .fine
    }

    /// Forgets what is old and decided.
    static let journalPrune = Command(
        name: "journal prune", summary: "forgets payments that were decided before a day; never what is open",
        example: "payctl journal prune --before 2025-01-01",
        takes: .configured(with: [
            .value("before", "DATE", "the first day that is kept, as 2026-01-31, in UTC"),
            .value("holds", "DAYS", "how long a hold lives at most; without it every hold is kept"),
        ])
    ) { call in
        guard let text = call.given["before"] else { throw UsageError(message: "--before DATE is missing") }
        guard let start = Timestamp(text + "T00:00:00Z") else {
            throw UsageError(message: "--before takes a day such as 2026-01-31, not \(text)")
        }
        guard start.milliseconds <= SystemClock().now else {
            throw UsageError(message: "--before takes a day that has begun; \(text) would forget every decided payment")
        }
        let days = call.given.has("holds") ? try call.integer("holds", in: 1...3_650, 30) : nil
        let holds = days.map { $0 * 86_400_000 }
        if let options = try await JournalFileOption.database(call) {
            let pruned = try await PostgresJournal.prune(options, before: start.milliseconds, holdMilliseconds: holds)
            return forgotten(call, pruned.payments, pruned.attempts, pruned.events)
        }
        return try await JournalFileOption.use(call) { journal, _ in
            let pruned = try await journal.prune(before: start.milliseconds, holdMilliseconds: holds)
            return forgotten(call, pruned.payments, pruned.attempts, pruned.events)
        }
    }

    private static func forgotten(_ call: Invocation, _ payments: Int, _ attempts: Int, _ events: Int) -> ExitStatus {
        call.say(
            ["payments": .integer(payments), "attempts": .integer(attempts), "events": .integer(events)],
            ["\(payments) payments, \(attempts) attempts and \(events) events forgotten"])
        return .fine
    }

    /// A person knows of it.
    static let journalAcceptRestored = Command(
        name: "journal accept-restored",
        summary: "lets a journal that came from a backup begin attempts again, with numbers that nobody had",
        example: "payctl journal accept-restored",
        takes: .configured(with: [
            .flag("anyway", "also where nothing shows it: a database server whose files were set back")
        ])
    ) { call in
        let wasRestored: Bool
        if let options = try await JournalFileOption.database(call) {
            wasRestored = try await PostgresJournal.acceptRestored(options, anyway: call.given.has("anyway"))
        } else {
            guard !call.given.has("anyway") else {
                throw UsageError(message: "--anyway is for a database; a file that was restored is noticed by itself")
            }
            guard let path = try JournalFileOption.place(call, try call.configuration()) else {
                throw UsageError(message: "the journal is in memory and comes from no backup")
            }
            wasRestored = try await SQLiteJournal.acceptRestored(path: path)
        }
        call.say(
            ["restored": .bool(wasRestored)],
            [wasRestored ? "it begins attempts again" : "it was not restored; nothing was changed"])
        return .fine
    }

    private static let ofJournal = AcceptedArguments.configured()
}

/// The journal file that a configuration names.
enum JournalFileOption {
    /// Opens it for the time of a closure.
    static func use(
        _ call: Invocation, _ body: (SQLiteJournal, String) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let configuration = try call.configuration()
        guard let path = try place(call, configuration) else {
            throw UsageError(
                message: "the journal of \(configuration.file) is kept in no file; choose kind sqlite")
        }
        let journal = try await SQLiteJournal.open(path: path)
        let status: ExitStatus
        do { status = try await body(journal, path) } catch {
            await journal.close()
            throw error
        }
        await journal.close()
        return status
    }

    /// The database that a configuration names; nil when the journal is in none.
    static func database(_ call: Invocation) async throws(PaymentError) -> PostgresJournal.Options? {
        let choice = try call.configuration().journal
        guard choice.kind == .postgres else { return nil }
        return try await PostgresJournal.Options(choice, SystemSecrets(folder: call.configurationFolder))
    }

    /// Where the file is; nil when the journal has none.
    static func place(_ call: Invocation, _ configuration: PaymentConfiguration) throws(PaymentError) -> String? {
        guard configuration.journal.kind == .sqlite, let named = configuration.journal.path else { return nil }
        return try Journals.place(of: named, call.configurationFolder, call.given["state"].map { StateFolder($0) })
    }
}

extension Invocation {
    /// The file that `--config` names.
    var configurationPath: String { given["config"] ?? "providers.json" }

    /// The folder in which it lies; empty for the working directory.
    var configurationFolder: String {
        guard let slash = configurationPath.lastIndex(of: "/") else { return "" }
        return slash == configurationPath.startIndex ? "/" : String(configurationPath[..<slash])
    }

    /// Whether no file is named and none is there: then every provider is simulated.
    var isBuiltin: Bool { given["config"] == nil && !CommandFile.isThere(configurationPath) }

    /// What it says; without a file, that every provider is simulated.
    func configuration() throws(PaymentError) -> PaymentConfiguration {
        if isBuiltin {
            let file = StartingFile.simulated(registry.providers)
            return try ConfigurationReader(registry.providers).read(file.bytes(), file: "the built-in simulation")
        }
        if CommandFile.isFolder(configurationPath) {
            throw .nothingMoved(.configuration, "\(configurationPath) is a folder; name the file in it with --config")
        }
        return try PaymentConfiguration.load(configurationPath, registry: registry.providers)
    }
}

extension JournalReport.Problem {
    /// What is wrong, and what to do.
    var words: String {
        switch self {
        case .file(let words): "the file is damaged (\(words)): keep a copy, and restore a backup"
        case .attempt(let row): "the attempt in row \(row) can't be read: restore a backup"
        case .event(let row): "the event in row \(row) can't be read: restore a backup"
        case .orphan(let attempt): "the attempt \(attempt) belongs to a payment that isn't there"
        case .handles(let attempt): "the references of the attempt \(attempt) aren't indexed as they stand"
        case .columns(let attempt): "the attempt \(attempt) isn't indexed as its facts say: restore a backup"
        case .notice(let row): "the kept notice \(row) can't be read: restore a backup, or have it sent again"
        case .overRefunded(let payment): "more was given back of \(payment) than was taken: ask the provider"
        }
    }
}
