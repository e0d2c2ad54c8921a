internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentPostgres
internal import PaymentProviderKit
internal import PaymentSQLite
internal import Payments

extension Command {
    /// Reads every row again.
    static let journalCheck = Command(
        name: "journal check", summary: "reads the whole journal and says what is wrong with it, if anything",
        example: "payctl journal check",
        takes: .configured(with: [
            .value("seen", "TIME", "a person has dealt with what a check showed with this time")
        ])
    ) { call in
        let seen = try timeSeen(call)
        return try await ConfiguredJournal.use(call, isRead: seen == nil) { journal, place in
            let now = ConfiguredJournal.now
            let report = try await journal.check(at: now)
            let refusal = try await journal.refusal().map { ["it begins nothing: \($0)"] } ?? []
            let words = report.problems.map(\.words) + refusal
            // What came since that check is only shown: no person has dealt with it.
            // Clocks of several machines differ: what was written after the newest one that the check showed is not ended. A time
            // that no mark has is none that a check printed for what is there now.
            let last = report.marks.last { $0.at == seen }?.number ?? .min
            let ending = report.marks.filter { mark in
                seen.map { mark.at <= $0 } == true && mark.number <= last && mark.canEnd(at: now.wall)
            }
            let left = report.marks.filter { !ending.contains($0) }
            let marks = report.marks.map { mark in mark.words + (left.contains(mark) ? "" : " (seen)") }
            var next: [String] = []
            let newest = left.map(\.at).max()?.time
            if let newest { next = ["when they are dealt with: \(call.command("journal check --seen \(newest)"))"] }
            call.say(
                [
                    "path": .string(place), "payments": .integer(report.payments),
                    "attempts": .integer(report.attempts),
                    "events": .integer(report.events), "problems": .array(words.map { .string($0) }),
                    "messages": .array(marks.map { .string($0) }), "seen": .text(newest),
                ],
                [
                    "\(place): \(report.payments.counted("payment")), \(report.attempts.counted("attempt")), "
                        + report.events.counted("event")
                ]
                    + (words.isEmpty ? [call.paint.good("nothing is wrong")] : words.map { call.paint.bad($0) })
                    + marks.map { call.paint.doubt($0) }
                    + next)
            // What is printed ends, and only then.
            _ = try await journal.end(ending, at: now)
            // What strangers can send is shown and fails nothing.
            return words.isEmpty && !left.contains { $0.mark.isProven } ? .fine : .failed
        }
    }

    /// Of what time the newest message is that a person has dealt with; nil without the option.
    private static func timeSeen(_ call: Invocation) throws(UsageError) -> Int64? {
        guard let text = call.given["seen"] else { return nil }
        guard let time = Timestamp(text) else {
            throw UsageError(message: "--seen takes the time that journal check prints beside it, not \(text)")
        }
        return time.milliseconds
    }

    /// Makes the tables or the file.
    static let journalInit = Command(
        name: "journal init", summary: "makes the journal's tables or file; nothing where they are",
        example: "payctl journal init", takes: ofJournal
    ) { call in
        if let options = try await ConfiguredJournal.database(call) {
            let before = try await PostgresJournal.prepare(options)
            call.say(
                ["path": .string(options.schema), "made": .bool(before == nil)],
                [before == nil ? "the journal is made in the schema \(options.schema)" : "the journal is there"])
            return .fine
        }
        return try await ConfiguredJournal.use(call) { _, path in
            call.say(["path": .string(path), "made": .bool(false)], ["\(path) is there"])
            return .fine
        }
    }

    /// Everything as lines of JSON.
    static let journalExport = Command(
        name: "journal export", summary: "writes the whole journal as lines of JSON; there are no secrets in it",
        example: "payctl journal export > journal.jsonl", takes: ofJournal
    ) { call in
        try await ConfiguredJournal.use(call, isRead: true) { journal, _ in
            try await journal.export { call.console.out($0) }
            return .fine
        }
    }

