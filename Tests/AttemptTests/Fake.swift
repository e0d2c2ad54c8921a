import PaymentAbstraction
import PaymentBase
import PaymentTestTill

/// A connection that broke after the message had left.
struct Lost: DeliveryEvidence { let delivery = Delivery.maybeSent }

/// A refusal as an adapter's table sorts it.
struct Refused: Error {
    let fault: RequestFailure

    init(
        _ code: PaymentError.Code, _ delivery: Delivery = .refused, mayRepeat: Bool = false, wait: Int64? = nil,
        saying message: ProviderMessage? = nil
    ) {
        var fault = RequestFailure(code, delivery, provider: message)
        (fault.isRetryable, fault.retryAfterMilliseconds) = (mayRepeat, wait)
        self.fault = fault
    }
}

/// A driver whose provider is a ``Company``; each call can be scripted.
struct Fake: SaleDriver, AuthorizationDriver, AdjustmentDriver, VoidDriver, RefundDriver, TipAdjustmentDriver,
    WebhookDriver, CardOnFileDriver
{
    typealias Sale = @Sendable (SaleRequest, PaymentContext) async throws -> Verdict
    typealias FollowUp = @Sendable (FollowUpRequest, PaymentContext) async throws -> Verdict
    typealias Debit = @Sendable (CardOnFileRequest, PaymentContext) async throws -> Verdict
    typealias Lookup = @Sendable (LookupRequest, LookupContext) async throws -> LookupResult

    /// The name under which its follow-ups look for the provider's reference.
    static let nameForFollowUps = "payment"

    let company: Company
    var identity: ProviderIdentity
    var capabilities: Capabilities
    var plan = LookupPlan(every: 1_000, giveUpAfter: 3_000)
    var onSale: Sale
    var onFollow: [PaymentOperation: FollowUp] = [:]
    var onDebit: Debit
    var onLookup: Lookup

    init(
        _ company: Company, name: String = "p", merchant: String = "m",
        sources: Set<PaymentSource.Kind> = [.card, .token]
    ) {
        self.company = company
        identity = ProviderIdentity(
            ProviderID(rawValue: name), adapter: "fake", environment: "sandbox", merchant: merchant)
        // Its calls are functions: nothing of them is on its way once they have begun.
        capabilities = Capabilities(sources: sources, sendLimit: 0)
        capabilities.authorizationSources = sources
        capabilities.features = Set(RequestFeature.allCases)
        onSale = { request, context in try await Fake.charge(company, request, context) }
        onDebit = { request, context in
            try await context.exchange(.money) { _ in
                company.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount))
            }
        }
        onLookup = { inquiry, _ in
            guard let shown = company.shown(inquiry.attempt) ?? company.shownRefund(inquiry.attempt) else {
                return .cannotTell("It can't be seen now.")
            }
            return .found(shown)
        }
    }

    /// One exchange that charges and is answered.
    static func charge(
        _ company: Company, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            company.charge(context.attempt, request.amount)
            return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
        }
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { plan }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        company.countLookup()
        return try await onLookup(inquiry, context)
    }

    func classify(_ error: any Error) -> RequestFailure { (error as? Refused)?.fault ?? RequestFailure(error) }

    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { company.takeMail() }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onSale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.exchange(.money) { _ in
            .approved(Approval(request.amount, references: ["payment": "h-\(context.attempt)"]))
        }
    }
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onDebit(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.capture, request, context) { company.charge(context.attempt, request.amount) }
    }
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.adjust, request, context) {}
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.void, request, context) {}
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.refund, request, context) { company.giveBack(context.attempt, request.amount) }
    }
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.tipAdjustment, request, context) {}
    }

    private func follow(
        _ operation: PaymentOperation, _ request: FollowUpRequest, _ context: PaymentContext, _ act: () -> Void
    ) async throws -> Verdict {
        if let script = onFollow[operation] { return try await script(request, context) }
        return try await context.exchange(.money) { _ in
            act()
            return .approved(
                Approval(request.amount, references: [operation.rawValue: "\(operation.rawValue)-\(context.attempt)"]))
        }
    }
}
