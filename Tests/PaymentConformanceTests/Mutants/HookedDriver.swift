import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance

/// The memory driver with some of its methods replaced; conforms to everything that the memory driver conforms to.
struct HookedDriver {
    typealias Call<Request> = @Sendable (MemoryDriver, Request, PaymentContext) async throws -> Verdict

    let inner: MemoryDriver
    var onLookup: @Sendable (MemoryDriver, LookupRequest, LookupContext) async throws -> LookupResult = {
        inner, inquiry, context in
        try await inner.lookup(inquiry, context)
    }
    var onPlan: @Sendable (LookupPlan) -> LookupPlan = { $0 }
    var onClassify: @Sendable (MemoryDriver, any Error) -> RequestFailure = { $0.classify($1) }
    var onNotices: @Sendable (MemoryDriver, WebhookMessage) throws -> [ProviderNotice] = { try $0.notices(in: $1) }
    var onSale: Call<SaleRequest> = { try await $0.sale($1, $2) }
    var onRefund: Call<FollowUpRequest> = { try await $0.refund($1, $2) }
    var onCapture: Call<FollowUpRequest> = { try await $0.capture($1, $2) }
    var onAccess: @Sendable (MemoryDriver, AccessToken?, SessionContext) async throws -> AccessToken = {
        try await $0.accessToken(replacing: $1, $2)
    }
    var onPrepare: @Sendable (MemoryDriver, ReaderContext) async throws -> Void = { try await $0.prepare($1) }
    var given: [Secret]?
    var onDetails: @Sendable (PaymentDetails?) -> PaymentDetails? = { $0 }

    /// Puts a hooked driver in the place of the memory driver.
    static func over(
        _ change: @escaping @Sendable (inout HookedDriver) -> Void
    ) -> @Sendable (any PaymentDriver) -> any PaymentDriver {
        { shipped in
            guard let inner = shipped as? MemoryDriver else { return shipped }
            var hooked = HookedDriver(inner: inner)
            change(&hooked)
            return hooked
        }
    }
}

extension HookedDriver: PaymentDriver, SessionDriver, WebhookDriver, ReaderDriver {
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { given ?? inner.secrets }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        inner.lookupPlan(for: operation).map(onPlan)
    }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await onLookup(inner, inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { onClassify(inner, error) }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await onAccess(inner, last, context)
    }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try onNotices(inner, message) }
    func activation(_ context: ReaderContext) async throws -> ActivationStatus { try await inner.activation(context) }
    func activate(_ context: ReaderContext) async throws { try await inner.activate(context) }
    func prepare(_ context: ReaderContext) async throws { try await onPrepare(inner, context) }
}

extension HookedDriver: SaleDriver, AuthorizationDriver, CardOnFileDriver, UnlinkedRefundDriver {
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onSale(inner, request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.authorize(request, context)
    }
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.chargeCardOnFile(request, context)
    }
    func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.refundUnlinked(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onCapture(inner, request, context)
    }
}

extension HookedDriver: AdjustmentDriver, VoidDriver, RefundDriver, TipAdjustmentDriver {
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.adjust(request, context)
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.void(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onRefund(inner, request, context)
    }
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.adjustTip(request, context)
    }
}

extension HookedDriver: DetailsDriver, ListDriver, PricingDriver, VerificationDriver, TokenizationDriver {
    func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        onDetails(try await inner.details(references, context))
    }
    func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        try await inner.list(query, context)
    }
    func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        try await inner.quote(request, context)
    }
    func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.verify(request, context)
    }
    func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.tokenize(request, context)
    }
}
