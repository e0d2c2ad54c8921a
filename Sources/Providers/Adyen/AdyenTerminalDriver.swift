internal import PaymentMobileSDKs
public import PaymentProviderKit

/// What every Adyen driver can do, whichever way it reaches its terminal.
public protocol AdyenTerminalDriver: SaleDriver, AuthorizationDriver, AdjustmentDriver, VoidDriver, RefundDriver,
    UnlinkedRefundDriver, ReaderDriver, WebhookDriver, SavedInstrumentDriver
{
    /// What the drivers share.
    var core: AdyenCore { get }
}

extension AdyenTerminalDriver {
    public var identity: ProviderIdentity { core.identity }
    public var capabilities: Capabilities { core.capabilities }
    public var secrets: [Secret] { core.configuration.secrets }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { Self.terminalPlan(for: operation) }

    /// How a terminal is asked about an operation; nil for those of the back office.
    static func terminalPlan(for operation: PaymentOperation) -> LookupPlan? {
        switch operation {
        case .sale, .authorize, .unlinkedRefund, .refund:
            var plan = LookupPlan(
                every: 5_000, giveUpAfter: 160_000, quiet: AdyenCore.quietTimeMilliseconds)
            plan.asksTerminal = true
            return plan
        case .capture, .adjust, .void, .tipAdjustment, .verify, .tokenize, .debit, .chargeback:
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
            $0.interface = AdyenInterface(request.presentation.hardware) ?? core.configuration.interface
            $0.mode = AdyenPhoneSDK.TransactionPresentationMode(
                request.presentation.isPresentedByViews ? .viewModifier : .presentingViewController,
                parameters: .init(
                    logo: request.presentation.logo,
                    successScreenTimeout: request.presentation.successScreen?.wholeMilliseconds))
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
            let ended = core.slot.begin()
            var isCancelled: Bool? = false
            defer { core.slot.end(ended, isCancelled: isCancelled) }
            // What a phone's kit shows is not shown again by a repeat, and a finished request goes out once.
            let isOnce = core.kit != nil || finished != nil
            let own = body.member("SaleData", "SaleTransactionID", "TransactionID")?.text ?? context.attempt.text
            let verdict: Verdict
            do throws(PaymentError) {
                verdict = try await context.send(isOnce ? .visible : .money, cards: .several) { _ in
                    let message = try await core.prepare(.payment, body, finished, context)
                    var notes = message.notes
                    if finished == nil, own != context.attempt.text { notes[AdyenMapping.Name.sale] = own }
                    // The terminal repeats that a refund was received; whether it was carried out, a message says.
                    return Outgoing(notes: notes, names: message.names, canLookUp: !isRefund) {
                        try await AdyenPreparedRequest.once(finished) {
                            guard let answer = try await core.send(message, finished, context) else {
                                return Verdict.pending(Pending(shouldPoll: true))
                            }
                            let name = finished.map(\.transaction) ?? own
                            return try Self.verdict(answer, name, asked, isRefund: isRefund).taken(by: answer.header)
                        }
                    }
                }
            } catch {
                // The reply was lost, and the terminal may still wait for the card.
                if error.outcome == .unknown { isCancelled = nil }
                throw error
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

    /// Less than asked was approved: the application takes it, or it is refunded.
    private func offer(_ approval: Approval, of asked: Money, _ context: PaymentContext) async throws -> Verdict {
        let offer = PartialApprovalOffer(approved: approval.amount, of: asked)
        if await context.ask(offer) == true { return .approved(approval) }
        guard let psp = approval.references[AdyenMapping.Name.psp] else { return .approved(approval) }
        context.givesBack()
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

/// Adyen with a terminal that is reached through the cloud.
public struct AdyenDriver: AdyenTerminalDriver, DetailsDriver {
    public let core: AdyenCore

    init(_ core: AdyenCore) { self.core = core }
}

extension AdyenDriver: DeviceDriver {
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        let reply = try await get(CloudLink.list(core.configuration.merchant), context)
        return (reply?["uniqueDeviceIds"]?.items ?? []).compactMap(\.text).map { DeviceSummary($0) }
    }

    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        guard let reply = try await get(CloudLink.path(core.configuration.merchant, id, "status"), context),
            let word = reply["status"]?.text
        else { return nil }
        var device = DeviceSummary(id)
        (device.terminalID, device.state, device.isEnabled) = (id, word, word == "ONLINE")
        return device
    }

    /// An answer of the cloud; nil where it says that there is no such thing.
    private func get(_ path: String?, _ context: LookupContext) async throws -> JSONReply? {
        guard let path else { return nil }
        let cloud = JSONClient(
            core.transport, core.configuration.endpoint,
            headers: AdyenRequestSender.headers(core.configuration.apiKey))
        do { return try await context.exchange { _ in try await cloud.send("GET", path) } } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}

/// Adyen with a terminal on the same network; only the cloud can list terminals, and its key never goes there.
public struct AdyenLocalDriver: AdyenTerminalDriver, DetailsDriver {
    public let core: AdyenCore

    init(_ core: AdyenCore) { self.core = core }
}

extension AdyenTerminalDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        let answer = try await diagnosis(context)
        let status = answer.body.member("POIStatus")
        func check(_ kind: ReaderCompatibility.Check.Kind, _ name: String) -> ReaderCompatibility.Check? {
            status?.member(name)?.truth.map {
                ReaderCompatibility.Check(kind, passed: $0, found: $0 ? "works" : "does not work", required: "works")
            }
        }
        let word = status?.member("GlobalStatus")?.text ?? "unknown"
        let isReachable = word == "OK" || word == "Busy"
        return ReaderCompatibility(
            [ReaderCompatibility.Check(.connection, passed: isReachable, found: word, required: "OK or Busy")]
                + [
                    check(.integrity, "SecurityOKFlag"), check(.init(rawValue: "pinPad"), "PEDOKFlag"),
                    check(.init(rawValue: "cardReader"), "CardReaderOKFlag"),
                    check(.init(rawValue: "host"), "CommunicationOKFlag"),
                ].compactMap { $0 })
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let word = try await diagnosis(context).body.member("POIStatus", "GlobalStatus")?.text ?? ""
        switch word {
        case "OK", "Busy": return ActivationStatus(.active, raw: word)
        default: return ActivationStatus(.inactive, raw: word)
        }
    }

    public func prepare(_ context: ReaderContext) async throws {
        let answer = try await diagnosis(context)
        let word = answer.body.member("POIStatus", "GlobalStatus")?.text ?? ""
        guard word == "OK" || word == "Busy" else {
            throw PaymentError(
                .readerUnavailable, outcome: .notExecuted, provider: ProviderMessage(code: word),
                detail: "the terminal says that it can't take payments now")
        }
    }

    /// Ends the payment that the terminal works on. The payment's own end says whether it was in time; if its reply was
    /// lost or comes elsewhere, the terminal does.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        guard let (running, ended) = core.slot.running else { return .nothingToCancel }
        try await context.exchange { _ in
            let header = try await core.header(.abort, context.number(), at: context.now)
            _ = try await core.link.send(header, ServiceRequests.abort(running), core.configuration.apiKey)
        }
        if let isCancelled = await ended.value() { return isCancelled ? .cancelled : .tooLate }
        let lookup = context.lookups
        guard case .answered(let reply)? = try? await fate(of: running, lookup),
            reply.response.result == "Failure", AdyenDeclineCodes.isCancellation(reply.response),
            // Another payment that has begun by now is not the one that was cancelled.
            core.slot.running?.ended === ended
        else { return .tooLate }
        return .cancelled
    }

    private func diagnosis(_ context: ReaderContext) async throws -> NexoMessage {
        try await context.exchange { _ in
            let header = try await core.header(.diagnosis, context.number(), at: context.now)
            let body = ServiceRequests.diagnosis(host: false)
            guard let answer = try await core.link.send(header, body, core.configuration.apiKey),
                let response = answer.response
            else { throw AdyenFailure.unreadable("the terminal does not say how it is") }
            if response.result != "Success" { throw AdyenFailure.refused(response) }
            return answer
        }
    }
}

/// What a terminal is doing for this till now, so that it can be cancelled.
final class ActiveTerminalTransaction: Sendable {
    private struct Work {
        var header: NexoHeader?
        let ended = Promise<Bool?>()
    }

    private let work = Locked<Work?>(nil)

    /// A payment begins.
    func begin() -> Promise<Bool?> {
        let begun = Work()
        work.withLock { $0 = begun }
        return begun.ended
    }

    /// A message of it has its name.
    func sent(_ header: NexoHeader) { work.withLock { $0?.header = header } }

    /// The payment has ended, and a canceller learns how; nil if the terminal may still be at work, and alone knows.
    func end(_ ended: Promise<Bool?>, isCancelled: Bool?) {
        if isCancelled != nil { work.withLock { if $0?.ended === ended { $0 = nil } } }
        ended.fulfill(isCancelled)
    }

    /// The message that runs, and what will say how it ended; nil when none does.
    var running: (header: NexoHeader, ended: Promise<Bool?>)? {
        work.withLock { work in work.flatMap { work in work.header.map { ($0, work.ended) } } }
    }
}
