import PaymentJournalKit
import Testing

@testable import PaymentModel

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

/// What is permitted never exceeds what is there, whatever a provider executes of it.
@Suite struct SumRuleTests {
    /// One operation on a payment.
    private struct Step: Sendable {
        let operation: Operation
        let units: Int64
    }

    private enum Reply: CaseIterable { case approved, refused, lost }

    /// What the provider has, if it executed everything that may have been executed.
    private struct Truth {
        let isHold: Bool
        var authorized: Int64 = 10
        var captured: Int64
        var refunded: Int64 = 0
        var isVoided = false
        /// Whether the rest of a hold was let go after a part was captured.
        var isReleased = false

        /// Executes a step; says what is wrong with it.
        mutating func execute(_ step: Step) -> String? {
            switch step.operation {
            case .capture: captured += step.units
            case .refund, .unlinkedRefund: refunded += step.units
            case .adjust: authorized = step.units
            case .void:
                if refunded > 0 { return "voided after a refund" }
                (isVoided, isReleased) = isHold && captured > 0 ? (false, true) : (true, true)
                return nil
            case .sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit, .chargeback: return "it is no follow-up"
            }
            let isRefund = step.operation == .refund || step.operation == .unlinkedRefund
            if isVoided || isReleased && !isRefund { return "done after a void" }
            if captured > authorized { return "\(captured) captured of \(authorized)" }
            return refunded > captured ? "\(refunded) refunded of \(captured)" : nil
        }
    }

    private static let steps = [
        Step(operation: .capture, units: 4), Step(operation: .capture, units: 10), Step(operation: .refund, units: 3),
        Step(operation: .refund, units: 10), Step(operation: .unlinkedRefund, units: 6),
        Step(operation: .adjust, units: 12), Step(operation: .adjust, units: 3), Step(operation: .void, units: 10),
    ]

    /// Tries every step after what happened so far, with every reply.
    private static func walk(
        _ lab: RuleLab, _ truth: Truth, _ path: [String], _ found: inout (nodes: Int, wrong: [String])
    ) {
        found.nodes += 1
        guard path.count < 4 else { return }
        for step in steps {
            var lab = lab
            let id = AttemptID(path.count, "f")
            let intent = Intent(
                id, step.operation, Money(step.units), reference: step.operation.paysOnce ? "item \(path.count)" : nil,
                payment: "s1")
            guard lab.isOK(lab.open(intent)) else { continue }
            for reply in Reply.allCases {
                var (next, after) = (lab, truth)
                let words = path + ["\(step.operation) \(step.units) \(reply)"]
                switch reply {
                case .approved:
                    next.finish(id, .answered, approved(step.units, "n\(path.count)"), names: ["n\(path.count)"])
                case .refused: next.finish(id, .refused, nil)
                case .lost: next.finish(id, .lost, nil)
                }
                if reply != .refused, let wrong = after.execute(step) {
                    found.wrong.append("\(words.joined(separator: ", ")): \(wrong)")
                }
                walk(next, after, words, &found)
            }
        }
    }

    @Test("What is permitted never exceeds what is there", arguments: [Operation.sale, .authorize])
    func permittedNeverExceedsWhatIsThere(_ origin: Operation) {
        var lab = RuleLab()
        lab.open(Intent("s1", origin, Money(10), reference: "o1"))
        lab.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
        var found = (nodes: 0, wrong: [String]())
        Self.walk(lab, Truth(isHold: origin == .authorize, captured: origin == .sale ? 10 : 0), [], &found)
        #expect(found.wrong == [])
        #expect(found.nodes > 30, "\(found.nodes)")
    }

    @Test("An amount of nothing or less, or the largest there is, is never permitted")
    func amountOutOfRangeNeverPermitted() {
        for origin in [Operation.sale, .authorize] {
            var lab = RuleLab()
            lab.open(Intent("s1", origin, Money(10), reference: "o1"))
            lab.finish("s1", .answered, approved(10, "p1"), names: ["p1"])
            for operation in [Operation.capture, .refund, .unlinkedRefund] {
                for units in [Int64.min, -10, -1, .max] {
                    let intent = Intent("f1", operation, Money(units), payment: "s1")
                    let answer = lab.open(intent)
                    lab.ought("\(operation) of \(units) after a \(origin)", lab.isRefused(answer))
                }
            }
            #expect(lab.failures == [])
        }
    }
}
