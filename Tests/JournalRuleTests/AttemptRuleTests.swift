import PaymentDriverKit
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// Beginning, sending, finishing, and the sums of a payment.
@Suite struct AttemptRuleTests {
    @Test("Two executions are two")
    func twoExecutionsTwo() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        let late = Notice(
            "n2", l.a, .attempt("s1"), [.sale], .approved(Approval(Money(10), ["id": "p2"])), at: 2, names: ["p2"])
        _ = l.write(.notice(late))
        l.ought("moved 20", l.store.attempts["s1"]?.moved == Money(20))
        l.ought("contradicted", l.store.attempts["s1"]?.isContradicted == true)
        #expect(l.failures == [])
    }

    @Test("A decline ends an offline approval")
    func declineEndsOfflineApproval() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1", offline: true)
        _ = l.write(
            .notice(Notice("n1", l.a, .attempt("s1"), [.sale], .declined(Decline(.refused, ["id": "p1"])), at: 2)))
        l.ought("declined", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A stale read of the payment is refused")
    func staleReadPaymentRefused() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        let version = l.record("s1").version
        _ = l.open(Intent("r1", .refund, Money(4), payment: "s1"), version: version)
        _ = l.finish("r1", .answered, .approved(Approval(Money(4), ["id": "q1"])), names: ["q1"])
        l.ought("stale", l.isRefused(l.open(Intent("r2", .refund, Money(5), payment: "s1"), version: version)))
        l.ought(
            "fresh",
            !l.isRefused(l.open(Intent("r2", .refund, Money(5), payment: "s1"), version: l.record("s1").version)))
        #expect(l.failures == [])
    }

    @Test("An amount off by a power of ten is not believed")
    func amountOffByPowerTenNotBelieved() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.finish("s1", .answered, .approved(Approval(Money(100), ["id": "p1"])), names: ["p1"])
        l.ought("in doubt", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A decline without a request is a decline in every run")
    func declineWithoutRequestDeclineEveryRun() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.now += 100
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        var finish = Finish("s1", owner: "A")
        finish.begin = Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a)
        finish.verdict = .declined(Decline(.refused))
        _ = l.write(.finish(finish))
        l.ought("declined", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("An idempotency key is used again only while the provider certainly keeps it")
    func idempotencyKeyUsedAgainOnlyWhileProvider() {
        var l = RuleLab()
        func request(_ closing: Closing?) -> OpenRequest {
            var open = OpenRequest("s1", owner: "A")
            (open.closing, open.run, open.key, open.keyLifetime, open.sendLimit, open.transit) = (
                closing, closing == nil ? nil : 1, "1", 60, 10, 0
            )
            if closing == nil { open.begin = Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a) }
            return open
        }
        _ = l.write(.request(request(nil)))
        l.now += 20
        l.ought("in time", !l.isRefused(l.write(.request(request(Closing(1, .lost))))))
        l.now += 30
        l.ought(
            "too late: it may arrive after the key's end", l.isRefused(l.write(.request(request(Closing(2, .lost))))))
        #expect(l.failures == [])
    }

    @Test("A decline as duplicate proves nothing")
    func declineAsDuplicateProvesNothing() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.finish("s1", .answered, .declined(Decline(.duplicate)))
        l.ought("in doubt", l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("A repeated write gets its own receipt, whatever happened since")
    func repeatedWriteGetsOwnReceiptWhateverHappened() {
        var l = RuleLab()
        var open = OpenRequest("s1", owner: "A")
        open.begin = Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a)
        open.sendLimit = 10
        let entry = JournalEntry(.request(open))
        _ = l.write(entry, WriteID("x"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.now += 100
        _ = l.write(
            .report("s1", .lookup(.notFound(seesBack: nil), l.basis("s1"), LookupTerms(quietPeriod: 20), names: [])))
        var other = OpenRequest("s1", owner: "B")
        other.begin = Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a)
        other.sendLimit = 10
        l.ought("B begins the second run", l.write(.request(other)).receipt?.request == 2)
        l.ought("A's is the first", l.write(entry, WriteID("x")).receipt?.request == 1)
        _ = l.finish("s1", .notSent, nil)
        l.ought(
            "A's end leaves B's request open",
            l.store.attempts["s1"]?.requests[1].ending == nil && l.state("s1") == "running")
        #expect(l.failures == [])
    }

    @Test("A pending reply of run 1 after run 2 was declined")
    func pendingReplyRun1AfterRun2() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.absence("s1")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), owner: "B")
        l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"], request: 1)
        l.finish("s1", .answered, declined("p2"), names: ["p2"], owner: "B", run: 2, request: 2)
        l.ought(
            "s1 is not decided while run 1 is pending, is \(l.state("s1"))",
            l.state("s1") == "pending" || l.state("s1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("An approval that echoes the amount 0")
    func approvalEchoesAmount0() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(0, "p1"), names: ["p1"])
        l.ought(
            "0 of 10 is not believed; state \(l.state("s1")), moved \(l.store.attempts["s1"]?.moved?.minorUnits ?? -1)",
            l.state("s1") == "inDoubt")
        l.ought("the reference stays taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("One refund typed at two tills of two scopes")
    func oneRefundTypedAtTwoTillsTwo() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1", scope: "web")
        l.open(Intent("r1", .refund, Money(4), payment: "s1", scope: "web"))
        l.finish("r1", .answered, approved(4, "q1"), names: ["q1"])
        l.ought(
            "the second, from scope pos, is refused",
            !l.isOK(l.open(Intent("r2", .refund, Money(4), payment: "s1", scope: "pos"))))
        #expect(l.failures == [])
    }

    @Test("Fallback: run 1 at acme gets a late approval after run 2 at the other provider was declined")
    func fallbackRun1AtAcmeGetsLate() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .notSent, nil)
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), account: l.b, owner: "A")
        l.finish("s1", .answered, declined("x1"), names: ["x1"], run: 2)
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(10, "p1"), names: ["p1"])
        l.ought("approved, is \(l.state("s1"))", l.state("s1") == "approved")
        l.ought(
            "a refund goes to acme, who has the money",
            l.isOK(l.open(Intent("r1", .refund, Money(10), payment: "s1"), account: l.a)))
        l.ought(
            "a refund does not go to the other",
            !l.isOK(l.open(Intent("r2", .refund, Money(10), reference: "x", payment: "s1"), account: l.b)))
        #expect(l.failures == [])
    }

    @Test("An offline approval is refunded before it was forwarded")
    func offlineApprovalRefundedBeforeWasForwarded() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        var offline = Approval(Money(10), ["id": "p1"]); offline.isOffline = true
        l.finish("s1", .answered, .approved(offline), names: ["p1"])
        l.ought("refused", !l.isOK(l.open(Intent("r1", .refund, Money(10), payment: "s1"))))
        #expect(l.failures == [])
    }

    @Test("A cancelled tap leaves a record with one finish; the same id is tapped again")
    func cancelledTapLeavesRecordWithOneFinish() {
        var l = RuleLab()
        var finish = Finish("s1", owner: "A")
        finish.begin = Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a)
        _ = l.write(.finish(finish))
        l.ought(
            "the same id may try again (nothing was executed), is \(l.state("s1"))",
            l.isOK(l.open(Intent("s1", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test(
        "The second tries of a keyed refund: 'exceeds' under the key after a refused first try, provider cannot be asked"
    )
    func secondTriesKeyedRefundExceedsUnderKey() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"), key: "1")
        l.again("r1", closing: Closing(1, .refused), key: "1")
        l.finish("r1", .answered, declined("", .excess))
        l.ought(
            "another refund of the payment can ever be made without a person",
            l.isOK(l.open(Intent("r2", .refund, Money(3), payment: "s1"))))
        #expect(l.failures == [])
    }

    @Test("... a pending report after a proof")
    func pendingReportAfterProof() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.sale("s2", "o1", name: "p2")
        _ = l.hook("n1", .attempt("s1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        l.ought("told", l.store.alerts.contains(.activeTwice(["s1", "s2"])))
        #expect(l.failures == [])
    }

    @Test("One id in two payments")
    func oneIdTwoPayments() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.sale("s2", "o2", name: "p2")
        l.open(Intent("x", .refund, Money(4), payment: "s1"))
        l.ought("as a refund of another", !l.isOK(l.open(Intent("x", .refund, Money(4), payment: "s2"))))
        l.ought("as a sale", !l.isOK(l.open(Intent("x", .sale, Money(4), reference: "o3"))))
        #expect(l.failures == [])
    }

    @Test("One write id, another command")
    func oneWriteIdAnotherCommand() {
        var l = RuleLab()
        func open(_ id: AttemptID) -> JournalEntry {
            var open = OpenRequest(id, owner: "A")
            open.begin = Begin(Intent(id, .sale, Money(10), reference: id.text), l.a)
            return JournalEntry(.request(open))
        }
        let first = l.write(open("s1"), WriteID("x"))
        l.ought("the same again", l.write(open("s1"), WriteID("x")).receipt == first.receipt)
        l.ought("another", !l.isOK(l.write(open("s2"), WriteID("x"))) && l.store.attempts["s2"] == nil)
        #expect(l.failures == [])
    }

    @Test("An approval from before our first request is another journal's")
    func approvalFromBeforeOurFirstRequestAnother() {
        var l = RuleLab()
        l.now = 10 * minute
        l.sale("s1", "o1", name: nil)
        var approval = Approval(Money(10), ["id": "p1"]); approval.executedAt = 5 * minute
        _ = l.found("s1", .approved(approval), names: ["p1"])
        l.ought("not ours", l.state("s1") == "inDoubt")
        approval.executedAt = 9 * minute + 30_000
        _ = l.found("s1", .approved(approval), names: ["p1"])
        l.ought("within the margin it is", l.state("s1") == "approved")
        #expect(l.failures == [])
    }

    @Test("A tip explains a tenfold amount, and a person is shown it")
    func tipExplainsTenfoldAmountAlert() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        var approval = Approval(Money(100), ["id": "p1"]); approval.isPartial = true
        l.finish("s1", .answered, .approved(approval), names: ["p1"])
        l.ought("believed", l.state("s1") == "approved" && l.store.alerts == [.otherAmount("s1")])
        #expect(l.failures == [])
    }

    @Test("Digests: a new token is the same request, another stored card is not")
    func digestsNewTokenSameRequestAnotherStored() {
        var l = RuleLab()
        let first = "c1", again = "c1"
        l.open(Intent("s1", .sale, Money(10), reference: "o1", digest: first.digest))
        l.finish("s1", .lost, nil)
        l.ought(
            "known", l.open(Intent("s1", .sale, Money(10), reference: "o1", digest: again.digest)) == .known(l.at("s1"))
        )
        let other = Intent("s1", .sale, Money(10), reference: "o1", digest: "c1 7")
        l.ought("conflict", !l.isOK(l.open(other)) && l.open(other) != .known(l.at("s1")))
        #expect(l.failures == [])
    }

    @Test("A refusal that copies get, under a key: the original's if it is the first, lost after a lost one")
    func refusalCopiesGetUnderKeyOriginalS() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"), key: "r1/1")
        l.finish("r1", .answered, declined("", .excess))
        l.ought("first under the key, is \(l.state("r1"))", l.state("r1") == "declined")
        l.open(Intent("r2", .refund, Money(4), payment: "s1"), key: "r2/1")
        l.again("r2", closing: Closing(1, .lost), key: "r2/1")
        l.finish("r2", .answered, declined("", .excess))
        l.ought("after a lost one, is \(l.state("r2"))", l.state("r2") == "inDoubt")
        l.sale("s5", "o5", name: "p5")
        l.open(Intent("r5", .refund, Money(4), payment: "s5"), key: "r5/1")
        l.finish("r5", .answered, declined("", .duplicate))
        l.ought("about the key itself", l.state("r5") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("An amount in another currency blocks refunds and is reported")
    func amountAnotherCurrencyBlocksRefundsTold() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook(
            "n1", .name("d1"), [.refund], .approved(Approval(Money(3, .jpy), ["id": "d1"])), names: ["d1"],
            original: "p1")
        l.ought("told", l.store.alerts.contains(.otherCurrency(RuleLab.movement("d1"))))
        l.ought("blocked", !l.isOK(l.open(Intent("r1", .refund, Money(4), payment: "s1"))))
        #expect(l.failures == [])
    }

    @Test("Two accounts executed: a follow-up is compared with its account")
    func followUpComparedWithItsAccount() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        l.finish("s1", .notSent, nil)
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), account: l.b)
        l.finish("s1", .answered, approved(10, "x1"), names: ["x1"], run: 2)
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(10, "p1"), names: ["p1"])
        l.ought("20", l.amounts("s1").captured == 20)
        l.ought("15 at one", !l.isOK(l.open(Intent("r1", .refund, Money(15), payment: "s1"), account: l.b)))
        l.ought("10 at one", l.isOK(l.open(Intent("r1", .refund, Money(10), payment: "s1"), account: l.b)))
        l.finish("r1", .answered, approved(10, "y1"), names: ["y1"])
        l.ought("nothing is left there", !l.isOK(l.open(Intent("r2", .refund, Money(5), payment: "s1"), account: l.b)))
        l.ought("at the other", l.isOK(l.open(Intent("r2", .refund, Money(5), payment: "s1"), account: l.a)))
        #expect(l.failures == [])
    }

    @Test("Pending of run 1 comes while run 2 runs between two requests")
    func pendingRun1ComesWhileRun2() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.ought("not executed first", l.state("s1") == "notExecuted")
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(
            .finish(
                {
                    var f = Finish("s1", owner: "A"); f.run = 2; f.endsRun = false; f.closing = Closing(2, .refused);
                    return f
                }()))
        _ = l.hook("n1", .attempt("s1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        l.ought(
            "a second money request must not open: state \(l.state("s1"))",
            !l.isOK(l.again("s1", run: 2, closing: Closing(2, .refused))))
        #expect(l.failures == [])
    }

    @Test("Failure first, approval second, no provider times")
    func failureFirstApprovalSecondNoProviderTimes() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1")
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1")
        l.ought("refunded 0, is \(l.amounts("s1").refunded)", l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }
}

