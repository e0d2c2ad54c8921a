/// What an adapter that can turn a card into a token without charging it implements. Applications use
/// ``PaymentClient``.
public protocol TokenizationDriver: PaymentDriver {
    /// Makes a token; the approval carries it as the saved instrument.
    func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict
}
