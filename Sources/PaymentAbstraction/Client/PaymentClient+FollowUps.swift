internal import PaymentBase

extension PaymentClient {
    /// Charges what is held, or a part of it; all that is left when no amount is given.
    ///
    /// What `after` names are captures of the payment whose outcome the caller knows, although it was not handed to him.
    @discardableResult
    public func capture(
        _ payment: PaymentID, of amount: Money? = nil, attempt: AttemptID? = nil, after: Set<AttemptID> = [],
        within limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.capture, payment, amount, attempt, limit, after: after) {
            $0.capturable
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.authorization else { throw unsupported("capture", provider) }
            return { request, context in try await driver.capture(request, context) }
        }
    }

    /// Holds another amount than before.
    @discardableResult
    public func adjust(
        _ payment: PaymentID, to amount: Money, attempt: AttemptID? = nil, within limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.adjust, payment, amount, attempt, limit) { _ in
            amount
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.adjustment else {
                throw unsupported("adjustment", provider, instead: "void it and authorise anew")
            }
            return { request, context in try await driver.adjust(request, context) }
        }
    }

    /// Undoes a payment before it is settled.
    @discardableResult
    public func void(
        _ payment: PaymentID, attempt: AttemptID? = nil, within limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.void, payment, nil, attempt, limit) {
            $0.authorized
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.void else { throw unsupported("void", provider, instead: "refund it") }
            return { request, context in try await driver.void(request, context) }
        }
    }

    /// Gives back what was charged, or a part of it, at the provider that took it; all that is left when no amount is
    /// given.
    ///
    /// What `after` names are refunds of the payment whose outcome the caller knows, although it was not handed to him.
    @discardableResult
    public func refund(
        _ payment: PaymentID, of amount: Money? = nil, prepared: PreparedRequest? = nil, attempt: AttemptID? = nil,
        after: Set<AttemptID> = [], within limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        let content = prepared?.content ?? ""
        return try await follow(.refund, payment, amount, attempt, limit, content: content, after: after) {
            $0.refundable
        } _: {
            provider throws(PaymentError) in
            try check(prepared, provider)
            guard let driver = provider.refund else {
                throw unsupported("refund to the original", provider, instead: "use a refund without an original")
            }
            return { request, context in
                var request = request
                request.prepared = prepared
                return try await driver.refund(request, context)
            }
        }
    }

    /// Changes the tip of a payment that is not settled yet.
    @discardableResult
    public func adjustTip(
        _ payment: PaymentID, to tip: Money, attempt: AttemptID? = nil, within limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.tipAdjustment, payment, tip, attempt, limit) { _ in
            tip
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.tipAdjustment else { throw unsupported("tip adjustment", provider) }
            return { request, context in try await driver.adjustTip(request, context) }
        }
    }

    private typealias FollowUp = @Sendable (FollowUpRequest, PaymentContext) async throws -> Verdict

    /// One operation on a payment, one at a time per payment.
    private func follow(
        _ operation: PaymentOperation, _ payment: PaymentID, _ amount: Money?, _ attempt: AttemptID?,
        _ limit: Duration?, content: String = "", after: Set<AttemptID> = [],
        _ left: @escaping @Sendable (PaymentAmounts) -> Money, _ work: (OpenProvider) throws(PaymentError) -> FollowUp
    ) async throws(PaymentError) -> PaymentResult {
        if let amount { try Self.check(most: amount) }
        let family = try await services.family(payment)
        let earlier = family.first { $0.intent.attempt == attempt }
        guard let origin = family.first(where: \.intent.isOrigin) else {
            throw PaymentError.nothingMoved(.notFound, "there is no payment \(payment) in this journal")
        }
        let rule = services.captures[origin.provider.id] ?? .several
        let amounts = PaymentFlow(family, captures: rule)?.amounts ?? PaymentAmounts(origin.intent.amount.currency)
        let asked = amount ?? earlier?.intent.amount ?? left(amounts)
        var intent = AttemptIntent(
            attempt ?? freshAttempt(), operation, asked, reference: origin.intent.reference, payment: payment)
        intent.complete(services.scope, content)
        return try await perform(intent, isFresh: attempt == nil, within: limit) { [intent] () throws(PaymentError) in
            let provider = try open(origin.provider)
            let body = try work(provider)
            try Self.checkPartial(operation, asked, amounts, provider)
            return Work(provider: provider, after: after) { [services] context in
                // Written down before anything is read, so that what is read can't change by another's doing.
                let family = try await services.family(payment)
                let others = family.filter { $0.intent.attempt != intent.attempt }
                guard let snapshot = PaymentSnapshot(others, captures: rule) else {
                    throw PaymentError.nothingMoved(.notFound, "the payment is gone from the journal")
                }
                return try await body(FollowUpRequest(snapshot, asked, remaining: left(snapshot.amounts)), context)
            }
        }
    }

    /// A provider that takes only the whole is not asked for a part.
    private static func checkPartial(
        _ operation: PaymentOperation, _ asked: Money, _ amounts: PaymentAmounts, _ provider: OpenProvider
    ) throws(PaymentError) {
        let capabilities = provider.capabilities
        let whole: Money
        switch operation {
        case .capture where !capabilities.partialCapture: whole = amounts.authorized
        case .refund where !capabilities.partialRefund: whole = amounts.captured
        case .sale, .authorize, .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment, .verify, .tokenize,
            .debit:
            return
        }
        if asked.minorUnits < whole.minorUnits {
            throw PaymentError(
                .unsupported, outcome: .nothingMoved,
                detail: "\(provider.id) takes only the whole \(whole) for one \(operation.rawValue), not \(asked)")
        }
    }
}
