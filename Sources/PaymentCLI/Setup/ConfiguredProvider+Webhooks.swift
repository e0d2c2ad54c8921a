internal import PaymentProviderKit

extension ConfiguredProvider {
    /// Whether there is something to prove webhooks with: configured, or of a simulated provider and known to everyone.
    var hasWebhookKey: Bool {
        guard let key = entry.webhookCredential else { return false }
        return credentials[key] != nil || entry.environment(environment)?.publicCredentials[key] != nil
    }
}
