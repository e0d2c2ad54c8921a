internal import PaymentAbstraction

extension JournalContract {
    static let beginnings: [JournalCheck] = [
        JournalCheck("what is begun and sent in one entry is there afterwards, as it was given") { desk in
            let intent = try JournalDesk.intent("a")
            let answer = try await desk.send(intent, at: 7)
            try requireSame(answer.intent, intent, "the intent")
            try requireSame(answer.rounds.count, 1, "rounds")
            try requireSame(answer.newest.provider, JournalDesk.one, "the account")
            try requireSame(answer.newest.owner, JournalDesk.owner, "the owner")
            try requireSame(answer.newest.begunAt, JournalDesk.at(7), "the moment")
            try requireSame(answer.sends.map(\.leavesWithin), [100], "the send")
            try requireSame(try await desk.facts("a"), answer, "the attempt")
            try requireSame(try await desk.journal.family(intent.key), [answer], "the family")
            try requireSame(try await desk.facts("A"), nil, "another one")
        },
        JournalCheck("the same content under another write is known, and nothing is written") { desk in
            let intent = try JournalDesk.intent("a")
            let begin = [JournalDesk.begin(intent), JournalDesk.open()]
            var held = try await desk.send(intent)
            try requireSame(try await desk.write("a", begin, at: 8), .known(held), "under way")
            held = try await desk.accept("a", JournalDesk.lost, at: 9)
            try requireSame(try await desk.write("a", begin, at: 10), .known(held), "in doubt")
            held = try await desk.accept("a", [.word(JournalDesk.word(.webhook, JournalDesk.approved()))], at: 11)
            // Not the account: a replay after a switch gets what is recorded.
            let elsewhere = [JournalDesk.begin(intent, JournalDesk.two), JournalDesk.open()]
            try requireSame(try await desk.write("a", elsewhere, at: 12), .known(held), "moved")
            try requireSame(try await desk.facts("a"), held, "the attempt")
        },
        JournalCheck("the same id for anything else is a conflict, and nothing is written") { desk in
            let held = try await desk.send(try JournalDesk.intent("a"))
            var others = [
                try JournalDesk.intent("a", .authorize), try JournalDesk.intent("a", .sale, 101),
                try JournalDesk.intent("a", reference: "order-b"), try JournalDesk.intent("a", of: "a"),
                try JournalDesk.intent("a", .refund, of: "b"),
            ]
            var other = try JournalDesk.intent("a")
            other.content = "another digest"
            others.append(other)
            other = try JournalDesk.intent("a")
            other.isDryRun = true
            others.append(other)
            other.tip = .cents(1)
            others.append(other)
            for other in others {
                let answer = try await desk.write("a", [JournalDesk.begin(other), JournalDesk.open()])
                try requireSame(answer, .conflict(held), "\(other)")
            }
            try requireSame(try await desk.facts("a"), held, "the attempt")
            try requireSame(try await desk.names(.origins), ["a"], "the journal")
        },
        JournalCheck("the same id in another scope is another attempt") { desk in
            for scope in ["", "shop", "Shop", "shöp'--"] {
                try await desk.send(try JournalDesk.intent("a", .sale, 100, reference: "r", scope: scope))
            }
            for scope in ["", "shop", "Shop", "shöp'--"] {
                try requireSame(try await desk.held("a", scope: scope).intent.scope, scope, "the scope")
                try requireSame(try await desk.names(.open, scope: scope), ["a"], "what is open in \(scope)")
                try requireSame(try await desk.names(.reference("r"), scope: scope), ["a"], "r in \(scope)")
            }
            try requireSame(try await desk.facts("a", scope: "SHOP"), nil, "a scope of nobody")
        },
        JournalCheck("what moved nothing begins anew in the next round, and remembers the first") { desk in
            let intent = try JournalDesk.intent("a")
            try await desk.accept("a", [JournalDesk.begin(intent), .note(name: "n", value: "v"), JournalDesk.open()])
            try await desk.accept("a", [.close(send: nil, .refused), .end(round: nil, .owner)], at: 2)
            let again = try await desk.send(intent, JournalDesk.two, owner: "other", at: 9)
            try requireSame(again.rounds.map(\.number), [1, 2], "the rounds")
            try requireSame(again.rounds.map(\.provider), [JournalDesk.one, JournalDesk.two], "the accounts")
            try requireSame(again.sends.map(\.number), [1, 2], "the sends")
            try requireSame(again.notes.map(\.value), ["v"], "the notes")
            try requireSame(try await desk.facts("a"), again, "the attempt")
        },
        JournalCheck("of many who begin the same at once, one may") { desk in
            let intent = try JournalDesk.intent("a")
            let answers = try await desk.atOnce(20) { number in
                try await desk.write(
                    "a",
                    [JournalDesk.begin(intent, owner: "till-\(number)"), JournalDesk.open(owner: "till-\(number)")])
            }
            let held = try await desk.held("a")
            try requireSame(answers.count { $0 == .accepted(held) }, 1, "who began")
            try requireSame(answers.count { $0 == .known(held) }, 19, "who came later")
            try requireSame(held.sends.count, 1, "sends")
        },
        JournalCheck("parts before a refusal are written, those from it on are not") { desk in
            try await desk.send(try JournalDesk.intent("a"))
            let answer = try await desk.write(
                "a",
                [
                    .note(name: "1", value: "a"), .close(send: 1, .lost), JournalDesk.open(owner: "stranger"),
                    .note(name: "2", value: "b"),
                ])
            let held = try await desk.held("a")
            try requireSame(answer, .refused(.fenced, held), "the answer")
            try requireSame(held.notes.map(\.name), ["1"], "the notes")
            try requireSame(held.closes.map(\.proof), [.lost], "the closes")
            try requireSame(held.sends.count, 1, "the sends")
            // What can't even begin leaves nothing behind.
            let blocked = try JournalDesk.intent("b", reference: "order-a")
            guard
                case .refused(.blocked(let by), nil) = try await desk.write(
                    "b",
                    [.begin(blocked, AdmissionTerms(JournalDesk.one, owner: "till")), .note(name: "n", value: "v")],
                    events: [try JournalDesk.event("begun", 1, of: "b")])
            else { throw JournalBreach("a second one under the reference was not refused") }
            try requireSame(by.map(\.intent.attempt.text), ["a"], "what stands in the way")
            try requireSame(try await desk.facts("b"), nil, "what was refused")
            try requireSame(try await desk.timeline("b"), [], "its timeline")
        },
        JournalCheck("what is said of an attempt that isn't there is answered so") { desk in
            for parts in [
                [], JournalDesk.lost, [JournalDesk.open()], [.note(name: "n", value: "v")],
                [.word(JournalDesk.word(.reply, JournalDesk.approved()))],
            ] as [[JournalEntry.Part]] {
                try requireSame(try await desk.write("a", parts), .unknownAttempt, "\(parts)")
            }
            try requireSame(try await desk.facts("a"), nil, "the attempt")
        },
    ]
}
