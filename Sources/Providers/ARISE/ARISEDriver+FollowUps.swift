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
                ? (ARISEPath.bank(PercentEncoding.pathSegment(id) ?? "", "void"), [:])
                : (ARISEPath.void, ["transactionId": .string(id)])
        }
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let (isBank, amount) = (request.payment.source == .bank, ARISEMapping.json(request.amount))
        return try await follow(.refund, .refund, isBank ? .achCredit : .ecommerceRefund, request, context) { id in
            isBank
                ? (ARISEPath.bank(PercentEncoding.pathSegment(id) ?? "", "refund"), ["amount": amount])
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
        _ operation: PaymentAbstraction.Operation, _ wireOperation: ARISEOperation, _ permission: ARISEPermission,
        _ request: FollowUpRequest, _ context: PaymentContext, _ message: (String) -> (path: String, body: JSON)
    ) async throws -> Verdict {
        guard let name = request.payment.references[ARISEMapping.transactionKey],
            let id = PercentEncoding.pathSegment(name)
        else {
            throw PaymentError(
                .conflict, outcome: .nothingMoved, detail: "the payment has no name at \(identity.id) to refer to")
        }
        try await profile(context).require(permission)
        let reply = try await context.exchange(.read) { attempt in
            try await wire.send("GET", ARISEPath.transaction(id), bearer: attempt.access.token)
        }
        let standing = ARISETransaction(reply.body ?? .null)
        guard let available = try? standing.available(request.amount.currency), standing.id == name else {
            throw PaymentError(
                .unreadableReply, outcome: .nothingMoved, detail: "how the transaction stands can't be read")
        }
        guard let offered = available.first(where: { $0.operation == wireOperation }) else {
            let names = available.map(\.name).joined(separator: ", ")
            throw PaymentError(
                .conflict, outcome: .nothingMoved, provider: ProviderMessage(code: standing.status?.rawValue ?? ""),
                retry: .never,
                detail:
                    "ARISE does not allow a \(operation.rawValue) now; it allows \(names.isEmpty ? "nothing" : names)")
        }
        if operation == .capture || operation == .refund, let most = offered.amount,
            most.minorUnits < request.amount.minorUnits
        {
            throw PaymentError(
                .exceeds, outcome: .nothingMoved, detail: "ARISE has \(most) left for a \(operation.rawValue)")
        }
        if operation == .refund {
            guard let left = offered.amount else {
                throw PaymentError(
                    .unreadableReply, outcome: .nothingMoved, detail: "ARISE does not say how much is left to refund")
            }
            try await context.remember(Self.baseline, String(left.minorUnits))
        }
        var asked = ARISEMapping.Asked(operation: operation, amount: request.amount)
        if operation == .void { asked.captured = request.payment.amounts.captured }
        let (path, body) = message(name)
        return try await send(path, body, asked, context)
    }

    /// The note of what was left to refund before.
    static let baseline = "refundable"
}
