import PaymentDriverKit
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// Messages, and what the provider does without being asked.
@Suite struct MovementRuleTests {
    @Test("A sale is two durable writes, a refund two, tap and PIN three, a webhook one, its duplicate none")
    func saleTwoDurableWritesRefundTwoTap() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.ought("sale", l.store.writeCount == 2)
        _ = l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        _ = l.finish("r1", .answered, .approved(Approval(Money(4), ["id": "q1"])), names: ["q1"])
        l.ought("refund", l.store.writeCount == 4)
        let notice = Notice("n1", l.a, .attempt("s1"), [.sale], .approved(Approval(Money(10), ["id": "p1"])), at: 2)
        _ = l.write(.notice(notice))
        _ = l.write(.notice(notice))
        l.ought("webhook", l.store.writeCount == 5)
        #expect(l.failures == [])
    }

    @Test("A message with the id of an earlier one repeats that one, whatever else it says")
    func messageWithIdOfEarlierOneRepeatsThatOne() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        let instant = l.instant
        let answers = [Int64(2), 3].map { time in
            let notice = Notice("n1", l.a, .attempt("s1"), [.sale], approved(10, "p1"), at: time)
            return l.store.write(JournalEntry(.notice(notice)), WriteID("w\(time)"), at: instant) { _ in true }.0
        }
        #expect(answers[0] == answers[1] && answers[0].attempt?.reports.count == 2)
        #expect(l.at("s1").reports.count == 2)
    }

    @Test("A decline that is pushed while the request is open waits for its end")
    func declinePushedWhileRequestOpenWaitsEnd() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.write(.notice(Notice("n1", l.a, .attempt("s1"), [.sale], .declined(Decline(.refused)), at: 2)))
        l.ought("running", l.state("s1") == "running")
        l.ought("the reference stays taken", l.isRefused(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        var other = l
        _ = l.finish("s1", .answered, .approved(Approval(Money(10), ["id": "p1"])), names: ["p1"])
        l.ought("approved", l.state("s1") == "approved")
        _ = other.finish("s1", .lost, nil)
        l.ought("declined once the reply is lost", other.state("s1") == "declined")
        #expect(l.failures == [])
    }

    @Test("A capture that is pushed about a sale is not counted on top")
    func capturePushedAboutSaleNotCountedOn() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.write(
            .notice(
                Notice(
                    "n1", l.a, .name("c1"), [.capture], .approved(Approval(Money(10), ["id": "c1"])), at: 2,
                    names: ["c1"], original: "p1")))
        l.ought("captured once", l.amounts("s1").captured == 10)
        #expect(l.failures == [])
    }

    @Test("A dashboard refund while ours is in doubt reserves its amount and is counted in the end")
    func dashboardRefundWhileOursDoubtReservesAmount() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        _ = l.finish("r1", .lost, nil)
        let notice = Notice(
            "n1", l.a, .name("d1"), [.refund], .approved(Approval(Money(5), ["id": "d1"])), at: 2, names: ["d1"],
            original: "p1")
        _ = l.write(.notice(notice))
        l.ought("reserved", l.amounts("s1").refundable == 1)
        l.now += 100
        l.ought(
            "it could be ours",
            l.isRefused(
                l.write(
                    .report("r1", .person(.notExecuted(), l.basis("r1"), quietPeriod: 20, reason: "not in the list")))))
        _ = l.write(
            .report(
                "r1", .person(.notExecuted(besides: ["d1"]), l.basis("r1"), quietPeriod: 20, reason: "not in the list"))
        )
        l.ought("counted", l.amounts("s1").refunded == 5 && l.amounts("s1").refundable == 5)
        #expect(l.failures == [])
    }

    @Test("A refund heard before the sale it belongs to is counted once that has its name")
    func refundHeardBeforeSaleBelongsCountedOnce() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        let notice = Notice(
            "n1", l.a, .name("d1"), [.refund], .approved(Approval(Money(5), ["id": "d1"])), at: 2, names: ["d1"],
            original: "p1")
        l.ought("kept", l.write(.notice(notice)) == .kept)
        l.now += 100
        _ = l.write(
            .report(
                "s1",
                .lookup(
                    .found(.approved(Approval(Money(10), ["id": "p1"]))), l.basis("s1"), LookupTerms(quietPeriod: 20),
                    names: ["p1"])))
        l.ought("counted", l.amounts("s1").refunded == 5)
        #expect(l.failures == [])
    }

    @Test("A plain dashboard refund is no contradiction")
    func plainDashboardRefundNoContradiction() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n1", .name("d1"), [.refund], approved(5, "d1"), names: ["d1"], original: "p1")
        l.ought("counted", l.amounts("s1").refunded == 5)
        l.ought("not contradicted", !l.store.attempts.values.contains(where: \.isContradicted))
        #expect(l.failures == [])
    }

    @Test("A plain dashboard refund that fails later")
    func plainDashboardRefundFailsLater() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1", at: 1)
        let answer = l.hook(
            "n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1", at: 1)
        l.ought("refunded 0, is \(l.amounts("s1").refunded) \("\(answer)".prefix(40))", l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }

    @Test("The messages of a dashboard refund come in the other order")
    func messagesDashboardRefundComeOtherOrder() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook(
            "n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1", at: 2)
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1", at: 1)
        l.ought(
            "refunded 0, is \(l.amounts("s1").refunded); kept \(l.store.notices.count)", l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }

    @Test("A pushed refusal that our own doubled request caused (rule 14, by webhook)")
    func pushedRefusalOurOwnDoubledRequestCaused() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .lost, nil)
        _ = l.hook(
            "n1", .attempt("r1"), [.refund], .declined(Decline(.duplicate, ["id": "q2"])), names: ["q2"], original: "p1"
        )
        l.ought("it proves nothing, r1 is \(l.state("r1"))", l.state("r1") == "inDoubt")
        #expect(l.failures == [])
    }

    @Test("An application's own id equals the one made for a provider's movement")
    func applicationSOwnIdEqualsOneMade() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.sale("provider-d1", "o2", name: "p2")
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1")
        l.ought(
            "the prefix is the journal's own", !l.isOK(l.open(Intent("provider-d9", .sale, Money(10), reference: "o3")))
        )
        l.ought("the movement is there", l.amounts("s1").refunded == 4)
        l.ought(
            "the sale provider-d1 is still there, is a \(l.at("provider-d1").intent.operation)",
            l.at("provider-d1").intent.operation == .sale)
        #expect(l.failures == [])
    }

    @Test("A dashboard refund in another currency")
    func dashboardRefundAnotherCurrency() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook(
            "n1", .name("d1"), [.refund], .approved(Approval(Money(3, .jpy), ["id": "d1"])), names: ["d1"],
            original: "p1")
        l.ought("3 JPY are not 3 EUR; refunded \(l.amounts("s1").refunded)", l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }

    @Test("One kit call, first card refused (pushed), second card approved, till dies before the kit returns")
    func oneKitCallFirstCardRefusedPushed() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil)
        _ = l.hook("n1", .attempt("s1"), [.sale], declined("t1"), names: ["t1"])
        l.ought("still running after the push", l.state("s1") == "running")
        _ = l.write(.takeOver("s1", run: 1, .died))  // the kit continued and approved p2
        l.ought("s1 must not be declined, is \(l.state("s1"))", l.state("s1") != "declined")
        l.ought(
            "a second sale under the reference must be refused",
            !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("A late pushed decline of an earlier tap ends the offline approval of a later one")
    func latePushedDeclineEarlierTapEndsOffline() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), limit: nil)
        var offline = Approval(Money(10), ["id": "p2"]); offline.isOffline = true
        l.finish("s1", .answered, .approved(offline), names: ["p2"])
        _ = l.hook("n1", .attempt("s1"), [.sale], declined("t1"), names: ["t1"])
        l.ought("s1 stays approved, is \(l.state("s1"))", l.state("s1") == "approved")
        l.ought("the reference stays taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("A pending webhook after a proof of absence")
    func pendingWebhookAfterProofAbsence() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        _ = l.hook("n1", .attempt("s1"), [.sale], .pending(["id": "p1"]), names: ["p1"])
        l.ought("s1 is pending (state table), is \(l.state("s1"))", l.state("s1") == "pending")
        l.ought("no new run", !l.isOK(l.open(Intent("s1", .sale, Money(10), reference: "o1"), owner: "B")))
        #expect(l.failures == [])
    }

    @Test("A dashboard refund is reported while ours is in doubt, then fails, then ours is resolved")
    func dashboardRefundHeardWhileOursDoubtThen() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("d1"), [.refund], approved(5, "d1"), names: ["d1"], original: "p1")
        _ = l.hook("n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1")
        l.absence("r1")
        l.ought(
            "refunded 0, journal says \(l.amounts("s1").refunded); still kept: \(l.store.notices.count)",
            l.amounts("s1").refunded == 0)
        #expect(l.failures == [])
    }

    @Test("The provider's own capture of a sale fails: the message has a name of its own and the sale's as original")
    func providerSOwnCaptureSaleFailsMessage() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        let answer = l.hook(
            "n1", .name("c1"), [.capture], declined("c1", .failedAfterApproval), names: ["c1"], original: "p1")
        l.ought(
            "not just kept for ever (\(answer == .kept ? "kept" : "-")); captured \(l.amounts("s1").captured)",
            answer != .kept)
        #expect(l.failures == [])
    }

    @Test("The provider captures what was voided")
    func providerCapturesWhatWasVoided() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, approved(10, "v"), names: ["v"])
        _ = l.hook("n1", .name("c1"), [.capture], approved(10, "c1"), names: ["c1"], original: "p1")
        l.ought("somebody is told (contradiction)", l.store.attempts.values.contains(where: \.isContradicted))
        l.ought("what was captured can be refunded", l.isOK(l.open(Intent("r1", .refund, Money(10), payment: "s1"))))
        #expect(l.failures == [])
    }

    @Test("Two accounts give one name to two movements of their own")
    func twoAccountsGiveOneNameTwoMovements() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("s2", .sale, Money(10), reference: "o2"), account: l.b)
        l.finish("s2", .answered, approved(10, "x1"), names: ["x1"])
        _ = l.hook("n1", .name("1001"), [.refund], approved(3, "1001"), names: ["1001"], original: "p1")
        _ = l.hook("n2", .name("1001"), [.refund], approved(4, "1001"), names: ["1001"], original: "x1", account: l.b)
        l.ought(
            "3 and 4, journal says \(l.amounts("s1").refunded) and \(l.amounts("s2").refunded)",
            l.amounts("s1").refunded == 3 && l.amounts("s2").refunded == 4)
        #expect(l.failures == [])
    }

    @Test("Authorised 10, captured 6, the rest voided; then a refund of what was captured")
    func authorised10Captured6RestVoidedThen() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.open(Intent("c1", .capture, Money(6), payment: "s1"))
        l.finish("c1", .answered, approved(6, "c1"), names: ["c1"])
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, approved(4, "v"), names: ["v"])
        l.ought("6 can be refunded", l.isOK(l.open(Intent("r1", .refund, Money(6), payment: "s1"))))
        #expect(l.failures == [])
    }

    @Test(
        "Authorised 10, captured 6: a void that leaves what was captured, from us or the provider, whatever amount it says"
    )
    func voidOfPartCaptured() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.open(Intent("c1", .capture, Money(6), payment: "s1"))
        l.finish("c1", .answered, approved(6, "c1"), names: ["c1"])
        var (other, whole) = (l, l)
        var rest = Intent("v1", .void, Money(10), payment: "s1")
        rest.releasesRest = true
        l.open(rest)
        l.finish("v1", .answered, approved(10, "v"), names: ["v"])
        l.ought("6 stay charged", l.amounts("s1").captured == 6 && !l.record("s1").amounts.isVoided)
        whole.open(Intent("v1", .void, Money(10), payment: "s1"))
        whole.finish("v1", .answered, approved(10, "v"), names: ["v"])
        whole.ought("nothing stays charged", whole.amounts("s1").captured == 0 && whole.record("s1").amounts.isVoided)
        _ = other.hook("n1", .name("d1"), [.void], approved(4, "d1"), names: ["d1"], original: "p1")
        other.ought("6 stay charged", other.amounts("s1").captured == 6 && !other.record("s1").amounts.isVoided)
        #expect(l.failures + other.failures + whole.failures == [])
    }

    @Test("A part that was refunded already is not returned once more")
    func returnOfAPart_besideItsRefund_isNotOpened() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(6, "p1"), names: ["p1"])
        l.ought("refund", l.isOK(l.open(refund("r1", 6), owner: "B")))
        l.finish("r1", .answered, approved(6, "q1"), names: ["q1"], owner: "B")
        var back = OpenRequest("s1", owner: "A", account: l.a, sendLimit: 10)
        (back.run, back.closing, back.returnsMoney) = (1, Closing(1, .answered, names: ["p1"]), true)
        l.ought("it is opened", l.write(.request(back)).receipt?.request == nil)
        #expect(l.failures == [])
    }

    @Test("A hold whose capture is in doubt keeps its reference")
    func holdWithCaptureInDoubt() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.open(Intent("c1", .capture, Money(10), payment: "s1"))
        l.finish("c1", .lost, nil)
        l.ought("taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("Authorised 10, captured 6, refunded 6; the hold of 4 expired without a message")
    func authorised10Captured6Refunded6Hold() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"), hold: 30 * 86_400_000)
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.open(Intent("c1", .capture, Money(6), payment: "s1"))
        l.finish("c1", .answered, approved(6, "c1"), names: ["c1"])
        l.open(Intent("r1", .refund, Money(6), payment: "s1"))
        l.finish("r1", .answered, approved(6, "r1"), names: ["r1"])
        l.ought(
            "taken while the rest can be captured", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        l.now += 90 * 86_400_000
        l.ought("the reference is free after 90 days", l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("Disputed: kept, shown, keeps open; the same, or not")
    func disputedKeptShownKeepsOpenSameOr() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        _ = l.write(
            .report(
                "i1",
                .imported(
                    approved(10, "p1"), Begin(Intent("i1", .sale, Money(10), reference: "x"), l.a), names: ["p1"],
                    saidAt: 1)))
        _ = l.hook("n1", .attempt("s1"), [.sale], approved(10, "p1"), names: ["p1"])
        l.ought(
            "in doubt again, is \(l.state("s1"))",
            l.state("s1") == "inDoubt" && l.store.alerts.contains(.disputed("s1", holder: "i1")))
        l.ought("its reference is taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        l.now += 100
        l.ought(
            "absence does not end it",
            {
                l.absence("s1"); return l.state("s1") == "inDoubt"
            }())
        var other = l
        l.ought(
            "another payment", l.isOK(l.person("s1", .notExecuted(besides: ["p1"]))) && l.state("s1") == "notExecuted")
        l.ought("the same", other.isOK(other.person("s1", .isTheSame(as: "i1"))) && !other.at("s1").isOpen)
        l.ought(
            "counted once, at the import",
            other.store.attempts["s1"]?.moved == nil && other.store.attempts["i1"]?.moved == Money(10))
        _ = other.hook("n2", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1", at: 5)
        l.ought("a later refund finds it", other.amounts("i1").refunded == 4)
        l.ought("ours keeps its reference", !other.isOK(other.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("A hold lapses; a capture after it is a contradiction and counts")
    func holdLapsesCaptureAfterContradictionCounts() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"), hold: 1_000)
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.ought("taken", !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        l.now += 2_000
        l.ought("no capture", !l.isOK(l.open(Intent("c1", .capture, Money(10), payment: "s1"))))
        l.ought("free", l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        _ = l.hook("n1", .name("c1"), [.capture], approved(10, "c1"), names: ["c1"], original: "p1")
        l.ought(
            "told and counted",
            l.amounts("s1").captured == 10 && l.store.attempts[RuleLab.movement("c1", .capture)]?.isContradicted == true
        )
        #expect(l.failures == [])
    }

    @Test("A last capture releases the rest")
    func lastCaptureReleasesRest() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        var last = Intent("c1", .capture, Money(6), payment: "s1"); last.isLastCapture = true
        l.open(last)
        l.finish("c1", .answered, approved(6, "c1"), names: ["c1"])
        l.open(Intent("r1", .refund, Money(6), payment: "s1"))
        l.finish("r1", .answered, approved(6, "q1"), names: ["q1"])
        l.ought("free", l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        #expect(l.failures == [])
    }

    @Test("A pushed decline where the sale can be looked up is a hint, and the look is owed until it was made")
    func pushedDeclineWhereSaleCanBeLooked() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), lookUp: true)
        l.finish("s1", .lost, nil)
        l.ought(
            "hint",
            l.isHint(l.hook("n1", .attempt("s1"), [.sale], declined("p1"), names: ["p1"])) && l.state("s1") == "inDoubt"
        )
        l.ought("owed", l.store.owesLookup("s1"))
        l.finish("s1", .answered, nil)
        l.ought("still owed after another entry", l.store.owesLookup("s1"))
        l.now += 100
        _ = l.found("s1", declined("p1"), names: ["p1"])
        l.ought("made", !l.store.owesLookup("s1") && l.state("s1") == "declined")
        l.open(Intent("s2", .sale, Money(10), reference: "o2"), lookUp: true)
        l.finish("s2", .lost, nil)
        _ = l.hook("n2", .attempt("s2"), [.sale], approved(10, "p2"), names: ["p2"])
        l.ought("an approval always counts", l.state("s2") == "approved")
        #expect(l.failures == [])
    }

    @Test("More than 64 messages about an unknown name become a mark that causes a look")
    func moreThan64MessagesAboutUnknownName() {
        var l = RuleLab()
        for number in 1...70 {
            l.ought("kept", l.hook("n\(number)", .name("q1"), [.refund], approved(4, "q1")) == .kept)
        }
        l.ought("64 and a mark: \(l.store.notices.count)", l.store.notices.count == 64)
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        l.ought(
            "applied, looked at, told",
            l.state("r1") == "approved" && l.store.owesLookup("r1") && l.store.alerts.contains(.messagesDropped("q1")))
        #expect(l.failures == [])
    }

    @Test("10,000 hints about unknown names and ids leave nothing; a proven message among them counts")
    func hintsAboutUnknownNamesNotKept() {
        var l = RuleLab()
        l.ought("kept", l.hook("n0", .name("q1"), [.refund], approved(4, "q1")) == .kept)
        for number in 1...5_000 {
            let name = l.hook("n\(number)", .name("x\(number)"), [], nil)
            let id = l.hook("i\(number)", .attempt(AttemptID(stringLiteral: "x\(number)")), [], nil)
            l.ought("unknown", name == .refused(.noSuchAttempt, nil) && id == name)
        }
        l.ought("one is kept: \(l.store.notices.count)", l.store.notices.count == 1 && l.store.writeCount == 1)
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        l.ought("it counts", l.state("r1") == "approved" && l.store.notices.isEmpty)
        #expect(l.failures == [])
    }

    @Test("Hints that fit several attempts cause looks and leave no message")
    func hintsThatFitSeveral() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.sale("s2", "o2", name: "p2")
        let entries = l.store.entry("s1")
        for number in 1...100 {
            l.ought("hint", l.isHint(l.hook("n\(number)", .name("p1"), [.sale], nil, names: ["p1", "p2"])))
        }
        l.ought("looked up", l.store.owesLookup("s1") && l.store.owesLookup("s2"))
        l.ought("nothing kept", l.store.notices.isEmpty && l.store.entry("s1") == entries)
        #expect(l.failures == [])
    }

    @Test("A kept message gives a name that other kept messages wait for")
    func keptMessageGivesNameOtherKeptMessages() {
        var l = RuleLab()
        _ = l.hook("n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], at: 2)
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1", at: 1)
        l.sale("s1", "o1", name: "p1")
        l.ought(
            "refunded 0, is \(l.amounts("s1").refunded); kept \(l.store.notices.count)",
            l.amounts("s1").refunded == 0 && l.store.notices.isEmpty)
        #expect(l.failures == [])
    }

    @Test("A receipt is of the command's attempt alone; a repeated hint is a hint")
    func receiptCommandSAttemptAloneRepeatedHint() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        _ = l.hook("n1", .name("q1"), [.refund], approved(4, "q1"), names: ["q1"], original: "p1")
        let answer = l.finish("r1", .answered, approved(4, "q1"), names: ["q1"])
        l.ought(
            "no run, no request", answer.receipt != nil && answer.receipt?.run == nil && answer.receipt?.request == nil)
        l.ought("absorbed: counted once", l.amounts("s1").refunded == 4)
        l.open(Intent("s2", .sale, Money(10), reference: "o2"), lookUp: true)
        l.finish("s2", .lost, nil)
        let notice = Notice("n2", l.a, .attempt("s2"), [.sale], declined("p2"), at: nil)
        for _ in 0..<2 { l.ought("hint", l.isHint(l.write(JournalEntry(.notice(notice)), WriteID("h")))) }
        #expect(l.failures == [])
    }

    @Test("What a message owes is settled by another machine only if it asked later by more than clocks differ")
    func owedLookupSettledByAnotherMachine() {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), lookUp: true)
        l.finish("s1", .answered, declined("p1"), names: ["p1"])
        let answers = [("another", 1_000), ("another", JournalRules.lookupClockMargin + 1_000), ("boot", 1)]
        for (place, (boot, later)) in answers.enumerated() {
            l.boot = "boot"
            _ = l.hook("n\(place)", .attempt("s1"), [.sale], nil)
            l.ought("owed", l.store.owesLookup("s1"))
            (l.boot, l.now) = (boot, l.now + Int64(later))
            _ = l.found("s1", declined("p1"), names: ["p1"])
            l.ought("\(boot) after \(later) ms", l.store.owesLookup("s1") == (place == 0))
        }
        #expect(l.failures == [])
    }

    @Test("Never asked: a decline that is kept counts for the request whose answer gives its name")
    func neverAskedDeclineKeptCountsRequestWhose() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"), key: "r1/1")
        l.again("r1", closing: Closing(1, .lost), key: "r1/1")
        l.ought("kept", l.hook("n1", .name("q1"), [.refund], declined("q1"), names: ["q1"]) == .kept)
        l.finish("r1", .answered, .pending(["id": "q1"]), names: ["q1"])
        l.ought("declined, is \(l.state("r1"))", l.state("r1") == "declined" && l.store.notices.isEmpty)
        #expect(l.failures == [])
    }

    @Test("An execution that failed before its approval is known is found by the look that its message owes")
    func executionFailedBeforeApprovalKnownFoundBy() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"), lookUp: true)
        _ = l.hook("n1", .attempt("r1"), [.refund], declined("q1"), names: ["q1"], original: "p1")
        l.now += 10
        _ = l.found("r1", declined("q1"), names: ["q1"])
        l.ought("it ran when it was asked: still owed", l.store.owesLookup("r1"))
        l.finish("r1", .answered, approved(4, "q1"), names: ["q1"])
        l.ought(
            "accepted, and refused by a message that only hints: a look is owed",
            l.state("r1") == "approved" && l.store.owesLookup("r1"))
        l.now += 10
        _ = l.found("r1", declined("q1"), names: ["q1"])
        l.ought("reversed", l.state("r1") == "reversed" && l.amounts("s1").refunded == 0 && !l.store.owesLookup("r1"))
        #expect(l.failures == [])
    }

    @Test("The version continues when a movement is absorbed")
    func versionContinuesWhenMovementAbsorbed() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(Intent("r1", .refund, Money(4), payment: "s1"))
        l.finish("r1", .lost, nil)
        _ = l.hook("n1", .name("q1"), [.refund], approved(4, "q1"), names: ["q1"], original: "p1")
        let version = l.record("s1").version
        l.finish("r1", .answered, nil, names: ["q1"])
        l.ought("changed", l.amounts("s1").refunded == 4 && l.record("s1").version > version)
        #expect(l.failures == [])
    }

    @Test("Our void is executed as a refund: pushed under its own name before the reply, and after it")
    func ourVoidExecutedAsRefundPushedUnder() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        var other = l
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        _ = l.hook("n1", .name("q1"), [.refund], approved(10, "q1"), names: ["q1"], original: "p1")
        l.finish("v1", .answered, approved(10, "q1"), names: ["q1"])
        l.ought("absorbed", l.one.absorbedBy == "v1" && l.amounts("s1").refunded == 0 && l.amounts("s1").captured == 0)
        other.open(Intent("v1", .void, Money(10), payment: "s1"))
        other.finish("v1", .answered, approved(10, "q1"), names: ["q1"])
        _ = other.hook("n1", .name("q1"), [.refund], approved(10, "q1"), names: ["q1"], original: "p1")
        l.ought("no movement of its own", other.own.isEmpty)
        #expect(l.failures == [])
    }

    @Test("A further charge under a payment's name is raised and not booked")
    func furtherChargeUnderPaymentsName() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        let answer = l.hook("n1", .name("q2"), [.sale], approved(10, "q2"), names: ["q2"], original: "p1")
        l.ought("looked up", l.isHint(answer))
        l.ought("raised", l.store.alerts.contains(.unclear("s1")))
        l.ought("not booked", l.amounts("s1").captured == 10 && l.own.isEmpty && l.at("s1").reports.count == 1)
        l.ought("marked", l.store.notices.compactMap(\.mark) == [.unbooked("s1", "q2")])
        _ = l.hook("n2", .name("q2"), [.sale], approved(10, "q2"), names: ["q2"], original: "p1")
        let raised = l.store.alerts.count { $0 == .unclear("s1") }
        l.ought("once: \(raised)", raised == 1 && l.store.notices.count == 1)
        let seen = Notice.ofSeen(.unbooked("s1", "q2"), at: l.a)
        _ = l.store.write(JournalEntry(.notice(seen)), WriteID("seen"), at: l.instant) { _ in false }
        l.ought("gone", l.store.notices.isEmpty)
        #expect(l.failures == [])
    }

    @Test("Two messages about one further charge that wait for the payment's end leave one mark")
    func twoWaitingMessagesAboutOneFurtherCharge() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"])
        for id in ["n1", "n2"] {
            _ = l.hook(id, .name("q2"), [.sale], approved(10, "q2"), names: ["q2"], original: "p1")
        }
        l.now += 100
        l.found("s1", .approved(Approval(Money(10), ["id": "p1"])), names: ["p1"])
        let raised = l.store.alerts.count { $0 == .unclear("s1") }
        l.ought("one mark", l.store.notices.compactMap(\.mark) == [.unbooked("s1", "q2")])
        l.ought("one alert: \(raised)", raised == 1)
        #expect(l.failures == [])
    }

    @Test("A payment's own charge that is pushed while it is pending is not raised")
    func ownChargePushedWhilePending() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .sale, Money(10), reference: "o1"))
        _ = l.finish("s1", .answered, .pending(["id": "p1"]), names: ["p1"])
        let pushed = Verdict.approved(Approval(Money(10), ["operation": "q1"]))
        _ = l.hook("n1", .name("q1"), [.sale], pushed, names: ["q1"], original: "p1")
        l.ought("nothing raised yet", l.store.alerts.isEmpty)
        l.now += 100
        l.found("s1", .approved(Approval(Money(10), ["id": "p1", "operation": "q1"])), names: ["q1", "p1"])
        l.ought("charged once", l.amounts("s1").captured == 10 && l.own.isEmpty)
        l.ought("nothing raised: \(l.store.alerts)", l.store.alerts.isEmpty)
        #expect(l.failures == [])
    }

    @Test("Charges that a look counts as one sum stay that sum when each is pushed, before and after")
    func chargesOfOneSumArePushed() {
        var l = RuleLab()
        _ = l.open(Intent("s1", .debit, Money(5), reference: "o1"), lookUp: true)
        _ = l.finish("s1", .lost, nil)
        _ = l.hook("n1", .name("q1"), [.debit], approved(5, "q1"), names: ["q1"], original: "p1")
        l.now += 100
        let sum = Approval(Money(10), ["id": "p1", "operation": "q1", "operation-2": "q2"])
        l.found("s1", .approved(sum), names: ["p1", "q1", "q2"])
        l.ought("the sum: \(l.amounts("s1").captured)", l.amounts("s1").captured == 10)
        for name in ["q1", "q2"] {
            let answer = l.hook("n-\(name)", .name(name), [.debit], approved(5, name), names: [name], original: "p1")
            l.ought("\(name) is looked up", l.isHint(answer))
        }
        let own = l.hook("n4", .attempt("s1"), [.debit], approved(5, "q1"), names: ["q1"])
        l.ought("its own message is looked up", l.isHint(own))
        l.ought("still the sum: \(l.amounts("s1").captured)", l.amounts("s1").captured == 10 && l.own.isEmpty)
        l.ought("no mark", l.store.notices.isEmpty && !l.store.alerts.contains(.unclear("s1")))
        #expect(l.failures == [])
    }

    @Test("Two dashboard refunds whose messages carry no name of their own but the payment's")
    func twoDashboardRefundsWhoseMessagesCarryNo() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        _ = l.hook("n1", .name("p1"), [.refund], approved(3, "p1"), names: ["p1"], original: "p1")
        _ = l.hook("n2", .name("p1"), [.refund], approved(3, "p1"), names: ["p1"], original: "p1")
        l.ought(
            "both reserve: \(l.amounts("s1").refundable) left",
            l.amounts("s1").refundable == 4 && l.own.count == 2 && l.store.alerts.count == 2)
        l.ought(
            "another refund goes, within what is left",
            !l.isOK(l.open(refund("r1", 5))) && l.isOK(l.open(refund("r1", 4))))
        l.now += 100
        for one in l.own {
            l.ought(
                "a person says that it is one of its own",
                l.isOK(l.person(one.intent.attempt, .executed(name: "", nil))))
        }
        l.ought("6 given back", l.amounts("s1").refunded == 6)
        #expect(l.failures == [])
    }

    @Test("Ours is approved by totals, without a name, and the same movement is pushed")
    func oursApprovedByTotalsWithoutNameSame() {
        var l = RuleLab()
        l.sale("s1", "o1", name: "p1")
        l.open(refund("r1", 5))
        l.finish("r1", .answered, .approved(Approval(Money(5), [:])))
        _ = l.hook("n1", .name("d1"), [.refund], approved(5, "d1"), names: ["d1"], original: "p1")
        l.ought(
            "counts against what is left and frees no reference",
            l.amounts("s1").refunded == 5 && l.amounts("s1").refundable == 0
                && !l.isOK(l.open(Intent("s2", .sale, Money(10), reference: "o1"))))
        l.now += 100
        l.ought(
            "a person says that it is r1",
            l.isOK(l.person(l.one.intent.attempt, .notExecuted())) && l.amounts("s1").refundable == 5)
        #expect(l.failures == [])
    }
}
