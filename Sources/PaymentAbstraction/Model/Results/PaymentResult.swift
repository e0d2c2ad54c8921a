/// What came of a money operation.
public enum PaymentResult: Hashable, Sendable {
    /// It was done; the payment as it stands now.
    case approved(Payment)
    /// It was refused, finally.
    case declined(Decline)
    /// It was ended before it was decided.
    case cancelled(Cancellation)
    /// It was accepted and is not final; a webhook or a later status decides it.
    case pending(Pending)

    /// The payment, when it was approved.
    public var payment: Payment? {
        if case .approved(let payment) = self { return payment }
        return nil
    }
}
