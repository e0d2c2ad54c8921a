public import PaymentAbstraction

extension SQLiteJournal {
    /// Reads everything: pages and indexes, every row and every fact, every name, and whether any payment was
    /// over-refunded.
    ///
    /// Others may go on writing meanwhile; what they add later may not be looked at.
    public func check() async throws(JournalFailure) -> JournalReport {
        var report = try await reading { connection in
            var report = JournalReport()
            let words = try connection.firstText("PRAGMA integrity_check(100)", doing: "checking the file")
            if words != "ok" { report.add(.file(words ?? "no answer")) }
            return report
        }
        var last: Int64 = 0
        var names = 0
        while let piece = try await reading({ [last] in try Self.checkAttempts($0, after: last) }) {
            last = piece.last
            report.attempts += piece.count
            names += piece.names
            for problem in piece.problems { report.add(problem) }
        }
        let held = try await reading { try $0.number("SELECT count(*) FROM name WHERE attempt > 0", doing: "checking") }
        if held > names, report.problems.isEmpty { report.add(.file("\(held - Int64(names)) names lead to nobody")) }
        try await checkEvents(&report)
        try await checkNotices(&report)
        return report
    }

    private func checkEvents(_ report: inout JournalReport) async throws(JournalFailure) {
        var last: Int64 = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).events(after: last) }
            guard let end = rows.last?.seq else { return }
            last = end
            for row in rows {
                report.events += row.events?.count ?? 1
                if row.events == nil { report.add(.event(row: row.seq)) }
            }
        }
    }

    private func checkNotices(_ report: inout JournalReport) async throws(JournalFailure) {
        var last: Int64 = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).notices(after: last) }
            guard let end = rows.last?.seq else { return }
            last = end
            report.notices += rows.count
            for row in rows where row.notice == nil { report.add(.notice(row: row.seq)) }
        }
    }

    private struct Piece {
        let last: Int64
        let count: Int
        var names = 0
        var problems: [JournalReport.Problem] = []
    }

    private static func checkAttempts(_ connection: SQLiteConnection, after last: Int64) throws -> Piece? {
        let rows = try JournalWalk(connection: connection).attempts(after: last)
        guard let end = rows.last?.seq else { return nil }
        var piece = Piece(last: end, count: rows.count)
        for row in rows {
            switch row.outcome {
            case .failure: piece.problems.append(.attempt(row: row.seq))
            case .success(let held): try check(held, connection, &piece)
            }
        }
        return piece
    }

    private static func check(_ held: FactReader.Held, _ connection: SQLiteConnection, _ piece: inout Piece) throws {
        let (walk, facts, seq) = (JournalWalk(connection: connection), held.facts, held.row.seq)
        let attempt = facts.intent.attempt
        let names = Set(facts.names)
        let found = try walk.names(of: seq, Array(names))
        piece.names += found
        if found != names.count { piece.problems.append(.handles(attempt)) }
        let columns = AttemptRow.values(seq, facts, entries: held.row.entries)
        if try walk.columns(of: seq) != columns { piece.problems.append(.columns(attempt)) }
        let reader = FactReader(connection: connection)
        let family: [FactReader.Held]
        do { family = try reader.family(facts.intent.origin).map { try $0.get() } } catch { return }
        guard let origin = family.first(where: \.row.isOrigin) else { return piece.problems.append(.orphan(attempt)) }
        guard facts.intent.isOrigin else { return }
        if origin.row.followers != Int64(family.count) - 1 {
            piece.problems.append(.file("not as many attempts of the payment \(attempt) are found as it counts"))
        }
        if PaymentFlow.isOverRefunded(family.map(\.facts)) {
            piece.problems.append(.overRefunded(facts.intent.paymentID))
        }
    }
}
