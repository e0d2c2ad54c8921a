import PaymentAbstraction
import PaymentBase
import Testing

/// What holds of an operation that may turn follows from what was said and when it happened, never from the order in
/// which it was heard.
@Suite struct WordTests {
    static let turning: [MoneyOperation] = [.capture, .refund, .unlinkedRefund, .void, .adjust]
    static let settled: [MoneyOperation] = [.sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit]

    private struct News: Hashable {
        let isDone: Bool
        let at: Int64
    }

    private func hear(_ news: [News], _ operation: MoneyOperation) throws -> AttemptFacts {
        var facts = MadeFacts.facts(try MadeFacts.intent("a", operation, of: "p"), .inDoubt)
        for (index, one) in news.enumerated() {
            let verdict = one.isDone ? MadeFacts.approved() : MadeFacts.declined
            var word = MadeFacts.word(.webhook, verdict, theirs: one.at, at: Int64(index) + 10)
            word.send = 1
            facts = try MadeFacts.play(facts, [.word(word)]).changes.last?.after ?? facts
        }
        return facts
    }

    private static func orders<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test func everyOperationIsSorted() {
        #expect(Set(Self.turning + Self.settled) == Set(MoneyOperation.allCases))
    }

    @Test(arguments: turning) func theOrderOfNewsDecidesNothing(_ operation: MoneyOperation) throws {
        let all = [true, false].flatMap { isDone in (1...3).map { News(isDone: isDone, at: $0) } }
        var count = 0
        for one in all {
            for two in all where two != one {
                for three in all where three != one && three != two {
                    let heard = [one, two, three]
                    let done = heard.filter(\.isDone)
                    let latest = heard.map(\.at).max() ?? 0
                    // At one moment the failure came after what it undid.
                    let isDone = !heard.contains { !$0.isDone && $0.at == latest }
                    for order in Self.orders(heard) {
                        let facts = try hear(order, operation)
                        count += 1
                        guard !done.isEmpty else {
                            #expect(facts.standing == .declined)
                            continue
                        }
                        #expect(facts.standing == .moved, "\(order)")
                        let holds = AttemptRecord(facts).approval != nil
                        #expect(holds == isDone, "\(order)")
                    }
                }
            }
        }
        #expect(count == 720)
    }

    @Test(arguments: settled) func whatIsFinalTurnsByItsLateFailureAlone(_ operation: MoneyOperation) throws {
        let done = MadeFacts.facts(try MadeFacts.intent("a", operation), .concluded(MadeFacts.approved()))
        let refused = try MadeFacts.play(done, [.word(MadeFacts.word(.webhook, MadeFacts.declined, theirs: 9))])
        #expect(refused.events == [.contradiction])
        #expect(refused.changes.last?.after.verdict == MadeFacts.approved())
        let late = Verdict.declined(Decline(.failedLater, provider: ProviderMessage(code: "back")))
        let returned = try MadeFacts.play(done, [.word(MadeFacts.word(.webhook, late, theirs: 1))])
        #expect(returned.events.isEmpty)
        #expect(returned.changes.last?.after.verdict == late)
        #expect(returned.changes.last?.after.standing == .moved, "that it moved is never unsaid")
    }

    /// What comes of a word that is written at a moment of one machine, whose clock somebody sets meanwhile.
    private func hear(
        _ facts: AttemptFacts?, _ source: AttemptFacts.Word.Source, _ verdict: Verdict, wall: Int64, uptime: Int64
    ) throws -> AttemptFacts? {
        func at(_ sooner: Int64) -> JournalInstant {
            JournalInstant(wall: wall - sooner, uptime: uptime - sooner, boot: "one")
        }
        var word = AttemptFacts.Word(source, .verdict(verdict), at: at(0))
        if source == .lookup { word.askedAt = at(1) } else { word.send = 1 }
        var slice = JournalSlice()
        slice.attempt = facts
        let key = try #require(facts?.intent.key)
        return JournalRules.decide(JournalEntry(key, [.word(word)]), slice, at: at(0)).changes.last?.after
    }

