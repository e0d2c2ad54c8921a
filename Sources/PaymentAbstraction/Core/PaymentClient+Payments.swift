internal import PaymentBase
public import PaymentDriverKit
internal import PaymentJournalKit

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
                try checkKeeper(of: request.instrument, provider)
            } else {
                try checkKeeperIsClear()
                provider = try open(try first(request.amount, .saved))
            }
            guard let driver = provider.cardOnFile else {
                throw unsupported("later charge of a card on file", provider)
            }
            try checkCustomer(request.customer, of: .saved, provider)
            var named = request
            named.customer = name(of: request.customer, at: provider)
            let asked = named
            return Work(provider: provider) { context in try await driver.chargeCardOnFile(asked, context) }
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
        if let payment = request.payment {
            _ = try await stored(payment, .unlinkedRefund, intent.attempt, isGiven: attempt != nil)
        }
        return try await perform(intent, isFresh: attempt == nil, until: end) { () async throws(PaymentError) in
            let provider = try open(try first(request.amount, request.source.kind))
            try checkMaker(of: request.source, provider)
            guard let driver = provider.unlinkedRefund else {
                throw unsupported("refund without an original", provider, instead: "refund the payment itself")
            }
            try check(source: request.source.kind, provider, provider.capabilities.unlinkedRefundSources, "refund")
            try check(request.prepared, provider)
            let isRead = request.source.kind == .reader || provider.capabilities.usesProviderTerminal
            return Work(
                provider: provider, secrets: request.source.secrets, people: request.people, isPreviewed: isRead
            ) { context in
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
            let asked = named(request, at: provider)
            return { context in try await driver.verify(asked, context) }
        }
    }

    /// Turns an instrument into a token without charging it; the result carries it as the saved instrument.
    public func tokenize(
        _ request: VerificationRequest, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await check(.tokenize, request, attempt, limit) { provider throws(PaymentError) in
            guard let driver = provider.tokenization else { throw unsupported("tokenisation", provider) }
            let asked = named(request, at: provider)
            return { context in try await driver.tokenize(asked, context) }
        }
    }

    /// A customer's name as a provider gets it. The name that the caller gave stays the request's content, so that a repeat finds
    /// its record.
    private func name(of customer: String?, at provider: ProviderRuntime) -> String? {
        customer.map { services.name(of: $0, at: provider) }
    }

    private func named(_ request: SaleRequest, at provider: ProviderRuntime) -> SaleRequest {
        var asked = request
        asked.customer = name(of: request.customer, at: provider)
        return asked
    }

    private func named(_ request: VerificationRequest, at provider: ProviderRuntime) -> VerificationRequest {
        var asked = request
        asked.customer = name(of: request.customer, at: provider)
        return asked
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
            try checkMaker(of: request.source, provider)
            return Work(
                provider: provider, secrets: request.source.secrets, people: request.people, body: body)
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
        let call = LeadingCall()
        defer { finish(call, of: id) }
        let answer: Result<PaymentResult, PaymentError>
        do throws(PaymentError) {
            let intent = intent(operation, request, id)
            answer = .success(try await charge(intent, request, isFresh: attempt == nil, until: end, in: call, work))
        } catch { answer = .failure(error) }
        await endOpenRun(of: call)
        return try answer.get()
    }

    private func charge(
        _ intent: Attempt.Intent, _ request: SaleRequest, isFresh isNew: Bool, until end: Int64, in call: LeadingCall,
        _ work: (ProviderRuntime, SaleRequest) throws(PaymentError) -> AttemptRun.Body
    ) async throws(PaymentError) -> PaymentResult {
        var index = 0
        var before: PaymentError?
        while true {
            var isLast = true
            do {
                // Further providers are tried for an attempt that may be recorded by now.
                let isFresh = isNew && index == 0
                return try await perform(intent, isFresh: isFresh, until: end, in: call) {
                    () async throws(PaymentError) in
                    try checkPartial(request)
                    let candidates = try route(for: request)
                    isLast = index >= candidates.count - 1
                    let provider = try open(candidates[min(index, candidates.count - 1)])
                    try checkMaker(of: request.source, provider)
                    // A token means something to its maker alone.
                    if request.source.kind == .token || request.source.kind == .saved { isLast = true }
                    if request.source.kind == .reader, notes.staysAtReader { isLast = true }
                    do throws(PaymentError) {
                        try checkCustomer(request.customer, of: request.source.kind, provider)
                        let body = try work(provider, named(request, at: provider))
                        let isRead = request.source.kind == .reader || provider.capabilities.usesProviderTerminal
                        return Work(
                            provider: provider, secrets: request.source.secrets, people: request.people,
                            isPreviewed: isRead, isLast: isLast, body: body)
                    } catch {
                        var failure = error
                        failure.allowsFallback = error.code == .unsupported
                        throw failure
                    }
                }
            } catch {
                // Where the next one may not send the attempt, why the one before failed says more. What it has sent counts.
                let mayNotSend = error.code == .conflict && error.outcome == .notExecuted
                if isLast || !error.allowsFallback { throw mayNotSend ? before ?? error : error }
                before = error
            }
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
            .unsupported, "a partial approval needs a handler: `answers.handle(PartialApprovalOffer.self)`")
    }
}

