import PaymentDriverKit
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// Imports, restores and generations.
@Suite struct ImportRuleTests {
    @Test("After a restore only ids of the new generation begin")
    func afterRestoreOnlyIdsNewGenerationBegin() {
        var l = RuleLab()
        l.store.restored(as: JournalGeneration(2))
        l.ought("own id", l.isRefused(l.open(Intent("till-4", .sale, Money(10), reference: "o1"))))
        l.ought("id from before", l.isRefused(l.open(Intent(.drawn(1, 4), .sale, Money(10), reference: "o2"))))
        l.ought("id from after", !l.isRefused(l.open(Intent(.drawn(2, 4), .sale, Money(10), reference: "o3"))))
        #expect(l.failures == [])
    }

    @Test("The provider's export is imported while ours is in doubt (NT, the other way round)")
    func providerSExportImportedWhileOursDoubt() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        let i = Begin(Intent("i1", .sale, Money(10), reference: "o1"), l.a)
        let answer = l.write(.report("i1", .imported(approved(10, "p1"), i, names: ["p1"], saidAt: 1)))
        var other = l
        l.ought("the import of what may be s1 is refused", !l.isOK(answer))
        l.now += 100
        _ = l.write(
            .report(
                "s1", .lookup(.found(approved(10, "p1")), l.basis("s1"), LookupTerms(quietPeriod: 20), names: ["p1"])))
        l.ought("a lookup can still decide s1, is \(l.state("s1"))", l.state("s1") == "approved")
        other.now += 100
        l.ought("a person can say: it is that one", other.isOK(other.person("s1", .executed(name: "p1", nil))))
        // The import came first: what was refused as claimed is kept as a dispute, and a person can say that both are one.
        l.sale("s5", "o5", name: nil)
        l.now += 100
        _ = l.write(
            .report(
                "i5",
                .imported(
                    approved(10, "p5"), Begin(Intent("i5", .sale, Money(10), reference: "o6"), l.a), names: ["p5"],
                    saidAt: 1, paidAt: -1_000_000)))
        _ = l.found("s5", approved(10, "p5"), names: ["p5"])
        l.ought("the claimed approval is kept beside", l.at("s5").disputes.count == 1 && l.state("s5") == "inDoubt")
        l.ought("...but can only say the untrue: not executed", !l.isOK(l.person("s5", .notExecuted())))
        l.ought(
            "they are the same: the import counts",
            l.isOK(l.person("s5", .isTheSame(as: "i5"))) && !l.at("s5").isOpen && l.at("s5").absorbedBy == "i5"
                && l.state("i5") == "approved")
        #expect(l.failures == [])
    }

    @Test("An import that says what was refunded, and a kept notice of that very refund from before saidAt")
    func importSaysWhatWasRefundedKeptNotice() {
        var l = RuleLab()
        _ = l.hook("n1", .name("d1"), [.refund], approved(5, "d1"), names: ["d1"], original: "p1", at: 50)
        _ = l.write(
            .report(
                "i1",
                .imported(
                    approved(10, "p1"), Begin(Intent("i1", .sale, Money(10), reference: "o1"), l.a), names: ["p1"],
                    saidAt: 100)))
        _ = l.write(
            .report(
                "i1r",
                .imported(
                    approved(5, ""), Begin(Intent("i1r", .refund, Money(5), payment: "i1"), l.a), names: [], saidAt: 100
                )))
        l.ought("refunded 5, journal says \(l.amounts("i1").refunded)", l.amounts("i1").refunded == 5)
        #expect(l.failures == [])
    }

    @Test("After a restore: ids of the application's own")
    func afterRestoreIdsApplicationSOwn() {
        var l = RuleLab()
        l.store.restored(as: JournalGeneration(2))
        l.now = 400_000_000
        l.ought("refused at first", !l.isOK(l.open(Intent("order-9001-1", .sale, Money(10), reference: "o9"))))
        l.ought(
            "nobody can say that it is new", !l.isOK(l.open(Intent("order-9000-1", .sale, Money(10), reference: "o8"))))
        _ = l.write(.closeGap(by: "Kim"))
        l.ought(
            "a shop with own ids can ever sell again",
            l.isOK(l.open(Intent("order-9001-1", .sale, Money(10), reference: "o9"))))
        #expect(l.failures == [])
    }

    @Test("After a restore: the library's id of a till whose clock was ahead (H40b)")
    func afterRestoreLibrarySIdTillWhose() {
        var l = RuleLab()
        l.store.restored(as: JournalGeneration(2))
        l.ought(
            "the lost attempt is not begun again",
            !l.isOK(l.open(Intent(.drawn(1, 7_200), .sale, Money(10), reference: "o1"))))
        l.ought("an id of this generation is", l.isOK(l.open(Intent(.drawn(2, 1), .sale, Money(10), reference: "o2"))))
        #expect(l.failures == [])
    }

    @Test("... a void that fails, a withdrawn statement, an import, an approval that nothing opened")
    func voidFailsWithdrawnStatementImportApprovalNothing() {
        var l = RuleLab()
        l.open(Intent("s1", .authorize, Money(10), reference: "o1"))
        l.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        l.open(Intent("v1", .void, Money(10), payment: "s1"))
        l.finish("v1", .answered, approved(10, "v"), names: ["v"])
        l.sale("s2", "o1", name: "p2")
        _ = l.hook("n1", .name("v"), [.void], declined("v", .failedAfterApproval), names: ["v"])
        l.ought("void", l.store.alerts.contains(.activeTwice(["s1", "s2"])))
        l.sale("s3", "o3", name: nil)
        l.absence("s3")
        l.sale("s4", "o3", name: "p4")
        _ = l.write(
            .report(
                "i3",
                .imported(
                    approved(8, "p3"), Begin(Intent("i3", .sale, Money(8), reference: "o3"), l.a), names: ["p3"],
                    saidAt: 1)))
        l.ought("import", l.store.alerts.contains(.activeTwice(["s4", "i3"])))
        var finish = Finish("s5", owner: "A")
        finish.begin = Begin(Intent("s5", .sale, Money(10), reference: "o1"), l.a)
        finish.verdict = approved(10, "p5")
        _ = l.write(.finish(finish))
        l.ought(
            "unopened",
            l.store.alerts.contains(.unopened("s5")) && l.store.alerts.contains(.activeTwice(["s1", "s2", "s5"])))
        #expect(l.failures == [])
    }

    @Test("Ids: only those of this generation begin, also after two restores of one backup")
    func idsOnlyThoseThisGenerationBeginAlso() {
        var l = RuleLab()
        let backup = l.store
        l.store.restored(as: JournalGeneration(2))
        l.sale(.drawn(2, 1), "o1", name: "p1")
        l.store = backup
        l.store.restored(as: JournalGeneration(3))
        l.ought("an id of the other restore", !l.isOK(l.open(Intent(.drawn(2, 1), .sale, Money(10), reference: "o1"))))
        l.ought("one of this", l.isOK(l.open(Intent(.drawn(3, 1), .sale, Money(10), reference: "o2"))))
        #expect(l.failures == [])
    }

    @Test("An old attempt begins no new run while the gap is open, and an import of its id is recorded of it")
    func oldAttemptBeginsNoNewRunWhile() {
        var l = RuleLab()
        l.sale("s1", "o1", name: nil)
        l.absence("s1")
        l.store.restored(as: JournalGeneration(2))
        l.ought("no run", !l.isOK(l.open(Intent("s1", .sale, Money(10), reference: "o1"))))
        _ = l.write(
            .report(
                "s1",
                .imported(
                    approved(10, "p1"), Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a), names: ["p1"],
                    saidAt: 1)))
        l.ought("approved", l.state("s1") == "approved")
        #expect(l.failures == [])
    }

    @Test("An imported follow-up gives way to ours and is absorbed")
    func importedFollowUpGivesWayOursAbsorbed() {
        var l = RuleLab()
        _ = l.write(
            .report(
                "s1",
                .imported(
                    approved(10, "p1"), Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a), names: ["p1"],
                    saidAt: 1)))
        l.open(refund("r1", 4))
        l.finish("r1", .lost, nil)
        _ = l.write(
            .report(
                "i1",
                .imported(approved(4, "q1"), Begin(refund("i1", 4), l.a), names: ["q1"], saidAt: 1, paidAt: -1_000_000))
        )
        l.ought("both", l.amounts("s1").refunded == 4 && l.amounts("s1").refunding == 4)
        l.now += 100
        l.found("r1", approved(4, "q1"), names: ["q1"])
        l.ought("one", l.at("i1").absorbedBy == "r1" && l.amounts("s1").refunded == 4 && l.amounts("s1").refunding == 0)
        #expect(l.failures == [])
    }

    @Test("Import: what it had counted gives its name, counts for nothing, and its failure comes off (M8)")
    func importWhatHadCountedGivesNameCounts() {
        var l = RuleLab()
        func start(_ l: inout RuleLab) {
            _ = l.write(
                .report(
                    "s1",
                    .imported(
                        approved(10, "p1"), Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a), names: ["p1"],
                        saidAt: 100)))
            _ = l.write(.report("i1", .imported(approved(5, ""), Begin(refund("i1", 5), l.a), names: [], saidAt: 100)))
        }
        start(&l)
        var early = l
        _ = l.hook("n1", .name("d1"), [.refund], approved(5, "d1"), names: ["d1"], original: "p1", at: 50)
        l.ought("counted once", l.amounts("s1").refunded == 5)
        _ = l.hook(
            "n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1", at: 150)
        l.ought("off, is \(l.amounts("s1").refunded)", l.amounts("s1").refunded == 0)
        _ = early.hook("n1", .name("d1"), [.refund], approved(5, "d1"), names: ["d1"], original: "p1", at: 120)
        l.ought("a later one counts", early.amounts("s1").refunded == 10)
        _ = early.hook(
            "n2", .name("d1"), [.refund], declined("d1", .failedAfterApproval), names: ["d1"], original: "p1", at: 150)
        l.ought("and fails alone", early.amounts("s1").refunded == 5)
        #expect(l.failures == [])
    }

    @Test("Import: a part that had failed before its time raises nothing, whichever came first")
    func importPartThatFailedBeforeItsTime() {
        var l = RuleLab()
        func arrive(_ l: inout RuleLab) {
            var notice = Notice(
                "n1", l.a, .name("p1"), [.sale], declined("p1", .failedAfterApproval), at: 50, names: ["p1"])
            notice.amount = Money(4)
            _ = l.write(.notice(notice))
        }
        func list(_ l: inout RuleLab) {
            let sale = Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a)
            _ = l.write(.report("s1", .imported(approved(10, "p1"), sale, names: ["p1"], saidAt: 100)))
        }
        var other = l
        list(&l)
        arrive(&l)
        arrive(&other)
        list(&other)
        l.ought("after it", !l.at("s1").isContradicted)
        l.ought("before it", !other.at("s1").isContradicted)
        #expect(l.failures == [])
    }

    @Test("Import: a movement without a provider time is in doubt until a person says which (M9)")
    func importMovementWithoutProviderTimeDoubtUntil() {
        var l = RuleLab()
        _ = l.write(
            .report(
                "s1",
                .imported(
                    approved(10, "p1"), Begin(Intent("s1", .sale, Money(10), reference: "o1"), l.a), names: ["p1"],
                    saidAt: 100)))
        _ = l.hook("n1", .name("d1"), [.refund], approved(4, "d1"), names: ["d1"], original: "p1")
        l.ought("reserves", l.one.state == .inDoubt && l.amounts("s1").refundable == 6)
        l.now += 100
        var other = l
        l.ought(
            "later",
            l.isOK(l.person(RuleLab.movement("d1"), .executed(name: "d1", nil))) && l.amounts("s1").refunded == 4)
        l.ought(
            "counted by the import",
            other.isOK(other.person(RuleLab.movement("d1"), .notExecuted())) && other.amounts("s1").refundable == 10)
        #expect(l.failures == [])
    }

    @Test("Import: an old doubt refuses what lies in its time only; a row with our id is recorded of it")
    func importOldDoubtRefusesWhatLiesTime() {
        var l = RuleLab()
        l.now = 10_000_000
        l.sale("s1", "o1", name: nil)
        func take(_ l: inout RuleLab, _ id: AttemptID, at time: Int64) -> Bool {
            l.isOK(
                l.write(
                    .report(
                        id,
                        .imported(
                            approved(10, "\(id)"), Begin(Intent(id, .sale, Money(10), reference: "\(id)"), l.a),
                            names: ["\(id)"], saidAt: time, paidAt: time))))
        }
        l.ought("before", take(&l, "i1", at: 9_000_000))
        l.ought("within", !take(&l, "i2", at: 10_000_000))
        l.ought("after", take(&l, "i3", at: 10_200_000))
        l.ought(
            "an id of ours, whatever the list says of it", take(&l, "s1", at: 10_000_000) && l.state("s1") == "approved"
        )
        #expect(l.failures == [])
    }
}
