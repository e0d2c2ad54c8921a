import Foundation
import PaymentAbstraction
import PaymentSQLite
import PaymentTestJournal

/// A file with payments in every state, and what it must give back.
struct WrittenFile {
    /// What each write has made of its attempt, in the order of the commits.
    private(set) var history: [Attempt] = []
    private(set) var timelines: [String: [PaymentEvent]] = [:]
    let database: [UInt8]
    let log: [UInt8]
    private let mark: [UInt8]

    /// Writes it; with `isLogged`, everything is still in the log.
    init(count: Int, isLogged: Bool) async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        for number in 0..<count {
            let name = "p-\(number)"
            let id = try JournalTestWriter.id(name)
            history.append(try await desk.send(try JournalTestWriter.intent(name, .sale, Int64(1_000 + number))))
            history.append(try await desk.accept(JournalTestWriter.note(id, "terminal", "t-\(number)")))
            if number % 5 == 4 { continue }
            let verdict = JournalTestWriter.approved(Int64(1_000 + number), ["payment": "reference-\(number)"])
            let event = try JournalTestWriter.event("approved", of: name)
            let finish = JournalTestWriter.finish(id, verdict, names: ["reference-\(number)"])
            history.append(try await desk.accept(finish, timeline: isLogged ? [] : [event]))
            if !isLogged { timelines[name] = [event] }
        }
        if isLogged {
            (database, log) = (try Self.bytes(folder.file()), try Self.bytes(folder.file() + "-wal"))
            await journal.close()
        } else {
            await journal.close()
            (database, log) = (try Self.bytes(folder.file()), [])
        }
        mark = try Self.bytes(folder.file() + ".last")
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What is held in the end, by attempt.
    private var held: [AttemptID: Attempt] {
        Dictionary(history.map { ($0.intent.attempt, $0) }, uniquingKeysWith: { $1 })
    }

    /// How a damaged file was met.
    enum Finding: Hashable { case refused, whole, endLost(writes: Int), wrong(String) }

    /// Opens damaged bytes and reads everything back.
    func finding(_ database: [UInt8], _ log: [UInt8]) async throws -> Finding {
        let folder = try Folder()
        try Data(database).write(to: URL(fileURLWithPath: folder.file()))
        try Data(mark).write(to: URL(fileURLWithPath: folder.file() + ".last"))
        if !log.isEmpty { try Data(log).write(to: URL(fileURLWithPath: folder.file() + "-wal")) }
        let journal: SQLiteJournal
        do { journal = try await folder.open() } catch {
            return error.code == .journal && error.outcome == .notExecuted ? .refused : .wrong("\(error)")
        }
        let finding: Finding
        do { finding = try await compare(journal) } catch is JournalFailure { finding = .refused }
        await journal.close()
        return finding
    }

    private func compare(_ journal: SQLiteJournal) async throws -> Finding {
        let desk = JournalTestWriter(journal, name: "compare")
        var found: [AttemptID: Attempt] = [:]
        for id in held.keys {
            guard let attempt = try await desk.attempt(id.text) else { continue }
            found[id] = attempt
            if !history.contains(attempt) { return .wrong("never written: \(attempt)") }
        }
        // The page and the payments must say the same as the single readings.
        let page = try await journal.attempts(.origins(scope: ""), after: nil, limit: 1_000)
        if !page.unreadable.isEmpty { return .refused }
        if Set(page.attempts) != Set(found.values) { return .wrong("the page differs") }
        for (id, attempt) in found where try await journal.payment(PaymentID(id))?.attempts != [attempt] {
            return .wrong("payment \(id)")
        }
        for (name, events) in timelines where try await desk.timeline(name) != events {
            return .wrong("the timeline of \(name)")
        }
        for attempt in found.values {
            for name in attempt.names
            where try await desk.all(.named(ProviderName(name.account, name.value))) != [attempt] {
                return .wrong("holders of \(name.value)")
            }
        }
        let lost = history.lastIndex { found[$0.intent.attempt] == $0 }.map { history.count - 1 - $0 } ?? history.count
        // What is lost must be the end and nothing else.
        let kept = history.prefix(history.count - lost)
        let state = Dictionary(kept.map { ($0.intent.attempt, $0) }, uniquingKeysWith: { $1 })
        if state != found { return .wrong("something in the middle is lost") }
        return lost == 0 ? .whole : .endLost(writes: lost)
    }
}
