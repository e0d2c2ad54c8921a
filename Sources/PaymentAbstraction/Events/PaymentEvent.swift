/// One step in the life of a payment; numbered within it.
public struct PaymentEvent: Hashable, Sendable {
    /// Its place in the payment's timeline; 0 for events that belong to none.
    public let sequence: Int
    /// When, in milliseconds since 1970.
    public let at: Int64
    /// The payment that it belongs to, if to any.
    public let payment: PaymentID?
    /// The attempt that it belongs to, if to any.
    public let attempt: AttemptID?
    /// Who was spoken with, if anybody.
    public let provider: ProviderID?
    /// What happened.
    public let kind: Kind
    /// What belongs to it, by name; never a secret.
    public let attributes: [String: String]

    /// Makes an event.
    public init(
        _ kind: Kind, sequence: Int = 0, at: Int64, payment: PaymentID? = nil, attempt: AttemptID? = nil,
        provider: ProviderID? = nil, attributes: [String: String] = [:]
    ) {
        (self.kind, self.sequence, self.at) = (kind, sequence, at)
        (self.payment, self.attempt, self.provider) = (payment, attempt, provider)
        self.attributes = attributes
    }
    /// The same at another place.
    func numbered(_ sequence: Int) -> PaymentEvent {
        PaymentEvent(
            kind, sequence: sequence, at: at, payment: payment, attempt: attempt, provider: provider,
            attributes: attributes)
    }
}
