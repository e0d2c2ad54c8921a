/// What an adapter that can change a tip afterwards implements. Applications use ``PaymentClient``.
public protocol TipAdjustmentDriver: PaymentDriver {
    /// Makes the request's amount the tip.
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}