    /// Takes over payments that were taken before.
    static let journalImport = Command(
        name: "journal import",
        summary: "takes over payments from elsewhere, so that they can be refunded; lines of JSON, or a table (CSV)",
        example: "payctl journal import old-payments.jsonl",
        takes: .configured("[FILE|-]")
    ) { call in
        let bytes = try call.message(0)
        if bytes.isEmpty, let name = call.operand(0), name != "-" {
            throw UsageError(message: "\(name) is empty; write each payment as a line of JSON or as a row of a table")
        }
        // A value of a table may have lines of its own.
        let (most, linesMax) = (ImportedPayment.importedMax, 4 * ImportedPayment.importedMax)
        guard bytes.count(where: { $0 == UInt8(ascii: "\n") }) <= linesMax else {
            throw UsageError(
                message: "there are more than \(linesMax) lines; import \(most) payments at a time")
        }
        let isTable = ImportedTable.isMeant(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = try isTable ? ImportedTable.lines(bytes) : text.split(whereSeparator: \.isNewline).map(String.init)
        // The rows of a table are counted below the names of its columns.
        let configuration = try call.configuration()
        try ImportedLines.check(lines, configuration, each: isTable ? "row" : "line")
        return try await ConfiguredJournal.use(call) { journal, _ in
            // What is adopted is of a configured provider: it must not enter a journal of the other world.
            try await SimulatedPayments.check(journal, configuration)
            let count: Int
            do { count = try await journal.adopt(lines, at: ConfiguredJournal.now) } catch let error as PaymentError
                where isTable && error.detail.hasPrefix("line ")
            {
                throw PaymentError.notExecuted(error.code, "row \(error.detail.dropFirst(5))")
            }
            // A line may be about what followed a payment.
            let follows = lines.contains { (try? JSONReader().read(Array($0.utf8)))?["payment"] != nil }
            call.say(["adopted": .integer(count)], ["\(count.counted(follows ? "movement" : "payment")) adopted"])
            return .fine
        }
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
        let (now, kept) = (SystemClock().now, FeedPage.keptMilliseconds)
        guard start.milliseconds <= now.addingSaturating(-kept) else {
            throw UsageError(
                message:
                    "--before takes a day at least \(kept / 86_400_000) days ago, not \(text): readers of events and "
                    + "receivers of webhooks may not have it yet")
        }
        let days = call.given.has("holds") ? try call.integer("holds", in: 1...3_650, 30) : nil
        let holds = days.map { $0 * 86_400_000 }
        return try await ConfiguredJournal.use(call) { journal, _ in
            let pruned = try await journal.prune(before: start.milliseconds, holdMilliseconds: holds)
            let kept = pruned.keepers.map { $0.words(call, pruned.keptNotices) }
            call.say(
                [
                    "payments": .integer(pruned.payments), "attempts": .integer(pruned.attempts),
                    "events": .integer(pruned.events), "messages": .integer(pruned.notices),
                    "kept": .array(kept.map { .string($0) }),
                ],
                [
                    "\(pruned.payments.counted("payment")), \(pruned.attempts.counted("attempt")), "
                        + "\(pruned.events.counted("event")) and \(pruned.notices.counted("message")) forgotten"
                ] + kept.map { call.paint.doubt($0) })
            return .fine
        }
    }

    /// A person knows of it.
    static let journalAcceptRestored = Command(
        name: "journal accept-restored",
        summary: "lets a journal that came from a backup begin attempts again, with new numbers",
        example: "payctl journal accept-restored",
        takes: .configured(with: [
            .flag("anyway", "also where nothing shows it: a database's files, or a whole folder, were set back"),
            .flag("gap-closed", "what the backup lost is imported, refunds too: ids of that time may begin again"),
            .value("by", "NAME", "who says so"),
        ])
    ) { call in
        if call.given.has("gap-closed") { return try await closeGap(call) }
        let wasRestored: Bool
        if let options = try await ConfiguredJournal.database(call) {
            wasRestored = try await PostgresJournal.acceptRestored(options, anyway: call.given.has("anyway"))
        } else {
            guard let path = try ConfiguredJournal.place(call, try call.configuration()) else {
                throw UsageError(message: "the journal is in memory and comes from no backup")
            }
            try Journals.check(path)
            wasRestored = try await SQLiteJournal.acceptRestored(path: path, anyway: call.given.has("anyway"))
        }
        call.say(
            ["restored": .bool(wasRestored)],
            wasRestored
                ? [
                    "it begins attempts again, under ids that payctl or the library draws",
                    "other ids may be of the lost time: import each line that \(call.command("reconcile")) gives of it,",
                    "of payments, refunds and captures alike, then add --gap-closed --by NAME",
                ] : ["it was not restored as far as it shows; nothing was changed (--anyway does it all the same)"])
        return .fine
    }

    /// A person has imported what the backup lost.
    private static func closeGap(_ call: Invocation) async throws -> ExitStatus {
        guard let person = call.given["by"] else {
            throw UsageError(message: "--gap-closed needs --by NAME: who says so")
        }
        guard !call.given.has("anyway") else {
            throw UsageError(message: "--gap-closed and --anyway exclude each other")
        }
        return try await ConfiguredJournal.use(call) { journal, _ in
            // Accepting it would open the gap again.
            if let refusal = try await journal.refusal() { throw PaymentError.notExecuted(.journal, refusal) }
            let clock = SystemClock()
            let write = WriteID("gap-" + TimeOrderedID.make(now: clock.now, random: SystemRandom()))
            let now = Attempt.Instant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
            _ = try await journal.write(JournalEntry(.closeGap(by: person)), write, at: now)
            call.say(["gapClosed": .bool(true)], ["every id may begin again"])
            return .fine
        }
    }

    private static let ofJournal = AcceptedArguments.configured()
}

/// The journal that a configuration names.
enum ConfiguredJournal {
    /// Opens it for the time of a closure.
    ///
    /// - Parameter isRead: Whether a journal that can't be written will do.
    static func use(
        _ call: Invocation, isRead: Bool = false, _ body: (any JournalMaintenance, String) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let (journal, place) = try await open(call, isRead: isRead)
        let status: ExitStatus
        do { status = try await body(journal, place) } catch {
            await journal.close()
            throw error
        }
        await journal.close()
        return status
    }

