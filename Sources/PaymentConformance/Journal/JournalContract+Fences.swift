internal import PaymentAbstraction

extension JournalContract {
    static let fences: [JournalCheck] = [
        JournalCheck("only the owner of the newest round opens a send, while it isn't over") { desk in
            try await desk.accept("a", [JournalDesk.begin(try JournalDesk.intent("a"))])
            func open(_ owner: String) async throws -> JournalAnswer {
                try await desk.write("a", [JournalDesk.open(owner: owner)])
            }
            try requireSame(try await open("other"), .refused(.fenced, try await desk.held("a")), "a stranger")
            try await desk.accept("a", [.end(round: 1, .takeOver)])
            try requireSame(try await open("till"), .refused(.fenced, try await desk.held("a")), "who was taken over")
            try await desk.accept("a", [JournalDesk.begin(try JournalDesk.intent("a"), owner: "other")])
            try requireSame(try await open("till"), .refused(.fenced, try await desk.held("a")), "the one before")
            guard case .accepted = try await open("other") else { throw JournalBreach("the owner was refused") }
        },
        JournalCheck("while a send is unresolved, only the same under its living key is opened") { desk in
            try await desk.accept(
                "a", [JournalDesk.begin(try JournalDesk.intent("a")), JournalDesk.open(key: "k", lives: 1_000)])
            func open(_ key: String?, at milliseconds: Int64) async throws -> Bool {
                let part = JournalDesk.open(key: key, lives: 1_000)
                switch try await desk.write("a", [part], at: milliseconds) {
                case .accepted: return true
                case .refused(.unansweredSend, _): return false
                case let other: throw JournalBreach("\(other)")
                }
            }
            try requireSame(try await open("k", at: 1), false, "while it is open")
            try await desk.accept("a", [.close(send: nil, .lost)], at: 2)
            try requireSame(try await open(nil, at: 3), false, "without the key")
            try requireSame(try await open("other", at: 3), false, "under another key")
            try requireSame(try await open("k", at: 3), true, "under the same")
            try await desk.accept("a", [.close(send: nil, .lost)], at: 4)
            try requireSame(try await open("k", at: 950), false, "when the key is about to die")
        },
        JournalCheck("closes and words are never fenced") { desk in
            try await desk.send(try JournalDesk.intent("a"))
            try await desk.accept("a", [.end(round: 1, .takeOver)])
            let held = try await desk.accept(
                "a", [.close(send: 1, .answered), .word(JournalDesk.word(.reply, JournalDesk.approved(), send: 1))])
            try requireSame(held.standing, .moved, "where it stands")
            try requireSame(try await desk.facts("a"), held, "the attempt")
        },
        JournalCheck("a process closes, ends and remembers in its own round alone") { desk in
            try await desk.send(try JournalDesk.intent("a"))
            try await desk.accept("a", [.close(send: 1, .notSent), .end(round: 1, .takeOver)])
            try await desk.accept(
                "a",
                [JournalDesk.begin(try JournalDesk.intent("a"), owner: "other"), JournalDesk.open(owner: "other")])
            func late(_ parts: [JournalEntry.Part]) async throws -> JournalAnswer {
                var entry = JournalEntry(try JournalDesk.key("a"), parts)
                entry.round = 1
                return try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(5))
            }
            let before = try await desk.held("a")
            for parts in [
                [JournalEntry.Part.close(send: nil, .notSent), .end(round: nil, .owner)], [.close(send: 2, .notSent)],
            ] {
                try requireSame(try await late(parts), .accepted(before), "the send and the round of another")
            }
            let note = JournalEntry.Part.note(name: "message", value: "first")
            try requireSame(try await late([note]), .refused(.fenced, before), "a note of the round before")
            guard case .accepted(let named) = try await late([.names(JournalDesk.one, ["p-1"])]) else {
                throw JournalBreach("a name of the round before was refused")
            }
            try requireSame(named.names.map(\.send), [1], "the send that the name belongs to")
            let word = JournalDesk.word(.reply, JournalDesk.approved())
            guard case .accepted(let held) = try await late([.word(word)]) else {
                throw JournalBreach("an approval of the round before was refused")
            }
            try requireSame(held.words.map(\.round), [1], "the round that it is about")
            try requireSame(try await desk.facts("a"), held, "the attempt")
        },
        JournalCheck("of many who open a send at once, one may") { desk in
            try await desk.accept("a", [JournalDesk.begin(try JournalDesk.intent("a"))])
            let answers = try await desk.atOnce(20) { _ in try await desk.write("a", [JournalDesk.open()]) }
            let held = try await desk.held("a")
            try requireSame(answers.count { $0 == .accepted(held) }, 1, "who opened")
            try requireSame(answers.count { $0 == .refused(.unansweredSend, held) }, 19, "who was refused")
            try requireSame(held.sends.count, 1, "sends")
        },
        JournalCheck("of many who take over at once, the round ends once") { desk in
            try await desk.send(try JournalDesk.intent("a"))
            _ = try await desk.atOnce(12) { _ in
                try await desk.write("a", [.close(send: 1, .lost), .end(round: 1, .takeOver)])
            }
            let held = try await desk.held("a")
            try requireSame(held.ends.count, 1, "ends")
            try requireSame(held.closes.count, 1, "closes")
            try requireSame(held.standing, .inDoubt, "where it stands")
        },
        JournalCheck("a word stays, and the same word twice is one") { desk in
            try await desk.done(try JournalDesk.intent("a"), JournalDesk.approved(), names: ["x"])
            let word = JournalDesk.word(.webhook, JournalDesk.approved(), time: 5, id: "m-1")
            let entry = JournalEntry(.holder(JournalDesk.one, "x", []), [.word(word)])
            let first = try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(8))
            let held = try await desk.held("a")
            try requireSame(first, .accepted(held), "the first")
            try requireSame(held.words.count, 2, "words")
            let second = try await desk.journal.write(entry, desk.fresh(), at: JournalDesk.at(9))
            try requireSame(second, .accepted(held), "the second")
            try requireSame(try await desk.facts("a"), held, "the attempt")
        },
    ]
}
