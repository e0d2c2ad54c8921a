internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

// Payments that begin at the Gate, on a server that may hold card numbers.

extension EcommpayDriver {
    /// Sends what is paid with, and follows the payment until it is decided or takes long.
    func begin(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        var order = order
        order.extras = await extras(operation, order, context)
        try visaRule(order)
        let (path, body) = try EcommpayMapping.beginning(operation, order, context.attempt, configuration)
        let name = context.attempt.text
        // A callback may be here before the answer.
        steps.expect(name)
        defer { steps.forget(name) }
        let (ack, claim) = try await context.exchange(.idempotent) { _ in
            try await beginning(operation, order.amount, context) {
                try await send(signed: body, to: path) { EcommpayAck($0, about: name) }
            }
        }
        guard ack.payment == name else {
            throw PaymentError.unknown(.mismatch, "the answer is about another payment")
        }
        return try await kept(try await follow(operation, order.amount, claim, context), order, context)
    }

    /// Asks how a payment stands until it is decided, and answers its steps.
    ///
    /// - Parameter claim: What has to be compared with the payment.
    private func follow(
        _ operation: PaymentOperation, _ amount: Money, _ claim: EcommpayClaim, _ context: PaymentContext
    ) async throws -> Verdict {
        let name = context.attempt.text
        let open = Verdict.pending(Pending(references: ["payment": name], shouldPoll: false))
        var (waits, refusals, answers) = (0, 0, 0)
        var last: EcommpayReport?
        for _ in 0..<Self.roundsMax {
            let report = try await context.exchange(.readOnly) { _ in try await status(name) }
            try believe(report, operation, by: claim)
            let isPatient = waits < Self.patience
            if let asked = step(report, again: last, isPatient: isPatient, isSecond: answers > 0) {
                last = asked.question.map { _ in asked }
                guard let question = asked.question else { return open }
                let heard = try await answer(question, asked, .gate(name), context)
                if heard == .answered {
                    (last, answers) = (nil, answers + 1)
                    continue
                }
                refusals += 1
                if heard == .refused, refusals < Self.refusalsMax { continue }
                return open
            }
            if !report.isUnknownSoFar {
                switch try EcommpayMapping.standing(report, operation, asked: amount) {
                case .verdict(let verdict): return verdict.told(against: amount)
                case .doubtful: return .pending(Pending(shouldPoll: true))
                case .waiting, .moving: break
                }
            }
            waits += 1
            await context.pause(until: context.now + min(Int64(waits) * 1_000, Self.pollMillisecondsMax))
        }
        return open
    }

    /// The step that a payment waits for: told by a callback, the one whose answer was refused, or, where no callback
    /// comes for a while, shown by the status.
    ///
    /// The status doesn't say that a page belongs to another try, which needs the customer's consent: one that follows
    /// an answer or something that failed may.
    private func step(
        _ report: EcommpayReport, again refused: EcommpayReport?, isPatient: Bool, isSecond: Bool
    ) -> EcommpayReport? {
        guard EcommpayMapping.isWaiting(report.status) else { return nil }
        if let told = steps.take(report.payment) ?? refused { return told }
        guard report.question != nil, !isPatient else { return nil }
        var shown = report
        shown.isCascading =
            shown.isCascading || isSecond || report.operations.contains { EcommpayMapping.isOver($0.status) }
        return shown
    }

    /// How often a step's callback is waited for before the status is taken for it.
    private static var patience: Int { 3 }

    /// The approval with the account that a sale has kept, which the status doesn't name.
    private func kept(
        _ verdict: Verdict, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        guard case .approved(var approval) = verdict, approval.saved == nil, order.savesInstrument,
            case .card(let card) = order.source, let customer = order.customer
        else { return verdict }
        approval.saved = await kept(card.number.expose(), of: customer, context)
        return .approved(approval)
    }

    /// The only account of a customer that fits a card's number; nil where the list shows none, or several.
    func kept(_ number: String, of customer: String, _ context: PaymentContext) async -> SavedInstrument? {
        guard let list = try? await context.exchange(.readOnly, { _ in try await accounts(of: customer) }) else {
            return nil
        }
        let fitting = list.filter { $0["number"]?.string.map(EcommpayMapping.mark) == EcommpayMapping.mark(number) }
        return fitting.count == 1 ? fitting.first.flatMap { EcommpayMapping.instrument($0, of: customer) } : nil
    }
}