    private static func open(
        _ call: Invocation, isRead: Bool
    ) async throws -> (journal: any JournalMaintenance, place: String) {
        if let options = try await database(call) { return (try await PostgresJournal.open(options), options.schema) }
        let configuration = try call.configuration()
        guard let path = try place(call, configuration) else {
            throw UsageError(message: "the journal of \(configuration.file) is kept in no file; choose kind sqlite")
        }
        if isRead {
            let (journal, readOnly) = try await read(path)
            if let readOnly { call.note("The journal can only be read: \(readOnly)") }
            return (journal, path)
        }
        return (try await open(path), path)
    }

    /// Opens a file that no other user may write, with the locks of the processes that use it.
    static func open(_ path: String) async throws(PaymentError) -> SQLiteJournal {
        try Journals.check(path)
        let owner = TimeOrderedID.make(now: SystemClock().now, random: SystemRandom())
        return try await SQLiteJournal.open(path: path, processes: try ProcessLocks(besideJournal: path, owner: owner))
    }

    /// Opens a file that is only read: without a lock and without writing where nothing can be written.
    ///
    /// - Returns: The journal, and why it can only be read; nil if it can be written.
    static func read(_ path: String) async throws(PaymentError) -> (journal: SQLiteJournal, readOnly: String?) {
        do throws(PaymentError) { return (try await open(path), nil) } catch {
            guard CommandFile.isThere(path) else { throw error }
            let journal: SQLiteJournal
            do throws(PaymentError) { journal = try await SQLiteJournal.openForReading(path: path) } catch _ {
                throw error
            }
            return (journal, error.detail)
        }
    }

    /// This moment.
    static var now: Attempt.Instant {
        let clock = SystemClock()
        return Attempt.Instant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
    }

