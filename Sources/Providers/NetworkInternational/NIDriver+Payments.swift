public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension NIDriver: SaleDriver, AuthorizationDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await located()
        let read = try await context.read(CardReadRequest(.purchase, request.amount))
        if request.isDryRun {
            var approval = Approval(request.amount)
            approval.isDryRun = true
            return .approved(approval)
        }
        return try await pay(NIPath.purchase, .sale, request.amount, read, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await located()
        let read = try await context.read(CardReadRequest(.purchase, request.amount))
        return try await pay(NIPath.authorise, .authorize, request.amount, read, context)
    }

    /// Sends what the reader handed over; amount and currency are inside it.
    private func pay(
        _ path: String, _ operation: PaymentOperation, _ asked: Money, _ read: CardReadResult, _ context: PaymentContext
    ) async throws -> Verdict {
        let body: JSON = [
            "language": "EN", "locale": "", "tid": .string(configuration.terminal),
            "payment": .string(read.paymentCardData.expose()),
        ]
        let verdict: Verdict = try await context.exchange(.money) { attempt in
            let payment: NIPayment
            do {
                payment = try await send("POST", path, attempt, body: body, unreadable: "210", as: NIPayment.init)
            } catch let refusal as HTTPErrorResponse {
                guard let decline = NIMapping.decline(refusal.status, NIRefusal(refusal.body)) else { throw refusal }
                return .declined(decline)
            }
            return try self.verdict(payment, operation)
        }
        return try await confirmed(verdict, asked: asked, context)
    }

    /// What an answer about a payment says; one about another outlet is not believed.
    func verdict(_ payment: NIPayment, _ operation: PaymentOperation) throws(PaymentError) -> Verdict {
        guard payment.outlet ?? configuration.outlet == configuration.outlet else {
            throw PaymentError.unknown(.mismatch, "the answer is about another outlet")
        }
        return try NIMapping.verdict(payment, operation)
    }

    /// Another amount than was asked for has to be beyond doubt: the order says it, too.
    func confirmed(
        _ verdict: Verdict, asked: Money, _ context: PaymentContext
    ) async throws -> Verdict {
        guard case .approved(let approval) = verdict, approval.amount != asked,
            let name = approval.references["order"]
        else { return verdict }
        let order = try await after(name, context)
        guard order.amount?.money == approval.amount else {
            throw PaymentError.unknown(.mismatch, "the answer is over another amount, and the order over a third")
        }
        return verdict
    }

    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let (order, payment) = (try name("order", request), try name("payment", request))
        let before = try await baseline(order, request.amount, context, \.captures)
        let body: JSON = ["amount": NIAmount.json(request.amount)]
        return try await context.exchange(.money) { attempt in
            let reply = try await send(
                "POST", NIPath.capture(order, payment), attempt, body: body, unreadable: "210", as: NIPayment.init)
            guard reply.order == order, reply.reference == payment, let captures = reply.captures else {
                throw PaymentError.unknown(.mismatch, "the answer is about another payment")
            }
            // The list may hold all captures, or only the new one.
            let known = before.captures
            let new =
                captures.count > known.count
                ? Array(captures.dropFirst(known.count))
                : captures.filter { capture in !known.contains { $0.name == capture.name } }
            return try NIMapping.verdict(of: new[...], "capture", asked: request.amount)
        }
    }
}

extension NIDriver: VoidDriver, RefundDriver {
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let order = try name("order", request)
        let verdict = try await act(NIPath.cancel(order), nil, "void", unreadable: "710", request, context)
        // One word may stand for all of it or for what was only held: the order says what is left.
        if case .approved = verdict, try await after(order, context).isUndone == false {
            throw PaymentError.unknown(.mismatch, "the void was accepted, and something is still held or charged")
        }
        return verdict
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let order = try name("order", request)
        let before = try await baseline(order, request.amount, context, \.refunds)
        let body: JSON = ["amount": NIAmount.json(request.amount)]
        let verdict = try await act(NIPath.refund(order), body, "refund", unreadable: "610", request, context)
        // Where the order shows a change, it has to be this one and no other: a refund of what is not settled may be
        // carried out as a void of the whole.
        guard case .approved = verdict, let totals = before.totals else { return verdict }
        let change = try await after(order, context).change(since: totals)
        guard change.map({ $0.kind == "refund" && $0.units == request.amount.minorUnits }) ?? true else {
            throw PaymentError.unknown(.mismatch, "the refund was accepted, and the order shows another change")
        }
        return verdict
    }

    /// The order after something was accepted; that it can't be read proves nothing.
    func after(_ order: String, _ context: PaymentContext) async throws(PaymentError) -> NIOrder {
        do {
            return try await context.exchange(.readOnly) { attempt in try await self.order(order, attempt) }
        } catch {
            throw .unknown(.unreadableReply, "it was accepted, and the order can't be read")
        }
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

    /// How the order stood before ours: remembered, with the number of captures or refunds, before anything is sent.
    private func baseline(
        _ order: String, _ amount: Money, _ context: PaymentContext, _ movements: (NIOrder) -> [NIMovement]
    ) async throws -> NIOrder {
        let before = try await context.exchange(.readOnly) { attempt in try await self.order(order, attempt) }
        if before.info["captured"]?.hasOurDecimals == false {
            throw PaymentError.notExecuted(
                .configuration,
                "the provider counts \(amount.currency.code) with other decimals; leave it out of the setting currencies"
            )
        }
        let totals = before.totals.map { " \($0.captured) \($0.refunded)" } ?? ""
        try context.note(Self.baselineNote, "\(movements(before).count) before\(totals)")
        return before
    }

    static let baselineNote = "baseline"
    /// The order that a kit named for the payment.
    static let orderNote = "order"

    private func name(_ name: String, _ request: FollowUpRequest) throws -> String {
        if let reference = request.payment.references[name] { return reference }
        throw PaymentError.notExecuted(.conflict, "the \(name) of the payment at \(identity.id) is not known")
    }
}