    /// The machine's clock ran ahead when the question was asked, and is right when the failure is heard.
    @Test(arguments: turning + settled, [AttemptFacts.Word.Source.lookup, .webhook])
    func aClockThatWasSetHidesNoFailure(_ operation: MoneyOperation, _ source: AttemptFacts.Word.Source) throws {
        let intent = try MadeFacts.intent("a", operation, of: Self.turning.contains(operation) ? "p" : nil)
        let open = MadeFacts.facts(intent, .inDoubt)
        let facts = try hear(open, .lookup, MadeFacts.approved(), wall: 9_000, uptime: 20)
        #expect(facts?.standing == .moved)
        let late = Verdict.declined(Decline(.failedLater, provider: ProviderMessage(code: "back")))
        let turned = try hear(facts, source, late, wall: 40, uptime: 40)
        #expect(turned?.verdict == late)
        #expect(turned?.standing == .moved)
    }

    /// Of a question's answer and what was heard before it was put the question's holds, whatever the clock was set to.
    @Test func aQuestionThatWasPutLaterHolds() throws {
        let refund = MadeFacts.facts(try MadeFacts.intent("a", .refund, of: "p"), .inDoubt)
        let done = try hear(refund, .webhook, MadeFacts.approved(), wall: 9_000, uptime: 20)
        let refused = try hear(done, .webhook, MadeFacts.declined, wall: 9_010, uptime: 30)
        #expect(refused?.verdict == MadeFacts.declined)
        let found = try hear(refused, .lookup, MadeFacts.approved(), wall: 40, uptime: 40)
        #expect(found?.verdict == MadeFacts.approved())
    }

