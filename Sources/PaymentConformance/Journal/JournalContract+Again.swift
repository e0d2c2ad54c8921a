internal import PaymentAbstraction

extension JournalContract {
    static let again: [JournalCheck] = [
        JournalCheck("every write again under its id gives the first answer and writes nothing") { desk in
            for (name, parts) in try writes() {
                let id = desk.fresh()
                var entry = JournalEntry(try JournalDesk.key(name), parts)
                entry.events = [try JournalDesk.event("step", 1, of: name)]
                let first = try await desk.journal.write(entry, id, at: JournalDesk.at(3))
                let (held, timeline) = (try await desk.facts(name), try await desk.timeline(name))
                for _ in 0..<3 {
                    let again = try await desk.journal.write(entry, id, at: JournalDesk.at(900_000))
                    try requireSame(again, first, "\(parts) again")
                    try requireSame(try await desk.facts(name), held, "\(parts), the attempt")
                    try requireSame(try await desk.timeline(name), timeline, "\(parts), the timeline")
                }
            }
        },
        JournalCheck("a write again gives the attempt as it stands now") { desk in
            let (intent, id) = (try JournalDesk.intent("a"), desk.fresh())
            let entry = JournalEntry(intent.key, [JournalDesk.begin(intent), JournalDesk.open()])
            _ = try await desk.journal.write(entry, id, at: JournalDesk.at(0))
            let now = try await desk.accept("a", JournalDesk.closing(JournalDesk.approved()))
            try requireSame(try await desk.journal.write(entry, id, at: JournalDesk.at(5)), .accepted(now), "again")
        },
        JournalCheck("what was not accepted is not accepted when it is written again, whatever was told with it") {
            desk in
            try await desk.done(try JournalDesk.intent("told"), JournalDesk.approved(), isTold: false)
            try await desk.send(try JournalDesk.intent("open"))
            func entry(_ name: String, _ parts: [JournalEntry.Part]) throws -> JournalEntry {
                var entry = JournalEntry(try JournalDesk.key(name), parts)
                entry.told = [try JournalDesk.key("told")]
                return entry
            }
            let open = try JournalDesk.intent("open")
            let other = try JournalDesk.intent("open", .sale, 1)
            let blocked = try JournalDesk.intent("blocked", reference: "order-open")
            let entries = try [
                entry("open", [JournalDesk.begin(open), JournalDesk.open()]),
                entry("open", [JournalDesk.begin(other), JournalDesk.open()]),
                entry("blocked", [JournalDesk.begin(blocked), JournalDesk.open()]),
                entry("nobody", JournalDesk.lost),
            ]
            for (number, entry) in entries.enumerated() {
                let id = WriteID("not-accepted-\(number)")
                let first = try await desk.journal.write(entry, id, at: JournalDesk.at(1))
                if case .accepted = first { throw JournalBreach("\(entry) was accepted") }
                let again = try await desk.journal.write(entry, id, at: JournalDesk.at(2))
                try requireSame(again, first, "entry \(number) again")
            }
            try requireSame(try await desk.held("told").isTold, true, "what was told")
            try requireSame(try await desk.facts("blocked"), nil, "what was refused")
            try requireSame(try await desk.held("open").sends.count, 1, "sends")
        },
        JournalCheck("of many who write one write at once, all get the same and it is written once") { desk in
            let (intent, id) = (try JournalDesk.intent("a"), desk.fresh())
            let entry = JournalEntry(
                intent.key, [JournalDesk.begin(intent), JournalDesk.open(), .note(name: "n", value: "")])
            let answers = try await desk.atOnce(12) { _ in
                try await desk.journal.write(entry, id, at: JournalDesk.at(0))
            }
            let held = try await desk.held("a")
            try requireSame(answers.count { $0 == .accepted(held) }, 12, "the answers")
            try requireSame(held.notes.count, 1, "notes")
        },
    ]

    /// One write of each kind, in an order in which each is possible; the last ones are refused.
    private static func writes() throws -> [(String, [JournalEntry.Part])] {
        let sale = try JournalDesk.intent("a")
        let doubt = try JournalDesk.intent("d", reference: "d")
        let asked = JournalDesk.at(3)
        return [
            ("a", [JournalDesk.begin(sale)]), ("a", [JournalDesk.open()]), ("a", [.note(name: "n", value: "v")]),
            ("a", [.close(send: nil, .notSent)]), ("a", [JournalDesk.open()]),
            ("a", JournalDesk.closing(JournalDesk.approved(), names: ["x", "y"])),
            ("a", [.word(JournalDesk.word(.webhook, JournalDesk.approved(50), id: "m-1"))]),
            ("a", [JournalDesk.begin(try JournalDesk.intent("a", .sale, 7))]),
            ("d", [JournalDesk.begin(doubt), JournalDesk.open()]), ("d", JournalDesk.lost),
            ("d", [.likeness(JournalDesk.one, [.init("z", JournalDesk.approved())], askedAt: asked)]),
            ("d", [.note(name: "half", value: ""), JournalDesk.open()]), ("a", []),
            ("nobody", [.note(name: "n", value: "v")]),
        ]
    }
}
