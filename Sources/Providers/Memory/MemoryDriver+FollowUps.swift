public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension MemoryDriver: AdjustmentDriver, VoidDriver, RefundDriver, TipAdjustmentDriver {
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("capture", request, context)
    }

    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("adjust", request, context)
    }

    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("void", request, context)
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("refund", request, context)
    }

    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("tip", request, context)
    }

    private func follow(
        _ verb: String, _ request: FollowUpRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        guard let payment = request.payment.references["payment"] else {
            throw PaymentError.notExecuted(.conflict, "the payment has no name at \(identity.id) to refer to")
        }
        let body: JSON = [
            "attempt": .string(context.attempt.text), "amount": MemoryMapping.json(request.amount),
        ]
        let reply = try await context.exchange(.money) { attempt in
            let path = "/payments/\(payment)/\(verb)"
            return try self.reply(
                try await wire.send("POST", path, body: body, bearer: attempt.access.value), about: context.attempt)
        }
        return try MemoryMapping.verdict(reply)
    }
}
