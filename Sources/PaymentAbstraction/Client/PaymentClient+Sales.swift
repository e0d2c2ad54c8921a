internal import PaymentBase

extension PaymentClient {
    /// Charges an amount at once.
    ///
    /// - Throws: ``PaymentError``; its outcome says whether money may have moved, its attempt what to ask about.
    public func sale(
        _ amount: Money, from source: PaymentSource, reference: OrderReference, attempt: AttemptID? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await sale(SaleRequest(amount, from: source, reference: reference), attempt: attempt)
    }

    /// Charges an amount at once, under a whole reference.
    public func sale(
        _ amount: Money, from source: PaymentSource, reference: String, attempt: AttemptID? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await sale(SaleRequest(amount, from: source, reference: reference), attempt: attempt)
    }

    /// Charges at once, with everything that a sale can carry.
    public func sale(
        _ request: SaleRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await charge(.sale, request, attempt, limit) { provider, request throws(PaymentError) in
            guard let driver = provider.sale else { throw unsupported("sale", provider) }
            try check(request, provider, sources: provider.capabilities.sources)
            return { context in try await driver.sale(request, context) }
        }
    }

    /// Holds an amount, to be captured later.
    public func authorize(
        _ amount: Money, from source: PaymentSource, reference: OrderReference, attempt: AttemptID? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await authorize(SaleRequest(amount, from: source, reference: reference), attempt: attempt)
    }

    /// Holds an amount, under a whole reference.
    public func authorize(
        _ amount: Money, from source: PaymentSource, reference: String, attempt: AttemptID? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await authorize(SaleRequest(amount, from: source, reference: reference), attempt: attempt)
    }

    /// Holds an amount, with everything that an authorisation can carry.
    public func authorize(
        _ request: SaleRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await charge(.authorize, request, attempt, limit) { provider, request throws(PaymentError) in
            guard let driver = provider.authorization else {
                throw unsupported("authorisation", provider, instead: "charge at once with `sale`")
            }
            try check(request, provider, sources: provider.capabilities.authorizationSources)
            return { context in try await driver.authorize(request, context) }
        }
    }

    /// Charges an instrument on file, without the customer.
    public func chargeCardOnFile(
        _ request: CardOnFileRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try Self.check(reference: request.reference)
        try Self.check(amount: request.amount)
        let end = try end(limit)
        var intent = Attempt.Intent(
            try await orNew(attempt), .debit, request.amount, reference: request.reference, scope: services.scope,
            digest: request.content)
        intent.source = .saved
        return try await perform(intent, isFresh: attempt == nil, until: end) { () async throws(PaymentError) in
            let provider: ProviderRuntime
            if let maker = request.instrument.provider {
                provider = try open(maker)
            } else {
                provider = try open(try first(request.amount, .saved))
            }
            guard let driver = provider.cardOnFile else {
                throw unsupported("later charge of a card on file", provider)
            }
            return Work(provider: provider) { context in try await driver.chargeCardOnFile(request, context) }
        }
    }

    /// Gives money to a source without an original payment on the provider's side.
    public func refundUnlinked(
        _ request: UnlinkedRefundRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try Self.check(reference: request.reference)
        try Self.check(amount: request.amount)
        let end = try end(limit)
        let intent = intent(request, try await orNew(attempt))
        if let payment = request.payment, try await services.payment(payment) == nil {
            throw await services.refused(.noSuchPayment, intent)
        }
        return try await perform(intent, isFresh: attempt == nil, until: end) { () async throws(PaymentError) in
            let provider = try open(try first(request.amount, request.source.kind))
            try check(maker: request.source.tokenProvider, provider)
            guard let driver = provider.unlinkedRefund else {
                throw unsupported("refund without an original", provider, instead: "refund the payment itself")
            }
            try check(source: request.source.kind, provider, provider.capabilities.unlinkedRefundSources, "refund")
            try check(request.prepared, provider)
            return Work(provider: provider, secrets: request.source.secrets) { context in
                try await driver.refundUnlinked(request, context)
            }
        }
    }

    /// Checks an instrument without charging it.
    public func verify(
        _ request: VerificationRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await check(.verify, request, attempt, limit) { provider throws(PaymentError) in
            guard let driver = provider.verification else { throw unsupported("card verification", provider) }
            return { context in try await driver.verify(request, context) }
        }
    }

    /// Turns an instrument into a token without charging it; the result carries it as the saved instrument.
    public func tokenize(
        _ request: VerificationRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await check(.tokenize, request, attempt, limit) { provider throws(PaymentError) in
            guard let driver = provider.tokenization else { throw unsupported("tokenisation", provider) }
            return { context in try await driver.tokenize(request, context) }
        }
    }

