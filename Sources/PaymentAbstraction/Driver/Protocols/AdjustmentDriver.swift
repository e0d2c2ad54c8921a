/// What an adapter that can change a held amount implements. Applications use ``PaymentClient``.
public protocol AdjustmentDriver: PaymentDriver {
    /// Holds another amount than before.
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}
