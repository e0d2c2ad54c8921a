import PaymentDriverKit
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// What a found decline proves where the provider registers an attempt's id once.
@Suite struct TakenIDRuleTests {
    /// An attempt whose requests were both lost, and what a lookup of it finds at once.
    private static func looked(_ verdict: Verdict, takesIDOnce: Bool) -> RuleLab {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(10), reference: "o1"), key: "k")
        l.again("s1", closing: Closing(1, .lost), key: "k")
        l.finish("s1", .lost, nil)
        var terms = LookupTerms(quietPeriod: nil)
        terms.takesIDOnce = takesIDOnce
        _ = l.write(.report("s1", .lookup(.found(verdict), l.basis("s1"), terms, names: [])))
        return l
    }

    private static func declined(_ name: String) -> Verdict { .declined(Decline(.refused, ["payment": name])) }

    @Test func decline_underAnIDThatIsTakenOnce_excludesLostRequests() {
        #expect(Self.looked(Self.declined("s1"), takesIDOnce: true).state("s1") == "declined")
    }

    @Test func decline_underAnIDThatMayBePaidAgain_waitsForTheQuietTime() {
        #expect(Self.looked(Self.declined("s1"), takesIDOnce: false).state("s1") == "inDoubt")
    }

    @Test func decline_thatDoesNotNameTheID_waitsForTheQuietTime() {
        #expect(Self.looked(Self.declined("p1"), takesIDOnce: true).state("s1") == "inDoubt")
        #expect(Self.looked(.declined(Decline(.refused, [:])), takesIDOnce: true).state("s1") == "inDoubt")
    }

    /// No document allows it, and if it happens the money counts.
    @Test func approval_afterADeclineUnderTheID_countsAndIsRaised() {
        var l = Self.looked(Self.declined("s1"), takesIDOnce: true)
        l.now += 100
        _ = l.write(
            .notice(
                Notice(
                    "n1", l.a, .attempt("s1"), [.sale], .approved(Approval(Money(10), ["payment": "s1"])), at: 2,
                    names: ["s1"])))
        #expect(l.state("s1") == "approved" && l.store.attempts["s1"]?.isContradicted == true)
    }
}