    /// The database that a configuration names; nil when the journal is in none.
    static func database(_ call: Invocation) async throws(PaymentError) -> PostgresJournal.Options? {
        let choice = try call.configuration().journal
        guard choice.kind == .postgres else { return nil }
        return try await PostgresJournal.Options(choice, SystemSecretResolver(folder: call.configurationFolder))
    }

    /// Where the file is; nil when the journal has none.
    static func place(_ call: Invocation, _ configuration: PaymentConfiguration) throws(PaymentError) -> String? {
        guard configuration.journal.kind == .sqlite, let named = configuration.journal.path else { return nil }
        let state = call.given["state"].map { StateDirectory($0) }
        let path = try Journals.place(of: named, call.configurationFolder, state)
        // What examines a journal must not make a new one in the place of one that is lost: it would begin again.
        try Journals.expect(path, meantBy: named, state)
        return path
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
    var isBuiltin: Bool { given["config"] == nil && CommandFile.isMissing(configurationPath) }

    /// What it says; without a file, that every provider is simulated.
    func configuration() throws(PaymentError) -> PaymentConfiguration {
        if isBuiltin {
            let file = StartingFile.simulated(registry.providers)
            return try ConfigurationReader(registry.providers).read(file.bytes(), file: "the built-in simulation")
        }
        if CommandFile.isFolder(configurationPath) {
            throw .notExecuted(.configuration, "\(configurationPath) is a folder; name the file in it with --config")
        }
        return try PaymentConfiguration.load(configurationPath, registry: registry.providers)
    }
}

extension JournalReport.Problem {
    /// What is wrong, and what to do.
    var words: String {
        switch self {
        case .store(let words): "\(words): keep a copy, and restore a backup"
        case .payment(let number, let id): "the payment \(id) in row \(number) can't be read: restore a backup"
        case .timeline(let payment): "the timeline of \(payment) can't be read: restore a backup"
        case .row(let payment, let words): "\(payment): \(words); restore a backup"
        case .notice(let number): "the message in row \(number) can't be read: restore a backup, or have it sent again"
        case .overRefunded(let payment): "more was refunded of \(payment) than was taken: ask the provider"
        case .activeTwice(let payments):
            "\(payments.map(\.description).joined(separator: " and ")) pay one reference twice: refund or void one"
        }
    }
}

extension KeptMark {
    /// What came, and what to do.
    var words: String {
        switch mark {
        case .pruned(let name):
            "a proven message of \(account), of \(at.time), is about \(name), which was pruned: look it up at the "
                + "provider, and book by hand what it says"
        case .unbooked(let payment, let name):
            "a proven message of \(account), of \(at.time), says that money of the payment \(payment) moved"
                + (name.isEmpty ? "" : " (\(name))") + ", and nothing of it is booked: look it up at the provider"
        case .chargebacks:
            "a message at \(account), of \(at.time), is about chargebacks, and proves nothing: look at the provider's "
                + "list, and enter each with journal import"
        }
    }
}

extension JournalPruning.Keeper {
    /// What stays because of it, and what to do.
    fileprivate func words(_ call: Invocation, _ notices: Int) -> String {
        let messages = "\(notices.counted("message")) from before that day"
        switch self {
        case .owed(let payment):
            return "the payment \(payment) stays: a message owes it a lookup, which its provider has not answered; run "
                + "\(call.command("recover")) until it has"
        case .undecided(let payment):
            return "the payment \(payment) stays: a person has to decide about a chargeback of it, about more than was "
                + "asked for, about another currency, or about a message that \(call.command("journal check")) shows; "
                + "run \(call.command("show \(payment)")); what stays as it is ends with "
                + call.command("resolve ATTEMPT --acknowledge AMOUNT --because TEXT")
        case .newest(let payment):
            return "the payment \(payment) stays until another one follows: a file keeps its newest one, so that it "
                + "uses no number twice"
        case .gap:
            return "\(messages) stay: a restore may have lost what they are about; import that, then run "
                + "\(call.command("journal accept-restored --gap-closed --by NAME"))"
        case .unreadable(let payment):
            return "\(messages) stay: they may be about the payment \(payment), which is open and can't be read; "
                + "restore a backup"
        case .open(let attempt):
            return "\(messages) stay: they may be about the attempt \(attempt), which is open; run "
                + "\(call.command("recover")), or \(call.command("resolve \(attempt) --because TEXT"))"
        case .lookAlikes(let attempt):
            return "payments without a name of their provider's stay: each could be taken for the attempt \(attempt), "
                + "which is open; run \(call.command("recover")), or "
                + call.command("resolve \(attempt) --because TEXT")
        case .hidden(let payment):
            return "payments without a name of their provider's stay: each could be taken for the payment \(payment), "
                + "which is open and can't be read; restore a backup"
        }
    }
}

extension Command {
    /// Brings a journal from a file into a database, or back.
    static let journalCopy = Command(
        name: "journal copy",
        summary: "copies a journal into an empty one and compares both; a file, or a database as env:NAME[#SCHEMA]",
        example: "payctl journal copy state:journal.sqlite env:JOURNAL_URL --move",
        takes: AcceptedArguments(
            operands: ["FROM", "TO"],
            options: [
                .state,
                .flag(
                    "move",
                    "the first one begins nothing any more, and the second one continues; no process may use either"),
                .value("durability", "WORD", "of a database that is filled: standby (the default) or local"),
            ])
    ) { call in
        let durability = try call.choice("durability", JournalConfiguration.Durability.standby)
        let from = try await CopiedPlace(call, call.operand(0, "FROM"), durability)
        let to = try await CopiedPlace(call, call.operand(1, "TO"), durability)
        guard from != to else { throw UsageError(message: "both are the same journal") }
        try to.check()
        let isMove = call.given.has("move")
        let report = try await CopiedPlace.copy(from, to, isMove: isMove)
        return tell(call, from, to, report, isMove: isMove)
    }