    /// One check of an instrument, by which nothing is charged.
    private func check(
        _ operation: PaymentOperation, _ request: VerificationRequest, _ attempt: AttemptID?, _ limit: Duration?,
        _ work: (ProviderRuntime) throws(PaymentError) -> AttemptRun.Body
    ) async throws(PaymentError) -> PaymentResult {
        try Self.check(reference: request.reference)
        let end = try end(limit)
        var intent = Attempt.Intent(
            try await orNew(attempt), operation, .zero(request.currency), reference: request.reference,
            scope: services.scope, digest: request.content)
        (intent.source, intent.last4) = (request.source.kind, request.source.last4)
        return try await perform(intent, isFresh: attempt == nil, until: end) { () async throws(PaymentError) in
            let provider = try open(try first(.zero(request.currency), request.source.kind))
            let body = try work(provider)
            try check(source: request.source.kind, provider, provider.capabilities.verificationSources, "check")
            return Work(provider: provider, secrets: request.source.secrets, body: body)
        }
    }

    /// One new payment over the providers that the routing gives, the next one only while nothing was done. All of them share
    /// one deadline.
    private func charge(
        _ operation: PaymentOperation, _ given: SaleRequest, _ attempt: AttemptID?, _ limit: Duration?,
        _ work: (ProviderRuntime, SaleRequest) throws(PaymentError) -> AttemptRun.Body
    ) async throws(PaymentError) -> PaymentResult {
        try Self.check(given)
        let end = try end(limit)
        let id = try await orNew(attempt)
        var request = given
        request.ownReference = id.text
        let intent = intent(operation, request, id)
        var index = 0
        while true {
            var isLast = true
            do {
                // Further providers are tried for an attempt that may be recorded by now.
                let isFresh = attempt == nil && index == 0
                return try await perform(intent, isFresh: isFresh, until: end) { () async throws(PaymentError) in
                    try checkPartial(request)
                    let candidates = try route(for: request)
                    isLast = index >= candidates.count - 1
                    let provider = try open(candidates[min(index, candidates.count - 1)])
                    try check(maker: request.source.tokenProvider, provider)
                    // A token means something to its maker alone.
                    if request.source.kind == .token || request.source.kind == .saved { isLast = true }
                    do throws(PaymentError) {
                        let body = try work(provider, request)
                        let isRead = request.source.kind == .reader || provider.capabilities.usesProviderTerminal
                        return Work(
                            provider: provider, secrets: request.source.secrets, isPreviewed: isRead, body: body)
                    } catch {
                        var failure = error
                        failure.allowsFallback = error.code == .unsupported
                        throw failure
                    }
                }
            } catch { if isLast || !error.allowsFallback { throw error } }
            index += 1
        }
    }

    /// Whether a sale or an authorization may begin, asked before a reader is prepared for it; false if the journal has the
    /// attempt's result.
    ///
    /// - Throws: What stands in its way, as the sale would throw it. What is open is looked up once.
    package func mayBegin(
        _ operation: PaymentOperation, _ request: SaleRequest, attempt: AttemptID, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> Bool {
        try Self.check(request)
        guard let first = try route(for: request).first else { throw noRoute(request.amount, request.source.kind) }
        let provider = try open(first)
        return try await mayBegin(intent(operation, request, attempt), at: provider, until: try end(limit))
    }

    /// The same of a refund without an original.
    package func mayBegin(
        _ request: UnlinkedRefundRequest, attempt: AttemptID, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> Bool {
        try Self.check(reference: request.reference)
        try Self.check(amount: request.amount)
        let provider = try open(try first(request.amount, request.source.kind))
        return try await mayBegin(intent(request, attempt), at: provider, until: try end(limit))
    }

    private func intent(_ operation: PaymentOperation, _ request: SaleRequest, _ id: AttemptID) -> Attempt.Intent {
        let order = request.order
        var intent = Attempt.Intent(
            id, operation, request.amount, reference: order.text, part: order.part,
            holdsFor: order.holdsFor?.wholeMilliseconds, scope: services.scope, digest: request.content)
        (intent.source, intent.last4) = (request.source.kind, request.source.last4)
        (intent.isDryRun, intent.tip) = (request.isDryRun, request.tip)
        return intent
    }

    private func intent(_ request: UnlinkedRefundRequest, _ id: AttemptID) -> Attempt.Intent {
        var intent = Attempt.Intent(
            id, .unlinkedRefund, request.amount, reference: request.reference, payment: request.payment,
            scope: services.scope, digest: request.content)
        (intent.source, intent.last4) = (request.source.kind, request.source.last4)
        return intent
    }

    private func checkPartial(_ request: SaleRequest) throws(PaymentError) {
        guard request.acceptsPartialApproval, !services.answers.hasHandler(for: PartialApprovalOffer.self) else {
            return
        }
        throw PaymentError.notExecuted(
            .unsupported, "a partial approval needs a handler: `answers.on(PartialApprovalOffer.self)`")
    }
}
