public import PaymentAbstraction

/// Something that happens at the provider without a request.
public enum ProviderEvent: Hashable, Sendable {
    /// Every access that was given out stops working.
    case accessRevoked
    /// Everything that was charged so far is settled; nil where refunds don't wait for that.
    case settled
    /// What was pending under an attempt is decided.
    case decided(AttemptID, succeeds: Bool)
    /// What was done under an attempt fails afterwards.
    case failedLater(AttemptID)
}