    private static func tell(
        _ call: Invocation, _ from: CopiedPlace, _ to: CopiedPlace, _ report: JournalCopy.Report, isMove: Bool
    ) -> ExitStatus {
        func count(_ kind: JournalChunk.Kind) -> Int { report.counts[kind] ?? 0 }
        let until = report.lastAt.flatMap { Timestamp(milliseconds: $0)?.text() }
        let what =
            "\(count(.payments).counted("payment")) with \(report.attempts.counted("attempt")) and "
            + "\(report.events.counted("event")), "
            + "\(count(.notices)) messages that wait and \(count(.forgotten)) forgotten attempts"
        let next =
            isMove
            ? "\(from.shown) begins nothing any more; name \(to.shown) in every configuration that named it"
            : "the copy begins nothing until a person accepts it (payctl journal accept-restored), for which "
                + "\(from.shown) must not be in use any more"
        call.say(
            [
                "from": .string(from.shown), "to": .string(to.shown), "moved": .bool(isMove),
                "payments": .integer(count(.payments)), "attempts": .integer(report.attempts),
                "events": .integer(report.events), "notices": .integer(count(.notices)),
                "forgotten": .integer(count(.forgotten)), "until": until.map { .string($0) } ?? .null,
                "last": report.last.map { .string($0.text) } ?? .null,
            ],
            [
                "\(isMove ? "moved" : "copied") \(what), and compared all of it",
                "up to \(until ?? "its beginning")\(report.last.map { ", the last attempt is \($0)" } ?? "")", next,
            ])
        return .fine
    }
}

/// A journal that a command line names: a file, or a database by the reference to its connection string.
struct CopiedPlace: Equatable, Sendable {
    /// How it is named.
    let shown: String
    private let path: String?
    private let options: PostgresJournal.Options?

    init(_ call: Invocation, _ text: String, _ durability: JournalConfiguration.Durability) async throws {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard text.hasPrefix("env:") || text.hasPrefix("file:") else {
            let place = try Journals.place(of: text, "", call.given["state"].map { StateDirectory($0) })
            (shown, path, options) = (text, place, nil)
            return
        }
        var choice = JournalConfiguration(.postgres, path: nil)
        let name = String(parts[0].drop { $0 != ":" }.dropFirst())
        choice.connection = parts[0].hasPrefix("env:") ? .environment(name) : .file(name)
        if parts.count > 1 { choice.schema = parts[1] }
        choice.durability = durability
        (shown, path) = (text, nil)
        options = try await PostgresJournal.Options(choice, SystemSecretResolver(folder: ""))
    }

