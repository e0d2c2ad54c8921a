public import PaymentAbstraction
public import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentTransport

/// What every Adyen driver can do, whichever way it reaches its terminal.
public protocol AdyenTerminalDriver: SaleDriver, AuthorizationDriver, AdjustmentDriver, VoidDriver, RefundDriver,
    UnlinkedRefundDriver, ReaderDriver, WebhookDriver
{
    /// What the drivers share.
    var core: AdyenCore { get }
}

extension AdyenTerminalDriver {
    public var identity: ProviderIdentity { core.identity }
    public var capabilities: Capabilities { core.capabilities }
    public var secrets: [Secret] { core.configuration.secrets }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        switch operation {
        case .sale, .authorize, .unlinkedRefund, .refund:
            var plan = LookupPlan(
                every: 5_000, giveUpAfter: 160_000, quiet: AdyenCore.quietTimeMilliseconds)
            plan.asksTerminal = true
            return plan
        case .capture, .adjust, .void, .tipAdjustment, .verify, .tokenize, .debit:
            // The back office has nothing to ask; a webhook says what became of it.
            return nil
        }
    }

    public func classify(_ error: any Error) -> RequestFailure {
        switch error {
        case let failure as AdyenFailure: return failure.fault
        case let failure as AdyenKitFailure: return failure.fault
        // What a kit throws, it throws in calls that move no money.
        case let code as AdyenPhoneSDK.ErrorCode: return AdyenKitFailure(code: code, call: .warmUp).fault
        case let refusal as HTTPErrorResponse:
            let said =
                refusal.body?.member("message") ?? refusal.body?.member("detail") ?? refusal.body?.member("title")
            // Whatever code comes with a failure of the server: it proves nothing.
            let code = refusal.status < 500 ? refusal.body?.member("errorCode")?.text : nil
            var fault = ErrorTable.adyen.failure(
                code: code ?? "", fallback: String(refusal.status), message: said?.text ?? "")
            fault.retryAfterMilliseconds = refusal.retryAfterMilliseconds
            return fault
        default: return RequestFailure(error)
        }
    }
}

// MARK: - Payments

extension AdyenTerminalDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        if case .saved(let id, _) = request.source {
            let body = try AdyenMapping.charge(id, request, context.attempt, core.configuration)
            return try await core.charge(body, request.amount, context)
        }
        return try await pay(request, holds: false, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await pay(request, holds: true, context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        let body = try AdyenMapping.payment(request, context.attempt, at: context.now, core.configuration).json
        let finished = try await finished(request.prepared, .unlinkedRefund, request.amount)
        return try await atTerminal(body, request.amount, finished, isRefund: true, context)
    }

    private func pay(_ request: SaleRequest, holds: Bool, _ context: PaymentContext) async throws -> Verdict {
        if request.acceptsPartialApproval { try context.needs(PartialApprovalOffer.self) }
        let message = try AdyenMapping.payment(
            request, context.attempt, at: context.now, core.configuration, holds: holds)
        let finished = try await finished(
            request.prepared, holds ? .authorize : .sale, request.amount, tip: request.tip)
        core.screen.withLock {
            $0 = AdyenPhoneSDK.Parameters(
                logo: request.presentation.logo,
                successScreenTimeout: request.presentation.successScreen?.wholeMilliseconds)
        }
        let verdict = try await atTerminal(message.json, request.amount, finished, isRefund: false, context)
        guard case .approved(let approval) = verdict, approval.isPartial else {
            return AdyenMapping.tipped(verdict, asked: request.amount, tip: request.tip)
        }
        return try await offer(approval, of: request.amount, context)
    }

    /// A finished request that the application handed over, checked against what it asks for.
    func finished(
        _ prepared: PreparedRequest?, _ operation: PaymentOperation, _ amount: Money, tip: Money? = nil
    ) async throws -> AdyenPreparedRequest? {
        guard let prepared else { return nil }
        let finished = try AdyenPreparedRequest(prepared)
        try finished.check(operation, amount, tip: tip, at: try await core.terminal())
        return finished
    }

    /// Sends a payment and waits until the terminal is done with its card.
    private func atTerminal(
        _ body: JSON, _ asked: Money, _ finished: AdyenPreparedRequest?, isRefund: Bool, _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.atTerminal {
            core.slot.begin()
            var isCancelled: Bool? = false
            defer { isCancelled.map { core.slot.end(isCancelled: $0) } }
            // What a phone's kit shows is not shown again by a repeat, and a finished request goes out once.
            let isOnce = core.kit != nil || finished != nil
            let verdict = try await context.send(isOnce ? .visible : .money, cards: .several) { _ in
                let message = try await core.prepare(.payment, body, finished, context)
                return Outgoing(notes: message.notes, names: message.names) {
                    try await AdyenPreparedRequest.once(finished) {
                        guard let answer = try await core.send(message, finished, context) else {
                            return Verdict.pending(Pending(shouldPoll: true))
                        }
                        let name = finished.map(\.transaction) ?? context.attempt.text
                        return try Self.verdict(answer, name, asked, isRefund: isRefund).taken(by: answer.header)
                    }
                }
            }
            switch verdict {
            case .approved: context.emit(.cardRead)
            case .cancelled: isCancelled = true
            // Through the cloud without waiting, the terminal works on.
            case .pending(let pending): if pending.shouldPoll { isCancelled = nil }
            case .declined: break
            }
            return verdict
        }
    }

    /// Reads a terminal's answer; one that names another attempt proves nothing about ours.
    static func verdict(
        _ answer: NexoMessage, _ name: String?, _ asked: Money, isRefund: Bool
    ) throws -> Verdict {
        guard let reply = PaymentReply(answer.body) else {
            throw AdyenFailure.unreadable("the answer does not say how it ended")
        }
        if let echoed = reply.saleTransactionID, echoed != name { throw AdyenFailure.stranger }
        return try AdyenMapping.verdict(reply, asked: asked, isRefund: isRefund)
    }

    /// Less than asked was approved: the application takes it, or it is given back.
    private func offer(_ approval: Approval, of asked: Money, _ context: PaymentContext) async throws -> Verdict {
        let offer = PartialApprovalOffer(approved: approval.amount, of: asked)
        if await context.ask(offer) != false { return .approved(approval) }
        guard let psp = approval.references[AdyenMapping.Name.psp] else { return .approved(approval) }
        try context.note(AdyenMapping.Name.reversing, psp)
        let body = try AdyenMapping.modification(nil, context.attempt, core.configuration)
        return try await core.modify(CheckoutPath.reversals(psp), body, context)
    }
}

extension Verdict {
    /// The same, naming the terminal that took it and the message that asked for it.
    func taken(by header: NexoHeader) -> Verdict {
        guard case .approved(var approval) = self else { return self }
        approval.references[AdyenMapping.Name.terminal] = header.poiID
        approval.references[AdyenMapping.Name.message] = AdyenMapping.note(header)
        return .approved(approval)
    }
}
