internal import PaymentBase
package import PaymentJournalKit
internal import PaymentModel

extension SQLiteJournal: JournalMaintenance {
    package func logs(
        after number: Int64, limit: Int, isCompared: Bool
    ) async throws(JournalFailure) -> [StoredLog] {
        try await reading { try LogWalk(connection: $0, isCompared: isCompared).logs(after: number, limit) }
    }

    package func waitingNotices(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredNotice] {
        try await reading { try LogWalk(connection: $0).notices(after: number, limit) }
    }

    package func damage() async throws(JournalFailure) -> [String] {
        try await reading { try LogWalk(connection: $0).damage() }
    }

    package func prunedBefore() async throws(JournalFailure) -> Int64? {
        let moment = try await reading { try LogReader(connection: $0).pruned() }
        return moment == 0 ? nil : moment
    }

    package func forget(_ payments: [StoredLog], before instant: Int64) async throws(JournalFailure) -> Set<Int64> {
        try await writing { connection in
            let forgetter = LogForgetter(connection: connection)
            let free = try payments.filter { try !forgetter.isAnOrder($0) }
            let gone = Set(try free.filter { try forgetter.forget($0) }.map(\.number))
            if !gone.isEmpty { try forgetter.note(before: instant) }
            return gone
        }
    }

    package func forgetNotices(before instant: Int64, besides kept: [Int64]) async throws(JournalFailure) -> Int {
        let count = try await keeping { keeper in
            keeper.asksForFreshLog()
            return try LogForgetter(connection: keeper.connection).forgetNotices(before: instant, besides: kept)
        }
        // The next batch begins the log again, which is not possible while another process reads it. No batch waits for that:
        // others read and write in between.
        let clock = SystemClock()
        for _ in 0..<Self.freshLogTries {
            guard (try? await keeping { $0.hasFreshLog }) == false else { break }
            try? await clock.sleep(until: clock.now.addingSaturating(Self.freshLogPause))
        }
        return count
    }

    package var keepsNewest: Bool { true }

    /// How often the log is tried to be begun again after something was erased, and with which pauses in milliseconds.
    private static let (freshLogTries, freshLogPause) = (100, Int64(100))

    private func writing<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(JournalFailure) -> Value { try await keeping { try body($0.connection) } }
}

/// Reads the whole journal in the order in which payments began, and compares what is computed from it.
struct LogWalk {
    let connection: SQLiteConnection
    /// Whether the rows beside a log are compared with it.
    var isCompared = true

    func logs(after number: Int64, _ limit: Int) throws -> [StoredLog] {
        let found = try connection.rows(
            "SELECT payment, id FROM origin WHERE payment > ?1 ORDER BY payment LIMIT ?2",
            [.integer(number), .integer(Int64(limit))], doing: "reading the journal"
        ) { (number: $0.integer(0), id: $0.text(1) ?? "") }
        return try found.map { try log($0.number, $0.id) }
    }

    /// One payment as it is stored; one that can't be read is marked, so that the others are read.
    func log(_ number: Int64, _ id: String) throws -> StoredLog {
        var log = try LogReader(connection: connection).log(number, id, withWaiting: true)
        log.looks = try connection.rows(
            "SELECT attempt, looks, next_look, owed FROM open WHERE payment = ?1 ORDER BY attempt", [.integer(number)],
            doing: "reading a payment"
        ) { StoredLog.Look($0.text(0) ?? "", looks: $0.integer(1), next: $0.optionalInteger(2), owed: $0.bytes(3)) }
        if isCompared, let attempts = try? log.attempts() { log.mismatches = try mismatches(attempts, number) }
        return log
    }

    func notices(after number: Int64, _ limit: Int) throws -> [StoredNotice] {
        try connection.rows(
            "SELECT seq, message, at, body, sum FROM notice WHERE seq > ?1 ORDER BY seq LIMIT ?2",
            [.integer(number), .integer(Int64(limit))], doing: "reading the messages that wait"
        ) { row in
            let isWhole = row.integer(4) == RowSum.of(row.values(0...3))
            return StoredNotice(
                row.integer(0), at: row.integer(2), isWhole ? try? EventCodec.notice(row.bytes(3) ?? []) : nil)
        }
    }

    /// What is wrong with pages and indexes, and which rows lead to no payment.
    func damage() throws -> [String] {
        var found: [String] = []
        let words = try connection.firstText("PRAGMA integrity_check(100)", doing: "checking the file")
        if words != "ok" { found.append("the file is damaged (\(words ?? "no answer"))") }
        for table in ["entry", "id", "reference", "open", "waiting"] {
            let lost = try connection.number(
                "SELECT count(DISTINCT payment) FROM \(table) WHERE payment NOT IN (SELECT payment FROM origin)",
                doing: "checking the file")
            if lost > 0 { found.append("\(lost) payments have rows in \(table) and are not found") }
        }
        let names = try connection.number(
            "SELECT count(*) FROM name WHERE payment > 0 AND payment NOT IN (SELECT payment FROM origin)",
            doing: "checking the file")
        if names > 0 { found.append("\(names) names lead to no payment") }
        return found
    }

    // MARK: - What is computed from a log

