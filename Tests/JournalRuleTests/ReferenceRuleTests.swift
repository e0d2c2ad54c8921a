import PaymentDriverKit
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// A reference and its part pay once.
@Suite struct ReferenceRuleTests {
    @Test("A reference pays once, and again after a full refund")
    func referencePaysOnceAgainAfterFullRefund() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.ought("second refused", l.isRefused(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        l.ought("other scope", !l.isRefused(l.open(Intent("s3", .sale, Money(10), reference: "o1", scope: "web"))))
        _ = l.open(Intent("r1", .refund, Money(10), payment: "s1"))
        l.ought("refund open", l.isRefused(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        _ = l.finish("r1", .answered, .approved(Approval(Money(10), ["id": "q1"])), names: ["q1"])
        l.ought("after the refund", !l.isRefused(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("Each part of a reference pays once")
    func eachPartReferencePaysOnce() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1", part: "1 of 3")
        l.sale("s2", "o1", name: "p2", part: "2 of 3")
        l.ought("second approved", l.state("s2") == "approved")
        l.ought(
            "the second again", l.isRefused(l.open(Intent("s3", .sale, Money(10), reference: "o1", part: "2 of 3"))))
        l.ought("the third", !l.isRefused(l.open(Intent("s3", .sale, Money(10), reference: "o1", part: "3 of 3"))))
        #expect(l.failures == [])
    }

    @Test("A refund typed twice happens once, with a reference of its own twice")
    func refundTypedTwiceHappensOnceWithReference() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        _ = l.finish("r1", .answered, .approved(Approval(Money(4), ["id": "q1"])), names: ["q1"])
        l.ought("same again", l.isRefused(l.open(Intent("r2", .refund, Money(4), payment: "s1"))))
        l.ought("unlinked form", l.isRefused(l.open(Intent("r3", .unlinkedRefund, Money(4), payment: "s1"))))
        l.ought(
            "another reference",
            !l.isRefused(l.open(Intent("r4", .refund, Money(4), reference: "item 2", payment: "s1"))))
        l.ought("its own id", l.open(Intent("r1", .refund, Money(4), payment: "s1")) == .known(l.at("r1")))
        #expect(l.failures == [])
    }

    @Test("Control: a second sale under a paid reference is refused, and a declined one frees it")
    func controlSecondSaleUnderPaidReferenceRefused() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.ought("refused", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        l.open(Intent("s3", .sale, Money(10), reference: "o3"))
        l.finish("s3", .answered, declined("p3"))
        l.ought("free", l.isOK(l.open(Intent("s4", .sale, Money(10), reference: "o3"))))
        #expect(l.failures == [])
    }

    @Test("Control: a refund typed twice in one scope is refused; absence before quiet proves nothing")
    func controlRefundTypedTwiceOneScopeRefused() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .answered, approved(4, "q1"), names: ["q1"])
        l.ought("refused", !l.isOK(l.open(Intent("r2", .refund, Money(4), payment: "s1"))))
        l.sale("s5", "o5", name: nil)
        l.now += 5
        _ = l.write(
            .report("s5", .lookup(.notFound(seesBack: nil), l.basis("s5"), LookupTerms(quietPeriod: 20), names: [])))
        l.ought("in doubt", l.state("s5") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A pending refund at the dashboard, then ours over the whole")
    func pendingRefundAtDashboardThenOursOver() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n1", .name("d1"), [.refund], .pending(["id": "d1"]), names: ["d1"], original: "p1")
        l.ought("the pending movement reserves", !l.isOK(l.open(Intent("r1", .refund, Money(10), payment: "s1"))))
        #expect(l.failures == [])
    }

    @Test("A voided sale frees its reference (text), in the sketch")
    func voidedSaleFreesReferenceTextSketch() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, approved(10, "v"), names: ["v"])
        l.ought("free after the void", l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("An unlinked refund (no payment) typed twice under one reference")
    func unlinkedRefundNoPaymentTypedTwiceUnder() {
        var l = RuleLab()
        l.open(Intent("u1", .unlinkedRefund, Money(5), reference: "return-7"))
        l.finish("u1", .answered, approved(5, "q1"), names: ["q1"])
        l.ought("refused", !l.isOK(l.open(Intent("u2", .unlinkedRefund, Money(5), reference: "return-7"))))
        #expect(l.failures == [])
    }

    @Test("A third part, and an older one is in doubt again")
    func thirdPartOlderOneDoubtAgain() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        _ = l.write(.report("s1", .person(.executed(name: "p1", nil), l.basis("s1"), quietPeriod: 0, reason: "seen")))
        l.sale("s2", "o1", name: "p2", part: "2 of 3")
        _ = l.write(.report("s1", .person(.withdrawn, l.basis("s1"), quietPeriod: 0, reason: "wrong")))
        l.ought("s1 in doubt", l.state("s1") == "inDoubt")
        l.ought(
            "a third part is refused until s1 is resolved: its origin is in doubt",
            !l.isOK(l.open(Intent("s3", .sale, Money(10), reference: "o1", part: "3 of 3"))))
        #expect(l.failures == [])
    }

    @Test("One name (our merchant reference) in two runs")
    func oneNameOurMerchantReferenceTwoRuns() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), names: ["m-s1"])
        l.finish("s1", .lost, nil)
        l.absence("s1")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), owner: "B", names: ["m-s1"])
        _ = l.write(
            .finish(
                {
                    var f = Finish("s1", owner: "B"); (f.run, f.closing) = (2, Closing(2, .lost)); return f
                }()))
        var other = l
        _ = l.hook("n1", .name("m-s1"), [.sale], declined("m-s1"), names: ["m-s1"])
        l.ought("a pushed decline of run 2 counts, is \(l.state("s1"))", l.state("s1") == "declined")
        _ = other.hook("n1", .name("m-s1"), [.sale], approved(10, "m-s1"), names: ["m-s1"])
        l.ought("a normal approval of run 2 is no contradiction", other.store.attempts["s1"]?.isContradicted == false)
        #expect(l.failures == [])
    }

    @Test("Two executions, of 5 (part) and of 10; the provider undoes the second")
    func twoExecutions5Part10ProviderUndoes() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        var part = Approval(Money(5), ["id": "p1"]); part.isPartial = true
        l.finish("s1", .answered, .approved(part), names: ["p1"])
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(10, "p2"), names: ["p2"])
        _ = l.hook("n2", .attempt("s1"), [.sale], declined("p2", .undone), names: ["p2"])
        l.ought(
            "5 are left, journal says \(l.store.attempts["s1"]?.moved?.minorUnits ?? 0)",
            l.store.attempts["s1"]?.moved == Money(5))
        #expect(l.failures == [])
    }

    @Test("A refund was approved, the reference paid again, then the refund fails")
    func refundWasApprovedReferencePaidAgainThen() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(10), payment: "s1"))
        l.finish("r1", .answered, approved(10, "q1"), names: ["q1"])
        l.sale("s2", "o1", name: "p2")
        _ = l.hook("n1", .name("q1"), [.refund], declined("q1", .failedAfterApproval), names: ["q1"], original: "p1")
        l.ought("both are active and somebody is told", l.store.alerts.contains(.activeTwice(["s1", "s2"])))
        l.ought("the check lists them", l.store.activeTwice(at: l.instant) == [["s1", "s2"]])
        #expect(l.failures == [])
    }

    @Test("An approval without a request (offline kit) through a finish that begins, when the reference is taken")
    func approvalWithoutRequestOfflineKitThroughFinish() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        var finish = Finish("s2", owner: "A")
        finish.begin = Begin(Intent("s2", .sale, Money(10), reference: "o1"), l.a)
        finish.verdict = approved(10, "p2")
        let answer = l.write(.finish(finish))
        l.ought("an approval is never thrown away", l.isOK(answer))
        #expect(l.failures == [])
    }

    @Test("Another part waits while something under the reference is open, and not for a refund")
    func anotherPartWaitsWhileSomethingUnderReference() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil, part: "1 of 2")
        l.ought("in doubt", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1", part: "2 of 2"))))
        _ = l.found("s1", approved(10, "p1"), names: ["p1"])
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .lost, nil)
        l.ought(
            "a refund of the first is in doubt",
            l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1", part: "2 of 2"))))
        #expect(l.failures == [])
    }

    @Test("HoldsFor frees the reference after its time, not before, and a later request cannot shorten it")
    func holdsforFreesReferenceAfterTimeNotBefore() {
        var l = RuleLab()
        l.sale("s1", "table 5", name: "p1", holdsFor: 30 * minute)
        l.now += 29 * minute
        l.ought("held", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "table 5", holdsFor: 10 * minute))))
        l.ought(
            "the same id is known",
            l.open(Intent("s1", .sale, Money(10), reference: "table 5", holdsFor: 10 * minute)) == .known(l.at("s1")))
        l.now += 2 * minute
        l.ought("free", l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "table 5"))))
        #expect(l.failures == [])
    }

    @Test("HoldsFor is at least 10 minutes")
    func holdsforAtLeast10Minutes() {
        var l = RuleLab()
        l.ought("refused", !l.isOK(l.open(Intent("s1", .sale, Money(10), reference: "table 5", holdsFor: minute))))
        #expect(l.failures == [])
    }

    @Test("HoldsFor does not run while the payment is open, pending, offline, contradicted or followed")
    func holdsforDoesNotRunWhilePaymentOpen() {
        var l = RuleLab()
        func isHeld(_ l: inout RuleLab, _ reference: String) -> Bool {
            l.now += 600 * minute
            return !l.isOK(l.open(Intent(AttemptID(l.count, "x"), .sale, Money(10), reference: reference)))
        }
        let time = 30 * minute
        l.sale("s1", "o1", name: nil, holdsFor: time)
        l.ought("in doubt", isHeld(&l, "o1"))
        l.open(Intent("s2", .sale, Money(10), reference: "o2", holdsFor: time))
        l.finish("s2", .answered, .pending(["id": "p2"]), names: ["p2"])
        l.ought("pending", isHeld(&l, "o2"))
        l.open(Intent("s3", .sale, Money(10), reference: "o3", holdsFor: time))
        var offline = Approval(Money(10), ["id": "p3"]); offline.isOffline = true
        l.finish("s3", .answered, .approved(offline), names: ["p3"])
        l.ought("offline", isHeld(&l, "o3"))
        l.sale("s4", "o4", name: "p4", holdsFor: time)
        _ = l.hook("n4", .attempt("s4"), [.sale], approved(10, "p4b"), names: ["p4b"])
        l.ought("contradicted", isHeld(&l, "o4"))
        l.sale("s5", "o5", name: "p5", holdsFor: time)
        l.open(Intent("r5", .refund, Money(4), payment: "s5"))
        l.finish("r5", .lost, nil)
        l.ought("an open refund", isHeld(&l, "o5"))
        _ = l.found("r5", approved(4, "q5"), names: ["q5"])
        l.now += 29 * minute
        l.ought(
            "it begins again with the refund's outcome",
            !l.isOK(l.open(Intent("y5", .sale, Money(10), reference: "o5"))))
        l.ought("free then", !isHeld(&l, "o5"))
        #expect(l.failures == [])
    }

    @Test("HoldsFor counts from the outcome, by the wall clock")
    func holdsforCountsFromOutcomeByWallClock() {
        var l = RuleLab()
        let time = 30 * minute
        l.sale("s1", "o1", name: nil, holdsFor: time)
        l.now += 40 * minute
        _ = l.found("s1", approved(10, "p1"), names: ["p1"])
        l.now += 20 * minute
        l.ought("from the outcome", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        let uptime = l.now
        (l.now, l.uptime) = (l.now + 600 * minute, uptime + minute)
        l.ought(
            "the wall clock was set: a label is freed early",
            l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test func holdsFor_afterAStartWithAClockAnHourAhead_isKept_untilTheStartIsAsOld() {
        var l = RuleLab()
        l.sale("s1", "table 5", name: "p1", holdsFor: 30 * minute)
        // After 5 minutes the machine starts again, and its clock is 55 minutes ahead.
        (l.boot, l.uptime) = ("next", minute)
        l.now += 60 * minute
        l.ought("freed early", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "table 5"))))
        (l.now, l.uptime) = (l.now + 29 * minute, 30 * minute)
        l.ought("kept for ever", l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "table 5"))))
        #expect(l.failures == [])
    }

    @Test("References in NFC and NFD, with blanks, are one")
    func referencesNfcNfdWithBlanksOne() {
        var l = RuleLab()
        let nfc = "Caf\u{e9} 5", nfd = " Cafe\u{301} 5\n"
        l.sale("s1", nfc, name: "p1")
        l.ought("refused", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: nfd))))
        l.ought("stored alike", Array(Intent("a", .sale, Money(1), reference: nfd).reference!.utf8) == Array(nfc.utf8))
        l.sale("s3", "o3", name: "p3", part: nfc)
        l.ought("parts too", !l.isOK(l.open(Intent("s4", .sale, Money(10), reference: "o3", part: nfd))))
        #expect(l.failures == [])
    }

    @Test("Without a reference there is no rule of the journal")
    func withoutReferenceThereNoRuleJournal() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10)))
        l.finish("s1", .lost, nil)
        l.ought("the same amount", l.isOK(l.open(Intent("s2", .sale, Money(10)))))
        #expect(l.failures == [])
    }

    @Test("An unlinked refund refunds once under a reference and part; of a payment it is a refund of it")
    func unlinkedRefundRefundsOnceUnderReference() {
        var l = RuleLab()
        l.open(Intent("u1", .unlinkedRefund, Money(5), reference: "return-7"))
        l.finish("u1", .lost, nil)
        l.ought("in doubt", !l.isOK(l.open(Intent("u2", .unlinkedRefund, Money(5), reference: "return-7"))))
        _ = l.found("u1", approved(5, "q1"), names: ["q1"])
        l.ought(
            "another amount is the same return",
            !l.isOK(l.open(Intent("u2", .unlinkedRefund, Money(4), reference: "return-7"))))
        l.ought(
            "a part beside the whole",
            !l.isOK(l.open(Intent("u3", .unlinkedRefund, Money(4), reference: "return-7", part: "2"))))
        l.ought("a sale under the same words", l.isOK(l.open(Intent("s1", .sale, Money(10), reference: "return-7"))))
        _ = l.hook("n1", .name("q1"), [.unlinkedRefund], declined("q1", .failedAfterApproval), names: ["q1"])
        l.ought("failed: again", l.isOK(l.open(Intent("u2", .unlinkedRefund, Money(5), reference: "return-7"))))
        #expect(l.failures == [])
    }

    @Test("A refund of one scope stops the same one of another, with a reference of its own it goes")
    func refundOneScopeStopsSameOneAnother() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1", scope: "web")
        l.open(Intent("r1", .refund, Money(4), payment: "s1", scope: "web"))
        l.finish("r1", .lost, nil)
        _ = l.found("r1", approved(4, "q1"), names: ["q1"])
        l.ought("refused", !l.isOK(l.open(Intent("r2", .refund, Money(4), payment: "s1", scope: "pos"))))
        l.ought(
            "item 2", l.isOK(l.open(Intent("r2", .refund, Money(4), reference: "item 2", payment: "s1", scope: "pos"))))
        #expect(l.failures == [])
    }

    @Test("A cancelled tap leaves a record, passes no reference rule and changes no version")
    func cancelledTapLeavesRecordPassesNoReference() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        let version = l.record("s1").version
        var finish = Finish("r1", owner: "A")
        finish.begin = Begin(Intent("r1", .refund, Money(4), payment: "s1"), l.a)
        l.ought("recorded", l.isOK(l.write(.finish(finish))) && l.state("r1") == "notExecuted")
        l.ought("version", l.record("s1").version == version)
        l.ought(
            "a refund whose driver read before it",
            l.isOK(l.open(Intent("r1", .refund, Money(4), payment: "s1"), version: version)))
        var other = Finish("s2", owner: "A")
        other.begin = Begin(Intent("s2", .sale, Money(10), reference: "o1"), l.a)
        l.ought("under a paid reference", l.isOK(l.write(.finish(other))) && l.state("s2") == "notExecuted")
        l.ought("its tap is refused", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("Two active payments are reported, whatever the cause: late approval")
    func twoActivePaymentsToldWhateverCauseLate() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.sale("s2", "o1", name: "p2")
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(10, "p1"), names: ["p1"])
        l.ought(
            "told",
            l.store.alerts.contains(.activeTwice(["s1", "s2"])) && l.store.activeTwice(at: l.instant).count == 1)
        _ = l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, approved(10, "v"), names: ["v"])
        l.ought("no longer listed", l.store.activeTwice(at: l.instant).isEmpty)
        #expect(l.failures == [])
    }

    @Test("A second approval of an offline one's call is distinguished from a refusal of another card")
    func secondApprovalOfflineOneSCallTold() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil)
        var offline = Approval(Money(10), ["id": "p2"]); offline.isOffline = true
        l.finish("s1", .answered, .approved(offline), names: ["p2"])
        l.ought(
            "a refusal without a name", l.isHint(l.hook("n1", .attempt("s1"), [.sale], .declined(Decline(.refused)))))
        l.now += 10
        _ = l.found("s1", declined("p2"), names: ["p2"])
        l.ought("what a lookup shows ends it, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("R1 pending under 'item 2', the same refund typed without a reference")
    func r1PendingUnderItem2SameRefund() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4, "item 2"))
        l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        l.ought("refused", !l.isOK(l.open(refund("r2", 4))))
        l.ought("of another amount", l.isOK(l.open(refund("r2", 3))))
        l.ought("with a reference of its own", l.isOK(l.open(refund("r3", 3, "item 3"))))
        #expect(l.failures == [])
    }

    @Test("The whole and its parts")
    func wholeParts() {
        var l = RuleLab()
        l.sale("s1", "R", name: "p1")
        l.ought(
            "a part after the whole", !l.isOK(l.open(Intent("s2", .sale, Money(3), reference: "R", part: "1 of 3"))))
        l.open(Intent("a1", .sale, Money(3), reference: "T", part: "1 of 3"))
        l.ought("two terminals at once", l.isOK(l.open(Intent("a2", .sale, Money(3), reference: "T", part: "2 of 3"))))
        l.ought("the whole while parts are active", !l.isOK(l.open(Intent("a3", .sale, Money(9), reference: "T"))))
        l.ought(
            "1  Of 3 is the same part", !l.isOK(l.open(Intent("a4", .sale, Money(3), reference: "T", part: "1  Of 3"))))
        l.finish("a1", .lost, nil)
        l.ought(
            "another part waits for a doubt",
            !l.isOK(l.open(Intent("a5", .sale, Money(3), reference: "T", part: "3 of 3"))))
        #expect(l.failures == [])
    }
}
