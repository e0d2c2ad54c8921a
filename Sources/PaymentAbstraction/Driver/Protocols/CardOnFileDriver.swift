/// What an adapter that can charge a card on file implements. Applications use ``PaymentClient``.
public protocol CardOnFileDriver: PaymentDriver {
    /// Charges an instrument on file, without the customer.
    func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict
}
