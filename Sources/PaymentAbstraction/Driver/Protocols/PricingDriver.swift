/// What an adapter whose provider computes prices implements. Applications use ``ProviderClient/Pricing``.
public protocol PricingDriver: PaymentDriver {
    /// The price per tender, as the provider computes it.
    func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote
}
