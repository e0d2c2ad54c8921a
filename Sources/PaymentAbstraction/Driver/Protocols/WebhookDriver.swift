/// What an adapter whose provider pushes news implements. Applications use ``PaymentClient``.
public protocol WebhookDriver: PaymentDriver {
    /// Verifies and reads one message; throws when it can't be trusted. Nothing is believed by default.
    func notices(in message: WebhookMessage) throws -> [ProviderNotice]
    /// How the provider wants to hear that a webhook arrived.
    var acknowledgement: WebhookAcknowledgement { get }
}

extension WebhookDriver {
    public var acknowledgement: WebhookAcknowledgement { WebhookAcknowledgement() }
}