    /// The machine was started anew between two questions, and its clock set back: what was known at the second tells
    /// that it is the later one.
    @Test(arguments: turning) func aRestartHidesNothingThatAQuestionShows(_ operation: MoneyOperation) throws {
        let intent = try MadeFacts.intent("a", operation, of: "p")
        for verdicts in [[MadeFacts.approved(), MadeFacts.declined], [MadeFacts.declined, MadeFacts.approved()]] {
            var facts = try hear(MadeFacts.facts(intent, .inDoubt), .webhook, verdicts[0], wall: 9_000, uptime: 9_000)
            for verdict in [verdicts[1], verdicts[0], verdicts[1]] {
                facts = try ask(try #require(facts), verdict)
                #expect(facts?.verdict == verdict)
            }
        }
    }

    /// What comes of a question that is put after a restart, with the clock set back before everything that is known.
    private func ask(_ facts: AttemptFacts, _ verdict: Verdict) throws -> AttemptFacts? {
        let at = JournalInstant(wall: 40, uptime: 40, boot: "two")
        var part = JournalEntry.Part.silence(Silence(verdict, of: facts, askedAt: at, quiet: nil))
        if case .approved = verdict {
            var word = AttemptFacts.Word(.lookup, .verdict(verdict), at: at)
            (word.askedAt, word.knownCount, word.round) = (at, facts.words.count, facts.newest.number)
            part = .word(word)
        }
        var slice = JournalSlice()
        slice.attempt = facts
        return JournalRules.decide(JournalEntry(facts.intent.key, [part]), slice, at: at).changes.last?.after
    }

    @Test func theSameWordTwiceIsWrittenOnce() throws {
        let word = MadeFacts.word(.webhook, MadeFacts.approved(), theirs: 5)
        let facts = MadeFacts.facts(try MadeFacts.intent("a"), .inDoubt)
        let once = try #require(try MadeFacts.play(facts, [.word(word)]).changes.last?.after)
        #expect(try MadeFacts.play(once, [.word(word)]).changes.isEmpty)
    }

    /// A message of a decline decides only what it names.
    @Test func aDeclineDecidesTheLastSendOnly() throws {
        var facts = MadeFacts.facts(try MadeFacts.intent("a"), .submitted)
        facts.append(.close(.init(send: 1, proof: .lost, at: MadeFacts.at(2))))
        let only = try MadeFacts.play(facts, [.word(MadeFacts.word(.webhook, MadeFacts.declined))])
        #expect(only.changes.last?.after.standing == .declined)
        facts.append(.send(.init(round: 1, number: 2, key: nil, leavesWithin: 0, openedAt: MadeFacts.at(3))))
        let untied = try MadeFacts.play(facts, [.word(MadeFacts.word(.webhook, MadeFacts.declined))])
        #expect(untied.changes.isEmpty, "nobody knows which of the two it means")
        var word = MadeFacts.word(.webhook, MadeFacts.declined)
        word.send = 2
        #expect(try MadeFacts.play(facts, [.word(word)]).changes.last?.after.words.last?.send == 2)
    }

    @Test func anAmountThatIsOffByAPowerOfTenIsNotBelieved() throws {
        let facts = MadeFacts.facts(try MadeFacts.intent("a", .sale, 1_000), .inDoubt)
        for units: Int64 in [1, 10, 100, 10_000, 100_000, 1_000_000] {
            let word = MadeFacts.word(.webhook, MadeFacts.approved(units))
            #expect(try MadeFacts.play(facts, [.word(word)]).changes.isEmpty, "\(units)")
        }
        let dollars = Verdict.approved(Approval(Money(minorUnits: 1_000, .usd)))
        let foreign = try MadeFacts.play(facts, [.word(MadeFacts.word(.webhook, dollars))])
        #expect(foreign.changes.isEmpty && foreign.events == [.otherAmount])
        let tipped = try MadeFacts.play(facts, [.word(MadeFacts.word(.webhook, MadeFacts.approved(1_150)))])
        #expect(tipped.events == [.otherAmount])
        #expect(tipped.changes.last.map { AttemptRecord($0.after).approval?.amount } == MadeFacts.eur(1_150))
    }

    /// Beyond what is believed of a provider, also where it is off by no power of ten.
    @Test(arguments: [AttemptFacts.Word.Source.reply, .lookup, .webhook])
    func amount_thatNoPaymentHas_isNotBelieved(_ source: AttemptFacts.Word.Source) throws {
        let facts = MadeFacts.facts(try MadeFacts.intent("a", .sale, 1_234), .inDoubt)
        for units in [Int64.max, .min, -1_234, -1, 0, Money.believableMinorUnitsMax + 1] {
            let made = try MadeFacts.play(facts, [.word(MadeFacts.word(source, MadeFacts.approved(units)))])
            #expect(made.changes.isEmpty && made.events == [.otherAmount], "\(units)")
        }
        let most = MadeFacts.word(source, MadeFacts.approved(Money.believableMinorUnitsMax))
        #expect(try !MadeFacts.play(facts, [.word(most)]).changes.isEmpty)
    }

    /// What says why it is over another amount: a part, or another tip than was asked for.
    private func explained(_ units: Int64) -> Verdict {
        var approval = Approval(MadeFacts.eur(units))
        approval.isPartial = true
        return .approved(approval)
    }

    @Test func amount_saidBeforeWithItsReason_isNotRaisedAgain() throws {
        for units: Int64 in [100, 400, 1_200] {
            let asked = MadeFacts.facts(try MadeFacts.intent("a", .sale, 1_000), .inDoubt)
            let first = try MadeFacts.play(asked, [.word(MadeFacts.word(.lookup, explained(units)))])
            let facts = try #require(first.changes.last?.after)
            #expect(first.events.isEmpty)
            let again = try MadeFacts.play(facts, [.word(MadeFacts.word(.webhook, MadeFacts.approved(units)))])
            #expect(again.events.isEmpty && again.changes.last?.after.words.count == 2, "\(units)")
            let other = try MadeFacts.play(facts, [.word(MadeFacts.word(.webhook, MadeFacts.approved(units + 50)))])
            #expect(other.events == [.otherAmount], "\(units)")
        }
    }

    /// More than was asked for is believed with a reason, unless it is off by a power of ten.
    @Test func amount_offByAPowerOfTenAbove_isNotBelievedWithAReason() throws {
        let facts = MadeFacts.facts(try MadeFacts.intent("a", .sale, 1_000), .inDoubt)
        for units: Int64 in [10_000, 100_000, 1_000_000] {
            let made = try MadeFacts.play(facts, [.word(MadeFacts.word(.lookup, explained(units)))])
            #expect(made.changes.isEmpty && made.events == [.otherAmount], "\(units)")
        }
    }
}
