import PaymentAbstraction

extension JournalContract {
    static let conclusions: [JournalCheck] = [
        JournalCheck("an outcome is written with how and when it came to be known") { journal in
            let readerQueue = JournalDesk(journal: journal)
            for evidence in AttemptRecord.Evidence.allCases {
                let name = "a-\(evidence.rawValue)"
                try await readerQueue.fresh(try JournalDesk.intent(name))
                try await journal.mark(try AttemptID(name), round: 1, .submitted(at: 2))
                let held = try await readerQueue.conclude(
                    name, JournalDesk.approved(), by: evidence, at: 9, claim: name)
                try requireSame(held.state, JournalDesk.approved(), "the state")
                try requireSame(held.evidence, evidence, "the evidence")
                try requireSame(held.eventAt, 9, "the moment")
                try requireSame(held.claim, name, "the claim")
                try requireSame(try await readerQueue.record(name), held, "the record")
            }
        },
        JournalCheck("what is proven not to have moved stays so in its round, unless the provider says that it did") {
            journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.fresh(try JournalDesk.intent("a"))
            let held = try await readerQueue.conclude("a", .notMoved, by: .lookup)
            for state in [JournalDesk.approved(), JournalDesk.declined, JournalDesk.pending, .inDoubt] {
                try requireSame(try await readerQueue.conclude("a", state, by: .lookup, at: 99), held, "\(state) seen")
            }
            for state in [JournalDesk.declined, .inDoubt] {
                try requireSame(try await readerQueue.conclude("a", state, by: .webhook, at: 99), held, "\(state) sent")
            }
            let moved = try await readerQueue.conclude("a", JournalDesk.approved(), by: .webhook, at: 99)
            try requireSame(moved.state, JournalDesk.approved(), "money that moved")
            try requireSame(try await readerQueue.record("a"), moved, "the record")
        },
        JournalCheck("the first final word of a sale stays") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let approved = try await readerQueue.done(try JournalDesk.intent("a"), JournalDesk.approved(), at: 5)
            let states = [JournalDesk.declined, JournalDesk.pending, .inDoubt, .notMoved, .begun, .submitted]
            for state in states {
                try requireSame(try await readerQueue.conclude("a", state, by: .webhook, at: 99), approved, "\(state)")
            }
            let declined = try await readerQueue.done(try JournalDesk.intent("b"), JournalDesk.declined, at: 5)
            for state in [JournalDesk.approved(), JournalDesk.pending, .inDoubt, .notMoved] {
                try requireSame(try await readerQueue.conclude("b", state, by: .webhook, at: 99), declined, "\(state)")
            }
        },
        JournalCheck("a refund may fail later and succeed again, by the provider's time") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("p"), JournalDesk.approved())
            try await readerQueue.done(try JournalDesk.intent("r", .refund, of: "p"), JournalDesk.approved(), at: 10)
            try requireSame(
                try await readerQueue.conclude("r", JournalDesk.declined, at: 9).eventAt, 10, "an older failure")
            let failed = try await readerQueue.conclude("r", JournalDesk.declined, by: .webhook, at: 20)
            try requireSame(failed.state, JournalDesk.declined, "a later failure")
            try requireSame(failed.eventAt, 20, "the moment of the failure")
            try requireSame(failed.evidence, .webhook, "the evidence of the failure")
            try requireSame(
                try await readerQueue.conclude("r", JournalDesk.approved(), at: 15), failed, "an older success")
            try requireSame(try await readerQueue.conclude("r", JournalDesk.declined, at: 20), failed, "a duplicate")
            let again = try await readerQueue.conclude("r", JournalDesk.approved(), at: 30)
            try requireSame(again.state, JournalDesk.approved(), "a later success")
        },
        JournalCheck("what is pending becomes final, and never pending again") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("a"), JournalDesk.pending, at: 10)
            try requireSame(try await readerQueue.conclude("a", .inDoubt).state, JournalDesk.pending, "in doubt")
            try requireSame(try await readerQueue.conclude("a", .notMoved).state, JournalDesk.pending, "not moved")
            let final = try await readerQueue.conclude("a", JournalDesk.approved(), by: .webhook, at: 3)
            try requireSame(final.state, JournalDesk.approved(), "the final word")
            try requireSame(try await readerQueue.conclude("a", JournalDesk.pending, at: 99), final, "pending again")
        },
        JournalCheck("a person's word gives way to a person's only") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("p"), JournalDesk.approved())
            try await readerQueue.fresh(try JournalDesk.intent("r", .refund, of: "p"))
            try await readerQueue.conclude("r", .inDoubt)
            let held = try await readerQueue.conclude("r", JournalDesk.approved(), by: .person, at: 10)
            for evidence in AttemptRecord.Evidence.allCases where evidence != .person {
                let after = try await readerQueue.conclude("r", JournalDesk.declined, by: evidence, at: 99)
                try requireSame(after, held, "\(evidence)")
            }
            let again = try await readerQueue.conclude("r", JournalDesk.declined, by: .person, at: 99)
            try requireSame(again.state, JournalDesk.declined, "another person")
        },
    ]

    static let claims: [JournalCheck] = [
        JournalCheck("one look-alike belongs to one attempt, and its outcome with it") { journal in
            let readerQueue = JournalDesk(journal: journal)
            for name in ["a", "b"] {
                try await readerQueue.fresh(try JournalDesk.intent(name))
                try await readerQueue.conclude(name, .inDoubt)
            }
            let first = try await readerQueue.conclude("a", JournalDesk.approved(), by: .lookup, claim: "x")
            try requireSame(first.claim, "x", "the first claim")
            let before = try await readerQueue.record("b")
            let second = try await readerQueue.conclude("b", JournalDesk.approved(), by: .lookup, claim: "x")
            try requireSame(second, before, "the second claim")
            try requireSame(try await readerQueue.record("b"), before, "the record of the second")
            let other = try await readerQueue.conclude("b", JournalDesk.approved(), by: .lookup, claim: "y")
            try requireSame(other.claim, "y", "another claim")
        },
        JournalCheck("of many who claim one look-alike at once, one gets it") { journal in
            let readerQueue = JournalDesk(journal: journal)
            for number in 0..<12 {
                try await readerQueue.fresh(try JournalDesk.intent("a-\(number)"))
                try await readerQueue.conclude("a-\(number)", .inDoubt)
            }
            let held = try await atOnce(12) { number in
                try await readerQueue.conclude("a-\(number)", JournalDesk.approved(), by: .lookup, claim: "x")
            }
            try requireSame(held.count { $0.claim == "x" }, 1, "claims")
            try requireSame(held.count { $0.state == .inDoubt }, 11, "those left in doubt")
        },
        JournalCheck("what another attempt holds as a reference or a note can't be claimed") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("a"), JournalDesk.approved(100, ["payment": "x"]))
            try await readerQueue.fresh(try JournalDesk.intent("b"))
            try await journal.mark(try AttemptID("b"), round: 1, .note(name: "found", value: "y"))
            try await readerQueue.fresh(try JournalDesk.intent("c"))
            let before = try await readerQueue.conclude("c", .inDoubt)
            for claim in ["x", "y"] {
                let held = try await readerQueue.conclude("c", JournalDesk.approved(), by: .lookup, claim: claim)
                try requireSame(held, before, "the claim of \(claim)")
            }
        },
        JournalCheck("two accounts may give the same name") { journal in
            let readerQueue = JournalDesk(journal: journal)
            for (name, provider) in [("a", JournalDesk.one), ("b", JournalDesk.two)] {
                try await readerQueue.fresh(try JournalDesk.intent(name), provider)
                try await readerQueue.conclude(name, .inDoubt)
                let held = try await readerQueue.conclude(name, JournalDesk.approved(), by: .lookup, claim: "x")
                try requireSame(held.claim, "x", "the claim of \(name)")
            }
        },
        JournalCheck("an attempt may repeat its own claim") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.fresh(try JournalDesk.intent("a"))
            try await readerQueue.conclude("a", JournalDesk.pending, claim: "x")
            let held = try await readerQueue.conclude("a", JournalDesk.approved(100, ["payment": "x"]), claim: "x")
            try requireSame(held.state, JournalDesk.approved(100, ["payment": "x"]), "the state")
        },
    ]
}
