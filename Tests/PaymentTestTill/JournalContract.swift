import PaymentAbstraction

/// What every store of attempts has to do, as checks; each wants an empty store.
public enum JournalContract {
    /// All checks.
    public static let all: [JournalCheck] = beginnings + marks + conclusions + claims + payments + readings + kept

    static let beginnings: [JournalCheck] = [
        JournalCheck("an intent begins in round 1 and is there afterwards") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let record = try await readerQueue.fresh(try JournalDesk.intent("a"), at: 7)
            let wanted = AttemptRecord(try JournalDesk.intent("a"), JournalDesk.one, round: 1, at: 7, owner: "till")
            try requireSame(record, wanted, "the answer")
            try requireSame(try await readerQueue.record("a"), wanted, "the record")
        },
        JournalCheck("the same again is open, then recorded, and writes nothing") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            var record = try await readerQueue.fresh(intent, at: 7)
            try requireSame(try await readerQueue.begin(intent, at: 8), .open(record), "begun")
            try await journal.mark(intent.attempt, round: 1, .submitted(at: 9))
            record = try await readerQueue.record("a")
            try requireSame(try await readerQueue.begin(intent, at: 10), .open(record), "submitted")
            record = try await readerQueue.conclude("a", .inDoubt)
            try requireSame(try await readerQueue.begin(intent, at: 11), .open(record), "in doubt")
            record = try await readerQueue.conclude("a", JournalDesk.declined)
            // Not the provider: a replay after a switch returns the recording.
            try requireSame(try await readerQueue.begin(intent, JournalDesk.two, at: 12), .recorded(record), "declined")
            try requireSame(try await readerQueue.record("a"), record, "the record")
        },
        JournalCheck("the same id for anything else is a conflict") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let record = try await readerQueue.fresh(try JournalDesk.intent("a"))
            let (id, eur) = (try AttemptID("a"), Money.cents(100))
            let others = [
                AttemptIntent(id, .authorize, eur, reference: "order-a", source: .card, last4: "1111"),
                AttemptIntent(id, .sale, .cents(101), reference: "order-a", source: .card, last4: "1111"),
                AttemptIntent(
                    id, .sale, Money(minorUnits: 100, .usd), reference: "order-a", source: .card, last4: "1111"),
                AttemptIntent(id, .sale, eur, reference: "order-b", source: .card, last4: "1111"),
                AttemptIntent(
                    id, .sale, eur, reference: "order-a", payment: PaymentID(id), source: .card, last4: "1111"),
                AttemptIntent(id, .sale, eur, reference: "order-a", source: .reader, last4: "1111"),
                AttemptIntent(id, .sale, eur, reference: "order-a", source: .card, last4: "2222"),
                AttemptIntent(id, .sale, eur, reference: "order-a", source: .card),
                AttemptIntent(id, .sale, eur, reference: "order-a"),
            ]
            for other in others {
                try requireSame(try await readerQueue.begin(other), .conflict(record), "\(other)")
            }
            try requireSame(try await readerQueue.record("a"), record, "the record")
        },
        JournalCheck("what moved nothing begins anew in the next round, clean") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            try await readerQueue.fresh(intent, at: 1)
            try await journal.mark(intent.attempt, round: 1, .note(name: "n", value: "v"))
            try await journal.mark(intent.attempt, round: 1, .submitted(at: 2))
            try await readerQueue.conclude("a", .notMoved)
            let again = try await readerQueue.fresh(intent, JournalDesk.two, at: 9)
            let wanted = AttemptRecord(intent, JournalDesk.two, round: 2, at: 9, owner: "till")
            try requireSame(again, wanted, "the answer")
            try requireSame(try await readerQueue.record("a"), wanted, "the record")
        },
        JournalCheck("whoever lost the round can neither mark nor conclude") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            try await readerQueue.fresh(intent)
            try await readerQueue.conclude("a", .notMoved)
            let record = try await readerQueue.fresh(intent)
            for round in [0, 1, 3] {
                for mark in [Mark.submitted(at: 3), .note(name: "n", value: "v")] {
                    let failure = try await readerQueue.failure("\(mark) in round \(round)") {
                        try await journal.mark(intent.attempt, round: round, mark)
                    }
                    try requireSame(failure, .lostRound, "\(mark)")
                }
                let held = try await readerQueue.conclude("a", JournalDesk.approved(), round: round)
                try requireSame(held, record, "a conclusion of round \(round)")
            }
            try requireSame(try await readerQueue.record("a"), record, "the record")
        },
        JournalCheck("of many who begin the same at once, one may") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            let answers = try await atOnce(20) { _ in try await readerQueue.begin(intent) }
            let record = try await readerQueue.record("a")
            try requireSame(answers.count { $0 == .fresh(record) }, 1, "fresh answers")
            try requireSame(answers.count { $0 == .open(record) }, 19, "open answers")
        },
    ]

    static let marks: [JournalCheck] = [
        JournalCheck("the mark before the first byte is written once, and only on what was begun") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            try await readerQueue.fresh(intent)
            try await journal.mark(intent.attempt, round: 1, .submitted(at: 3))
            let record = try await readerQueue.record("a")
            try requireSame(record.state, .submitted, "the state")
            try requireSame(record.submittedAt, 3, "the moment")
            for state in [nil, AttemptRecord.State.inDoubt, JournalDesk.declined] {
                if let state { try await readerQueue.conclude("a", state) }
                let failure = try await readerQueue.failure("a second mark") {
                    try await journal.mark(intent.attempt, round: 1, .submitted(at: 4))
                }
                try requireSame(failure, .lostRound, "the second mark")
            }
            try requireSame(try await readerQueue.record("a").submittedAt, 3, "the moment")
        },
        JournalCheck("of many who mark at once, one may send") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            try await readerQueue.fresh(intent)
            let sent = try await atOnce(20) { number in
                do { try await journal.mark(intent.attempt, round: 1, .submitted(at: Int64(number))) } catch {
                    return false
                }
                return true
            }
            try requireSame(sent.count { $0 }, 1, "marks")
        },
        JournalCheck("notes are kept while it is open, the last under a name") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let intent = try JournalDesk.intent("a")
            try await readerQueue.fresh(intent)
            try await journal.mark(intent.attempt, round: 1, .note(name: "n", value: "1"))
            try await journal.mark(intent.attempt, round: 1, .submitted(at: 2))
            try await journal.mark(intent.attempt, round: 1, .note(name: "n", value: "it's \"2\" ✓\n"))
            try await readerQueue.conclude("a", .inDoubt)
            try await journal.mark(intent.attempt, round: 1, .note(name: "m", value: ""))
            let wanted = ["n": "it's \"2\" ✓\n", "m": ""]
            try requireSame(try await readerQueue.record("a").notes, wanted, "the notes")
            var conclusion = Conclusion(JournalDesk.approved(), by: .person, at: 5)
            conclusion.notes = ["m": "why", "o": "more"]
            _ = try await journal.conclude(intent.attempt, round: 1, conclusion)
            let notes = ["n": "it's \"2\" ✓\n", "m": "why", "o": "more"]
            try requireSame(try await readerQueue.record("a").notes, notes, "the notes after the conclusion")
            let failure = try await readerQueue.failure("a note on what is concluded") {
                try await journal.mark(intent.attempt, round: 1, .note(name: "n", value: "3"))
            }
            try requireSame(failure, .lostRound, "a note on what is concluded")
        },
        JournalCheck("what is not there can be neither marked nor concluded") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let mark = try await readerQueue.failure("a mark") {
                try await journal.mark(try AttemptID("a"), round: 1, .submitted(at: 1))
            }
            try requireSame(mark, .noSuchAttempt, "the mark")
            let conclusion = try await readerQueue.failure("a conclusion") {
                try await readerQueue.conclude("a", .inDoubt)
            }
            try requireSame(conclusion, .noSuchAttempt, "the conclusion")
            try requireSame(try await readerQueue.names(.attempt(try AttemptID("a"))), [], "the records")
        },
    ]

    /// Runs a body many times at once.
    static func atOnce<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
