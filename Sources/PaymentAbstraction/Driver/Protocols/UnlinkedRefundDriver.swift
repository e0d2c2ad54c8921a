/// What an adapter that can give money without an original implements. Applications use ``PaymentClient``.
public protocol UnlinkedRefundDriver: PaymentDriver {
    /// Gives money to a source.
    func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict
}
