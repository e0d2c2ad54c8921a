import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// What a person decides, and who may end a run.
@Suite struct PersonRuleTests {
    @Test("A person cannot change the currency")
    func personCannotChangeCurrency() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        let answer = l.write(
            .report(
                "s1",
                .person(.executed(name: "p1", Money(250_000, .jpy)), l.basis("s1"), quietPeriod: 0, reason: "seen")))
        l.ought("refused", l.isRefused(answer))
        #expect(l.failures == [])
    }

    /// The process that sold could not write its approval; a person reads it in the provider's books under the order's name.
    @Test(arguments: ["order-1", "pay-1"]) func personsName_ofEitherKind_thenReply_isOneExecution(_ name: String) {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        _ = l.write(.report("s1", .person(.executed(name: name, nil), l.basis("s1"), quietPeriod: 0, reason: "seen")))
        let said = Approval(Money(10), ["payment": "pay-1", "order": "order-1"])
        _ = l.finish("s1", .answered, .approved(said), names: ["order-1", "pay-1"])
        #expect(l.store.attempts["s1"]?.moved == Money(10))
        #expect(l.store.attempts["s1"]?.executions.count == 1)
    }

    /// A driver noted that only a part was approved: a person's statement without an amount does not mean the whole.
    @Test func part_statedWithoutAnAmount_isNotTheWhole() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        var finish = Finish("s1", owner: "A", account: l.a)
        (finish.run, finish.closing, finish.notes) = (1, Closing(1, .lost), [Attempt.partNote: "yes"])
        l.write(.finish(finish))
        let whole = l.person("s1", .executed(name: "p1", nil))
        #expect(l.isRefused(whole) && l.state("s1") == "inDoubt")
        let part = l.person("s1", .executed(name: "p1", Money(4)))
        #expect(l.isOK(part) && l.at("s1").moved == Money(4))
    }

    @Test("A person's statement can be withdrawn, a provider's cannot")
    func personSStatementCanBeWithdrawnProvider() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        _ = l.write(.report("s1", .person(.executed(name: "p1", nil), l.basis("s1"), quietPeriod: 0, reason: "seen")))
        l.ought("approved", l.state("s1") == "approved")
        _ = l.write(.report("s1", .person(.withdrawn, l.basis("s1"), quietPeriod: 0, reason: "wrong")))
        l.ought("in doubt", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A process that was taken over sends nothing more and leaves no note")
    func processWasTakenOverSendsNothingMore() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        var later = OpenRequest("s1", owner: "A")
        (later.run, later.closing, later.sendLimit, later.notes) = (1, Closing(1, .answered), 10, ["message": "m2"])
        l.ought("refused", l.isRefused(l.write(.request(later))))
        l.ought("no note", l.store.attempts["s1"]?.notes.isEmpty == true)
        _ = l.finish("s1", .answered, .approved(Approval(Money(10), ["id": "p1"])), names: ["p1"])
        l.ought("its late answer counts", l.state("s1") == "approved")
        #expect(l.failures == [])
    }

    @Test("A person ends the run of a living process whose call is open, then says: not executed (RO)")
    func personEndsRunLivingProcessWhoseCall() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil)
        l.living = ["A"]
        let end = l.write(.takeOver("s1", run: 1, .idle(by: "Ann")))
        l.ought(
            "...nor because a person says that the process is gone",
            !l.isOK(l.write(.takeOver("s1", run: 1, .isGone(by: "Ann", reason: "I think so")))))
        l.ought("the rules refuse to end a run with an open request of a living owner", !l.isOK(end))
        l.now += 100
        let no = l.write(.report("s1", .person(.notExecuted(), l.basis("s1"), quietPeriod: 20, reason: "")))
        l.ought("...or to be told 'not executed' of an open kit call", !l.isOK(no))
        l.ought("the order is not taken again", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("A person says 'not executed' of our refund while an unclaimed movement of its amount lies there")
    func personSaysNotExecutedOurRefundWhile() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), reference: "item 2", payment: "s1"))
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("q1"), [.refund], approved(4, "q1"), names: ["q1"], original: "p1")
        l.now += 100
        let no = l.write(.report("r1", .person(.notExecuted(), l.basis("r1"), quietPeriod: 20, reason: "")))
        l.ought("refused, or asked about q1", !l.isOK(no))
        l.ought(
            "the refund is not given again",
            !l.isOK(l.open(Intent("r1", .refund, Money(4), reference: "item 2", payment: "s1"), owner: "B")))
        #expect(l.failures == [])
    }

    @Test("A person withdraws an approval that was refunded since")
    func personWithdrawsApprovalWasRefundedSince() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        _ = l.write(.report("s1", .person(.executed(name: "p1", nil), l.basis("s1"), quietPeriod: 0, reason: "")))
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .answered, approved(4, "q1"), names: ["q1"])
        let w = l.write(.report("s1", .person(.withdrawn, l.basis("s1"), quietPeriod: 0, reason: "")))
        l.ought("refused: the provider's own refund of it proves it", !l.isOK(w))
        #expect(l.failures == [])
    }

    @Test("Never asked: the decline of a dead process's request counts once its run ended")
    func neverAskedDeclineDeadProcessSRequest() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.hook("n1", .attempt("s1"), [.sale], declined("p1"), names: ["p1"])
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.ought("then, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A found decline of a call for several cards waits for the quiet period; a person needs one too")
    func foundDeclineCallSeveralCardsWaitsQuiet() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil)
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.now += 10
        _ = l.found("s1", declined("t1"), names: ["t1"])
        l.ought("too early", l.state("s1") == "inDoubt")
        l.ought(
            "a person without a quiet period",
            !l.isOK(l.person("s1", .notExecuted(), quiet: 0)) && !l.isOK(l.person("s1", .notExecuted(), quiet: nil)))
        l.now += 20
        var other = l
        l.ought("a person with one", l.isOK(l.person("s1", .notExecuted())))
        _ = other.found("s1", declined("t1"), names: ["t1"])
        l.ought("a lookup then", other.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("Ours is taken over by an approval of nothing opened, although another content has the id")
    func oursTakenOverByApprovalNothingOpened() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        var finish = Finish("s1", owner: "A")
        finish.begin = Begin(Intent("s1", .sale, Money(12), reference: "o9"), l.a)
        finish.verdict = approved(12, "p9")
        l.ought(
            "recorded of that attempt",
            l.isOK(l.write(.finish(finish))) && l.store.attempts["s1"]?.moved == Money(22)
                && l.store.attempts["s1"]?.isContradicted == true)
        #expect(l.failures == [])
    }

    @Test("A person names the dashboard's refund by mistake and withdraws it")
    func personNamesDashboardSRefundByMistake() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4))
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("d1"), [.refund], approved(3, "d1"), names: ["d1"], original: "p1")
        l.now += 100
        var other = l
        _ = other.person("r1", .executed(name: "d1", nil))
        l.ought(
            "without an amount: approved, and withdrawn again",
            other.state("r1") == "approved" && other.isOK(other.person("r1", .withdrawn))
                && other.state("r1") == "inDoubt" && other.amounts("s1").refunded == 3)
        _ = l.person("r1", .executed(name: "d1", Money(3)))
        l.ought("r1 approved, one movement", l.state("r1") == "approved" && l.amounts("s1").refunded == 3)
        _ = l.hook(
            "n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1", at: 50)
        l.ought("what comes meanwhile finds it", l.amounts("s1").refunded == 0)
        let withdrawn = l.person("r1", .withdrawn)
        l.ought("r1 is \(l.state("r1"))", l.isOK(withdrawn) && l.state("r1") == "inDoubt" && l.at("r1").names.isEmpty)
        l.ought(
            "the movement is the provider's own again, with what came meanwhile",
            l.one.absorbedBy == nil && l.one.state == .reversed && l.one.names.count == 1)
        #expect(l.failures == [])
    }

    @Test("A person said not executed by mistake and finds the payment later")
    func personSaidNotExecutedByMistakeFinds() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        _ = l.person("s1", .notExecuted())
        l.ought("not executed", l.state("s1") == "notExecuted")
        l.ought(
            "a person can say that it was executed; raised",
            l.isOK(l.person("s1", .executed(name: "p1", nil))) && l.state("s1") == "approved"
                && l.at("s1").isContradicted)
        #expect(l.failures == [])
    }

    @Test("A person's not executed of one card right after the owner's lease ran out, and of an owner that lives")
    func personSNotExecutedOneCardRight() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.now += 1
        l.ought("refused before it is quiet", !l.isOK(l.person("s1", .notExecuted())))
        l.now += 100
        l.ought("then", l.isOK(l.person("s1", .notExecuted())))
        l.sale("s2", "o2", name: nil)
        l.living = ["A"]
        l.now += 100
        l.ought("a lost reply in a process that lives on", l.isOK(l.person("s2", .notExecuted())))
        #expect(l.failures == [])
    }

    @Test("A pending report of an older run: a person's not executed answers it and whatever else is pending")
    func pendingReportOlderRunPersonSNot() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .answered, .pending(["id": "p2"]), names: ["p2"], run: 2)
        l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"], request: 1)
        l.ought("pending", l.state("s1") == "pending" && l.at("s1").runInQuestion == 1)
        l.now += 100
        l.ought("a person ends both", l.isOK(l.person("s1", .notExecuted())) && l.state("s1") == "notExecuted")
        _ = l.hook("n1", .name("p1"), [.sale], .pending(["id": "p1"]), names: ["p1"], at: 5)
        l.ought("a repeated pending opens it again", l.state("s1") == "pending")
        #expect(l.failures == [])
    }

    @Test(
        "HoldsFor never lapses while the hold can be captured; a person can end a contradiction and release a reference"
    )
    func holdsforNeverLapsesWhileHoldCanBe() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "table 5", holdsFor: 1_200_000))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.now += 9_000_000
        l.ought("capturable", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "table 5"))))
        l.ought(
            "released by a person",
            l.isOK(l.person("s1", .acknowledge(.reference)))
                && l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "table 5"))))
        l.sale("s4", "o4", name: "p4", holdsFor: 1_200_000)
        _ = l.hook("n4", .attempt("s4"), [.sale], approved(10, "p4b"), names: ["p4b"])
        l.now += 9_000_000
        l.ought("contradicted", !l.isOK(l.open(Intent("s5", .sale, Money(10), reference: "o4"))))
        _ = l.person("s4", .acknowledge(.contradiction))
        l.now += 1_300_000
        l.ought("acknowledged: runs anew, then free", l.isOK(l.open(Intent("s5", .sale, Money(10), reference: "o4"))))
        #expect(l.failures == [])
    }

    @Test("A person says the amount of a movement in another currency")
    func personSaysAmountMovementAnotherCurrency() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook(
            "n1", .name("d1"), [.refund], .approved(Approval(Money(300, .jpy), ["id": "d1"])), names: ["d1"],
            original: "p1")
        l.ought("blocked", !l.isOK(l.open(refund("r1", 4))))
        l.ought(
            "said",
            l.isOK(l.person(RuleLab.movement("d1"), .acknowledge(.amount(Money(2))))) && l.amounts("s1").refunded == 2)
        l.ought("no longer", l.isOK(l.open(refund("r1", 4))) && !l.isOK(l.open(refund("r2", 5, "x"))))
        #expect(l.failures == [])
    }

    @Test("What a person named by mistake before its message came is not lost when it is withdrawn")
    func whatPersonNamedByMistakeBeforeMessage() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4))
        l.finish("r1", .lost, nil)
        l.now += 100
        _ = l.person("r1", .executed(name: "d1", nil))
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1")
        var other = l
        l.ought("withdrawn", l.isOK(l.person("r1", .withdrawn)) && l.state("r1") == "inDoubt")
        l.ought(
            "the provider's own, counted once",
            l.own.count == 1 && l.amounts("s1").refunded == 4 && l.amounts("s1").refunding == 4)
        _ = other.hook("n2", .attempt("r1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1")
        l.ought("not if the provider ties the name to ours", !other.isOK(other.person("r1", .withdrawn)))
        #expect(l.failures == [])
    }

    @Test("'it is the same' is withdrawn: ours has its names again, and what waited for them")
    func sameWithdrawnOursHasNamesAgainWhat() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), names: ["m1"])
        l.finish("s1", .lost, nil)
        l.now += 100
        _ = l.write(
            .report(
                "i1",
                .imported(
                    approved(10, "p1"), Begin(Intent("i1", .sale, Money(10), reference: "x"), l.a), names: ["p1"],
                    saidAt: 1, paidAt: -1_000_000)))
        l.ought(
            "the same; of its names only the claim on the import is left",
            l.isOK(l.person("s1", .isTheSame(as: "i1"))) && l.at("s1").names.map(\.value) == ["same as i1"])
        l.ought(
            "a message about ours finds nobody: kept",
            l.hook("n1", .name("m1"), [.sale], declined("m1"), names: ["m1"]) == .kept)
        l.ought(
            "withdrawn",
            l.isOK(l.person("s1", .withdrawn)) && l.state("s1") == "declined" && l.store.notices.isEmpty
                && l.at("s1").names.map(\.value) == ["m1"])
        #expect(l.failures == [])
    }
}
