import PaymentBase
import PaymentDriverKit
import PaymentTestTill

/// A connection that broke after the request had left.
struct Lost: DeliveryEvidence { let delivery = Delivery.maybeSent }

/// A refusal as an adapter's table of errors sorts it.
struct Refused: Error {
    let fault: RequestFailure

    init(
        _ code: PaymentError.Code, _ delivery: Delivery = .refused, mayRepeat: Bool = false,
        waitMilliseconds: Int64? = nil
    ) {
        var fault = RequestFailure(code, delivery)
        (fault.isRetryable, fault.retryAfterMilliseconds) = (mayRepeat, waitMilliseconds)
        self.fault = fault
    }
}

/// A driver whose provider is a ``Ledger``; each call can be scripted.
struct Fake: SaleDriver, AuthorizationDriver, RefundDriver, UnlinkedRefundDriver, CardOnFileDriver, WebhookDriver {
    typealias Sale = @Sendable (SaleRequest, PaymentContext) async throws -> Verdict
    typealias FollowUp = @Sendable (FollowUpRequest, PaymentContext) async throws -> Verdict
    typealias Lookup = @Sendable (LookupRequest, LookupContext) async throws -> LookupResult

    let ledger: Ledger
    var identity: ProviderIdentity
    var capabilities: Capabilities
    /// Nil at a provider that can't be asked.
    var plan: LookupPlan? = LookupPlan(every: 1_000, giveUpAfter: 3_000)
    var onSale: Sale
    var onRefund: FollowUp
    var onCapture: FollowUp
    var onLookup: Lookup
    /// What no lookup matches.
    var alike: [String] = []
    var onDebit: @Sendable (CardOnFileRequest) -> Void = { _ in }

    /// Each is another merchant's account, unless it is said.
    init(_ ledger: Ledger, name: String = "p", merchant: String? = nil) {
        self.ledger = ledger
        identity = ProviderIdentity(
            ProviderID(rawValue: name), adapter: "fake", environment: "sandbox", merchant: merchant ?? name)
        // Its exchanges are functions: their bytes have left as soon as they begin.
        capabilities = Capabilities(sources: [.card, .saved], sendLimit: 0)
        capabilities.authorizationSources = [.card]
        capabilities.unlinkedRefundSources = [.card]
        capabilities.features = Set(RequestFeature.allCases)
        onSale = { request, context in try await Fake.charge(ledger, request, context) }
        onRefund = { request, context in
            try await context.exchange(.money) { _ in
                ledger.refund(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
            }
        }
        onCapture = { request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["capture": "c-\(context.attempt)"]))
            }
        }
        onLookup = { inquiry, _ in
            ledger.shown(inquiry.attempt).map(LookupResult.found) ?? .cannotTell("It can't be seen now.")
        }
    }

    /// One exchange that charges and is answered.
    static func charge(
        _ ledger: Ledger, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            ledger.charge(context.attempt, request.amount)
            return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }

    /// One exchange that charges and whose reply is lost.
    static func chargeWithoutReply(
        _ ledger: Ledger, _ request: SaleRequest, _ context: PaymentContext, named names: [String] = []
    ) async throws -> Verdict {
        try await context.send(.money) { _ in
            Outgoing(names: names) { () -> Verdict in
                ledger.charge(context.attempt, request.amount)
                throw Lost()
            }
        }
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { plan }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await onLookup(inquiry, context)
    }

    func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String] { alike }

    func classify(_ error: any Error) -> RequestFailure { (error as? Refused)?.fault ?? RequestFailure(error) }

    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { ledger.takeNotices() }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onSale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onCapture(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onRefund(request, context)
    }
    func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            ledger.refund(context.attempt, request.amount)
            return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
        }
    }
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        onDebit(request)
        return try await context.exchange(.money) { _ in
            ledger.charge(context.attempt, request.amount, as: "debit of \(request.instrument.rawValue)")
            return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }
}
