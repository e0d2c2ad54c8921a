import Testing

@testable import PaymentAbstraction

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
            case .sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit: return "it is no follow-up"
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
