public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension NIDriver: SaleDriver, AuthorizationDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await located()
        let read = try await context.read(CardRequest(.purchase, request.amount))
        if request.isDryRun {
            var approval = Approval(request.amount)
            approval.isDryRun = true
            return .approved(approval)
        }
        return try await pay(NIPath.purchase, .sale, read, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await located()
        let read = try await context.read(CardRequest(.purchase, request.amount))
        return try await pay(NIPath.authorise, .authorize, read, context)
    }

    /// Sends what the reader handed over; amount and currency are inside it.
    private func pay(
        _ path: String, _ operation: PaymentOperation, _ read: CardRead, _ context: PaymentContext
    ) async throws -> Verdict {
        let body: JSON = [
            "language": "EN", "locale": "", "tid": .string(configuration.terminal),
            "payment": .string(read.payment.expose()),
        ]
        return try await context.exchange(.money) { attempt in
            let payment: NIPayment
            do {
                payment = try await send("POST", path, attempt, body: body, unreadable: "210", as: NIPayment.init)
            } catch let refusal as HTTPRefusal {
                guard let decline = NIMapping.decline(refusal.status, NIRefusal(refusal.body)) else { throw refusal }
                return .declined(decline)
            }
            guard payment.outlet ?? configuration.outlet == configuration.outlet else {
                throw PaymentError.unknown(.mismatch, "the answer is about another outlet")
            }
            return try NIMapping.verdict(payment, operation)
        }
    }

    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let (order, payment) = (try name("order", request), try name("payment", request))
        let known = try await baseline(order, context, \.captures)
        let body: JSON = ["amount": NIAmount.json(request.amount)]
        return try await context.exchange(.money) { attempt in
            let reply = try await send(
                "POST", NIPath.capture(order, payment), attempt, body: body, unreadable: "210", as: NIPayment.init)
            guard reply.order == order, reply.reference == payment, let captures = reply.captures else {
                throw PaymentError.unknown(.mismatch, "the answer is about another payment")
            }
            return try NIMapping.verdict(of: captures.dropFirst(known), "capture", asked: request.amount)
        }
    }
}

extension NIDriver: VoidDriver, RefundDriver {
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let order = try name("order", request)
        return try await act(NIPath.cancel(order), nil, "void", unreadable: "710", request, context)
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let order = try name("order", request)
        _ = try await baseline(order, context, \.refunds)
        let body: JSON = ["amount": NIAmount.json(request.amount)]
        return try await act(NIPath.refund(order), body, "refund", unreadable: "610", request, context)
    }

    private func act(
        _ path: String, _ body: JSON?, _ name: String, unreadable: String, _ request: FollowUpRequest,
        _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.exchange(.money) { attempt in
            let reply = try await send("POST", path, attempt, body: body, unreadable: unreadable) {
                NIAction($0, name: "\(name)Id")
            }
            return try NIMapping.verdict(reply.status, name, reply.name, request.amount)
        }
    }

    /// How many captures or refunds there were before ours, remembered before anything is sent.
    private func baseline(
        _ order: String, _ context: PaymentContext, _ movements: (NIOrder) -> [NIMovement]
    ) async throws -> Int {
        let before = try await context.exchange(.read) { attempt in try await self.order(order, attempt) }
        let known = movements(before).count
        try await context.remember(Self.baselineNote, "\(known) before")
        return known
    }

    static let baselineNote = "baseline"

    private func name(_ name: String, _ request: FollowUpRequest) throws -> String {
        if let reference = request.payment.references[name] { return reference }
        throw PaymentError.nothingMoved(.conflict, "the \(name) of the payment at \(identity.id) is not known")
    }
}
