public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension EcommpayDriver: DetailsDriver {
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let operation = inquiry.record.intent.operation
        if operation == .tokenize, let customer = inquiry.note(Self.ownerNote) {
            return try await token(inquiry, of: customer, context)
        }
        if operation.isOrigin {
            let report = try await context.exchange { _ in try await status(inquiry.attempt.text) }
            switch EcommpayClaim(inquiry).answer(report, operation) {
            case .own: break
            case .foreign: return .cannotTell("The provider does not say.")
            case .doubtful(let why): throw Self.taken(report.payment, why, .unknown)
            }
            let standing = try EcommpayMapping.standing(report, operation, asked: inquiry.amount)
            guard case .verdict(let verdict) = standing else {
                return .cannotTell("The provider does not say.")
            }
            return .found(verdict.told(against: inquiry.amount))
        }
        guard let payment = inquiry.payment, let name = payment.references["payment"] else {
            return .cannotTell("The provider does not say.")
        }
        let report = try await context.exchange { _ in try await status(name) }
        switch operation {
        case .refund: return try await refund(report, name, inquiry, context)
        case .void:
            let isHold = payment.firstOperation == .authorize && payment.amounts.captured.minorUnits == 0
            if !isHold { return try await refund(report, name, inquiry, context) }
            return try changed(report, ["cancel"], "cancel", whole: inquiry.amount, inquiry)
        case .capture: return try changed(report, ["capture"], "capture", inquiry.amount, inquiry)
        case .adjust:
            let (asked, held) = (inquiry.amount, payment.amounts.capturable)
            let isMore = asked.minorUnits > held.minorUnits
            return try changed(
                report, ["incremental", "cancel"], isMore ? "incremental" : "cancel",
                try isMore ? asked.subtracting(held) : held.subtracting(asked), whole: asked, inquiry)
        case .sale, .authorize, .unlinkedRefund, .tipAdjustment, .verify, .tokenize, .debit:
            return .cannotTell("The provider does not say.")
        }
    }

    /// What became of a refund: by our own name for it, else by the provider's name for our request.
    private func refund(
        _ report: EcommpayReport, _ payment: String, _ inquiry: LookupRequest, _ context: LookupContext
    ) async throws -> LookupResult {
        let (name, request) = (inquiry.attempt.text, inquiry.note("request"))
        if let verdict = try EcommpayMapping.refund(report, name, request: request) { return .found(verdict) }
        // A list without names or requests can't tell; the request itself can.
        let isNamed = report.operations.contains { $0.refund == name || $0.request == request && request != nil }
        guard !isNamed, let request, inquiry.millisecondsSinceSent.map({ $0 >= Self.shownAfterMilliseconds }) ?? true,
            let own = try await context.exchange({ _ in try await status(ofRequest: request, payment) }),
            own.operations.count == 1, let only = own.operations.first, only.isRefund,
            let verdict = try EcommpayMapping.verdict(only, "refund", of: payment)
        else { return .cannotTell("The provider does not say.") }
        return .found(verdict)
    }

    /// What became of our change: told only when exactly one operation is new.
    ///
    /// - Parameters:
    ///   - amount: What the operation has to be about; nil where it is about all that was held.
    ///   - whole: What an approval is about, where that is not the operation's own amount.
    private func changed(
        _ report: EcommpayReport, _ types: Set<String>, _ type: String, _ amount: Money? = nil, whole: Money? = nil,
        _ inquiry: LookupRequest
    ) throws -> LookupResult {
        guard let note = inquiry.note(Self.baselineNote), !report.isTorn else {
            return .cannotTell("The provider does not say.")
        }
        let known = Set(note.split(separator: " ").map { String($0) })
        let new = report.operations.filter { types.contains($0.type) && !known.contains($0.id) }
        guard new.count == 1, let only = new.first, only.type == type, amount.map({ only.amount == $0 }) ?? true else {
            return .cannotTell("The provider does not say.")
        }
        guard let verdict = try EcommpayMapping.verdict(only, type, of: report.payment) else {
            return .cannotTell("The provider does not say.")
        }
        guard case .approved(let approval) = verdict, let whole else { return .changed(verdict) }
        if amount == nil, !EcommpayMapping.cancelled.contains(report.status) {
            return .cannotTell("The provider does not say.")
        }
        return .changed(.approved(Approval(whole, references: approval.references)))
    }

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let name = references["payment"] else { return nil }
        let report = try await context.exchange { _ in try await status(name) }
        if report.isUnknownSoFar { return nil }
        var details = PaymentDetails(report.status, references: ["payment": report.payment])
        (details.at, details.kind) = (report.at, report.operations.first?.type)
        details.amount = report.operations.first?.amount
        details.card = EcommpayMapping.card(report.account)
        details.source = report.method
        details.captures = movements(report, ["capture", "sale", "recurring"])
        details.refunds = movements(report, ["refund", "reversal"])
        if let sum = report.sum, Self.refundable.contains(report.status), sum.minorUnits > 0 {
            details.operations = [PaymentDetails.AvailableOperation("refund", .refund, amount: sum)]
        }
        return details
    }

    /// Words under which something can be given back.
    private static var refundable: Set<String> {
        ["success", "partially paid", "partially refunded", "partially reversed"]
    }

    private func movements(_ report: EcommpayReport, _ types: Set<String>) -> [PaymentDetails.Movement] {
        report.operations.filter { types.contains($0.type) }.compactMap { operation in
            operation.amount.map { amount in
                var movement = PaymentDetails.Movement(operation.id, amount, state: operation.status)
                movement.at = operation.at
                return movement
            }
        }
    }
}
