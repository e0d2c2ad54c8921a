import PaymentAbstraction
import PaymentBase
import Testing

/// That nothing was seen proves something only after silence, and with a witness where no document says so.
@Suite struct SilenceTests {
    private static let quiet: Int64 = 5_000

    private func lost(leaves: Int64? = 0) throws -> AttemptFacts {
        let round = AttemptFacts.Round(number: 1, provider: MadeFacts.one, owner: "till", begunAt: MadeFacts.at(1_000))
        var facts = AttemptFacts(try MadeFacts.intent("a"), round)
        facts.append(.send(.init(round: 1, number: 1, key: nil, leavesWithin: leaves, openedAt: MadeFacts.at(1_000))))
        facts.append(.close(.init(send: 1, proof: .lost, at: MadeFacts.at(2_000))))
        facts.append(.end(.init(round: 1, by: .owner, at: MadeFacts.at(2_000))))
        return facts
    }

    private func stands(
        _ facts: AttemptFacts, asked: Int64, _ change: (inout Silence) -> Void = { _ in },
        _ load: (inout JournalSlice) -> Void = { _ in }
    ) throws -> AttemptFacts.Standing {
        var silence = Silence(nil, of: facts, askedAt: MadeFacts.at(asked), quiet: Self.quiet)
        change(&silence)
        return (try MadeFacts.play(facts, [.silence(silence)], load).changes.last?.after ?? facts).standing
    }

    @Test func silenceIsCountedFromTheEndOfTheLastSend() throws {
        #expect(try stands(try lost(), asked: 6_999) == .inDoubt)
        #expect(try stands(try lost(), asked: 7_000) == .notMoved)
        // The kernel may still send what a closed connection left behind.
        #expect(try stands(try lost(leaves: 10_000), asked: 15_999) == .inDoubt)
        #expect(try stands(try lost(leaves: 10_000), asked: 16_000) == .notMoved)
        #expect(try stands(try lost(leaves: nil), asked: .max / 2) == .inDoubt, "bytes that may leave for ever")
        let facts = try lost()
        let untimed = Silence(nil, of: facts, askedAt: MadeFacts.at(99_000), quiet: nil)
        #expect(try MadeFacts.play(facts, [.silence(untimed)]).changes.isEmpty, "no time proves anything there")
    }

