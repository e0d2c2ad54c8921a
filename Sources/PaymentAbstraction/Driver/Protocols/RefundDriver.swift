/// What an adapter that can give back to the original implements. Applications use ``PaymentClient``.
public protocol RefundDriver: PaymentDriver {
    /// Gives back what was charged, or a part of it.
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}
