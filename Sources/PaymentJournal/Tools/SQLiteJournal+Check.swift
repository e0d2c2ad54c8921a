internal import PaymentAbstraction

extension SQLiteJournal {
    /// Reads everything: pages and indexes, every row, every handle, and whether any payment was over-refunded.
    ///
    /// Others may go on writing meanwhile; what they add later may not be looked at.
    public func check() async throws -> JournalReport {
        var report = try await reading { connection in
            var report = JournalReport()
            let words = try connection.firstText("PRAGMA integrity_check(100)", doing: "checking the file")
            if words != "ok" { report.add(.file(words ?? "no answer")) }
            return report
        }
        var last: Int64 = 0
        while let piece = try await reading({ [last] in try Self.checkAttempts($0, after: last) }) {
            last = piece.last
            report.attempts += piece.count
            for problem in piece.problems { report.add(problem) }
        }
        last = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).events(after: last) }
            guard let end = rows.last?.seq else { return report }
            last = end
            report.events += rows.count
            for row in rows where row.event == nil { report.add(.event(row: row.seq)) }
        }
    }

    private struct Piece {
        let last: Int64
        let count: Int
        let problems: [JournalReport.Problem]
    }

    private static func checkAttempts(_ connection: SQLiteConnection, after last: Int64) throws -> Piece? {
        let walk = JournalWalk(connection: connection)
        let rows = try walk.attempts(after: last)
        guard let end = rows.last?.seq else { return nil }
        var problems: [JournalReport.Problem] = []
        for row in rows {
            guard let record = row.record else {
                problems.append(.attempt(row: row.seq))
                continue
            }
            if try walk.handles(of: row.seq) != record.handles { problems.append(.handles(record.intent.attempt)) }
            let reader = AttemptReader(connection: connection)
            guard let family = try? reader.family(record.intent.paymentID) else { continue }
            guard family.contains(where: \.intent.isOrigin) else {
                problems.append(.orphan(record.intent.attempt))
                continue
            }
            if record.intent.isOrigin, try reader.followers(row.seq) != family.count - 1 {
                let payment = record.intent.attempt
                problems.append(.file("not as many attempts of the payment \(payment) are found as it counts"))
            }
            if record.intent.isOrigin, isOverRefunded(family) {
                problems.append(.overRefunded(record.intent.paymentID))
            }
        }
        return Piece(last: end, count: rows.count, problems: problems)
    }

    /// More given back than taken; what the origin's kind takes itself or by captures.
    private static func isOverRefunded(_ family: [AttemptRecord]) -> Bool {
        guard let flow = PaymentFlow(family, captures: .several) else { return false }
        return flow.amounts.refunded.minorUnits > flow.amounts.captured.minorUnits
    }
}
