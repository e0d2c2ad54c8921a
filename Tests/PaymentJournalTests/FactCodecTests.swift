import PaymentAbstraction
import PaymentBase
import PaymentConformance
import Testing

@Suite struct FactCodecTests {
    /// One of every kind, bare and full.
    func facts() throws -> [JournalFact] {
        let at = JournalInstant(wall: .min, uptime: .max, boot: "b\"ü")
        var full = AttemptIntent(
            try AttemptID("a"), .refund, Money(minorUnits: .min, .jpy), reference: "\u{0}\n\"💶",
            payment: try PaymentID("p"), source: .reader, last4: "0042")
        (full.tip, full.scope, full.isDryRun, full.content) = (Money(minorUnits: 1, .kwd), "s", true, "d")
        var facts: [JournalFact] = [.intent(full), .intent(try JournalDesk.intent("b"))]
        for operation in PaymentOperation.allCases {
            facts.append(
                .intent(AttemptIntent(try AttemptID("a"), operation, Money(minorUnits: 0, .eur), reference: "")))
        }
        facts.append(FactCodec.round(7, JournalDesk.one, owner: "o", at: JournalInstant(wall: 1, uptime: 2)))
        facts += AttemptFacts.End.Cause.allCases.map { FactCodec.end(1, by: $0, at: at) }
        facts += [FactCodec.send(round: 1, number: 2, leavesWithin: nil, at: at)]
        facts += [FactCodec.send(round: 1, number: 2, leavesWithin: 0, at: at)]
        facts += AttemptFacts.Close.Proof.allCases.map { FactCodec.close(3, $0, at: at) }
        for source in AttemptFacts.Word.Source.allCases {
            facts.append(.word(AttemptFacts.Word(source, .neverArrived, at: at)))
            var word = AttemptFacts.Word(source, .withdrawn, at: at)
            (word.round, word.send, word.providerTime, word.askedAt, word.id) = (1, 2, -3, at, "")
            facts.append(.word(word))
        }
        facts += JournalSamples.verdicts.map { .word(AttemptFacts.Word(.reply, .verdict($0), at: at)) }
        facts += [
            FactCodec.name("", of: JournalDesk.two, send: nil), FactCodec.name("x", of: JournalDesk.one, send: 4),
        ]
        facts += [FactCodec.note(round: 1, "n", ""), .told(at: at), .contradiction(at: at)]
        return facts
    }

