internal import PaymentAbstraction

/// A piece of all attempts.
struct JournalWalk {
    /// One attempt and its place.
    struct Row {
        let seq: Int64
        let facts: AttemptFacts
        /// The facts one by one, as they were written.
        let list: [JournalFact]
    }

    /// What is computed of an attempt beside it; nil where nothing is.
    struct Standing: Hashable {
        let seq: Int64
        let (isOpen, blocks, isRival, isDue): (Bool, Bool, Bool, Bool)

        init(seq: Int64, isOpen: Bool, blocks: Bool, isRival: Bool, isDue: Bool) {
            (self.seq, self.isOpen, self.blocks) = (seq, isOpen, blocks)
            (self.isRival, self.isDue) = (isRival, isDue)
        }

        /// What has to be there of an attempt.
        init?(_ seq: Int64, _ facts: AttemptFacts) {
            let now = JournalInstant(wall: 0, uptime: 0)
            self.init(
                seq: seq, isOpen: facts.isOpen, blocks: facts.intent.isOrigin && facts.blocks,
                isRival: facts.isOpen || facts.hasMoved && facts.names.isEmpty,
                isDue: JournalRules.nextLook(facts, looks: 0, at: now) != nil)
            guard isOpen || blocks || isRival || isDue else { return nil }
        }
    }

    /// A name and whose it is.
    struct Named {
        let seq: Int64
        let name: String
    }

    private(set) var rows: [Row] = []
    private(set) var unreadable: [Int64] = []
    let last: Int64?
    let count: Int

    init(_ found: PostgresRows) throws {
        let read = HeldAttempt.rows(found)
        (last, count) = (read.last?.seq, read.count)
        for row in read {
            switch row.outcome {
            case .success(let held): rows.append(Row(seq: held.seq, facts: held.facts, list: held.list))
            case .failure: unreadable.append(row.seq)
            }
        }
    }
}
