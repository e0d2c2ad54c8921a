internal import PaymentBase

extension PaymentClient {
    /// Charges what is held, or a part of it; all that is left if no amount is given.
    ///
    /// `reference` says what the capture is for; a second capture of the same amount needs one.
    @discardableResult
    public func capture(
        _ payment: PaymentID, of amount: Money? = nil, reference: String? = nil, attempt: AttemptID? = nil,
        timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.capture, payment, amount, reference, attempt, limit) {
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
        _ payment: PaymentID, to amount: Money, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.adjust, payment, amount, nil, attempt, limit) { _ in
            amount
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.adjustment else {
                throw unsupported("adjustment", provider, instead: "void it and authorize again")
            }
            return { request, context in try await driver.adjust(request, context) }
        }
    }

    /// Undoes a payment before it is settled.
    @discardableResult
    public func void(
        _ payment: PaymentID, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        let rule = try await voidRule(of: payment)
        return try await follow(.void, payment, nil, nil, attempt, limit) { amounts in
            var left = amounts.captured
            if amounts.captured.isZero { left = amounts.authorized } else { left.increase(by: amounts.capturable) }
            return rule == .uncaptured && !amounts.capturable.isZero ? amounts.capturable : left
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.void else { throw unsupported("void", provider, instead: "refund it") }
            return { request, context in try await driver.void(request, context) }
        }
    }

    private func voidRule(of payment: PaymentID) async throws(PaymentError) -> VoidRule {
        guard let stored = try await services.payment(payment),
            let snapshot = PaymentSnapshot(PaymentRecord(stored.attempts))
        else { return .all }
        return try open(snapshot.provider).capabilities.voidRule
    }

    /// Refunds what was charged, or a part of it, at the provider that took it; all that is left if no amount is given.
    ///
    /// `reference` says what the refund is for, such as `item 2`; a second refund of the same amount needs one.
    @discardableResult
    public func refund(
        _ payment: PaymentID, of amount: Money? = nil, reference: String? = nil, prepared: PreparedRequest? = nil,
        attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.refund, payment, amount, reference, attempt, limit) {
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
        _ payment: PaymentID, to tip: Money, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.tipAdjustment, payment, tip, nil, attempt, limit) { _ in
            tip
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.tipAdjustment else { throw unsupported("tip adjustment", provider) }
            return { request, context in try await driver.adjustTip(request, context) }
        }
    }

    private typealias FollowUp = @Sendable (FollowUpRequest, PaymentContext) async throws -> Verdict

    /// One operation on a payment. The payment is read once; the journal checks amounts and version in its transaction.
    private func follow(
        _ operation: PaymentOperation, _ payment: PaymentID, _ amount: Money?, _ reference: String?,
        _ attempt: AttemptID?,
        _ limit: Duration?, _ left: @escaping @Sendable (PaymentAmounts) -> Money,
        _ work: (ProviderRuntime) throws(PaymentError) -> FollowUp
    ) async throws(PaymentError) -> PaymentResult {
        if let amount { try Self.check(most: amount) }
        if let reference { try Self.check(reference: reference) }
        let end = try end(limit)
        let id = try await orNew(attempt)
        var first: StoredPayment? = try await stored(payment)
        let earlier = first?.attempts.first { $0.intent.attempt == id }
        let sums = first.map { PaymentRecord($0.attempts).amounts }
        func intent(_ asked: Money) -> Attempt.Intent {
            var intent = Attempt.Intent(
                id, operation, asked, reference: reference, payment: payment, scope: services.scope)
            intent.isForAll = amount == nil && (operation == .capture || operation == .refund)
            return intent
        }
        let begun = intent(amount ?? earlier?.intent.amount ?? sums.map(left) ?? .zero(.eur))
        return try await perform(begun, isFresh: attempt == nil, until: end) { () async throws(PaymentError) in
            // Read again only if the work is begun over.
            let stored: StoredPayment
            if let known = first { stored = known } else { stored = try await self.stored(payment) }
            first = nil
            let others = stored.attempts.filter { $0.intent.attempt != id }
            let record = PaymentRecord(others)
            guard let snapshot = PaymentSnapshot(record) else { throw self.noPayment(payment) }
            let provider = try open(snapshot.provider)
            let body = try work(provider)
            // Everything is what is left now, at all accounts; what was in doubt before may be gone. A void is one account's.
            let asked = amount ?? left(operation == .void ? snapshot.amounts : record.amounts)
            try Self.checkPartial(operation, asked, snapshot.amounts, provider)
            let request = FollowUpRequest(snapshot, asked, remaining: left(snapshot.amounts))
            return Work(
                provider: provider, intent: intent(asked), paymentVersion: record.version, isPreviewed: true
            ) { context in
                try await body(request, context)
            }
        }
    }

    private func stored(_ payment: PaymentID) async throws(PaymentError) -> StoredPayment {
        guard let stored = try await services.payment(payment) else { throw noPayment(payment) }
        return stored
    }

    /// A provider that takes only the whole is not asked for a part.
    private static func checkPartial(
        _ operation: PaymentOperation, _ asked: Money, _ amounts: PaymentAmounts, _ provider: ProviderRuntime
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
                .unsupported, outcome: .notExecuted,
                detail: "\(provider.id) takes only the whole \(whole) for one \(operation.rawValue) (got \(asked)).")
        }
    }
}
