internal import PaymentAbstraction

extension JournalContract {
    static let contents: [JournalCheck] = [
        JournalCheck("every kind of verdict comes back as it was written") { desk in
            for (number, verdict) in JournalSamples.verdicts.enumerated() {
                let held = try await desk.done(try JournalDesk.intent("a-\(number)"), verdict)
                try requireSame(held.words.map(\.content), [.verdict(verdict)], "the answer")
                try requireSame(try await desk.facts("a-\(number)"), held, "the attempt")
            }
        },
        JournalCheck("every operation, source and amount comes back as it was written") { desk in
            let amounts = [
                Money(minorUnits: .max, .eur), Money(minorUnits: 0, .clf), Money(minorUnits: 1, .kwd),
                Money(minorUnits: 9, .jpy),
            ]
            for (number, operation) in PaymentOperation.allCases.filter(\.isOrigin).enumerated() {
                for (place, source) in ([nil] + SourceKind.allCases.map { $0 }).enumerated() {
                    var intent = AttemptIntent(
                        try AttemptID("a-\(number)-\(place)"), operation, amounts[(number + place) % amounts.count],
                        reference: "ünï \"'\\% 💶 \u{1}\n\(number)-\(place)", source: source,
                        last4: place == 3 ? nil : "0042")
                    (intent.tip, intent.content) = (.cents(3), "dïgest")
                    let answer = try await desk.send(intent, at: Int64(number) - 3)
                    try requireSame(answer.intent, intent, "the answer")
                    try requireSame(try await desk.facts(intent.attempt.text), answer, "the attempt")
                }
            }
        },
        JournalCheck("every kind of fact comes back as it was written, in order") { desk in
            try await desk.accept("a", [JournalDesk.begin(try JournalDesk.intent("a"))], at: 1)
            try await desk.accept("a", [JournalDesk.open(key: "k\"'", lives: 10_000, leaves: nil)], at: 2)
            try await desk.accept("a", [.note(name: "ñ", value: "it's \"2\" ✓\n"), .note(name: "", value: "")], at: 3)
            try await desk.accept("a", [.close(send: 1, .lost), .end(round: 1, .takeOver)], at: 4)
            var word = JournalDesk.word(.lookup, JournalDesk.approved(100, ["id": "x"]), send: 1, time: .max, id: "m'")
            word.askedAt = JournalInstant(wall: 5, uptime: 6)
            try await desk.accept("a", [.names(JournalDesk.one, ["x", "y"]), .word(word)], at: 7)
            // Done once more, under another name of the same kind.
            let again = JournalDesk.word(.webhook, JournalDesk.approved(100, ["id": "z"]))
            try await desk.accept("a", [.names(JournalDesk.one, ["z"]), .word(again)], at: 8)
            let held = try await desk.accept("a", [], at: 9, told: ["a"])
            try requireSame(held.rounds.map(\.begunAt), [JournalDesk.at(1)], "rounds")
            try requireSame(held.ends.map(\.by), [.takeOver], "ends")
            try requireSame(held.sends.map(\.key), ["k\"'"], "sends")
            try requireSame(held.sends.map(\.leavesWithin), [nil], "how long they leave")
            try requireSame(held.closes.map(\.proof), [.lost], "closes")
            try requireSame(held.words.map(\.askedAt), [JournalInstant(wall: 5, uptime: 6), nil], "words")
            try requireSame(held.words.map(\.providerTime), [.max, nil], "times")
            try requireSame(held.names.map(\.value), ["x", "y", "z"], "names")
            try requireSame(held.notes.map(\.value), ["it's \"2\" ✓\n", ""], "notes")
            try require(held.isTold && held.isContradicted, "what was told and contradicted")
            try requireSame(try await desk.facts("a"), held, "the attempt")
        },
        JournalCheck("a timeline is in order, complete, and of one payment in one scope") { desk in
            for scope in ["", "shop"] {
                try await desk.send(try JournalDesk.intent("p", scope: scope))
                try await desk.accept(
                    "p", [], scope: scope,
                    events: [
                        try JournalDesk.event("c", 3, of: "p", at: 10), try JournalDesk.event("a", 1, of: "p", at: 30),
                    ])
                try await desk.accept(
                    "p", [], scope: scope,
                    events: [
                        try JournalDesk.event("x", 1, of: "q"), try JournalDesk.event("b", 2, of: "p", at: 20),
                        try JournalDesk.event("y", 9, of: nil),
                        PaymentEvent(.webhook, sequence: 4, at: .max, payment: try PaymentID("p")),
                    ])
            }
            for scope in ["", "shop"] {
                let timeline = try await desk.timeline("p", scope: scope)
                try requireSame(timeline.map(\.kind.rawValue), ["a", "b", "c", "webhook"], "the timeline")
                try requireSame(timeline.first, try JournalDesk.event("a", 1, of: "p", at: 30), "the first of it")
                try requireSame(try await desk.timeline("q", scope: scope).count, 1, "the other one")
            }
            try requireSame(try await desk.timeline("x"), [], "one that is not there")
        },
        JournalCheck("numbers are given out once, however many ask at once") { desk in
            let firsts = try await desk.atOnce(20) { number in
                (first: try await desk.journal.draw(Int64(number % 5 + 1)), count: Int64(number % 5 + 1))
            }
            let all = firsts.flatMap { Array($0.first..<$0.first + $0.count) }
            try requireSame(Set(all).count, all.count, "numbers without repeats")
            try require(all.allSatisfy { $0 > 0 }, "a number that is none")
            for count in [0, -1, Int64.min, .max] {
                do {
                    let first = try await desk.journal.draw(count)
                    throw JournalBreach("\(count) numbers were given out from \(first)")
                } catch is JournalFailure {}
            }
            let next = try await desk.journal.draw(1)
            try require(!all.contains(next), "a number came twice")
        },
    ]

    static let changes: [JournalCheck] = [
        JournalCheck("whoever waits for more about an attempt hears of it") { desk in
            let known = try await desk.send(try JournalDesk.intent("a"))
            try await desk.send(try JournalDesk.intent("b"))
            let journal = desk.journal
            let waiting = (0..<4).map { _ in Task { try await journal.changed(known) } }
            try await desk.accept("b", [.note(name: "n", value: "v")])
            let after = try await desk.accept("a", JournalDesk.closing(JournalDesk.approved()))
            for waiter in waiting { try await waiter.value }
            // What has changed since is not waited for.
            try await journal.changed(known)
            let last = Task { try await journal.changed(after) }
            last.cancel()
            try await last.value
        }
    ]
}
