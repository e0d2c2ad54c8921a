internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentPostgres
internal import PaymentProviderKit
internal import PaymentSQLite
internal import Payments

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
            "\(count(.payments)) payments with \(report.attempts) attempts and \(report.events) events, "
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