    static func == (one: CopiedPlace, other: CopiedPlace) -> Bool {
        guard let path = one.path, let otherPath = other.path else { return one.shown == other.shown }
        return SQLiteTarget.isSame(path, otherPath)
    }

    /// Refuses a file that others may write, or would have made.
    func check() throws(PaymentError) { if let path { try Journals.check(path) } }

    private func source() throws -> any JournalSource {
        if let options { return try PostgresSource(options) }
        return try SQLiteSource(path ?? "")
    }

    private func target() throws -> any JournalTarget {
        if let options { return try PostgresTarget(options) }
        return SQLiteTarget(path ?? "")
    }

    /// Copies on a thread of its own: both ends block.
    static func copy(
        _ from: CopiedPlace, _ to: CopiedPlace, isMove: Bool
    ) async throws(PaymentError) -> JournalCopy.Report {
        let done = Promise<Result<JournalCopy.Report, PaymentError>>()
        let isStarted = DedicatedThread.start {
            do {
                let copy = JournalCopy(from: try from.source(), to: try to.target(), isMove: isMove)
                done.fulfill(.success(try copy.run()))
            } catch {
                let words = (error as? JournalCopyFailure)?.words ?? "\(type(of: error))"
                done.fulfill(.failure(PaymentError.notExecuted(.journal, "the journal isn't copied: \(words)")))
            }
        }
        guard isStarted else {
            throw PaymentError.notExecuted(.journal, "the journal isn't copied: the system has no thread left for it")
        }
        return try await done.value().get()
    }
}

extension Attempt {
    /// Whether it is not decided, or a device approved it and has not forwarded it: only its own account ends that.
    var isUnfinished: Bool { isUndecided || isOfflineStill }
}

/// What a journal did at one account.
struct JournalUsage {
    /// How often each capability was used, by its name in the capability table.
    private(set) var uses: [String: Int] = [:]
    /// What isn't decided or not forwarded, or is held and not captured.
    private(set) var open: [Attempt] = []
    /// How many payments can still be refunded.
    private(set) var refundable = 0
    /// How many instruments the provider keeps of these payments.
    private(set) var saved = 0
    /// How many payments that could be refunded another account took, which had the name before.
    private(set) var strangers = 0

    /// The names of which a journal records each use; of every other one it says nothing.
    static let recorded = Set(
        PaymentSource.Kind.allCases.map { "source.\($0.rawValue)" } + [
            "sale", "authorize", "adjust", "void", "verify", "tokenize", "debit", "capture.partial", "capture.several",
            "refund", "refund.partial", "refund.unlinked", "tip.adjust", "request.tip", "offline",
        ])

    /// Looks at the attempts of every scope: a provider that is taken away is gone for all shops.
    init(_ attempts: [Attempt], _ account: ProviderIdentity) {
        var (payments, order) = ([PaymentID: [Attempt]](), [PaymentID]())
        for attempt in attempts {
            let payment = attempt.intent.paymentID
            if payments[payment] == nil { order.append(payment) }
            payments[payment, default: []].append(attempt)
        }
        for payment in order {
            let record = PaymentRecord(payments[payment] ?? [])
            if record.origin?.isDryRun == true { continue }
            // What another account took may have been refunded here, and two may have executed one payment.
            let here = record.attempts.filter { Self.isAt(account, $0) }
            if !here.isEmpty { add(record, here, account) }
            let isStranger = record.provider.id == account.id && !record.provider.isExactly(account)
            if isStranger, record.amounts.refundable.minorUnits > 0 { strangers += 1 }
        }
    }

    /// Whether an account executed an attempt, or was asked for it last.
    private static func isAt(_ account: ProviderIdentity, _ attempt: Attempt) -> Bool {
        attempt.takers.contains { $0.isExactly(account) } || attempt.newest?.account.isExactly(account) == true
    }

