import Testing

@testable import PaymentDriverKit
@testable import PaymentJournalKit
@testable import PaymentModel

/// What a lookup proves, names and clocks.
@Suite struct LookupRuleTests {
    @Test("A late approval counts after absence")
    func lateApprovalCountsAfterAbsence() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought("not executed", l.state("s1") == "notExecuted")
        _ = l.write(
            .notice(
                Notice(
                    "n1", l.a, .attempt("s1"), [.sale], .approved(Approval(Money(10), ["id": "p1"])), at: 2,
                    names: ["p1"])))
        l.ought(
            "approved and contradicted", l.state("s1") == "approved" && l.store.attempts["s1"]?.isContradicted == true)
        #expect(l.failures == [])
    }

    @Test("A clock that was ahead is set right: the uptime says what passed")
    func clockSetBackUptimeCounts() {
        var l = RuleLab()
        (l.now, l.uptime) = (1_000_000, 1_000)
        l.sale("s1", "o1", name: nil)
        (l.now, l.uptime) = (2_000, 1_010)
        func look() {
            _ = l.write(
                .report(
                    "s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        }
        look()
        l.ought("it was asked too early", l.state("s1") == "inDoubt")
        (l.now, l.uptime) = (2_100, 1_100)
        look()
        l.ought("it is quiet", l.state("s1") == "notExecuted")
        #expect(l.failures == [])
    }

    @Test("Without a boot's name, or a moment behind, uptimes of two machines prove nothing", arguments: ["", "boot"])
    func anotherMachinesUptimeProvesNothing(_ boot: String) {
        var l = RuleLab()
        (l.boot, l.now, l.uptime) = (boot, 1_000_000, 1_000)
        l.sale("s1", "o1", name: nil)
        (l.now, l.uptime) = (boot.isEmpty ? 900_000 : 999_900, 9_000_000)
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought("it was asked too early", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A name belongs to one payment")
    func nameBelongsOnePayment() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        _ = l.write(
            .report(
                "i1",
                .imported(
                    .approved(Approval(Money(10), ["id": "p1"])),
                    Begin(Intent("i1", .sale, Money(10), reference: "o9"), l.a), names: ["p1"], saidAt: 1,
                    paidAt: -100_000)))
        l.now += 100
        _ = l.write(
            .report(
                "s1",
                .lookup(
                    .found(.approved(Approval(Money(10), ["id": "p1"]))), l.basis("s1"), LookupTerms(quietPeriod: 20),
                    names: ["p1"])))
        l.ought("s1 stays in doubt", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A look-alike needs to be the only one, unclaimed, and without rivals")
    func lookAlikeNeedsBeOnlyOneUnclaimed() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.sale("s2", "o2", name: nil)
        l.now += 100
        let terms = LookupTerms(quietPeriod: 20, isExclusive: true)
        let seen = [LookupResult.Candidate("p1", .approved(Approval(Money(10), ["id": "p1"])))]
        _ = l.write(.report("s1", .lookup(.candidates(seen), l.basis("s1"), terms, names: [])))
        l.ought("rival", l.state("s1") == "inDoubt")
        _ = l.write(.report("s2", .lookup(.found(.declined(Decline(.refused))), l.basis("s2"), terms, names: [])))
        _ = l.write(.report("s1", .lookup(.candidates(seen), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought("not exclusive", l.state("s1") == "inDoubt")
        _ = l.write(.report("s1", .lookup(.candidates(seen), l.basis("s1"), terms, names: [])))
        l.ought("approved", l.state("s1") == "approved")
        l.sale("s3", "o3", name: nil)
        l.now += 100
        _ = l.write(.report("s3", .lookup(.candidates(seen), l.basis("s3"), terms, names: [])))
        l.ought("claimed once", l.state("s3") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("What a person alone named is a rival, unless its payment is beside or the times differ")
    func personsNameNotSeenIsARival() {
        let terms = LookupTerms(quietPeriod: 20, isExclusive: true)
        for (isBeside, isTimed, state) in [
            (false, false, "inDoubt"), (false, true, "approved"), (true, true, "approved"),
        ] {
            var l = RuleLab()
            l.sale("s1", "o1", name: nil)
            l.now += 100
            l.person("s1", .executed(name: "p9", nil))
            l.now += 200_000
            l.sale("s2", "o2", name: nil)
            l.now += 100
            let ours = LookupResult.Candidate(
                "p1", approved(10, "p1"), at: isTimed ? l.at("s2").runs[0].begunAt.wall : nil)
            let first = LookupResult.Candidate("p9", approved(10, "p9"), at: l.at("s1").runs[0].begunAt.wall)
            let seen = isBeside ? [first, ours] : [ours]
            _ = l.write(.report("s2", .lookup(.candidates(seen), l.basis("s2"), terms, names: [])))
            l.ought("\(isBeside) \(isTimed): s2 is \(l.state("s2"))", l.state("s2") == state)
            #expect(l.failures == [])
        }
    }

    @Test("What a person called not executed is a rival at its account, also once it ran elsewhere")
    func personsNotExecutedRunElsewhereIsARival() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.sale("s2", "o2", name: nil)
        l.now += 100
        l.person("s1", .notExecuted())
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), account: l.b)
        l.finish("s1", .answered, approved(10, "q1"), names: ["q1"], run: 2)
        l.ought("s1 is \(l.state("s1"))", l.state("s1") == "approved")
        l.now += 100
        let seen = LookupResult.Candidate("p1", approved(10, "p1"), at: l.at("s1").runs[0].begunAt.wall)
        let terms = LookupTerms(quietPeriod: 20, isExclusive: true)
        _ = l.write(.report("s2", .lookup(.candidates([seen]), l.basis("s2"), terms, names: [])))
        l.ought("s2 is \(l.state("s2"))", l.state("s2") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("What a person called not executed is no rival at its account while it is open at another one")
    func personsNotExecutedOpenElsewhereIsARivalThere() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        l.person("s1", .notExecuted())
        #expect(MatchRow(l.at("s1"))?.account == l.a)
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), account: l.b)
        #expect(MatchRow(l.at("s1"))?.account == l.b)
        l.finish("s1", .answered, approved(10, "q1"), names: ["q1"], run: 2)
        #expect(MatchRow(l.at("s1"))?.account == l.a)
        #expect(l.failures == [])
    }

    @Test("What a person called not executed is no rival of what was paid long after")
    func personsNotExecutedIsNoRivalOfALaterPayment() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        l.person("s1", .notExecuted())
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "q1"), names: ["q1"], run: 2)
        l.ought("s1 is \(l.state("s1"))", l.state("s1") == "approved")
        // Soon after it what is found may still be the payment that the person took for none.
        for (wait, state) in [(Int64(100_000), "inDoubt"), (300_000, "approved")] {
            var l = l
            l.now += wait
            l.sale("s2", "o2", name: nil)
            l.now += 100
            let seen = LookupResult.Candidate("p2", approved(10, "p2"), at: l.at("s2").runs[0].begunAt.wall)
            let terms = LookupTerms(quietPeriod: 20, isExclusive: true)
            _ = l.write(.report("s2", .lookup(.candidates([seen]), l.basis("s2"), terms, names: [])))
            l.ought("s2 is \(l.state("s2"))", l.state("s2") == state)
            #expect(l.failures == [])
        }
    }

    @Test("A wrong name of a person frees no payment of the same time")
    func personsWrongNameFreesNoPayment() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.sale("s2", "o2", name: nil)
        l.now += 100
        l.person("s1", .executed(name: "p9", nil))
        let seen = LookupResult.Candidate("p1", approved(10, "p1"), at: l.at("s1").runs[0].begunAt.wall)
        let terms = LookupTerms(quietPeriod: 20, isExclusive: true)
        _ = l.write(.report("s2", .lookup(.candidates([seen]), l.basis("s2"), terms, names: [])))
        l.ought("s1 is \(l.state("s1"))", l.state("s1") == "approved")
        l.ought("s2 is \(l.state("s2"))", l.state("s2") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("What is found and is no approval is no one's if one before was declined without a name")
    func declineFoundBesideOneWithoutNameIsNoOnes() {
        let cases: [(verdict: Verdict, state: String)] = [
            (approved(10, "p1"), "approved"), (declined("p1"), "inDoubt"),
            (.pending(Pending(references: ["id": "p1"], shouldPoll: false)), "inDoubt"),
        ]
        for (verdict, state) in cases {
            var l = RuleLab()
            l.open(Intent("s1", .sale, Money(10), reference: "o1"))
            _ = l.finish("s1", .answered, .declined(Decline(.refused)))
            l.ought("s1 is declined, is \(l.state("s1"))", l.state("s1") == "declined")
            l.sale("s2", "o1", name: nil)
            l.now += 100
            let terms = LookupTerms(quietPeriod: 20, isExclusive: true)
            let seen = [LookupResult.Candidate("p1", verdict, at: l.at("s1").runs[0].begunAt.wall)]
            _ = l.write(.report("s2", .lookup(.candidates(seen), l.basis("s2"), terms, names: [])))
            l.ought("s2 is \(l.state("s2"))", l.state("s2") == state)
            #expect(l.failures == [])
        }
    }

    @Test("A decline that comes before the answer that names it counts for that answer's request")
    func declineComesBeforeAnswerNamesCountsAnswer() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        var first = OpenRequest("r1", owner: "A")
        first.begin = Begin(Intent("r1", .refund, Money(4), payment: "s1"), l.a)
        (first.key, first.sendLimit) = ("1", 10)
        _ = l.write(.request(first))
        var second = OpenRequest("r1", owner: "A")
        (second.run, second.closing, second.key, second.sendLimit) = (1, Closing(1, .lost), "1", 10)
        _ = l.write(.request(second))
        let notice = Notice(
            "n1", l.a, .name("q1"), [.refund], .declined(Decline(.refused, ["id": "q1"])), at: 2, names: ["q1"],
            original: "p1")
        l.ought("a movement at once", l.write(.notice(notice)).receipt != nil)
        _ = l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        l.ought("declined", l.state("r1") == "declined")
        l.ought("no longer kept", l.store.notices.isEmpty)
        #expect(l.failures == [])
    }

    @Test("A tap's late decline decides nothing once the PIN's request was answered")
    func tapSLateDeclineDecidesNothingOnce() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        var pin = OpenRequest("s1", owner: "A")
        (pin.run, pin.closing, pin.sendLimit) = (1, Closing(1, .answered, names: ["t1"]), 10)
        _ = l.write(.request(pin))
        _ = l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"])
        let late = Notice(
            "n1", l.a, .name("t1"), [.sale], .declined(Decline(.refused, ["id": "t1"])), at: 2, names: ["t1"])
        let answer = l.write(.notice(late))
        l.ought("still pending", l.state("s1") == "pending")
        l.ought("a reason to look", answer == .hint(l.at("s1")))
        #expect(l.failures == [])
    }

    @Test(
        "A decline that names another of our requests' executions is found while the terminal still works (one request)"
    )
    func declineNamesAnotherOurRequestsExecutionsFound() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil)
        _ = l.write(.takeOver("s1", run: 1, .died))
        _ = l.write(
            .report("s1", .lookup(.found(declined("t1")), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought(
            "a found decline waits for the quiet time of a request that shows several cards, is \(l.state("s1"))",
            l.state("s1") != "declined")
        #expect(l.failures == [])
    }

    @Test("A late pending reply after a proof of absence")
    func latePendingReplyAfterProofAbsence() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.absence("s1")
        l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"])
        l.ought("s1 is pending (state table), is \(l.state("s1"))", l.state("s1") == "pending")
        l.ought("no new run", !l.isOK(l.open(Intent("s1", .sale, Money(10), reference: "o1"), owner: "B")))
        #expect(l.failures == [])
    }

    @Test("Keyed refund, first try 429 (refused), second answered pending; the refusal names our attempt (H15, tied)")
    func keyedRefundFirstTry429RefusedSecond() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"), key: "1")
        l.again("r1", closing: Closing(1, .refused), key: "1")
        l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        let answer = l.hook("n1", .attempt("r1"), [.refund], declined("q1"), names: ["q1"], original: "p1")
        var what = "\(answer)"; what = String(what.prefix(14))
        l.ought("r1 is declined, is \(l.state("r1")) (answer \(what))", l.state("r1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A standby that was up for weeks and whose clock is 3 hours ahead becomes the primary")
    func standbyWasUpWeeksWhoseClock3() {
        var l = RuleLab()
        l.uptime = 1_000
        l.sale("s1", "o1", name: nil)  // opened at wall 1000
        (l.boot, l.now, l.uptime) = ("standby", 1_001 + 10_800_000, 2_000_000_000)  // one ms later in truth
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20_000), names: []))
        )
        l.ought("nothing is quiet yet, is \(l.state("s1"))", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("Not executed besides what the provider did: each has to be named")
    func notExecutedBesidesWhatProviderDidEach() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n0", .name("d0"), [.refund], approved(1, "d0"), names: ["d0"], original: "p1")
        l.now += 1
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1")
        _ = l.hook("n2", .name("d2"), [.refund], .pending(["id": "d2"]), names: ["d2"], original: "p1")
        l.now += 100
        l.ought(
            "a lookup's absence",
            {
                l.absence("r1"); return l.state("r1") == "inDoubt"
            }())
        guard case .refused(.couldMatch(let list), _) = l.person("r1", .notExecuted()) else {
            return l.ought("refused", false)
        }
        l.ought(
            "lists d1 and d2 and not the older d0: \(list.map(\.name).sorted())",
            list.map(\.name).sorted() == ["d1", "d2"])
        l.ought("one is not enough", !l.isOK(l.person("r1", .notExecuted(besides: ["d1"]))))
        var other = l
        l.ought("both", l.isOK(l.person("r1", .notExecuted(besides: ["d1", "d2"]))) && l.state("r1") == "notExecuted")
        l.ought(
            "or: it is d1",
            other.isOK(other.person("r1", .executed(name: "d1", nil))) && other.amounts("s1").refunded == 5)
        l.ought(
            "d1 is no attempt of its own any more", other.store.attempts[RuleLab.movement("d1")]?.absorbedBy == "r1")
        #expect(l.failures == [])
    }

    @Test("A name of more than 200 bytes claims nothing, and the approval counts")
    func nameMoreThan200BytesClaimsNothing() {
        var l = RuleLab()
        let long = String(repeating: "x", count: 201)
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, long), names: [long])
        l.ought("approved", l.state("s1") == "approved")
        l.ought("no name", l.at("s1").names.isEmpty && l.at("s1").note("name") == long)
        l.open(Intent("s2", .sale, Money(10), reference: "o2"))
        l.finish("s2", .answered, approved(10, long), names: [long])
        l.ought("claims nothing", l.state("s2") == "approved")
        #expect(l.failures == [])
    }

    @Test("Never asked: a late refusal of run 1 under our id is no answer to run 2")
    func neverAskedLateRefusalRun1Under() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), owner: "B")
        _ = l.write(.takeOver("s1", run: 2, .died))
        _ = l.hook("n1", .attempt("s1"), [.sale], declined("p1"), names: ["p1"])
        l.now += 100
        _ = l.write(.report("s1", .lookup(.cannotTell(""), l.basis("s1"), LookupTerms(quietPeriod: nil), names: [])))
        l.ought("in doubt", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("The journal goes to another server and back; only a look after the event counts")
    func journalGoesAnotherServerBackOnlyLook() {
        var l = RuleLab()
        l.sale("s0", "o0", name: "p0")  // the first server has been seen long ago
        (l.boot, l.now, l.uptime) = ("standby", 2_000, 50)
        l.sale("s1", "o1", name: nil)  // opened at the standby
        (l.boot, l.now, l.uptime) = ("boot", 9_000_000, 9_000_000)  // back at once, its clock is far ahead
        func ask(_ l: inout RuleLab) {
            _ = l.write(
                .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: []))
            )
        }
        ask(&l)
        l.ought("nothing is quiet yet", l.state("s1") == "inDoubt")
        (l.now, l.uptime) = (9_000_100, 9_000_100)
        ask(&l)
        l.ought("then it is", l.state("s1") == "notExecuted")
        #expect(l.failures == [])
    }

    @Test("How far a provider looks back: over a change of servers by the journal's margin, for a file unknown")
    func howFarProviderLooksBackOverChange() {
        var l = RuleLab()
        l.store.clock.greatestError = 1_000
        l.sale("s1", "o1", name: nil)
        (l.boot, l.now, l.uptime) = ("standby", 1_500, 50)
        _ = l.basis("s1")
        (l.now, l.uptime) = (1_600, 150)
        var file = l
        file.store.clock.greatestError = nil
        func ask(_ l: inout RuleLab, _ back: Int64) -> String {
            _ = l.write(
                .report(
                    "s1", .lookup(.notFound(seesBack: back), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
            return l.state("s1")
        }
        l.ought("less than the margin", ask(&l, 1_500) == "inDoubt")
        l.ought("a file", ask(&file, 1_000_000) == "inDoubt")
        l.ought("within", ask(&l, 2_000) == "notExecuted")
        #expect(l.failures == [])
    }

    @Test("A pending of run 1 after run 2's decline opens it again, and a lookup asks about run 1")
    func pendingRun1AfterRun2S() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.absence("s1")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), owner: "B")
        l.finish("s1", .answered, declined("p2"), names: ["p2"], owner: "B", run: 2, request: 2)
        _ = l.hook("n1", .name("p1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"], request: 1)
        l.ought(
            "pending, is \(l.state("s1"))", l.state("s1") == "pending" && l.store.attempts["s1"]?.runInQuestion == 1)
        l.ought("the reference is taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        _ = l.found("s1", declined("p1"), names: ["p1"])
        l.ought("declined, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("Two executions, and an undoing that names none: recorded, raised, ends nothing")
    func twoExecutionsUndoingNamesNoneRecordedRaised() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        var part = Approval(Money(5), ["id": "p1"]); part.isPartial = true
        l.finish("s1", .answered, .approved(part), names: ["p1"])
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(10, "p2"), names: ["p2"])
        let before = l.store.alerts.count
        l.ought(
            "recorded",
            l.isOK(l.hook("n2", .attempt("s1"), [.sale], .cancelled(Cancellation(cause: .provider, wasReversed: true))))
        )
        l.ought("15 are left, raised", l.at("s1").moved == Money(15) && l.store.alerts.count > before)
        #expect(l.failures == [])
    }

    @Test("Two refunds of one payment get the same name")
    func twoRefundsOnePaymentGetSameName() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4, "item 1"))
        l.finish("r1", .answered, approved(4, "q1"), names: ["q1"])
        l.open(refund("r2", 4, "item 2"))
        l.finish("r2", .lost, nil)
        l.now += 100
        l.ought("by a person", !l.isOK(l.person("r2", .executed(name: "q1", nil))))
        _ = l.found("r2", approved(4, "q1"), names: ["q1"])
        l.ought(
            "by a lookup: disputed; refunded \(l.amounts("s1").refunded) of 4",
            l.amounts("s1").refunded == 4 && l.at("r2").disputes.count == 1)
        #expect(l.failures == [])
    }

    @Test("A tap that the issuer answered with 'PIN needed', the customer leaves before the PIN")
    func tapIssuerAnsweredWithPinNeededCustomer() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .refused, nil)
        l.ought("not executed, is \(l.state("s1"))", l.state("s1") == "notExecuted")
        #expect(l.failures == [])
    }

    @Test("Run 1 is pending after the proof, run 2 not executed; a lookup finds it declined")
    func run1PendingAfterProofRun2() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .notSent, nil, run: 2)
        _ = l.hook("n1", .name("p1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        _ = l.hook("n1", .attempt("s1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        l.ought("pending, is \(l.state("s1"))", l.state("s1") == "pending")
        l.now += 100
        var other = l, third = l
        _ = l.found("s1", declined("p1"), names: ["p1"])
        l.ought("declined by its unique name, is \(l.state("s1"))", !l.at("s1").isOpen)
        other.found("s1", declined("p9"), names: ["p9"])
        l.ought("not by another", other.state("s1") == "pending")
        third.found("s1", declined("p9"), names: ["p9"], byName: true)
        l.ought("by a question with the run's own name", !third.at("s1").isOpen)
        #expect(l.failures == [])
    }

    @Test("A late failure counts before its execution is known, also where it can be looked up")
    func lateFailureCountsBeforeExecutionKnownAlso() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4), lookUp: true)
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .attempt("r1"), [.refund], declined("q1", .failedAfterApproval), names: ["q1"], original: "p1")
        l.ought("recorded and raised, is \(l.state("r1"))", l.state("r1") == "declined" && l.at("r1").isContradicted)
        _ = l.hook("n2", .attempt("r1"), [.refund], approved(4, "q1"), names: ["q1"], original: "p1")
        l.ought(
            "the approval comes later: reversed, is \(l.state("r1"))",
            l.state("r1") == "reversed" && l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }

    @Test(
        "A terminal that approves offline: neither a found decline nor absence counts until it was asked, or had to forward"
    )
    func terminalApprovesOfflineNeitherFoundDeclineNor() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil, offline: 500)
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.now += 100
        l.found("s1", declined("t1"), names: ["t1"])
        l.ought("a found decline, is \(l.state("s1"))", l.state("s1") == "inDoubt")
        l.ought("the reference is taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        var other = l, third = l
        l.found("s1", declined("t1"), names: ["t1"], byTerminal: true)
        l.ought("the terminal answered", l.state("s1") == "declined")
        other.now += 500; other.found("s1", declined("t1"), names: ["t1"])
        l.ought("forwarded", other.state("s1") == "declined")
        l.ought("a person may decide", third.isOK(third.person("s1", .notExecuted())))
        l.open(Intent("s3", .sale, Money(10), reference: "o3"), offline: 0)
        l.ought(
            "of one card nothing changes",
            {
                l.finish("s3", .lost, nil)
                l.absence("s3"); return l.state("s3") == "notExecuted"
            }())
        #expect(l.failures == [])
    }

    @Test("Marks: only a look after the last request, end or run counts, on each of several machines")
    func marksOnlyLookAfterLastRequestEnd() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)  // at machine boot
        (l.boot, l.now, l.uptime) = ("second", 1_500, 9_000)
        l.absence("s1"); (l.now, l.uptime) = (1_600, 9_000)
        l.ought("first look of the second machine", l.state("s1") == "inDoubt")
        l.uptime = 9_100
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought("its later one", l.state("s1") == "notExecuted")
        (l.boot, l.uptime) = ("boot", nil)
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .lost, nil, run: 2)
        (l.boot, l.uptime) = ("second", 9_200)
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought("a mark from before the second run counts for nothing", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A dispute: no lookup ends it; a reply with an old clock is no dispute")
    func disputeNoLookupEndsReplyWithOld() {
        var l = RuleLab()
        l.now = 10_000_000
        l.sale("s1", "o1", name: nil)
        var old = Approval(Money(10), ["id": "p1"]); old.executedAt = 9_000_000
        _ = l.found("s1", .approved(old), names: ["p1"])
        l.absence("s1")
        l.found("s1", declined("p3"), names: ["p3"])
        l.ought("in doubt still", l.state("s1") == "inDoubt" && l.at("s1").disputes.count == 1)
        l.ought(
            "a person ends it", l.isOK(l.person("s1", .notExecuted(besides: ["p1"]))) && l.state("s1") == "notExecuted")
        l.open(Intent("s2", .sale, Money(10), reference: "o2"))
        l.finish("s2", .answered, .approved(old), names: ["p2"])
        l.ought("the reply counts", l.state("s2") == "approved")
        #expect(l.failures == [])
    }

    @Test("An answer about what is decided, or about an older run, is written nowhere")
    func answerAboutWhatDecidedOrAboutOlder() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        let old = l.basis("s1")
        func ask(_ l: inout RuleLab, _ basis: Finding.Basis) -> JournalAnswer {
            l.write(.report("s1", .lookup(.notFound(seesBack: nil), basis, LookupTerms(quietPeriod: 20), names: [])))
        }
        l.ought("counts", l.isOK(ask(&l, old)) && l.state("s1") == "notExecuted")
        l.ought("decided", !l.isOK(ask(&l, old)))
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .lost, nil, run: 2)
        l.ought("about run 1", !l.isOK(ask(&l, old)))
        #expect(l.failures == [])
    }

    @Test("A found late failure of one card ends no call that continues")
    func foundLateFailureOneCardEndsNo() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil, lookUp: true)
        l.found("s1", declined("p1", .failedAfterApproval), names: ["p1"])
        l.ought(
            "running, is \(l.state("s1"))",
            l.state("s1") == "running" && !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.now += 100
        l.found("s1", declined("p1", .failedAfterApproval), names: ["p1"])
        l.ought("quiet: declined, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("An offline approval is not ended by a found decline of another card before it was forwarded")
    func offlineApprovalNotEndedByFoundDecline() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil, lookUp: true, offline: 500)
        var offline = Approval(Money(10), ["id": "p2"]); offline.isOffline = true
        l.finish("s1", .answered, .approved(offline), names: ["p2"])
        l.now += 100
        l.found("s1", .declined(Decline(.refused)))
        l.ought("approved, is \(l.state("s1"))", l.state("s1") == "approved")
        l.now += 500
        l.found("s1", .declined(Decline(.refused)))
        l.ought("forwarded: declined, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("The same answer about an older run is news")
    func sameAnswerAboutOlderRunIsNews() {
        var l = RuleLab()
        let intent = Intent("s1", .sale, Money(10), reference: "o1")
        l.open(intent, names: ["m1"], lookUp: true)
        l.finish("s1", .lost, nil)
        l.absence("s1")
        l.open(intent, names: ["m2"], lookUp: true)
        l.finish("s1", .lost, nil, run: 2)
        _ = l.hook("n1", .name("m1"), [.sale], .pending([:]))
        l.now += 100
        l.found("s1", .declined(Decline(.refused)), byName: true)
        l.ought("run 1 is pending, is \(l.state("s1"))", l.state("s1") == "pending")
        l.found("s1", .declined(Decline(.refused)), byName: true)
        l.ought("both were declined, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A pushed decline counts for the lost request, if the same one again was not sent")
    func pushedDeclineCountsForRequestUnderSameKey() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), key: "k")
        l.again("s1", closing: Closing(1, .lost), key: "k")
        _ = l.hook("n1", .attempt("s1"), [.sale], .declined(Decline(.refused)))
        l.ought("runs while the second is open, is \(l.state("s1"))", l.state("s1") == "running")
        l.finish("s1", .notSent, nil)
        l.ought("declined, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A person's statement that a lookup confirmed can't be withdrawn")
    func statementThatLookupConfirmedStays() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        l.person("s1", .executed(name: "p1", nil))
        l.found("s1", .approved(Approval(Money(10), ["payment": "p1"])), names: ["p1"])
        l.person("s1", .withdrawn)
        l.ought("approved, is \(l.state("s1"))", l.state("s1") == "approved")
        #expect(l.failures == [])
    }
}
