import Testing

@testable import PaymentAbstraction

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
}
