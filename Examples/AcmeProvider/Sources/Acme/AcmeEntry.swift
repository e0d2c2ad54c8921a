import PaymentAbstraction
import PaymentProviderKit
import PaymentTransport

extension ProviderEntry {
    /// How a configuration names Acme and what it has to say.
    public static let acme = ProviderEntry(
        adapter: "acme", name: "Acme Payments",
        environments: [
            .acmeSimulated, ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example")),
        ],
        merchant: "The merchant's number at Acme.",
        credentials: [ProviderCredential("apiKey", "The key of Acme's back office.")],
        errors: .acme
    ) { settings, tools throws(PaymentError) in
        AcmeDriver(settings.identity, settings.endpoint, key: try settings.secret("apiKey"), tools.transport)
    }
}

extension ProviderEnvironment {
    /// The simulated provider: `payctl` runs it within itself, so that every command works without an account.
    fileprivate static var acmeSimulated: ProviderEnvironment {
        var simulated = ProviderEnvironment("simulated", endpoint: Origin(.http, "acme.sandbox"))
        simulated.allowsPlainHTTP = true
        simulated.publicMerchant = "m-1"
        simulated.publicCredentials = ["apiKey": "acme-test-key"]
        return simulated
    }
}
