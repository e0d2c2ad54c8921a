public import PaymentAbstraction
internal import PaymentBase

/// One money operation that is played under every fault: what has to be there before, and the call itself.
public struct FaultScenario: Sendable, CustomStringConvertible {
    public let description: String
    /// What the call is.
    public let operation: Operation
    /// Faults whose lie about the amount can't be told from the truth, with the reason; whatever else is wrong under them
    /// is a problem.
    public var believable: [String: String] = [:]
    let needs: [String]
    let before: @Sendable (Kit) async throws -> PaymentID?
    let call: @Sendable (Kit, PaymentID?, AttemptID) async throws -> PaymentResult

    private init(
        _ description: String, _ operation: Operation, _ needs: [String],
        before: @escaping @Sendable (Kit) async throws -> PaymentID? = { _ in nil },
        _ call: @escaping @Sendable (Kit, PaymentID?, AttemptID) async throws -> PaymentResult
    ) {
        (self.description, self.operation, self.needs) = (description, operation, needs)
        (self.before, self.call) = (before, call)
    }

    private static func sale(_ script: Script, _ source: SourceKind?, _ what: String) -> FaultScenario {
        let needs = ["sale"] + (source.map { ["source.\($0.rawValue)"] } ?? [])
        return FaultScenario("sale \(what)", .sale, needs) { kit, _, attempt in
            try await kit.sell(script, from: source, attempt: attempt)
        }
    }

    private static func follow(
        _ what: String, _ operation: Operation, _ needs: [String], onHeld isHeld: Bool = false,
        _ call: @escaping @Sendable (Kit, PaymentID, Money, AttemptID) async throws -> PaymentResult
    ) -> FaultScenario {
        FaultScenario(what, operation, needs + [isHeld ? "authorize" : "sale"]) { kit in
            isHeld ? try await kit.held(reference: "before").id : try await kit.sold(reference: "before").id
        } _: { kit, payment, attempt in
            guard let payment else { throw CheckFailure("the payment before is missing") }
            let whole = try kit.cue(.approved, isHeld ? .authorize : .sale).amount
            return try await call(kit, payment, whole, attempt)
        }
    }

    private static var part: FaultScenario {
        var part = FaultScenario("sale of a part", .sale, ["sale", "request.partialApproval"]) { kit, _, attempt in
            try await kit.sell(.partial, attempt: attempt) { $0.acceptsPartial = true }
        }
        part.believable["member.wrong-amount"] = "any part of what was asked for may be true"
        return part
    }

    /// Every scenario: each money operation, each kind of source, each kind of question.
    public static let all: [FaultScenario] =
        SourceKind.allCases.map { sale(.approved, $0, "from \($0.rawValue)") } + [
            sale(.insufficientFunds, nil, "that is declined"), sale(.challenge, nil, "with a challenge"),
            sale(.clarification, nil, "with a clarification"), sale(.pin, .reader, "with a PIN"),
            part,
            FaultScenario("authorisation", .authorize, ["authorize"]) { kit, _, attempt in
                try await kit.hold(attempt: attempt)
            },
            follow("capture of a part", .capture, ["capture.partial"], onHeld: true) { kit, payment, whole, attempt in
                try await kit.client.capture(payment, whole.half, attempt: attempt)
            },
            follow("capture of all", .capture, [], onHeld: true) { kit, payment, whole, attempt in
                try await kit.client.capture(payment, whole, attempt: attempt)
            },
            follow("adjustment", .adjust, ["adjust"], onHeld: true) { kit, payment, whole, attempt in
                try await kit.client.adjust(payment, to: whole.plus(1_000), attempt: attempt)
            },
            follow("void of an authorisation", .void, ["void"], onHeld: true) { kit, payment, _, attempt in
                try await kit.client.void(payment, attempt: attempt)
            },
            follow("void of a sale", .void, ["void"]) { kit, payment, _, attempt in
                try await kit.client.void(payment, attempt: attempt)
            },
            follow("refund of a part", .refund, ["refund.partial"]) { kit, payment, whole, attempt in
                try await kit.refund(payment, whole.half, attempt: attempt)
            },
            follow("refund of all", .refund, ["refund"]) { kit, payment, whole, attempt in
                try await kit.refund(payment, whole, attempt: attempt)
            },
            follow("tip", .tipAdjustment, ["tip.adjust"]) { kit, payment, whole, attempt in
                try await kit.client.adjustTip(payment, to: Money(minorUnits: 300, whole.currency), attempt: attempt)
            },
            FaultScenario("refund without an original", .unlinkedRefund, ["refund.unlinked"]) { kit, _, attempt in
                let taken = kit.driver.capabilities.unlinkedRefundSources
                let cue = try kit.cue(.approved, .unlinkedRefund, from: taken.contains(.reader) ? .reader : kit.source)
                let request = UnlinkedRefundRequest(cue.amount, to: cue.source, reference: "order")
                return try await kit.client.refund(unlinked: request, attempt: attempt)
            },
            FaultScenario("verification", .verify, ["verify"]) { kit, _, attempt in
                let cue = try kit.cue()
                let request = kit.verification(cue, reference: "order")
                return try await kit.client.verify(request, attempt: attempt)
            },
            FaultScenario("tokenisation", .tokenize, ["tokenize"]) { kit, _, attempt in
                let cue = try kit.cue()
                let request = kit.verification(cue, reference: "order")
                return try await kit.client.tokenize(request, attempt: attempt)
            },
            FaultScenario("debit of a card on file", .debit, ["debit", "request.saveInstrument"]) { kit in
                try await kit.sold(reference: "before", kit.puttingOnFile).id
            } _: { kit, payment, attempt in
                guard let payment, let saved = try await kit.journal.records(.payment(payment)).first?.approval?.saved
                else { throw CheckFailure("nothing was saved") }
                let request = DebitRequest(try kit.cue().amount, of: saved.id, reference: "order")
                return try await kit.client.debit(request, attempt: attempt)
            },
        ]
}
