import Testing

@testable import PaymentAbstraction

/// Which amounts are believed of a provider, wherever they come from.
@Suite struct AmountRuleTests {
    enum Source: CaseIterable, Sendable { case reply, lookup, webhook }

    /// A sale of so many units of which a source says something.
    private func lab(_ asked: Int64, _ source: Source, _ verdict: Verdict) -> RuleLab {
        var l = RuleLab()
        l.open(Intent("s1", .sale, Money(asked), reference: "o1"))
        if source == .reply {
            l.finish("s1", .answered, verdict, names: ["p1"])
            return l
        }
        l.finish("s1", .lost, nil)
        if source == .lookup {
            l.found("s1", verdict, names: ["p1"])
        } else {
            l.hook("n1", .attempt("s1"), [.sale], verdict, names: ["p1"], at: 2)
        }
        return l
    }

    @Test("An amount off by a power of ten is not believed from any source", arguments: Source.allCases)
    func offByPowerOfTenNotBelieved(_ source: Source) {
        for units: Int64 in [1, 10, 100, 10_000, 100_000, 1_000_000] {
            let l = lab(1_000, source, approved(units, "p1"))
            #expect(l.state("s1") == "inDoubt" && l.at("s1").moved == nil, "\(units)")
            #expect(l.store.alerts.contains(.otherAmount("s1")), "\(units)")
        }
        let dollars = lab(1_000, source, .approved(Approval(Money(1_000, .usd), ["id": "p1"])))
        #expect(dollars.state("s1") == "inDoubt" && dollars.store.alerts.contains(.otherAmount("s1")))
    }

    @Test("Another amount is believed and raised", arguments: Source.allCases)
    func otherAmountBelievedAndRaised(_ source: Source) {
        let l = lab(1_000, source, approved(1_150, "p1"))
        #expect(l.at("s1").moved == Money(1_150) && l.store.alerts.contains(.otherAmount("s1")))
    }

    @Test("An amount that no payment has is not believed", arguments: Source.allCases)
    func amountThatNoPaymentHasNotBelieved(_ source: Source) {
        for units in [Int64.max, .min, -1_234, -1, 0, Money.believableMinorUnitsMax + 1] {
            let l = lab(1_234, source, approved(units, "p1"))
            #expect(l.state("s1") == "inDoubt" && l.store.alerts.contains(.otherAmount("s1")), "\(units)")
        }
        #expect(lab(1_234, source, approved(Money.believableMinorUnitsMax, "p1")).state("s1") == "approved")
    }

    @Test("An amount that was explained once needs no reason when it is said again")
    func amountExplainedOnceNeedsNoReason() {
        for units: Int64 in [100, 400, 1_200] {
            var part = Approval(Money(units), ["id": "p1"])
            part.isPartial = true
            var l = lab(1_000, .lookup, .approved(part))
            l.hook("n1", .name("p1"), [.sale], approved(units, "p1"), names: ["p1"], at: 2)
            l.ought("no alert about \(units)", l.store.alerts.isEmpty && l.at("s1").moved == Money(units))
            l.hook("n2", .name("p1"), [.sale], approved(units + 50, "p1"), names: ["p1"], at: 3)
            l.ought("another one is raised", l.store.alerts.contains(.otherAmount("s1")))
            #expect(l.failures == [])
        }
    }
}
