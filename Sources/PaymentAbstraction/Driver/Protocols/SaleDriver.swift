/// What an adapter that can charge implements. Applications use ``PaymentClient``.
public protocol SaleDriver: PaymentDriver {
    /// Charges at once.
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict
}