    @Test func aClockThatWasSetForwardMakesNothingSilent() throws {
        let ahead = JournalInstant(wall: 900_000, uptime: 3_000)
        let facts = try lost()
        let silence = Silence(nil, of: facts, askedAt: ahead, quiet: Self.quiet)
        #expect(try MadeFacts.play(facts, [.silence(silence)]).changes.isEmpty)
        // After a restart of the machine the time since counts.
        let restarted = JournalInstant(wall: 900_000, uptime: 4_999, boot: "two")
        #expect(
            try MadeFacts.play(facts, [.silence(Silence(nil, of: facts, askedAt: restarted, quiet: 5_000))]).changes
                .isEmpty)
        let later = JournalInstant(wall: 900_000, uptime: 5_000, boot: "two")
        #expect(
            !(try MadeFacts.play(facts, [.silence(Silence(nil, of: facts, askedAt: later, quiet: 5_000))]).changes
                .isEmpty))
    }

    @Test func whatWasAskedAboutAnotherRoundOrBeforeItsEndProvesNothing() throws {
        var facts = try lost()
        let early = Silence(nil, of: facts, askedAt: MadeFacts.at(1_999), quiet: 0)
        #expect(try MadeFacts.play(facts, [.silence(early)]).changes.isEmpty)
        let asked = Silence(nil, of: facts, askedAt: MadeFacts.at(99_000), quiet: Self.quiet)
        facts.append(.send(.init(round: 1, number: 2, key: nil, leavesWithin: 0, openedAt: MadeFacts.at(3_000))))
        #expect(try MadeFacts.play(facts, [.silence(asked)]).changes.isEmpty, "another send was opened since")
    }

    @Test func whatAnotherProviderShowsProvesNothing() throws {
        let other = ProviderIdentity("two", adapter: "memory", environment: "sandbox", merchant: "m-1")
        #expect(try stands(try lost(), asked: 99_000) { $0.provider = MadeFacts.one } == .notMoved)
        #expect(try stands(try lost(), asked: 99_000) { $0.provider = other } == .inDoubt)
        // Nor does its refusal undo what moved, or its look-alike decide anything.
        var moved = try lost()
        moved.append(.word(AttemptFacts.Word(.reply, .verdict(MadeFacts.approved()), at: MadeFacts.at(3_000))))
        let failed = Verdict.declined(Decline(.failedLater, provider: ProviderMessage(code: "05")))
        for (asked, isHeard) in [(MadeFacts.one, true), (other, false)] {
            var refusal = Silence(failed, of: moved, askedAt: MadeFacts.at(99_000), quiet: Self.quiet)
            refusal.provider = asked
            #expect(try MadeFacts.play(moved, [.silence(refusal)]).changes.isEmpty != isHeard)
            let like = LookupResult.Candidate("p-1", MadeFacts.approved())
            let likeness = JournalEntry.Part.likeness(asked, [like], askedAt: MadeFacts.at(99_000))
            #expect(try MadeFacts.play(lost(), [likeness]).changes.isEmpty != isHeard)
        }
    }

    @Test func absenceNeedsAWitnessWhereNoDocumentSaysSo() throws {
        func sold(_ name: String, begun: Int64) throws -> AttemptFacts {
            let round = AttemptFacts.Round(
                number: 1, provider: MadeFacts.one, owner: "till", begunAt: MadeFacts.at(begun))
            return AttemptFacts(try MadeFacts.intent(name), round)
        }
        let (before, early, after) = (
            try sold("b", begun: 500), try sold("e", begun: 6_999), try sold("c", begun: 7_000)
        )
        let all = ["before": before, "early": early, "after": after]
        func stands(_ shown: Set<String>) throws -> AttemptFacts.Standing {
            try self.stands(try lost(), asked: 99_000) {
                ($0.isDocumented, $0.witnesses, $0.provider) = (false, shown, MadeFacts.one)
            } _: { slice in
                for name in shown { slice.holders[name] = all[name].map { [$0] } ?? [] }
            }
        }
        #expect(try stands([]) == .inDoubt)
        #expect(try stands(["before"]) == .inDoubt)
        #expect(try stands(["after"]) == .inDoubt)
        #expect(try stands(["before", "early"]) == .inDoubt, "begun while ours could still arrive")
        #expect(try stands(["before", "stranger"]) == .inDoubt)
        #expect(try stands(["before", "after"]) == .notMoved)
    }

    @Test func aLookAlikeIsTakenOnlyIfNothingElseCanBeIt() throws {
        let facts = try lost()
        func stands(
            _ seen: [String], at: [Int64?] = [nil, nil], holders: [String: [AttemptFacts]] = [:],
            rivals: [AttemptFacts] = []
        ) throws -> AttemptFacts.Standing {
            let candidates = zip(seen, at).map { LookupResult.Candidate($0, MadeFacts.approved(), at: $1) }
            let decision = try MadeFacts.play(
                facts, [.likeness(MadeFacts.one, candidates, askedAt: MadeFacts.at(3_000))]
            ) { slice in (slice.holders, slice.rivals) = (holders, rivals) }
            return (decision.changes.last?.after ?? facts).standing
        }
        let other = MadeFacts.facts(try MadeFacts.intent("other"), .inDoubt)
        let running = MadeFacts.facts(try MadeFacts.intent("running"), .submitted)
        let nameless = MadeFacts.facts(try MadeFacts.intent("nameless"), .concluded(MadeFacts.approved()))
        let round = AttemptFacts.Round(number: 1, provider: MadeFacts.one, owner: "till", begunAt: MadeFacts.at(1_500))
        var later = AttemptFacts(try MadeFacts.intent("later"), round)
        later.append(.end(.init(round: 1, by: .owner, at: MadeFacts.at(1_600))))
        let larger = MadeFacts.facts(try MadeFacts.intent("larger", .sale, 200), .inDoubt)
        #expect(try stands(["x"]) == .moved)
        #expect(try stands([]) == .inDoubt)
        #expect(try stands(["x", "y"]) == .inDoubt)
        var atOnce = running
        atOnce.append(.end(.init(round: 1, by: .owner, at: MadeFacts.at(1_000))))
        let (soon, late): ([Int64?], [Int64?]) = ([60_000, 0], [1_000_000, 0])
        for over in [other, atOnce] {
            #expect(try stands(["x", "y"], at: late, holders: ["y": [over]]) == .moved, "over when ours was begun")
            for times in [soon, [nil, 0], [60_000, nil], [nil, nil], [.max, .min], [.min, .max]] {
                let told = try stands(["x", "y"], at: times, holders: ["y": [over]])
                #expect(told == .inDoubt, "it may be the second copy of one before ours")
            }
        }
        for other in [running, later] {
            let told = try stands(["x", "y"], at: late, holders: ["y": [other]])
            #expect(told == .inDoubt, "it may have been executed twice")
        }
        #expect(try stands(["x"], holders: ["x": [other]]) == .inDoubt)
        #expect(try stands(["x"], rivals: [facts]) == .moved, "it is no rival of its own")
        for rival in [other, running, nameless] { #expect(try stands(["x"], rivals: [rival]) == .inDoubt) }
        #expect(try stands(["x"], rivals: [larger]) == .moved)
    }
}
