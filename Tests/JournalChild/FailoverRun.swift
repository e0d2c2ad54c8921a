import Glibc
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentPostgres
import PaymentTestJournal

/// Tills that write while a script kills the server under them: what was acknowledged has to be there, once.
struct FailoverRun {
    private let connection: String
    private let tills: Int

    /// What the tills have seen.
    private struct Seen {
        var acknowledged: [String] = []
        var (unknown, refused) = (0, 0)
        var lastAt = DedicatedThread.monotonicNow
        /// For each server that was killed, the longest time in which nothing was acknowledged, in milliseconds.
        var pauses: [Int64] = []
        var isOver = false
    }

    /// How long a till waits that read that nothing can be written now.
    private static let restMilliseconds: Int64 = 20

    /// Takes the connection string and how many tills there are.
    init(_ words: [String]) throws {
        guard words.count == 2, let tills = Int(words[1]) else { throw JournalChild.Misused() }
        (connection, self.tills) = (words[0], tills)
    }

    func play() async throws {
        let options = PostgresJournal.Options(connection: Secret(connection))
        try await PostgresJournal.prepare(options)
        let journal = try await PostgresJournal.open(options)
        let seen = Locked(Seen())
        say("ready")
        _ = DedicatedThread.start {
            while let line = readLine(), line != "end" {
                if line == "killed" { seen.withLock { $0.pauses.append(0) } }
            }
            seen.withLock { $0.isOver = true }
        }
        await withTaskGroup(of: Void.self) { group in
            for till in 0..<tills { group.addTask { await pay(till, journal, seen) } }
        }
        // Everything is read again: one send for each that was acknowledged.
        var sends: [String: Int] = [:]
        var problems: [String] = []
        var cursor: JournalCursor?
        repeat {
            let page = try await journal.attempts(.open(scope: nil), after: cursor, limit: 5_000)
            problems += page.unreadable.map { "\($0) can't be read" }
            for held in page.attempts { sends[held.intent.attempt.text, default: 0] += held.requests.count }
            cursor = page.next
        } while cursor != nil
        await journal.close()
        let end = seen.withLock { $0 }
        let lost = end.acknowledged.filter { sends[$0] == nil }
        let twice = sends.filter { $0.value != 1 }
        let pauses = end.pauses.sorted()
        say(
            """
            \(end.acknowledged.count) acknowledged, lost \(lost.count), twice \(twice.count), not acknowledged and there \
            \(sends.count - end.acknowledged.count + lost.count); \(end.unknown) of unknown fate were found again, \
            \(end.refused) were told that nothing was written; problems \(problems.count)
            no till could pay for, in ms: median \(pauses.isEmpty ? 0 : pauses[pauses.count / 2]), worst \
            \(pauses.last ?? 0), of \(pauses.count) failovers
            """)
        guard lost.isEmpty, twice.isEmpty, problems.isEmpty else { throw JournalChild.Misused() }
    }

    /// One till: sale after sale, each written until it is known what became of it.
    private func pay(_ till: Int, _ journal: PostgresJournal, _ seen: Locked<Seen>) async {
        var number = 0
        while !seen.withLock({ $0.isOver }) {
            number += 1
            let name = "t-\(till)-\(number)"
            guard let intent = try? JournalTestWriter.intent(name) else { return }
            let entry = JournalEntry(JournalTestWriter.request(intent, owner: journal.processes.own))
            var isKnown = false
            while !isKnown {
                do {
                    _ = try await journal.write(entry, WriteID(name), at: JournalTestWriter.at(0))
                    isKnown = true
                    seen.withLock { seen in
                        let now = DedicatedThread.monotonicNow
                        if let longest = seen.pauses.popLast() { seen.pauses.append(max(longest, now - seen.lastAt)) }
                        seen.lastAt = now
                        seen.acknowledged.append(name)
                    }
                } catch {
                    if case .writeUnconfirmed = error {
                        seen.withLock { $0.unknown += 1 }
                    } else {
                        seen.withLock { $0.refused += 1 }
                        let clock = SystemClock()
                        try? await clock.sleep(until: clock.now + Self.restMilliseconds)
                    }
                }
            }
        }
    }

    private func say(_ words: String) {
        print(words)
        // What is printed into a pipe waits otherwise.
        fflush(nil)
    }
}
