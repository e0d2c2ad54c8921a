/// What an adapter that can hold and charge later implements. Applications use ``PaymentClient``.
public protocol AuthorizationDriver: PaymentDriver {
    /// Holds an amount.
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict
    /// Charges what is held, or a part of it.
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}
