public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ARISEDriver: VoidDriver, RefundDriver, TipAdjustmentDriver {
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.capture, .capture, .ecommerceCapture, request, context) { id in
            (ARISEPath.capture, ["transactionId": .string(id), "amount": ARISEMapping.json(request.amount)])
        }
    }

    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let isBank = request.payment.source == .bank
        return try await follow(.void, .void, isBank ? .achVoid : .ecommerceVoid, request, context) { id in
            isBank
                ? (ARISEPath.bank(PercentEncoding.pathSegment(id) ?? "", "void"), JSON?.none)
                : (ARISEPath.void, ["transactionId": .string(id)])
        }
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let (isBank, amount) = (request.payment.source == .bank, ARISEMapping.json(request.amount))
        // The description has no body for it: whatever is asked, the whole debit goes back.
        guard !isBank || request.amount == request.payment.amounts.captured else {
            throw PaymentError.notExecuted(
                .unsupported, "ARISE gives a bank debit back as a whole, and nothing in the request names a part")
        }
        return try await follow(.refund, .refund, isBank ? .achCredit : .ecommerceRefund, request, context) { id in
            isBank
                ? (ARISEPath.bank(PercentEncoding.pathSegment(id) ?? "", "refund"), JSON?.none)
                : (ARISEPath.refund, ["transactionId": .string(id), "amount": amount, "cardDataSource": 1])
        }
    }

    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.tipAdjustment, .tipAdjustment, .submitTipAdjustment, request, context) { id in
            (ARISEPath.tipAdjustment, ["transactionId": .string(id), "tipAmount": ARISEMapping.json(request.amount)])
        }
    }

    /// Looks how the transaction stands, remembers it, and asks for what the server itself names as possible.
    private func follow(
        _ operation: PaymentOperation, _ wireOperation: ARISEOperation, _ permission: ARISEPermission,
        _ request: FollowUpRequest, _ context: PaymentContext, _ message: (String) -> (path: String, body: JSON?)
    ) async throws -> Verdict {
        guard let name = request.payment.references[ARISEMapping.transactionKey],
            let id = PercentEncoding.pathSegment(name)
        else {
            throw PaymentError.notExecuted(.conflict, "the payment has no name at \(identity.id) to refer to")
        }
        try await profile(context).require(permission)
        let standing = try await standing(name, id, context)
        let offered = try offer(operation, wireOperation, request, standing)
        if operation == .tipAdjustment { try Self.checkTip(request, standing) }
        if operation == .refund {
            // Where ARISE doesn't say what is left, our books do; what became of a lost answer can't be told then.
            if let left = offered {
                // What differs from our books was refunded elsewhere, or misread: then it is read once more.
                if left != request.remaining {
                    let again = try offer(operation, wireOperation, request, await self.standing(name, id, context))
                    guard again == left else { throw Self.unreadable }
                }
                try context.note(Self.baseline, String(left.minorUnits))
            }
        }
        let asked = ARISEMapping.Asked(operation: operation, amount: request.amount)
        let (path, body) = message(name)
        return try await send(path, body, asked, context)
    }

    /// How the transaction stands now.
    private func standing(_ name: String, _ id: String, _ context: PaymentContext) async throws -> ARISETransaction {
        let reply = try await context.exchange(.readOnly) { attempt in
            try await wire.send("GET", ARISEPath.transaction(id), bearer: attempt.access.value)
        }
        let standing = ARISETransaction(reply.body ?? .null)
        guard standing.id == name else { throw Self.unreadable }
        return standing
    }

    /// Refuses to change a tip where the amount without it is another at ARISE than in the journal.
    ///
    /// A tap takes one amount, and a capture replaces what a hold was made of: ARISE knows no tip in either, and charges
    /// the whole new tip beside the amount that has the old one in it.
    private static func checkTip(_ request: FollowUpRequest, _ standing: ARISETransaction) throws(PaymentError) {
        let (currency, amounts) = (request.amount.currency, request.payment.amounts)
        guard let said = try? standing.total(currency), let theirs = try? standing.tip(currency) else {
            throw unreadable
        }
        let charged = amounts.captured.isZero ? amounts.authorized : amounts.captured
        let ours = request.payment.tip ?? .zero(currency)
        guard try said.subtracting(theirs) != charged.subtracting(ours) else { return }
        throw PaymentError.notExecuted(
            .conflict,
            "ARISE must know the tip to change it (it has \(said) with a tip of \(theirs), the journal \(charged) with "
                + "\(ours)). Void or refund the payment, and charge it again with the new tip.")
    }

    /// How much the server allows of an operation now; nil when it doesn't say, an error when it doesn't allow it.
    private func offer(
        _ operation: PaymentOperation, _ wireOperation: ARISEOperation, _ request: FollowUpRequest,
        _ standing: ARISETransaction
    ) throws(PaymentError) -> Money? {
        guard let listed = try? Optional(standing.available(request.amount.currency)) else { throw Self.unreadable }
        // The list may be missing: then the call itself is allowed or refused.
        guard let available = listed else { return nil }
        guard let offered = available.first(where: { $0.operation == wireOperation }) else {
            let names = available.map(\.name).joined(separator: ", ")
            let isEarly = operation == .refund && available.contains { $0.operation == .void }
            let instead = isEarly ? "; until it is settled, a void undoes all of it" : ""
            throw PaymentError(
                .conflict, outcome: .notExecuted, provider: ProviderMessage(code: standing.status?.rawValue ?? ""),
                retry: .never,
                detail:
                    "ARISE allows no \(operation.rawValue) now; it allows \(names.isEmpty ? "nothing" : names)\(instead)"
            )
        }
        let isPartial = operation == .capture || operation == .refund
        if isPartial, let most = offered.amount, most.minorUnits < request.amount.minorUnits {
            throw PaymentError.notExecuted(.amountTooHigh, "ARISE has \(most) left for a \(operation.rawValue)")
        }
        return offered.amount
    }

    private static let unreadable = PaymentError.notExecuted(
        .unreadableReply, "how the transaction stands can't be read")
    /// The note of what was left to refund before.
    static let baseline = "refundable"
}
