public import PaymentAbstraction
internal import PaymentBase

/// One money operation that is played under every fault: what has to be there before, and the call itself.
public struct FaultSweepScenario: Sendable, CustomStringConvertible {
    public let description: String
    /// What the call is.
    public let operation: PaymentOperation
    /// Faults whose lie about the amount can't be told from the truth, with the reason; whatever else is wrong under
    /// them is a problem.
    public var believable: [String: String] = [:]
    let needs: [String]
    let before: @Sendable (CheckContext) async throws -> PaymentID?
    let call: @Sendable (CheckContext, PaymentID?, AttemptID) async throws -> PaymentResult

    private init(
        _ description: String, _ operation: PaymentOperation, _ needs: [String],
        before: @escaping @Sendable (CheckContext) async throws -> PaymentID? = { _ in nil },
        _ call: @escaping @Sendable (CheckContext, PaymentID?, AttemptID) async throws -> PaymentResult
    ) {
        (self.description, self.operation, self.needs) = (description, operation, needs)
        (self.before, self.call) = (before, call)
    }

    private static func sale(_ script: SimulatedOutcome, _ source: PaymentSource.Kind?, _ what: String)
        -> FaultSweepScenario
    {
        let needs = ["sale"] + (source.map { ["source.\($0.rawValue)"] } ?? [])
        return FaultSweepScenario("sale \(what)", .sale, needs) { context, _, attempt in
            try await context.sale(script, from: source, attempt: attempt)
        }
    }

    private static func follow(
        _ what: String, _ operation: PaymentOperation, _ needs: [String], onHeld isHeld: Bool = false,
        _ call: @escaping @Sendable (CheckContext, PaymentID, Money, AttemptID) async throws -> PaymentResult
    ) -> FaultSweepScenario {
        FaultSweepScenario(what, operation, needs + [isHeld ? "authorize" : "sale"]) { context in
            isHeld
                ? try await context.authorized(reference: "before").id
                : try await context.approvedSale(reference: "before").id
        } _: { context, payment, attempt in
            guard let payment else { throw CheckFailure("the payment before is missing") }
            let whole = try context.scripted(.approved, isHeld ? .authorize : .sale).amount
            return try await call(context, payment, whole, attempt)
        }
    }

    private static var part: FaultSweepScenario {
        var part = FaultSweepScenario("sale of a part", .sale, ["sale", "request.partialApproval"]) {
            context, _, attempt in
            try await context.sale(.partial, attempt: attempt) { $0.acceptsPartialApproval = true }
        }
        part.believable["member.wrong-amount"] = "any part of what was asked for may be true"
        return part
    }

    /// Every scenario: each money operation, each kind of source, each kind of question.
    public static let all: [FaultSweepScenario] =
        PaymentSource.Kind.allCases.map { sale(.approved, $0, "from \($0.rawValue)") } + [
            sale(.insufficientFunds, nil, "that is declined"), sale(.challenge, nil, "with a challenge"),
            sale(.clarification, nil, "with a clarification"), sale(.pin, .reader, "with a PIN"),
            part,
            FaultSweepScenario("authorisation", .authorize, ["authorize"]) { context, _, attempt in
                try await context.authorize(attempt: attempt)
            },
            follow("capture of a part", .capture, ["capture.partial"], onHeld: true) {
                context, payment, whole, attempt in
                try await context.client.capture(payment, of: whole.half, attempt: attempt)
            },
            follow("capture of all", .capture, [], onHeld: true) { context, payment, whole, attempt in
                try await context.client.capture(payment, of: whole, attempt: attempt)
            },
            follow("adjustment", .adjust, ["adjust"], onHeld: true) { context, payment, whole, attempt in
                try await context.client.adjust(payment, to: whole.plus(1_000), attempt: attempt)
            },
            follow("void of an authorisation", .void, ["void"], onHeld: true) { context, payment, _, attempt in
                try await context.client.void(payment, attempt: attempt)
            },
            follow("void of a sale", .void, ["void"]) { context, payment, _, attempt in
                try await context.client.void(payment, attempt: attempt)
            },
            follow("refund of a part", .refund, ["refund.partial"]) { context, payment, whole, attempt in
                try await context.refund(payment, of: whole.half, attempt: attempt)
            },
            follow("refund of all", .refund, ["refund"]) { context, payment, whole, attempt in
                try await context.refund(payment, of: whole, attempt: attempt)
            },
            follow("tip", .tipAdjustment, ["tip.adjust"]) { context, payment, whole, attempt in
                try await context.client.adjustTip(
                    payment, to: Money(minorUnits: 300, whole.currency), attempt: attempt)
            },
            FaultSweepScenario("refund without an original", .unlinkedRefund, ["refund.unlinked"]) {
                context, _, attempt in
                let taken = context.driver.capabilities.unlinkedRefundSources
                let scripted = try context.scripted(
                    .approved, .unlinkedRefund, from: taken.contains(.reader) ? .reader : context.source)
                let request = UnlinkedRefundRequest(scripted.amount, to: scripted.source, reference: "order")
                return try await context.client.refundUnlinked(request, attempt: attempt)
            },
            FaultSweepScenario("verification", .verify, ["verify"]) { context, _, attempt in
                let scripted = try context.scripted()
                let request = context.verification(scripted, reference: "order")
                return try await context.client.verify(request, attempt: attempt)
            },
            FaultSweepScenario("tokenisation", .tokenize, ["tokenize"]) { context, _, attempt in
                let scripted = try context.scripted()
                let request = context.verification(scripted, reference: "order")
                return try await context.client.tokenize(request, attempt: attempt)
            },
            FaultSweepScenario("debit of a card on file", .debit, ["debit", "request.saveInstrument"]) { context in
                try await context.approvedSale(reference: "before", context.puttingOnFile).id
            } _: { context, payment, attempt in
                guard let payment,
                    let saved = try await context.journal.records(of: payment).first?.approval?.saved
                else { throw CheckFailure("nothing was saved") }
                var request = CardOnFileRequest(try context.scripted().amount, of: saved.id, reference: "order")
                request.customer = "customer-1"
                return try await context.client.chargeCardOnFile(request, attempt: attempt)
            },
        ]
}
