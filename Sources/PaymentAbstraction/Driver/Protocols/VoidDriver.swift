/// What an adapter that can undo before settlement implements. Applications use ``PaymentClient``.
public protocol VoidDriver: PaymentDriver {
    /// Undoes a payment as a whole.
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict
}
