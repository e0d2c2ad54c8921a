import PaymentAbstraction

extension JournalContract {
    static let payments: [JournalCheck] = [
        JournalCheck("two tills can't both give back the last of it") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("p"), JournalDesk.approved())
            let answers = try await atOnce(10) { number in
                try await readerQueue.begin(try JournalDesk.intent("r-\(number)", .refund, 60, of: "p"))
            }
            let winners = answers.compactMap { answer -> AttemptID? in
                if case .fresh(let record) = answer { return record.intent.attempt }
                return nil
            }
            try requireSame(winners.count, 1, "refunds that began")
            let refused = Beginning.refused(.exceeds(left: .cents(40), open: winners))
            try requireSame(answers.count { $0 == refused }, 9, "refunds that were refused")
            try requireSame(
                try await readerQueue.names(.payment(try PaymentID("p"))), ["p", winners[0].text], "the family")
        },
        JournalCheck("an open or pending reference blocks a new sale under it, and nothing else does") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let next = try JournalDesk.intent("b", reference: "o")
            let id = try AttemptID("a")
            try await readerQueue.fresh(try JournalDesk.intent("a", reference: "o"))
            let blocked = Beginning.refused(.blocked(by: [id]))
            try requireSame(try await readerQueue.begin(next), blocked, "begun")
            try await journal.mark(id, round: 1, .submitted(at: 2))
            try requireSame(
                try await readerQueue.begin(next, JournalDesk.two), blocked, "submitted, at another provider")
            try await readerQueue.conclude("a", .inDoubt)
            try requireSame(try await readerQueue.begin(next), blocked, "in doubt")
            try await readerQueue.conclude("a", JournalDesk.pending)
            try requireSame(try await readerQueue.begin(next), blocked, "pending")
            try await readerQueue.conclude("a", JournalDesk.declined)
            try await readerQueue.fresh(next)
        },
        JournalCheck("a payment that is not there has no operations") { journal in
            let readerQueue = JournalDesk(journal: journal)
            let refund = try JournalDesk.intent("r", .refund, of: "p")
            try requireSame(try await readerQueue.begin(refund), .refused(.noSuchPayment), "the refund")
            try requireSame(try await readerQueue.names(.attempt(try AttemptID("r"))), [], "what was refused")
            try await readerQueue.done(try JournalDesk.intent("p"), JournalDesk.approved())
            let other = try await readerQueue.begin(refund, JournalDesk.two)
            try requireSame(other, .refused(.otherProvider(JournalDesk.one)), "another account")
            try requireSame(try await readerQueue.names(.open), [], "what is open")
        },
    ]

    static let readings: [JournalCheck] = [
        JournalCheck("a payment is read with what followed, oldest first, also after a new round") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("p"), JournalDesk.approved())
            try await readerQueue.done(try JournalDesk.intent("q"), JournalDesk.approved())
            try await readerQueue.fresh(try JournalDesk.intent("z", .refund, 10, of: "p"), at: 2)
            try await readerQueue.conclude("z", .notMoved)
            try await readerQueue.fresh(try JournalDesk.intent("b", .refund, 10, of: "p"), at: 3)
            try await readerQueue.fresh(try JournalDesk.intent("z", .refund, 10, of: "p"), at: 4)
            try requireSame(try await readerQueue.names(.payment(try PaymentID("p"))), ["p", "z", "b"], "the family")
            try requireSame(try await readerQueue.names(.payment(try PaymentID("z"))), [], "what is no payment")
        },
        JournalCheck("what is open is begun, submitted, in doubt or pending") { journal in
            let readerQueue = JournalDesk(journal: journal)
            for name in ["a", "b", "c", "d", "e", "f", "g"] {
                try await readerQueue.fresh(try JournalDesk.intent(name))
            }
            for name in ["b", "c"] { try await journal.mark(try AttemptID(name), round: 1, .submitted(at: 1)) }
            try await readerQueue.conclude("c", .inDoubt)
            try await readerQueue.conclude("d", JournalDesk.pending)
            try await readerQueue.conclude("e", .notMoved)
            try await readerQueue.conclude("f", JournalDesk.approved())
            try await readerQueue.conclude("g", .concluded(.cancelled(Cancellation(by: .customer))))
            try requireSame(Set(try await readerQueue.names(.open)), ["a", "b", "c", "d"], "what is open")
        },
        JournalCheck("attempts are found by references, notes and claims of their own provider") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(
                try JournalDesk.intent("a"), JournalDesk.approved(100, ["payment": "x", "batch": "7"]))
            try await readerQueue.fresh(try JournalDesk.intent("b"))
            try await journal.mark(try AttemptID("b"), round: 1, .note(name: "found", value: "y"))
            try await readerQueue.fresh(try JournalDesk.intent("c"))
            try await readerQueue.conclude("c", JournalDesk.declined, claim: "z")
            try await readerQueue.done(
                try JournalDesk.intent("d"), JournalDesk.approved(100, ["id": "x"]), JournalDesk.two)
            let cases: [(values: [String], names: Set<String>)] = [
                (["x"], ["a"]), (["7", "x"], ["a"]), (["y"], ["b"]), (["z"], ["c"]),
                (["x", "y", "z"], ["a", "b", "c"]),
                ([], []), (["X"], []), (["payment"], []), ([""], []), (["%"], []), (["x' OR 1=1 --"], []),
            ]
            for (values, names) in cases {
                let found = try await readerQueue.names(.holding(JournalDesk.one, values))
                try requireSame(Set(found), names, "\(values)")
                try requireSame(found.count, names.count, "\(values) without repeats")
            }
            try requireSame(
                try await readerQueue.names(.holding(JournalDesk.two, ["x", "y"])), ["d"], "the other account")
        },
        JournalCheck("a turned refund is found by its new references") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("p"), JournalDesk.approved())
            let refund = try JournalDesk.intent("r", .refund, of: "p")
            try await readerQueue.done(refund, JournalDesk.approved(100, ["refund": "old"]), at: 1)
            try await readerQueue.conclude("r", JournalDesk.declined, at: 2)
            try requireSame(try await readerQueue.names(.holding(JournalDesk.one, ["old"])), [], "the old reference")
            try await readerQueue.conclude("r", JournalDesk.approved(100, ["refund": "new"]), at: 3)
            try requireSame(try await readerQueue.names(.holding(JournalDesk.one, ["new"])), ["r"], "the new reference")
        },
        JournalCheck("pages give every payment once, newest first, whatever is begun in between") { journal in
            let readerQueue = JournalDesk(journal: journal)
            // The names do not sort as they were begun, and all were begun at one moment.
            let names = (0..<23).map { "\(($0 * 7) % 23)-p" }
            for name in names { try await readerQueue.fresh(try JournalDesk.intent(name)) }
            try await readerQueue.conclude(names[3], .notMoved)
            try await readerQueue.conclude(names[9], JournalDesk.approved())
            try await readerQueue.fresh(try JournalDesk.intent("r", .refund, of: names[9]))
            for limit in [1, 2, 3, 7, 22, 23, 24, 100] {
                var seen: [String] = []
                var pages = 0
                while pages < 40 {
                    let last = try seen.last.map { try AttemptID($0) }
                    let page = try await readerQueue.names(.page(after: last, limit: limit))
                    if page.isEmpty { break }
                    try require(page.count <= limit, "\(page.count) on a page of \(limit)")
                    seen += page
                    pages += 1
                    if pages == 1 {
                        try await readerQueue.fresh(try JournalDesk.intent("new-\(limit)"), at: 99)
                        try await readerQueue.fresh(try JournalDesk.intent(names[3]), at: 99)
                        try await readerQueue.conclude(
                            names[3], .notMoved, round: try await readerQueue.record(names[3]).round)
                    }
                }
                let old = seen.filter { names.contains($0) }
                try requireSame(old, names.reversed(), "pages of \(limit)")
                try requireSame(Set(seen).count, seen.count, "pages of \(limit) without repeats")
                try require(!seen.contains("r"), "a refund is no payment of its own")
                try require(!seen.contains("new-\(limit)"), "what came later is on an earlier page")
            }
        },
        JournalCheck("a page after what is not there is empty, and so is a page of none") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.fresh(try JournalDesk.intent("a"))
            try requireSame(
                try await readerQueue.names(.page(after: try AttemptID("x"), limit: 9)), [], "after nothing")
            try requireSame(
                try await readerQueue.names(.page(after: try AttemptID("a"), limit: 9)), [], "after the last")
            for limit in [0, -1, Int.min] {
                try requireSame(try await readerQueue.names(.page(after: nil, limit: limit)), [], "a page of \(limit)")
            }
            try requireSame(try await readerQueue.names(.page(after: nil, limit: .max)), ["a"], "a page of all")
        },
        JournalCheck("a reference finds the payments under it, letter by letter") { journal in
            let readerQueue = JournalDesk(journal: journal)
            try await readerQueue.done(try JournalDesk.intent("a", reference: "o"), JournalDesk.approved())
            try await readerQueue.done(try JournalDesk.intent("b", reference: "o"), JournalDesk.declined)
            try await readerQueue.done(try JournalDesk.intent("c", reference: "O"), JournalDesk.declined)
            try await readerQueue.fresh(try JournalDesk.intent("r", .refund, reference: "o", of: "a"))
            try requireSame(try await readerQueue.names(.reference("o")), ["a", "b"], "o")
            try requireSame(try await readerQueue.names(.reference("O")), ["c"], "O")
            for none in ["", "%", "_", "o ", "oo"] {
                try requireSame(try await readerQueue.names(.reference(none)), [], none)
            }
        },
    ]
}