extension PaymentClient {
    /// Charges what is held, or a part of it; all that is left if no amount is given.
    ///
    /// `reference` says what the capture is for; a second capture of the same amount needs one. `account` says at which account,
    /// by its merchant or its provider's name: needed only if several hold money of the payment.
    ///
    /// - Throws: `conflict`, nothing moved, with the error's ``PaymentError/accounts``, if the account has to be named.
    @discardableResult
    public func capture(
        _ payment: PaymentID, of amount: Money? = nil, reference: String? = nil, account: String? = nil,
        attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.capture, payment, amount, reference, account, attempt, limit) {
            $0.capturable
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.authorization else { throw unsupported("capture", provider) }
            return { request, context in try await driver.capture(request, context) }
        }
    }

    /// Holds another amount than before, at the account that is named if several hold money of the payment.
    @discardableResult
    public func adjust(
        _ payment: PaymentID, to amount: Money, account: String? = nil, attempt: AttemptID? = nil,
        timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.adjust, payment, amount, nil, account, attempt, limit) { _ in
            amount
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.adjustment else {
                throw unsupported("adjustment", provider, instead: "void it and authorize again")
            }
            return { request, context in try await driver.adjust(request, context) }
        }
    }

    /// Undoes a payment before it is settled: what the account has of it that is named, if several hold money of the payment.
    @discardableResult
    public func void(
        _ payment: PaymentID, account: String? = nil, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        let rule = try await voidRule(of: payment, at: account, for: attempt)
        return try await follow(.void, payment, nil, nil, account, attempt, limit) { amounts in
            var left = amounts.captured
            if amounts.captured.isZero { left = amounts.authorized } else { left.increase(by: amounts.capturable) }
            return rule == .uncaptured && !amounts.capturable.isZero ? amounts.capturable : left
        } _: {
            provider throws(PaymentError) in
            guard let driver = provider.void else { throw unsupported("void", provider, instead: "refund it") }
            return { request, context in try await driver.void(request, context) }
        }
    }

    /// What the provider of a payment leaves when it voids it.
    ///
    /// - Throws: `journal`, if the payment can't be read: without it the void would be over another amount.
    private func voidRule(
        of payment: PaymentID, at account: String?, for attempt: AttemptID?
    ) async throws(PaymentError) -> VoidRule {
        let outcome = attempt == nil ? PaymentError.Outcome.notExecuted : .unknown
        guard let stored = try await services.payment(payment, outcome, for: attempt) else { return .all }
        let record = PaymentRecord(stored.attempts)
        do throws(PaymentError) {
            let place = try Self.place(of: .void, record, account)
            guard let snapshot = PaymentSnapshot(record, at: place) else { return .all }
            return try open(snapshot.provider).capabilities.voidRule
        } catch {
            // If the provider is gone, a void that is recorded is still answered from its record.
            return .all
        }
    }

    /// Where an operation on a payment goes: to the account that is named, else to the only one that has something left for it;
    /// nil if none has.
    ///
    /// - Throws: `conflict`, nothing moved, with the accounts: several have, or the name is none of one account of the payment.
    private static func place(
        of operation: PaymentOperation, _ record: PaymentRecord, _ account: String?
    ) throws(PaymentError) -> ProviderIdentity? {
        let holders = record.holders
        if let account, !holders.isEmpty {
            if let named = record.holder(named: account) { return named }
            throw .accountNeeded(holders)
        }
        let possible = record.accounts(for: operation)
        guard possible.count < 2 else { throw .accountNeeded(possible) }
        return possible.first
    }

    /// Refunds what was charged, or a part of it, at the provider that took it; all that is left if no amount is given.
    ///
    /// `reference` says what the refund is for, such as `item 2`; a second refund of the same amount needs one. `account` says
    /// at which account, by its merchant or its provider's name: needed only if several have money of the payment. Then *all*
    /// is what that one has.
    ///
    /// - Throws: `conflict`, nothing moved, with the error's ``PaymentError/accounts``, if the account has to be named.
    @discardableResult
    public func refund(
        _ payment: PaymentID, of amount: Money? = nil, reference: String? = nil, account: String? = nil,
        prepared: PreparedRequest? = nil, attempt: AttemptID? = nil, timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.refund, payment, amount, reference, account, attempt, limit) {
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

    /// Changes the tip of a payment that is not settled yet, at the account that is named if several have money of the payment.
    @discardableResult
    public func adjustTip(
        _ payment: PaymentID, to tip: Money, account: String? = nil, attempt: AttemptID? = nil,
        timeout limit: Duration? = nil
    ) async throws(PaymentError) -> PaymentResult {
        try await follow(.tipAdjustment, payment, tip, nil, account, attempt, limit) { _ in
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
        _ account: String?, _ attempt: AttemptID?,
        _ limit: Duration?, _ left: @escaping @Sendable (PaymentAmounts) -> Money,
        _ work: (ProviderRuntime) throws(PaymentError) -> FollowUp
    ) async throws(PaymentError) -> PaymentResult {
        if let amount { try Self.check(most: amount) }
        if let reference { try Self.check(reference: reference) }
        let end = try end(limit)
        let id = try await orNew(attempt)
        var first: StoredPayment? = try await stored(payment, operation, id, isGiven: attempt != nil)
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
            if let known = first { stored = known } else { stored = try await self.stored(payment, operation, id) }
            first = nil
            let others = stored.attempts.filter { $0.intent.attempt != id }
            let record = PaymentRecord(others)
            let manualName = { (account: ProviderIdentity) in (try? self.open(account))?.capabilities.manualName }
            let place = try Self.place(of: operation, record, account)
            guard let snapshot = PaymentSnapshot(record, at: place, manualName: manualName) else {
                throw self.noPayment(payment)
            }
            let provider = try open(snapshot.provider)
            let body = try work(provider)
            // Everything is what is left there now; what was in doubt before may be gone. What another account refunded of the
            // payment comes off the whole.
            let (here, all) = (left(snapshot.amounts), left(record.amounts))
            let asked = amount ?? (operation == .void || here.minorUnits < all.minorUnits ? here : all)
            try Self.checkPartial(operation, asked, snapshot.amounts, provider)
            try checkReturned(operation, asked, record, snapshot.amounts)
            let request = FollowUpRequest(snapshot, asked, remaining: left(snapshot.amounts))
            return Work(
                provider: provider, intent: intent(asked), paymentVersion: record.version, isPreviewed: true
            ) { context in
                try await body(request, context)
            }
        }
    }

    /// The payment that an operation acts on. Where there is none, the journal is asked about the operation's own id: one that
    /// was pruned with its payment may have been executed.
    ///
    /// - Parameter isGiven: Whether something may be recorded under the operation's id. What that is, is not known where the
    ///   payment can't be read.
    private func stored(
        _ payment: PaymentID, _ operation: PaymentOperation, _ id: AttemptID, isGiven: Bool = false
    ) async throws(PaymentError) -> StoredPayment {
        let outcome = isGiven ? PaymentError.Outcome.unknown : .notExecuted
        if let stored = try await services.payment(payment, outcome, for: isGiven ? id : nil) { return stored }
        let intent = Attempt.Intent(id, operation, .zero(.eur), payment: payment, scope: services.scope)
        try await preview(Begin(intent, .none))
        throw noPayment(payment)
    }

    /// Throws what the journal says of an operation's own id where it does not have the payment: the id was pruned with it, or a
    /// restore may have lost both.
    package func checkFollowUp(of payment: PaymentID, attempt: AttemptID) async throws(PaymentError) {
        _ = try await stored(payment, .void, attempt)
    }

    /// Refuses to return more than was allowed, if the payment changed since.
    private func checkReturned(
        _ operation: PaymentOperation, _ asked: Money, _ record: PaymentRecord, _ there: PaymentAmounts
    ) throws(PaymentError) {
        guard let most = notes.returnedMost else { return }
        let returned: Money
        switch operation {
        case .refund: returned = asked
        // A void takes what the account has that it goes to.
        case .void: returned = there.captured.less(there.refunded)
        case .tipAdjustment:
            let tip = PaymentTotals(record.attempts, currency: most.currency).tip
            returned = tip?.less(asked) ?? .zero(most.currency)
        case .sale, .authorize, .capture, .adjust, .unlinkedRefund, .verify, .tokenize, .debit, .chargeback: return
        }
        if returned.currency != most.currency || returned.minorUnits > most.minorUnits {
            throw PaymentError.notExecuted(
                .conflict,
                "The payment changed: \(returned) would be returned, and \(most) was allowed. Ask for it again.")
        }
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
            .debit, .chargeback:
            return
        }
        if asked.minorUnits < whole.minorUnits {
            throw PaymentError(
                .unsupported, outcome: .notExecuted,
                detail: "\(provider.id) takes only the whole \(whole) for one \(operation.rawValue) (got \(asked)).")
        }
    }
}
