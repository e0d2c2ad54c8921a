/// What an adapter that can check a card without charging it implements. Applications use ``PaymentClient``.
public protocol VerificationDriver: PaymentDriver {
    /// Checks a source.
    func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict
}
