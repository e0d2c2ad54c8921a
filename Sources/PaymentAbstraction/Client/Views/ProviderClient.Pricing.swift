extension ProviderClient {
    /// A provider's prices.
    public struct Pricing: Sendable {
        let driver: any PricingDriver
        let context: LookupContext

        /// What an amount costs per tender.
        public func quote(_ amount: Money) async throws(PaymentError) -> Quote { try await quote(QuoteRequest(amount)) }

        /// What an amount costs per tender, with tip, discount and surcharge.
        public func quote(_ request: QuoteRequest) async throws(PaymentError) -> Quote {
            let percents = [
                ("tip", request.tipPercent), ("discount", request.discountPercent),
                ("surcharge", request.surchargePercent),
            ]
            for (what, text) in percents {
                // A discount of more than everything would make a price of less than nothing.
                guard let text, let rate = try? Rate(percent: text), rate.isAboveOne else { continue }
                throw PaymentError.notExecuted(.invalidRequest, "a \(what) is at most 100 percent, not \(text)")
            }
            do { return try await driver.quote(request, context) } catch { throw driver.wrapped(error) }
        }
    }
}
