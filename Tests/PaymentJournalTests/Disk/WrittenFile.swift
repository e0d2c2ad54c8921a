import Foundation
import PaymentAbstraction
import PaymentJournal
import PaymentTestTill

/// A file with payments in every state, and what it must give back.
struct WrittenFile {
    /// What each write has made of its attempt, in the order of the commits.
    private(set) var history: [AttemptRecord] = []
    private(set) var timelines: [PaymentID: [PaymentEvent]] = [:]
    let database: [UInt8]
    let log: [UInt8]

    /// Writes it; with `isLogged`, everything is still in the log.
    init(count: Int, isLogged: Bool) async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        for number in 0..<count {
            let intent = try JournalDesk.intent("p-\(number)", .sale, Int64(1_000 + number))
            history.append(try await desk.fresh(intent))
            try await journal.mark(intent.attempt, round: 1, .note(name: "terminal", value: "t-\(number)"))
            history.append(try await desk.record(intent.attempt.text))
            if number % 5 == 4 { continue }
            let state = JournalDesk.approved(Int64(1_000 + number), ["payment": "reference-\(number)"])
            history.append(try await desk.conclude(intent.attempt.text, state))
            if isLogged { continue }
            let payment = PaymentID(intent.attempt)
            let event = PaymentEvent(
                .approved, sequence: 1, at: 5, payment: payment, attempt: intent.attempt, provider: "one",
                attributes: ["amount": "\(intent.amount)"])
            try await journal.append([event])
            timelines[payment] = [event]
        }
        if isLogged {
            (database, log) = (try Self.bytes(folder.file()), try Self.bytes(folder.file() + "-wal"))
            await journal.close()
        } else {
            await journal.close()
            (database, log) = (try Self.bytes(folder.file()), [])
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What is held in the end, by attempt.
    var held: [AttemptID: AttemptRecord] {
        Dictionary(history.map { ($0.intent.attempt, $0) }, uniquingKeysWith: { $1 })
    }

    /// How a damaged file was met.
    enum Finding: Hashable { case refused, whole, endLost(writes: Int), wrong(String) }

    /// Opens damaged bytes and reads everything back.
    func finding(_ database: [UInt8], _ log: [UInt8]) async throws -> Finding {
        let folder = try Folder()
        try Data(database).write(to: URL(fileURLWithPath: folder.file()))
        if !log.isEmpty { try Data(log).write(to: URL(fileURLWithPath: folder.file() + "-wal")) }
        let journal: SQLiteJournal
        do { journal = try await SQLiteJournal.open(path: folder.file()) } catch {
            return error.code == .journal && error.outcome == .nothingMoved ? .refused : .wrong("\(error)")
        }
        let finding: Finding
        do { finding = try await compare(journal) } catch JournalFailure.store { finding = .refused }
        await journal.close()
        return finding
    }

    private func compare(_ journal: SQLiteJournal) async throws -> Finding {
        var found: [AttemptID: AttemptRecord] = [:]
        for attempt in held.keys {
            let records = try await journal.records(.attempt(attempt))
            guard records.count <= 1 else { return .wrong("\(attempt) is there twice") }
            if let record = records.first { found[attempt] = record }
            for record in records where !history.contains(record) { return .wrong("never written: \(record)") }
        }
        // The page and the families must say the same as the single readings.
        let page = try await journal.records(.page(after: nil, limit: .max))
        if Set(page) != Set(found.values) { return .wrong("the page differs") }
        for (attempt, record) in found {
            if try await journal.records(.payment(PaymentID(attempt))) != [record] {
                return .wrong("family \(attempt)")
            }
        }
        for (payment, events) in timelines where try await journal.timeline(of: payment) != events {
            return .wrong("the timeline of \(payment)")
        }
        for record in found.values {
            for handle in record.handles {
                let holders = try await journal.records(.holding(record.provider, [handle]))
                if holders != [record] { return .wrong("holders of \(handle)") }
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
