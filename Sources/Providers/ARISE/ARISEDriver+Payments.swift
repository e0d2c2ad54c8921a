public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ARISEDriver: SaleDriver, AuthorizationDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        if case .reader = request.source { return try await tap(request, context) }
        if case .bank = request.source {
            return try await charge(.sale, request, ARISEPath.bankDebit, .achDebit, context)
        }
        return try await charge(.sale, request, ARISEPath.sale, .ecommerceSale, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await charge(.authorize, request, ARISEPath.authorize, .ecommerceAuth, context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        let isBank = request.source.kind == .bank
        let profile = try await profile(context)
        try profile.require(isBank ? .achCredit : .ecommerceRefundWithoutReference)
        var body = try ARISEMapping.charge(
            request.amount, request.source, context.attempt, processor: try processor(profile))
        if isBank {
            try addBank(&body)
        } else {
            // No source says that its card is a debit card.
            body["debit"] = false
        }
        return try await send(
            isBank ? ARISEPath.bankCredit : ARISEPath.unlinkedRefund, .object(body),
            asked(.unlinkedRefund, request.amount, context), context)
    }

    private func charge(
        _ operation: PaymentOperation, _ request: SaleRequest, _ path: String,
        _ permission: ARISEPermission, _ context: PaymentContext
    ) async throws -> Verdict {
        let profile = try await profile(context)
        try profile.require(permission)
        var body = try ARISEMapping.charge(
            request.amount, request.source, context.attempt, processor: try processor(profile))
        if request.source.kind == .bank { try addBank(&body) }
        try ARISEMapping.add(request, profile.settings, to: &body)
        let extras = ARISERequestOptions(attempt: context.attempt, operation: operation, amount: request.amount)
        if (try? context.needs(ARISERequestOptions.self)) != nil, let known = await context.ask(extras) {
            try ARISEMapping.add(known, request.amount.currency, to: &body)
        }
        let verdict = try await send(path, .object(body), asked(operation, request.amount, context), context)
        return try await offer(verdict, request, context)
    }

    /// What a tap needs of the merchant's set-up and of the request.
    @discardableResult
    func checkTap(_ request: SaleRequest, _ context: PaymentContext) async throws(PaymentError) -> ARISEProfile {
        let profile = try await profile(context)
        try profile.require(.featureTapToPayOnMobile)
        try ARISEMapping.check(request.quote, [.debit, .credit])
        guard request.quote != nil || profile.settings?.zeroCost != .surcharge else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "the merchant adds a surcharge to credit cards: get a quote, and sell by it with the tender "
                    + "debit or credit")
        }
        return profile
    }

    private func tap(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await checkTap(request, context)
        let device = try await context.installation().device
        var wanted = CardReadRequest(.purchase, request.amount)
        (wanted.presentation, wanted.language) = (request.presentation, request.language)
        let read = try await context.read(wanted)
        if read.isDeclinedByCard { return .declined(Decline(.declinedOffline, provider: ProviderMessage(code: ""))) }
        let body = try ARISEMapping.tap(request, read, device: device, context.attempt)
        context.emit(ARISEEvent.authorizing.kind)
        return try await context.exchange(.money) { attempt in
            let reply = try await wire.send("POST", ARISEPath.tap, body: body, bearer: attempt.access.value)
            guard let said = reply.body else { throw ARISEMapping.unreadable("the answer is empty") }
            return try ARISEMapping.verdict(
                ARISETapResult(said), request.amount, reference: expected(context.attempt))
        }
    }

    /// Sends what moves money and reads the answer.
    func send(
        _ path: String, _ body: JSON?, _ asked: ARISEMapping.Asked, _ context: PaymentContext
    ) async throws(PaymentError) -> Verdict {
        try await context.exchange(.money) { attempt in
            let reply = try await wire.send("POST", path, body: body, bearer: attempt.access.value)
            guard let said = reply.body else { throw ARISEMapping.unreadable("the answer is empty") }
            return try ARISEMapping.verdict(ARISETransaction(said), asked)
        }
    }

    /// Less than asked was approved: the application takes it or gives it back.
    private func offer(
        _ verdict: Verdict, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        guard case .approved(let approval) = verdict, approval.isPartial, request.acceptsPartialApproval,
            let id = approval.references[ARISEMapping.transactionKey]
        else { return verdict }
        let question = PartialApprovalOffer(approved: approval.amount, of: request.amount)
        if await context.ask(question) != false { return verdict }
        let undone = try await send(
            ARISEPath.void, ["transactionId": .string(id)],
            ARISEMapping.Asked(operation: .void, amount: approval.amount), context)
        guard case .approved = undone else { return verdict }
        return .cancelled(Cancellation(cause: .customer, references: approval.references, wasReversed: true))
    }

    private func asked(
        _ operation: PaymentOperation, _ amount: Money, _ context: PaymentContext
    ) -> ARISEMapping.Asked {
        ARISEMapping.Asked(operation: operation, amount: amount, reference: expected(context.attempt))
    }

    /// The reference that should come back; nil where none does.
    func expected(_ attempt: AttemptID) -> String? {
        configuration.referenceEcho == .orderNumber ? attempt.text : nil
    }

    /// What the network of bank accounts wants to know of every transfer.
    private func addBank(_ body: inout JSONObject) throws(PaymentError) {
        guard let address = configuration.requesterIPAddress else {
            throw PaymentError.notExecuted(
                .configuration,
                "a transfer from or to a bank account names the address of who asks for it; set "
                    + "`requesterIpAddress` in the settings of \(identity.id)")
        }
        body["requesterIpAddress"] = .string(address)
        body["secCode"] = .number(JSONNumber(configuration.bankEntry.number))
    }

    private func processor(_ profile: ARISEProfile) throws(PaymentError) -> String {
        if let processor = configuration.processor ?? profile.settings?.processor { return processor }
        throw PaymentError.notExecuted(
            .configuration,
            "ARISE names no default payment processor; set `processor` in the settings of \(identity.id)")
    }
}