    private mutating func add(_ payment: PaymentRecord, _ here: [Attempt], _ account: ProviderIdentity) {
        let whole = payment.amounts
        let amounts = PaymentTotals(payment.attempts, currency: whole.authorized.currency, at: account).shown
        // What another account refunded comes off the whole.
        if amounts.refundable.minorUnits > 0, whole.refundable.minorUnits > 0 { refundable += 1 }
        let undecided = here.filter(\.isUnfinished)
        open += undecided
        if amounts.heldForCaptures.minorUnits > 0, undecided.isEmpty { open += Array(payment.attempts.prefix(1)) }
        if let origin = here.first(where: \.intent.isOrigin) {
            if let source = origin.intent.source { use("source.\(source.rawValue)") }
            if origin.intent.tip.map({ !$0.isZero }) == true { use("request.tip") }
        }
        if here.contains(where: { $0.everyVerdict.contains { $0.approval?.isOffline == true } }) { use("offline") }
        // What is pending or in doubt is used as well.
        let approved = here.filter { $0.approval != nil || $0.isOpen }
        saved += Set(approved.compactMap { $0.approval?.saved?.id }).count
        for record in approved {
            let isPart = record.intent.amount.minorUnits < whole.authorized.minorUnits
            switch record.intent.operation {
            case .capture: if isPart { use("capture.partial") }
            case .refund:
                use("refund")
                if isPart { use("refund.partial") }
            case .unlinkedRefund: use("refund.unlinked")
            case .tipAdjustment: use("tip.adjust")
            case .sale, .authorize, .adjust, .void, .verify, .tokenize, .debit: use(record.intent.operation.rawValue)
            case .chargeback: break
            }
        }
        if approved.count(where: { $0.intent.operation == .capture }) > 1 { use("capture.several") }
    }

    private mutating func use(_ name: String) { uses[name, default: 0] += 1 }
}

/// What is refused of lines to import before the journal reads them: what could be adopted and never be used.
enum ImportedLines {
    /// The last moment of the year 9999, in milliseconds since 1970.
    private static let takenAtMax: Int64 = 253_402_300_799_999

    /// Refuses the first line with something wrong; what is no line at all the journal refuses on its own.
    static func check(
        _ lines: [String], _ configuration: PaymentConfiguration, each: String = "line"
    ) throws(UsageError) {
        for (index, line) in lines.enumerated() {
            guard let json = try? JSONReader().read(Array(line.utf8)), json.object != nil else { continue }
            if let problem = problem(json, configuration) {
                throw UsageError(message: "\(each) \(index + 1): \(problem); nothing was adopted")
            }
        }
    }

    private static func problem(_ json: JSON, _ configuration: PaymentConfiguration) -> String? {
        let at = json["takenAt"].flatMap { $0.int64 ?? $0.string.flatMap { Timestamp($0)?.milliseconds } }
        if let at, at > takenAtMax { return "takenAt is beyond the year 9999" }
        if let reference = json["reference"]?.string {
            if let problem = TypedReference.problem(reference) { return "reference \(problem)" }
            if reference.count > SaleRequest.referenceCharactersMax {
                return "reference has more than \(SaleRequest.referenceCharactersMax) characters"
            }
            if reference.utf8.count > SaleRequest.referenceBytesMax {
                return "reference has more than \(SaleRequest.referenceBytesMax) bytes"
            }
        }
        guard let name = json["provider"]?.string else { return nil }
        guard let provider = configuration.providers.first(where: { $0.id.rawValue == name }) else {
            let names = configuration.providers.map(\.id.rawValue).joined(separator: ", ")
            return "the provider \(name) is not configured; there are \(names)"
        }
        let given = [json["adapter"]?.string, json["environment"]?.string, json["merchant"]?.string]
        let known = [provider.entry.adapter, provider.identity.environment, provider.merchant]
        guard given.contains(nil) || given == known else {
            return
                "\(name) is configured as \(known.joined(separator: ", ")), which could not give this payment back"
        }
        return nil
    }
}
