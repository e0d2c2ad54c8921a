import ARISEProvider
import PaymentAbstraction
import PaymentBase

/// The ARISE driver with what it decides replaced: errors, lookups, webhooks.
struct HookedARISE {
    let inner: ARISEDriver
    var onClassify: @Sendable (ARISEDriver, any Error) -> RequestFailure = { $0.classify($1) }
    var onLookup: @Sendable (ARISEDriver, LookupRequest, LookupContext) async throws -> LookupResult = {
        inner, inquiry, context in
        try await inner.lookup(inquiry, context)
    }
    var onPlan: @Sendable (LookupPlan) -> LookupPlan = { $0 }
    var onNotices: @Sendable (ARISEDriver, WebhookMessage) throws -> [ProviderNotice] = { try $0.notices(in: $1) }
    var given: [Secret]?
}

extension HookedARISE: SaleDriver, AuthorizationDriver, VoidDriver, RefundDriver, SessionDriver, WebhookDriver {
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { given ?? inner.secrets }
    func classify(_ error: any Error) -> RequestFailure { onClassify(inner, error) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await onLookup(inner, inquiry, context)
    }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        inner.lookupPlan(for: operation).map(onPlan)
    }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try onNotices(inner, message) }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.authorize(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.capture(request, context)
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.void(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.refund(request, context)
    }
}
