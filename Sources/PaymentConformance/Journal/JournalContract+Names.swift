internal import PaymentAbstraction

extension JournalContract {
    static let names: [JournalCheck] = [
        JournalCheck("a name belongs to one family of one account, for ever") { desk in
            try await desk.done(try JournalDesk.intent("a"), JournalDesk.approved(), names: ["x"])
            try await desk.done(try JournalDesk.intent("b"), JournalDesk.approved(), names: ["x", "y"])
            try await desk.done(try JournalDesk.intent("c"), JournalDesk.approved(), names: ["x"], JournalDesk.two)
            try await desk.done(
                try JournalDesk.intent("r", .refund, 10, of: "a"), JournalDesk.approved(10), names: ["x"])
            try requireSame(try await desk.held("b").names.map(\.value), ["y"], "what the second is called")
            try requireSame(Set(try await desk.holders("x")), ["a", "r"], "who is called x")
            try requireSame(try await desk.holders("y"), ["b"], "who is called y")
            try requireSame(try await desk.holders("x", JournalDesk.two), ["c"], "at the other account")
            let raised = try await desk.timeline("b").map(\.kind)
            try requireSame(raised, [.nameTaken], "what is raised")
            // Later rounds take nothing over.
            try await desk.accept(
                "d",
                [
                    JournalDesk.begin(try JournalDesk.intent("d")), .names(JournalDesk.one, ["z"]),
                    .end(round: nil, .owner),
                ])
            try await desk.done(try JournalDesk.intent("d"), JournalDesk.approved(), JournalDesk.two)
            try await desk.done(try JournalDesk.intent("e"), JournalDesk.approved(), names: ["z"])
            try requireSame(try await desk.holders("z"), ["d"], "who is called z")
        },
        JournalCheck("names are found letter by letter, whatever stands in them") { desk in
            let names = [
                "x", "X", " x", "x ", "x' OR 1=1 --", "\"", "%", "_", "\u{0}", "\u{1F4B6}", "caf\u{e9}", "cafe\u{301}",
                "[\"one\",\"memory\"]", String(repeating: "n", count: JournalRules.nameBytesMax),
            ]
            for (number, name) in names.enumerated() {
                try await desk.done(try JournalDesk.intent("a-\(number)"), JournalDesk.approved(), names: [name])
            }
            for (number, name) in names.enumerated() {
                try requireSame(try await desk.holders(name), ["a-\(number)"], "name \(number)")
            }
            for none in ["", "y", "xx", "n"] { try requireSame(try await desk.holders(none), [], none) }
            let long = String(repeating: "m", count: JournalRules.nameBytesMax + 1)
            let held = try await desk.done(try JournalDesk.intent("long"), JournalDesk.approved(), names: [long])
            try requireSame(held.standing, .moved, "the payment with a longer name")
            try requireSame(held.names, [], "what it is called")
            try requireSame(try await desk.holders(long), [], "who has the longer name")
        },
        JournalCheck("accounts that differ in one part are different") { desk in
            func account(_ id: ProviderID, _ adapter: String, _ environment: String, _ merchant: String)
                -> ProviderIdentity
            { ProviderIdentity(id, adapter: adapter, environment: environment, merchant: merchant) }
            let accounts = [
                account("a", "b", "c", "d"), account("A", "b", "c", "d"), account("a", "b,c", "", "d"),
                account("a", "b", "c,", "d"), account("a", "", "b", "c\",\"d"), account("a\",\"b", "c", "d", ""),
            ]
            for (number, account) in accounts.enumerated() {
                try await desk.done(
                    try JournalDesk.intent("a-\(number)"), JournalDesk.approved(), names: ["x"], account)
            }
            for (number, account) in accounts.enumerated() {
                try requireSame(try await desk.holders("x", account), ["a-\(number)"], "\(account)")
            }
        },
        JournalCheck("one look-alike belongs to one attempt, and only if nothing else can be it") { desk in
            for name in ["a", "b"] {
                try await desk.send(try JournalDesk.intent(name))
                try await desk.accept(name, JournalDesk.lost, at: 1)
            }
            func like(_ name: String, _ seen: [String]) -> [JournalEntry.Part] {
                [
                    .likeness(
                        JournalDesk.one,
                        seen.map { .init($0, JournalDesk.approved(), at: $0 == "x" ? 1_000_000 : 0) },
                        askedAt: JournalDesk.at(500))
                ]
            }
            guard case .refused(.noProof, _) = try await desk.write("a", like("a", ["x"]), at: 500) else {
                throw JournalBreach("one of two that could be it got it")
            }
            try await desk.accept("b", [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
            guard case .refused(.noProof, _) = try await desk.write("a", like("a", ["x"]), at: 500) else {
                throw JournalBreach("it could be the one that moved and has no name")
            }
            try await desk.accept("b", [.names(JournalDesk.one, ["y"])])
            guard case .refused(.noProof, _) = try await desk.write("a", like("a", ["x", "y"]), at: 500) else {
                throw JournalBreach("the other one may have been executed twice meanwhile")
            }
            try await desk.send(try JournalDesk.intent("c", .sale, 200), at: 10)
            try await desk.accept("c", JournalDesk.lost, at: 11)
            let found = try await desk.accept("c", like("c", ["x", "y"]), at: 500)
            try requireSame(found.standing, .moved, "where it stands")
            try requireSame(found.names.map(\.value), ["x"], "its name")
        },
        JournalCheck("of many who take one look-alike at once, one gets it") { desk in
            for number in 0..<12 {
                try await desk.send(try JournalDesk.intent("a-\(number)", .sale, Int64(100 + number)))
                try await desk.accept("a-\(number)", JournalDesk.lost, at: 1)
            }
            let answers = try await desk.atOnce(12) { number in
                let seen = LookupResult.Candidate("x", JournalDesk.approved(Int64(100 + number)))
                return try await desk.write(
                    "a-\(number)", [.likeness(JournalDesk.one, [seen], askedAt: JournalDesk.at(500))], at: 500)
            }
            try requireSame(answers.count { if case .accepted = $0 { true } else { false } }, 1, "who got it")
            try requireSame(try await desk.holders("x").count, 1, "who is called so")
        },
    ]

    static let inbox: [JournalCheck] = [
        JournalCheck("a message that names nobody is kept, and applied when somebody gets the name") { desk in
            let word = JournalDesk.word(.webhook, JournalDesk.approved(70, ["payment": "x"]), time: 5, id: "m-1")
            let entry = JournalEntry(.holder(JournalDesk.one, "x", [.sale, .authorize]), [.word(word)])
            for _ in 0..<2 {
                try requireSame(
                    try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(1)), .kept, "the message")
            }
            try await desk.send(try JournalDesk.intent("other"), JournalDesk.two)
            try await desk.accept("other", [.names(JournalDesk.two, ["x"])])
            try requireSame(try await desk.held("other").words.count, 0, "the words at another account")
            try await desk.send(try JournalDesk.intent("a"))
            let held = try await desk.accept("a", [.names(JournalDesk.one, ["x"])], at: 9)
            try requireSame(held.words.map(\.content), [word.content], "the words")
            try requireSame(held.words.map(\.id), ["m-1"], "the message's name")
            try requireSame(held.standing, .moved, "where it stands")
            try requireSame(try await desk.facts("a"), held, "the attempt")
        },
        JournalCheck("a message waits for an operation that it can be about") { desk in
            let refused = JournalDesk.word(.webhook, JournalDesk.approved(40), id: "m-1")
            let entry = JournalEntry(.holder(JournalDesk.one, "x", [.refund]), [.word(refused)])
            let other = JournalEntry(
                .holder(JournalDesk.one, "x", [.sale]), [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
            for entry in [entry, other] {
                try requireSame(
                    try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(1)), .kept, "the message")
            }
            let sale = try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved(), names: ["x"])
            try requireSame(sale.words.map(\.source), [.webhook, .reply], "the sale's words")
            try await desk.send(try JournalDesk.intent("r", .refund, 40, of: "p"))
            let refund = try await desk.accept("r", [.names(JournalDesk.one, ["x"])])
            try requireSame(refund.words.map(\.id), ["m-1"], "the refund's words")
        },
        JournalCheck("a message that names somebody is his, whatever account or scope he is in") { desk in
            try await desk.done(try JournalDesk.intent("a", scope: "shop"), JournalDesk.approved(), names: ["x"])
            let word = JournalDesk.word(.webhook, JournalDesk.approved(100), id: "m-1")
            let entry = JournalEntry(.holder(JournalDesk.one, "x", []), [.word(word)])
            guard case .accepted(let facts) = try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(1))
            else { throw JournalBreach("it was not accepted") }
            try requireSame(facts.intent.scope, "shop", "the scope")
            let elsewhere = JournalEntry(.holder(JournalDesk.two, "x", []), [.word(word)])
            try requireSame(
                try await desk.journal.write(elsewhere, desk.fresh(), at: JournalDesk.at(1)), .kept, "elsewhere")
        },
        JournalCheck("a message that comes with the name at once is lost by nobody") { desk in
            for round in 0..<8 {
                try await desk.send(try JournalDesk.intent("a-\(round)"))
                let word = JournalDesk.word(.webhook, JournalDesk.approved(), id: "m-\(round)")
                _ = try await desk.atOnce(2) { number in
                    guard number == 0 else {
                        _ = try await desk.write("a-\(round)", [.names(JournalDesk.one, ["x-\(round)"])])
                        return
                    }
                    let entry = JournalEntry(.holder(JournalDesk.one, "x-\(round)", []), [.word(word)])
                    _ = try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(1))
                }
                try requireSame(try await desk.held("a-\(round)").words.map(\.id), ["m-\(round)"], "round \(round)")
            }
        },
    ]
}