    @Test func everyFactComesBackAndGivesTheSameBytes() throws {
        let facts = try facts()
        for fact in facts {
            let bytes = FactCodec.bytes([fact])
            #expect(try FactCodec.facts(bytes) == [fact])
            for _ in 0..<3 { #expect(FactCodec.bytes(try FactCodec.facts(bytes)) == bytes) }
        }
        #expect(try FactCodec.facts(FactCodec.bytes(facts)) == facts)
        #expect(try FactCodec.facts(FactCodec.bytes([JournalFact]())) == [])
    }

    @Test func noticesEventsAccountsAndAnswersComeBack() throws {
        let word = JournalDesk.word(.webhook, JournalDesk.approved(), time: 5, id: "m")
        for operations in [[], [.sale], [.refund, .capture, .void]] as [Set<PaymentOperation>] {
            let notice = KeptNotice(JournalDesk.one, "n\"", operations, word)
            #expect(try FactCodec.notice(FactCodec.bytes(notice)) == notice)
        }
        let events = [
            try JournalDesk.event("k", 3, of: "p"), PaymentEvent(.webhook, at: .max),
            PaymentEvent(
                .approved, sequence: 1, at: 2, payment: try PaymentID("p"), attempt: try AttemptID("a"), provider: "x"),
        ]
        #expect(try FactCodec.events(FactCodec.bytes(events)) == events)
        #expect(try FactCodec.account(FactCodec.text(JournalDesk.one)) == JournalDesk.one)
        guard
            let facts = AttemptFacts([
                .intent(try JournalDesk.intent("a", scope: "s")),
                FactCodec.round(1, JournalDesk.one, owner: "o", at: JournalDesk.at(1)),
            ])
        else { return }
        let answers: [JournalAnswer] = [
            .accepted(facts), .known(facts), .conflict(facts), .kept, .unknownAttempt, .refused(.fenced, facts),
            .refused(.unansweredSend, nil), .refused(.blocked(by: [AttemptRecord(facts)]), facts),
            .refused(.exceeds(left: Money(minorUnits: 1, .eur), open: [try AttemptID("b")]), nil),
            .refused(.notAllowed("w"), nil), .refused(.noSuchPayment, nil),
            .refused(.otherProvider(JournalDesk.two), nil), .refused(.noProof("w"), facts),
        ]
        for answer in answers {
            let again = try FactCodec.answer(FactCodec.bytes(answer)) { $0 == facts.intent.key ? facts : nil }
            #expect(again == answer)
        }
    }

    @Test(
        arguments: [
            "", "[", "{}", "null", "[1]", "[{}]", #"[{"fact":"blessing","at":[1,2]}]"#, #"[{"fact":"told"}]"#,
            #"[{"fact":"told","at":[1]}]"#, #"[{"fact":"told","at":[1,2,3]}]"#,
            #"[{"fact":"told","at":[1,2],"more":1}]"#,
            #"[{"fact":"told","at":[1.5,2]}]"#, #"[{"fact":"end","round":1,"by":"fate","at":[1,2]}]"#,
            #"[{"fact":"close","send":1,"proof":"eaten","at":[1,2]}]"#,
            #"[{"fact":"word","source":"dream","says":"neverArrived","at":[1,2]}]"#,
            #"[{"fact":"word","source":"reply","says":"moved","at":[1,2]}]"#,
            #"[{"fact":"word","source":"reply","verdict":{"kind":"undone"},"at":[1,2]}]"#,
            #"[{"fact":"word","source":"reply","verdict":{"kind":"pending","lookAgain":true,"undone":true},"at":[1,2]}]"#,
            #"[{"fact":"name","provider":["a","b","c"],"value":"x"}]"#,
            #"[{"fact":"intent","attempt":"a b","operation":"sale","amount":{"minorUnits":1,"currency":"EUR"},"reference":""}]"#,
            #"[{"fact":"intent","attempt":"a","operation":"gift","amount":{"minorUnits":1,"currency":"EUR"},"reference":""}]"#,
            #"[{"fact":"intent","attempt":"a","operation":"sale","amount":{"minorUnits":1,"currency":"XXX"},"reference":""}]"#,
        ])
    func whatIsNotUnderstoodIsUnreadable(_ text: String) {
        #expect(throws: FactCodec.Unreadable()) { try FactCodec.facts(Array(text.utf8)) }
    }

    /// A flipped bit is found or gives other facts; it never ends the process.
    @Test func damagedBytesAreReadOrRefused() throws {
        let bytes = FactCodec.bytes(try facts())
        for place in stride(from: 0, to: bytes.count, by: 3) {
            var damaged = bytes
            damaged[place] ^= 1 << UInt8(place % 8)
            _ = try? FactCodec.facts(damaged)
        }
    }

    /// Whatever reaches the store by mistake: tokens, holders' names and what a card's chip says of its number stay out.
    @Test func whatMustNotBeKeptIsNotInTheBytes() {
        var card = CardSummary(brand: "visa", last4: "1111")
        card.holder = Personal("Plantina Personova")
        var receipt = Receipt()
        receipt.add([EMVTag("5A", "4539578763621486"), EMVTag("57", "4539578763621486D3012"), EMVTag("95", "00")])
        var approval = Approval(Money(minorUnits: 1, .eur), card: card, receipt: receipt)
        approval.saved = SavedInstrument(.init(rawValue: "i-1"), token: Secret("tok_PLANTED"), card: card)
        var decline = Decline(.lostCard, provider: ProviderMessage(code: "41"))
        (decline.card, decline.receipt) = (card, receipt)
        let verdicts: [Verdict] = [.approved(approval), .declined(decline)]
        let bytes = FactCodec.bytes(
            verdicts.map { .word(AttemptFacts.Word(.reply, .verdict($0), at: JournalDesk.at(0))) })
        let text = String(decoding: bytes, as: UTF8.self)
        for planted in ["PLANTED", "Plantina", "Personova", "4539578763621486"] {
            #expect(!text.contains(planted), "\(planted)")
        }
        #expect(text.contains("i-1"))
    }

    @Test func whatWasForgottenStandsInNobodysWay() throws {
        let facts = FactCodec.forgotten(try JournalDesk.key("a", "s"), at: JournalDesk.one)
        #expect(facts.standing == .notMoved)
        #expect(!facts.isOpen && !facts.blocks && !facts.hasMoved)
        #expect(facts.intent.key == (try JournalDesk.key("a", "s")))
    }
}
