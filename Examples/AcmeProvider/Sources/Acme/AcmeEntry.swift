import PaymentAbstraction
import PaymentTransport
import Providers

extension ProviderEntry {
    /// How a configuration names Acme and what it has to say.
    public static let acme = ProviderEntry(
        adapter: "acme", company: "Acme Payments",
        environments: [ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example"))],
        merchant: "The merchant's number at Acme.",
        credentials: [Credential("apiKey", "The key of Acme's back office.")],
        errors: .acme
    ) { settings, tools throws(PaymentError) in
        AcmeDriver(settings.identity, settings.endpoint, key: try settings.secret("apiKey"), tools.transport)
    }
}