/// Verdicts that are pushed: late, doubled, under another name, or about something that turned since.
@Suite struct PushedVerdictRuleTests {
    @Test("A pending reply, then the refusal is pushed (nothing can be looked up)")
    func pendingReplyThenRefusalPushedNothingCan() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 5), key: "k")
        l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        _ = l.hook("n1", .name("q1"), [.refund], declined("q1"), names: ["q1"], original: "p1")
        l.ought("declined, is \(l.state("r1"))", l.state("r1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A provider's own pending refund, absorbed by ours")
    func providerSOwnPendingRefundAbsorbedBy() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4))
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("q1"), [.refund], .pending(["id": "q1"]), names: ["q1"], original: "p1")
        l.now += 100
        l.found("r1", approved(4, "q1"), names: ["q1"])
        l.ought(
            "decided, no names, in no sum",
            !l.one.isOpen && l.one.names.isEmpty && l.amounts("s1").refunded == 4 && l.amounts("s1").refunding == 0)
        _ = l.hook("n2", .name("q1"), [.refund], declined("q1", .failedAfterApproval), names: ["q1"], original: "p1")
        l.ought("its failure finds ours", l.state("r1") == "reversed" && l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }

    @Test("Approved refund, then its failure is pushed, and found")
    func approvedRefundThenFailurePushedFound() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 5), lookUp: true)
        l.finish("r1", .answered, approved(5, "q1"), names: ["q1"])
        var other = l
        _ = l.hook("n1", .name("q1"), [.refund], declined("q1", .failedAfterApproval), names: ["q1"], original: "p1")
        l.ought("pushed, is \(l.state("r1"))", l.state("r1") == "reversed")
        other.found("r1", declined("q1", .failedAfterApproval), names: ["q1"])
        l.ought("found, is \(other.state("r1"))", other.state("r1") == "reversed")
        #expect(l.failures == [])
    }

    @Test("A webhook says pending while the request is lost; then not found, quiet")
    func webhookSaysPendingWhileRequestLostThen() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        _ = l.hook("n1", .attempt("s1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        l.absence("s1")
        l.ought("not free: \(l.state("s1"))", l.state("s1") != "notExecuted")
        #expect(l.failures == [])
    }

    @Test("Pending, then a pushed decline by the last request's unique name, then absence: not executed")
    func pendingThenPushedDeclineByLastRequest() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), lookUp: true)
        l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"])
        var other = l, third = l
        _ = l.hook("n1", .name("p1"), [.sale], declined("p1"), names: ["p1"], at: 50)
        l.ought("a hint, recorded", l.state("s1") == "pending" && l.at("s1").reports.count == 2)
        l.absence("s1")
        l.ought("not executed, is \(l.state("s1"))", l.state("s1") == "notExecuted")
        other.absence("s1")
        l.ought("never without the decline", other.state("s1") == "pending")
        _ = third.hook("n1", .attempt("s1"), [.sale], .declined(Decline(.refused))); third.absence("s1")
        l.ought("nor by one that names the attempt only", third.state("s1") == "pending")
        let before = l.store.filed.count
        _ = l.hook("n0", .name("p1"), [.sale], .pending(["id": "p1"]), names: ["p1"], at: 40)
        l.ought(
            "an older pending message is filed", l.state("s1") == "notExecuted" && l.store.filed.count == before + 1)
        #expect(l.failures == [])
    }

    @Test("An offline approval that becomes known after its refusal was pushed by its own name")
    func offlineApprovalBecomesKnownAfterRefusalWas() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil, lookUp: true)
        _ = l.hook("n1", .attempt("s1"), [.sale], declined("p2"), names: ["p2"])
        var offline = Approval(Money(10), ["id": "p2"]); offline.isOffline = true
        l.finish("s1", .answered, .approved(offline), names: ["p2"])
        l.ought("declined, is \(l.state("s1"))", l.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("Absorbing a pushed decline owes a look")
    func absorbingPushedDeclineOwesLook() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 4), lookUp: true)
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("q1"), [.refund], declined("q1"), names: ["q1"], original: "p1")
        l.ought("the provider's own is declined", l.one.state == .declined)
        l.found("r1", .pending(["id": "q1"]), names: ["q1"])
        l.ought(
            "absorbed as a hint: \(l.state("r1")), owed",
            l.one.absorbedBy == "r1" && l.at("r1").reports.count == 2 && l.state("r1") == "inDoubt"
                && l.store.owesLookup("r1"))
        #expect(l.failures == [])
    }

    @Test("A message is never refused: several fit, an id that is not there, a kept one")
    func messageNeverRefusedSeveralFitIdNot() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.sale("s2", "o2", name: "p2")
        l.ought(
            "several fit: kept and raised, and each is looked at",
            l.hook("n1", .name("p1"), [.sale], approved(10, "p1"), names: ["p1", "p2"])
                == .hint(l.at("s1"), [.severalFit(["s1", "s2"])])
                && l.store.notices.count == 1 && l.store.owesLookup("s1") && l.store.owesLookup("s2"))
        l.ought("unknown id: kept", l.hook("n2", .attempt("x1"), [.sale], approved(10, "x1"), names: ["x1"]) == .kept)
        let answer = l.open(Intent("x1", .sale, Money(10), reference: "o3"))
        l.ought(
            "the begin of that id records it, and nothing is sent",
            answer.receipt?.request == nil && l.state("x1") == "approved" && l.at("x1").requests.isEmpty)
        _ = l.hook("n3", .attempt("x2"), [.sale], declined("x2"), names: ["x2"])
        l.ought(
            "a decline is no more than a decline",
            l.open(Intent("x2", .sale, Money(10), reference: "o4")).receipt?.request == 1)
        #expect(l.failures == [])
    }

    @Test("A capture of a sale under a name of its own fails by that name alone")
    func captureSaleUnderNameOwnFailsBy() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n1", .name("c1"), [.capture], approved(10, "c1"), names: ["c1"], original: "p1")
        l.ought("confirmed", l.amounts("s1").captured == 10)
        _ = l.hook("n2", .name("c1"), [.sale, .capture], declined("c1", .failedAfterApproval), names: ["c1"])
        l.ought("failed, is \(l.state("s1"))", l.state("s1") == "reversed")
        #expect(l.failures == [])
    }

    @Test("One name of a capture and a refund of the provider's own")
    func oneNameCaptureRefundProviderSOwn() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        _ = l.hook("n1", .name("x"), [.capture], approved(10, "x"), names: ["x"], original: "p1")
        _ = l.hook("n2", .name("x"), [.refund], approved(4, "x"), names: ["x"], original: "p1")
        l.ought(
            "two movements; the second has no name of its own",
            l.amounts("s1").captured == 10 && l.amounts("s1").refundable == 6 && l.own.count == 2)
        #expect(l.failures == [])
    }

    @Test("A pushed decline where nothing can be looked up counts once the run ended, without a clock")
    func pushedDeclineWhereNothingCanBeLooked() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.hook("n1", .attempt("s1"), [.sale], declined("p1"), names: ["p1"])
        l.ought("running", l.state("s1") == "running")
        _ = l.write(.takeOver("s1", run: 1, .died))
        l.ought("declined, is \(l.state("s1"))", l.state("s1") == "declined")
        l.open(Intent("s2", .sale, Money(10), reference: "o2"))
        _ = l.hook("n2", .attempt("s2"), [.sale], declined("t1"), names: ["t1"])
        l.again("s2", closing: Closing(1, .refused))
        l.finish("s2", .answered, .pending(["id": "p2"]), names: ["p2"])
        l.ought("of a tap that was refused it says nothing about the PIN", l.state("s2") == "pending")
        #expect(l.failures == [])
    }

    @Test("A void of an offline approval is confirmed under the scheme's name, which is not known yet")
    func voidOfOfflineApprovalConfirmedUnderSchemesName() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "t1", offline: true)
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, .pending(["id": "m1"]), names: ["m1"])
        l.hook("n1", .attempt("v1"), [.void], approved(10, "m1"), names: ["m1"], original: "scheme-1", at: 2)
        l.ought("voided, is \(l.state("v1"))", l.state("v1") == "approved")
        l.sale("s2", "o2", name: "p2")
        l.open(Intent("r2", .refund, Money(4), payment: "s2"))
        l.finish("r2", .lost, nil)
        l.hook("n2", .attempt("r2"), [.refund], approved(4, "q9"), names: ["q9"], original: "p9", at: 2)
        l.ought("another payment's is only a hint", l.state("r2") == "inDoubt" && l.amounts("s2").refunded == 0)
        #expect(l.failures == [])
    }

    @Test("What a lookup shows as undone elsewhere is raised once, also after another contradiction was acknowledged")
    func undoneElsewhereRaisedOnce() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        _ = l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        var lapsed = l
        _ = l.open(Intent("c1", .capture, Money(10), payment: "s1"))
        _ = l.finish("c1", .answered, approved(10, "c1"), names: ["c1"])
        _ = l.found("s1", declined("p1", .undone), names: ["p1"])
        l.ought("raised", l.at("s1").isContradicted)
        _ = l.person("s1", .acknowledge(.contradiction))
        _ = l.found("s1", declined("p1", .undone), names: ["p1"])
        l.ought("once", !l.at("s1").isContradicted)
        // Nothing was captured: a hold that ends is no contradiction.
        _ = lapsed.open(Intent("c1", .capture, Money(10), payment: "s1"))
        _ = lapsed.finish("c1", .lost, nil)
        _ = lapsed.found("s1", declined("p1", .undone), names: ["p1"])
        l.ought("not raised", !lapsed.at("s1").isContradicted)
        #expect(l.failures == [])
    }

    @Test("What our void did is no failure of the sale")
    func undoneAfterOurVoidNoFailure() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, approved(10, "v1"), names: ["v1"])
        l.hook("n1", .name("p1"), [.sale], declined("p1", .undone), names: ["p1"], at: 3)
        l.found("s1", declined("p1", .undone), names: ["p1"])
        l.ought("approved, and voided", l.state("s1") == "approved" && !l.at("s1").isContradicted)
        l.ought("nothing is left", l.amounts("s1").captured == 0)
        l.sale("s2", "o2", name: "p2")
        l.hook("n2", .name("p2"), [.sale], declined("p2", .undone), names: ["p2"], at: 3)
        l.ought("undone without our void", l.state("s2") == "reversed")
        #expect(l.failures == [])
    }

    @Test func evidence_olderRunDeclinedAgain_isOfTheShownVerdict() {
        let l = RuleLab()
        var held = Attempt(Intent("s1", .sale, Money(10)))
        for run in 1...2 { held.apply(.run(Attempt.Run(number: run, account: l.a, owner: "A", begunAt: l.instant))) }
        held.apply(.report(Attempt.Report(.verdict(declined("x2")), .reply, run: 2, entry: 2, at: l.instant)))
        let asked = Attempt.Evidence.lookup(askedAt: l.instant, known: 2)
        held.apply(.report(Attempt.Report(.verdict(declined("x1")), asked, run: 1, entry: 3, at: l.instant)))
        #expect(held.verdict == declined("x2") && held.evidence == .reply)
    }
}
