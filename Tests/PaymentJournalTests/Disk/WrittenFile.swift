import Foundation
import PaymentAbstraction
import PaymentConformance
import PaymentJournal

/// A file with payments in every state, and what it must give back.
struct WrittenFile {
    /// What each write has made of its attempt, in the order of the commits.
    private(set) var history: [AttemptFacts] = []
    private(set) var timelines: [String: [PaymentEvent]] = [:]
    let database: [UInt8]
    let log: [UInt8]
    private let mark: [UInt8]

    /// Writes it; with `isLogged`, everything is still in the log.
    init(count: Int, isLogged: Bool) async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        for number in 0..<count {
            let name = "p-\(number)"
            history.append(try await desk.send(try JournalDesk.intent(name, .sale, Int64(1_000 + number))))
            history.append(try await desk.accept(name, [.note(name: "terminal", value: "t-\(number)")]))
            if number % 5 == 4 { continue }
            let verdict = JournalDesk.approved(Int64(1_000 + number), ["payment": "reference-\(number)"])
            let event = try JournalDesk.event("approved", 1, of: name)
            history.append(
                try await desk.accept(
                    name, JournalDesk.closing(verdict, names: ["reference-\(number)"]),
                    events: isLogged ? [] : [event]))
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
    private var held: [AttemptID: AttemptFacts] {
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
        do { journal = try await SQLiteJournal.open(path: folder.file()) } catch {
            return error.code == .journal && error.outcome == .nothingMoved ? .refused : .wrong("\(error)")
        }
        let finding: Finding
        do { finding = try await compare(journal) } catch is JournalFailure { finding = .refused }
        await journal.close()
        return finding
    }

    private func compare(_ journal: SQLiteJournal) async throws -> Finding {
        let desk = JournalDesk(journal, name: "compare")
        var found: [AttemptID: AttemptFacts] = [:]
        for attempt in held.keys {
            guard let facts = try await desk.facts(attempt.text) else { continue }
            found[attempt] = facts
            if !history.contains(facts) { return .wrong("never written: \(facts)") }
        }
        // The page and the families must say the same as the single readings.
        let page = try await journal.page(.origins, scope: "", after: nil, limit: .max)
        if !page.unreadable.isEmpty { return .refused }
        if Set(page.rows) != Set(found.values) { return .wrong("the page differs") }
        for (attempt, facts) in found where try await journal.family(AttemptKey(attempt)) != [facts] {
            return .wrong("family \(attempt)")
        }
        for (name, events) in timelines where try await desk.timeline(name) != events {
            return .wrong("the timeline of \(name)")
        }
        for facts in found.values {
            for name in facts.names where try await journal.holders(name.value, of: name.provider) != [facts] {
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
