internal import PaymentAbstraction

extension JournalContract {
    static let pages: [JournalCheck] = [
        JournalCheck("pages give every payment once, newest first, whatever is begun in between") { desk in
            // The names do not sort as they were begun, and all were begun at one moment.
            let names = (0..<23).map { "\(($0 * 7) % 23)-p" }
            for name in names { try await desk.send(try JournalDesk.intent(name)) }
            try await desk.accept(names[3], [.close(send: nil, .refused), .end(round: nil, .owner)])
            try await desk.accept(names[9], JournalDesk.closing(JournalDesk.approved()))
            try await desk.send(try JournalDesk.intent("r", .refund, 10, of: names[9]))
            for limit in [1, 2, 3, 7, 22, 23, 24, 100] {
                var seen: [String] = []
                var cursor: JournalCursor?
                repeat {
                    let page = try await desk.journal.page(.origins, scope: "", after: cursor, limit: limit)
                    try require(page.rows.count <= limit, "\(page.rows.count) on a page of \(limit)")
                    if cursor == nil {
                        try await desk.send(try JournalDesk.intent("new-\(limit)"))
                        try await desk.send(try JournalDesk.intent(names[3]))
                        try await desk.accept(names[3], [.close(send: nil, .refused), .end(round: nil, .owner)])
                    }
                    seen += page.rows.map(\.intent.attempt.text)
                    cursor = page.next
                } while cursor != nil && seen.count < 100
                try requireSame(seen.filter { names.contains($0) }, names.reversed(), "pages of \(limit)")
                try requireSame(Set(seen).count, seen.count, "pages of \(limit) without repeats")
                try require(!seen.contains("r"), "a refund is no payment of its own")
                try require(!seen.contains("new-\(limit)"), "what came later is on an earlier page")
            }
        },
        JournalCheck("what is open is found, oldest first, and nothing else") { desk in
            for name in ["f", "e", "d", "c", "b", "a"] { try await desk.send(try JournalDesk.intent(name)) }
            try await desk.accept("e", JournalDesk.lost)
            try await desk.accept("d", JournalDesk.closing(JournalDesk.pending))
            try await desk.accept("c", JournalDesk.closing(JournalDesk.approved()))
            try await desk.accept("b", JournalDesk.closing(JournalDesk.declined))
            try await desk.accept("a", [.close(send: nil, .notSent), .end(round: nil, .owner)])
            for limit in [1, 2, 3, 50] {
                try requireSame(try await desk.names(.open, limit: limit), ["f", "e", "d"], "pages of \(limit)")
            }
            try await desk.accept("f", JournalDesk.closing(JournalDesk.approved()))
            try requireSame(try await desk.names(.open), ["e", "d"], "afterwards")
        },
        JournalCheck("a reference finds the payments under it, oldest first") { desk in
            for number in 0..<7 {
                let name = "\((number * 3) % 7)"
                try await desk.done(try JournalDesk.intent(name, reference: "o"), JournalDesk.approved())
            }
            try await desk.send(try JournalDesk.intent("r", .refund, 10, reference: "o", of: "0"))
            let wanted = (0..<7).map { "\(($0 * 3) % 7)" }
            for limit in [1, 2, 7, 8] {
                try requireSame(try await desk.names(.reference("o"), limit: limit), wanted, "pages of \(limit)")
            }
        },
        JournalCheck("a page of none is empty, and a page of all has all") { desk in
            try await desk.send(try JournalDesk.intent("a"))
            for query in [JournalQuery.origins, .open, .reference("order-a")] {
                for limit in [0, -1, Int.min] {
                    let page = try await desk.journal.page(query, scope: "", after: nil, limit: limit)
                    try requireSame(page, JournalPage(), "a page of \(limit)")
                }
                let all = try await desk.journal.page(query, scope: "", after: nil, limit: .max)
                try requireSame(all.rows.map(\.intent.attempt.text), ["a"], "a page of all")
                try requireSame(all.next, nil, "what comes after all")
            }
        },
    ]

    static let looks: [JournalCheck] = [
        JournalCheck("looks that are due are taken once, and come again later and later") { desk in
            try await desk.send(try JournalDesk.intent("a"))
            func due(_ milliseconds: Int64, scope: String = "") async throws -> [String] {
                try await desk.journal.due(scope: scope, limit: 10, at: JournalDesk.at(milliseconds)).rows
                    .map(\.intent.attempt.text)
            }
            var now: Int64 = 0
            try requireSame(try await due(now), [], "at once")
            for wait in JournalRules.looksAfterMilliseconds + [86_400_000, 86_400_000] {
                try requireSame(try await due(now + wait - 1), [], "before \(wait) ms")
                try requireSame(try await due(now + wait, scope: "x"), [], "in another scope")
                try requireSame(try await due(now + wait), ["a"], "after \(wait) ms")
                now += wait
                try requireSame(try await due(now), [], "at once again")
            }
        },
        JournalCheck("what is decided needs no look, and what is pending does") { desk in
            for name in ["a", "b", "c", "d"] { try await desk.send(try JournalDesk.intent(name)) }
            try await desk.accept("a", JournalDesk.closing(JournalDesk.approved()))
            try await desk.accept("b", JournalDesk.closing(JournalDesk.declined))
            try await desk.accept("c", JournalDesk.closing(JournalDesk.pending))
            let due = try await desk.journal.due(scope: "", limit: 10, at: JournalDesk.at(60_000))
            try requireSame(Set(due.rows.map(\.intent.attempt.text)), ["c", "d"], "what is due")
        },
        JournalCheck("a look that a fast clock has put off is due") { desk in
            try await desk.send(try JournalDesk.intent("a"), at: 400 * 86_400_000)
            let due = try await desk.journal.due(scope: "", limit: 10, at: JournalDesk.at(0))
            try requireSame(due.rows.map(\.intent.attempt.text), ["a"], "what is due")
        },
        JournalCheck("many who take looks at once never get the same one") { desk in
            for number in 0..<60 { try await desk.send(try JournalDesk.intent("a-\(number)"), at: Int64(number)) }
            let taken = try await desk.atOnce(12) { _ in
                try await desk.journal.due(scope: "", limit: 7, at: JournalDesk.at(10_000)).rows
                    .map(\.intent.attempt.text)
            }
            try require(taken.allSatisfy { $0.count <= 7 }, "more than the limit")
            try requireSame(taken.joined().count, 60, "looks")
            try requireSame(Set(taken.joined()).count, 60, "looks without repeats")
            for limit in [0, -1, Int.min] {
                let page = try await desk.journal.due(scope: "", limit: limit, at: JournalDesk.at(.max / 4))
                try requireSame(page, JournalPage(), "a limit of \(limit)")
            }
        },
    ]
}
