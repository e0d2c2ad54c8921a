internal import PaymentAbstraction

/// Takes attempts whose look is due by moving their next look forward: in one transaction, so that nobody else takes them.
struct DueTaker {
    let line: PostgresLine

    func take(_ scope: String, _ limit: Int, at now: JournalInstant) throws -> JournalPage {
        let waits = JournalRules.looksAfterMilliseconds
        let (far, overflow) = now.wall.addingReportingOverflow(waits.last ?? 0)
        let taken = try line.exchange([
            PostgresCall(.begin),
            PostgresCall(
                .takeDue,
                [.text(scope), .integer(now.wall), .integer(overflow ? .max : far), .integer(Int64(limit))]),
        ])[1].integers
        guard !taken.isEmpty else {
            _ = try line.exchange([PostgresCall(.rollback)])
            return JournalPage()
        }
        let rows = HeldAttempt.rows(try line.exchange([PostgresCall(.bySeq, [.integers(taken)])])[0])
        var nexts: [(seq: Int64, looks: Int64, next: Int64?)] = []
        for row in rows {
            let looks = max(0, row.looks) &+ 1
            // What can't be read is put off as well, so that it stands in nobody's way.
            let next: Int64? =
                switch row.outcome {
                case .success(let held): JournalRules.nextLook(held.facts, looks: looks, at: now)
                case .failure: now.wall + waits[min(looks, waits.count - 1)]
                }
            nexts.append((row.seq, Int64(looks), next))
        }
        _ = try line.exchange([
            PostgresCall(
                .putOff,
                [
                    .integers(nexts.map(\.seq)), .integers(nexts.map(\.looks)), .optionalIntegers(nexts.map(\.next)),
                ]),
            PostgresCall(.commit),
        ])
        return JournalPage(rows, 0)
    }
}

extension JournalPage {
    /// What can be read, what can't, and where the next page begins.
    init(_ rows: [HeldAttempt.Row], _ limit: Int) {
        self.init()
        for row in rows {
            switch row.outcome {
            case .success(let held): self.rows.append(held.facts)
            case .failure(.unreadable(let key?)): unreadable.append(key)
            case .failure: break
            }
        }
        if rows.count == limit { next = rows.last.map { JournalCursor($0.seq) } }
    }
}
