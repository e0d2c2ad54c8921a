internal import PaymentAbstraction

extension JournalContract {
    static let admissions: [JournalCheck] = [
        JournalCheck("under a reference nobody begins while something is open, or moved and untold") { desk in
            func tries(_ name: String, after: [String] = [], told: [String] = []) async throws -> [String]? {
                let intent = try JournalDesk.intent(name, reference: "r")
                let answer = try await desk.write(name, [JournalDesk.begin(intent, after: after)], told: told)
                switch answer {
                case .accepted: return nil
                case .refused(.blocked(let by), nil): return by.map(\.intent.attempt.text)
                default: throw JournalBreach("\(name) gave \(answer)")
                }
            }
            try await desk.send(try JournalDesk.intent("a", reference: "r"))
            try requireSame(try await tries("b"), ["a"], "while it is under way")
            try await desk.accept("a", JournalDesk.lost)
            try requireSame(try await tries("b"), ["a"], "in doubt")
            try requireSame(try await tries("b", after: ["a"]), ["a"], "whatever the caller says of what is open")
            try await desk.accept("a", [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
            try requireSame(try await tries("b"), ["a"], "moved and untold")
            try requireSame(try await tries("b", after: ["x"]), ["a"], "when another one is known")
            try requireSame(try await tries("b", told: ["a"]), nil, "told with the same entry")
            try await desk.accept("b", [.end(round: nil, .owner)])
            try requireSame(try await tries("c"), nil, "told before")
            try requireSame(try await tries("d"), ["c"], "while the next is under way")
        },
        JournalCheck("other references, scopes and follow-ups block nobody, letter by letter") { desk in
            try await desk.send(try JournalDesk.intent("a", reference: "Straße"))
            try await desk.send(try JournalDesk.intent("b", reference: "straße"))
            try await desk.send(try JournalDesk.intent("c", reference: "Straße", scope: "x"))
            try await desk.send(try JournalDesk.intent("d", reference: "Stra%"))
            try await desk.send(try JournalDesk.intent("e", reference: "cafe\u{301}"))
            try await desk.send(try JournalDesk.intent("f", reference: "caf\u{e9}"))
            for (text, name) in [
                ("Straße", "a"), ("straße", "b"), ("Stra%", "d"), ("cafe\u{301}", "e"), ("caf\u{e9}", "f"),
            ] {
                try requireSame(try await desk.names(.reference(text)), [name], text)
            }
            for none in ["", "%", "Stra_e", "Straße ", "STRASSE"] {
                try requireSame(try await desk.names(.reference(none)), [], none)
            }
        },
        JournalCheck("a refund waits for one that is pending and whose caller was never told") { desk in
            func tries(_ name: String, after: [String] = [], told: [String] = []) async throws -> [String]? {
                let intent = try JournalDesk.intent(name, .refund, 10, of: "p")
                switch try await desk.write(name, [JournalDesk.begin(intent, after: after)], told: told) {
                case .accepted: return nil
                case .refused(.blocked(let by), nil): return by.map(\.intent.attempt.text)
                case let answer: throw JournalBreach("\(name) gave \(answer)")
                }
            }
            try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
            let pending = Verdict.pending(Pending(references: ["refund": "x"], lookAgain: false))
            try await desk.done(try JournalDesk.intent("a", .refund, 10, of: "p"), pending, names: ["x"])
            try requireSame(try await tries("b"), ["a"], "pending and untold")
            try requireSame(try await tries("b", after: ["x"]), ["a"], "when another one is known")
            try requireSame(try await tries("b", after: ["a"]), nil, "known to be pending")
            try await desk.accept("b", [.end(round: nil, .owner)])
            try requireSame(try await tries("c", told: ["a"]), nil, "told with the same entry")
            try await desk.accept("c", [.end(round: nil, .owner)])
            try requireSame(try await tries("d"), nil, "told before")
        },
        JournalCheck("a follow-up needs its payment, at the same account") { desk in
            let early = try JournalDesk.intent("r0", .refund, 10, of: "p")
            try requireSame(
                try await desk.write("r0", [JournalDesk.begin(early)]), .refused(.noSuchPayment, nil), "no payment")
            try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
            try requireSame(
                try await desk.write("r0", [JournalDesk.begin(early, JournalDesk.two)]),
                .refused(.otherProvider(JournalDesk.one), nil), "another account")
            try await desk.done(early, JournalDesk.approved(10))
            let family = try await desk.journal.family(try JournalDesk.key("p"))
            try requireSame(family.map(\.intent.attempt.text), ["p", "r0"], "the family")
            try requireSame(
                try await desk.journal.family(try JournalDesk.key("r0")).count, 0, "the refund's own family")
        },
        JournalCheck("more than what is left is refused, with what reserves it") { desk in
            try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
            try await desk.send(try JournalDesk.intent("r", .refund, 60, of: "p"))
            let more = try JournalDesk.intent("m", .refund, 50, of: "p")
            let answer = try await desk.write("m", [JournalDesk.begin(more)])
            try requireSame(
                answer, .refused(.exceeds(left: .cents(40), open: [try AttemptID("r")]), nil), "the answer")
            try requireSame(try await desk.facts("m"), nil, "the attempt")
        },
        JournalCheck("of ten who give back a part of a payment at once, one may") { desk in
            try await desk.done(try JournalDesk.intent("p", .sale, 500), JournalDesk.approved(500))
            let answers = try await desk.atOnce(10) { number in
                let intent = try JournalDesk.intent("r-\(number)", .refund, 100, of: "p")
                return try await desk.write("r-\(number)", [JournalDesk.begin(intent), JournalDesk.open()])
            }
            let begun = answers.count { if case .accepted = $0 { true } else { false } }
            let refused = answers.count { if case .refused(.blocked, nil) = $0 { true } else { false } }
            try requireSame(begun, 1, "refunds")
            try requireSame(refused, 9, "refusals")
            try requireSame(try await desk.journal.family(try JournalDesk.key("p")).count, 2, "the family")
        },
        JournalCheck("of ten who begin under one reference at once, one may") { desk in
            let answers = try await desk.atOnce(10) { number in
                let intent = try JournalDesk.intent("a-\(number)", reference: "r")
                return try await desk.write("a-\(number)", [JournalDesk.begin(intent), JournalDesk.open()])
            }
            try requireSame(answers.count { if case .accepted = $0 { true } else { false } }, 1, "who began")
            try requireSame(try await desk.names(.reference("r")).count, 1, "what is there")
        },
        JournalCheck("a rehearsal blocks nobody and is not among the payments") { desk in
            var intent = try JournalDesk.intent("a", reference: "r")
            intent.isDryRun = true
            try await desk.send(intent)
            try await desk.send(try JournalDesk.intent("b", reference: "r"))
            try requireSame(try await desk.names(.origins), ["b"], "the payments")
            try requireSame(try await desk.names(.reference("r")), ["a", "b"], "under the reference")
        },
    ]
}