    private func mismatches(_ attempts: [Attempt], _ number: Int64) throws -> [String] {
        try StoredLog.mismatches(
            attempts, ids: texts("SELECT id FROM id WHERE payment = ?1", number),
            open: texts("SELECT attempt FROM open WHERE payment = ?1 AND is_open = 1", number),
            candidates: texts("SELECT attempt FROM open WHERE payment = ?1 AND is_candidate = 1", number),
            hasOrigin: { origin in
                let values: [SQLiteValue] = [
                    .integer(number), .text(origin.intent.attempt.text), .text(origin.intent.scope),
                    .flag(origin.isDryRun),
                ]
                return try isThere("origin WHERE payment = ?1 AND id = ?2 AND scope = ?3 AND is_dry_run = ?4", values)
            },
            hasName: {
                try isThere("name WHERE hash = ?1 AND payment = ?2", [.integer(RowHash.of($0)), .integer(number)])
            },
            hasReference: {
                try isThere(
                    "reference WHERE hash = ?1 AND payment = ?2 AND until = ?3",
                    [.integer(RowHash.of($0.reference)), .integer(number), .integer($0.until)])
            })
    }

    private func texts(_ sql: String, _ number: Int64) throws -> [String] {
        try connection.rows(sql, [.integer(number)], doing: "checking") { $0.text(0) ?? "" }
    }

    private func isThere(_ row: String, _ values: [SQLiteValue]) throws -> Bool {
        try connection.number("SELECT count(*) FROM \(row)", values, doing: "checking") == 1
    }
}

/// Removes payments and messages for good.
struct LogForgetter {
    let connection: SQLiteConnection

    /// Whether an attempt of another payment turned out to be this import: nothing else says that it is paid.
    func isAnOrder(_ log: StoredLog) throws -> Bool {
        guard let attempts = try? log.attempts(), let name = PaymentRecord(attempts).nameOfTheSame else { return false }
        return try LogReader(connection: connection).numbers(with: name).contains { $0 > 0 }
    }

    /// Removes a payment that is as it was read; its ids and names stay taken.
    ///
    /// The newest payment stays, so that no number is used twice.
    func forget(_ log: StoredLog) throws -> Bool {
        let newest = try connection.number(
            "SELECT coalesce(max(payment), 0) FROM origin", doing: "forgetting a payment")
        guard log.number < newest, try LogWalk(connection: connection).log(log.number, log.id) == log else {
            return false
        }
        guard let attempts = try? log.attempts() else { return false }
        for attempt in attempts {
            try connection.run(
                "INSERT OR IGNORE INTO forgotten (id) VALUES (?1)", [.text(attempt.intent.attempt.text)],
                doing: "forgetting a payment")
        }
        for name in PaymentRecord(attempts).namesLeft {
            let values: [SQLiteValue] = [.integer(RowHash.of(name)), .integer(log.number)]
            // A number below zero leads to what was forgotten.
            try connection.run(
                "INSERT OR IGNORE INTO name (hash, payment) VALUES (?1, -?2)", values, doing: "forgetting a payment")
            try connection.run(
                "DELETE FROM name WHERE hash = ?1 AND payment = ?2", values, doing: "forgetting a payment")
        }
        // What a person took back is free, and leads to nothing.
        for name in (try? log.everyName()) ?? [] {
            try connection.run(
                "DELETE FROM name WHERE hash = ?1 AND payment = ?2",
                [.integer(RowHash.of(name)), .integer(log.number)], doing: "forgetting a payment")
        }
        for table in ["entry", "id", "origin", "waiting"] {
            try connection.run(
                "DELETE FROM \(table) WHERE payment = ?1", [.integer(log.number)], doing: "forgetting a payment")
        }
        if let reference = PaymentRecord(attempts).referenceRow?.reference {
            try connection.run(
                "DELETE FROM reference WHERE hash = ?1 AND payment = ?2",
                [.integer(RowHash.of(reference)), .integer(log.number)], doing: "forgetting a payment")
        }
        for look in log.looks {
            try connection.run(
                "DELETE FROM open WHERE payment = ?1 AND attempt = ?2", [.integer(log.number), .text(look.attempt)],
                doing: "forgetting a payment")
        }
        return true
    }

    /// Notes that payments that were decided before a moment are not there any more.
    func note(before instant: Int64) throws {
        try connection.run(
            "INSERT INTO counter (name, value) VALUES ('pruned', ?1) "
                + "ON CONFLICT (name) DO UPDATE SET value = max(value, ?1)", [.integer(instant)],
            doing: "forgetting a payment")
    }

    /// Removes what is old of the messages before, between and behind those of the numbers, which are in ascending order.
    func forgetNotices(before instant: Int64, besides kept: [Int64]) throws -> Int {
        var (count, last) = (0, Int64.min)
        for next in kept + [.max] {
            let values: [SQLiteValue] = [.integer(instant), .integer(last), .integer(next)]
            let isOld = "at < ?1 AND seq > ?2 AND seq < ?3"
            try connection.run(
                "DELETE FROM notice_name WHERE notice IN (SELECT seq FROM notice WHERE \(isOld))", values,
                doing: "forgetting messages")
            try connection.run("DELETE FROM notice WHERE \(isOld)", values, doing: "forgetting messages")
            count += connection.changedCount
            last = next
        }
        return count
    }
}
