public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension MemoryDriver: SaleDriver, AuthorizationDriver, CardOnFileDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await charge(.sale, request, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await charge(.authorize, request, context)
    }

    public func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        let source: JSON = ["kind": "saved", "instrument": .string(request.instrument.rawValue)]
        let body = MemoryMapping.payment(
            .debit, context.attempt, request.amount, reference: request.reference, source: source)
        return try await pay(body, nil, context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        let (source, read) = try await self.source(request.source, CardReadRequest(.refund, request.amount), context)
        let body = MemoryMapping.payment(
            .unlinkedRefund, context.attempt, request.amount, reference: request.reference, source: source)
        return try await pay(body, read, context)
    }

    private func charge(
        _ operation: PaymentOperation, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        if request.isDryRun {
            var approval = Approval(request.amount)
            approval.isDryRun = true
            return .approved(approval)
        }
        var cardRequest = CardReadRequest(.purchase, request.amount)
        (cardRequest.presentation, cardRequest.language) = (request.presentation, request.language)
        let (source, read) = try await self.source(request.source, cardRequest, context)
        let body = MemoryMapping.payment(
            operation, context.attempt, request.amount, reference: request.reference, source: source,
            more: MemoryMapping.extras(request))
        if case .hostedPage = request.source { try context.needs(PaymentLink.self) }
        let verdict = try await pay(body, read, context)
        guard case .approved(let approval) = verdict, approval.isPartial else { return verdict }
        return try await offer(approval, of: request.amount, context)
    }

    /// The source as the wire has it, read off a card if need be.
    private func source(
        _ source: PaymentSource, _ request: CardReadRequest, _ context: PaymentContext
    ) async throws -> (JSON, CardReadResult?) {
        guard case .reader = source else { return (MemoryMapping.source(source), nil) }
        let read = try await context.read(request)
        return (MemoryMapping.source(read), read)
    }

    /// Sends a new payment and answers what the provider asks on the way.
    private func pay(_ body: JSON, _ read: CardReadResult?, _ context: PaymentContext) async throws -> Verdict {
        var reply = try await context.exchange(.money) { attempt in
            try self.reply(
                try await wire.send("POST", "/payments", body: body, bearer: attempt.access.value),
                about: context.attempt)
        }
        for _ in 0..<Self.roundsMax {
            let answer: JSON
            switch reply.state {
            case "needsPIN":
                guard let read, let token = reply.pinToken else { return try MemoryMapping.verdict(reply) }
                guard let pin = try? await context.readPIN(token: Secret(token), after: read) else {
                    return .declined(Decline(.pinRequired, provider: ProviderMessage(code: "65")))
                }
                answer = ["read": ["payment": .string(pin.paymentCardData.expose())]]
            case "needsChallenge":
                let challenge = ThreeDSecureChallenge(.challenge, address: reply.address ?? "")
                let given = await context.ask(challenge)
                answer = ["result": .string(given?.result?.expose() ?? "nobody answered")]
            case "needsFields":
                let asked = Clarification(reply.fields.map { RequestedField($0) })
                guard let given = await context.ask(asked) else {
                    return .cancelled(Cancellation(cause: .timeout, references: ["payment": reply.id]))
                }
                answer = ["fields": .object(JSONObject(given.mapValues { .string($0.value) }))]
            case "needsPage": return try await visited(reply, context)
            default: return try MemoryMapping.verdict(reply)
            }
            let path = "/payments/\(reply.id)/answers"
            reply = try await context.exchange(.money) { attempt in
                try self.reply(
                    try await wire.send("POST", path, body: answer, bearer: attempt.access.value),
                    about: context.attempt)
            }
        }
        return try MemoryMapping.verdict(reply)
    }

    /// Leads the customer to the page, and asks what came of it where the customer is known to be back.
    private func visited(_ reply: MemoryReply, _ context: PaymentContext) async throws -> Verdict {
        let waits = Verdict.pending(Pending(references: ["payment": reply.id], shouldPoll: false))
        guard await context.ask(PaymentLink(context.attempt, address: reply.address ?? "")) == true else {
            return waits
        }
        let now = try await context.exchange(.readOnly) { attempt in
            try self.reply(
                try await wire.send("GET", "/attempts/\(context.attempt)", bearer: attempt.access.value),
                about: context.attempt)
        }
        return now.state == "needsPage" ? waits : try MemoryMapping.verdict(now)
    }

    /// How many questions one payment may ask.
    private static var roundsMax: Int { 8 }

    /// Less than asked was approved: the application takes it or gives it back.
    private func offer(_ approval: Approval, of asked: Money, _ context: PaymentContext) async throws -> Verdict {
        let offer = PartialApprovalOffer(approved: approval.amount, of: asked)
        if await context.ask(offer) != false { return .approved(approval) }
        let path = "/payments/\(approval.references["payment"] ?? "")/void"
        let body: JSON = [
            "attempt": .string(context.attempt.text), "amount": MemoryMapping.json(approval.amount),
        ]
        let reply = try await context.exchange(.money) { attempt in
            try self.reply(
                try await wire.send("POST", path, body: body, bearer: attempt.access.value), about: context.attempt)
        }
        guard reply.state == "approved" else { return .approved(approval) }
        return .cancelled(Cancellation(cause: .customer, references: approval.references, wasReversed: true))
    }
}

extension JSONObject {
    /// Makes an object of a dictionary, its members sorted by name.
    fileprivate init(_ members: [String: JSON]) {
        self.init()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }
}
