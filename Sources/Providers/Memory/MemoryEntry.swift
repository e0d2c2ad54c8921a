internal import PaymentAbstraction
internal import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderDefinition {
    /// The memory provider, which is simulated: its secret is known to everyone.
    public static let memory = ProviderDefinition(
        adapter: "memory", name: "Memory, a simulated provider", environments: [.memorySandbox],
        merchant: "The merchant's account; any name will do.",
        credentials: [ProviderCredential(.secret), ProviderCredential(.webhookSecret)],
        errors: .memory
    ) { settings, tools throws(PaymentError) in
        MemoryDriver(
            MemoryDriver(try MemoryConfiguration(settings), tools.transport), taking: settings.currencies)
    }
    .withInspector(MemoryInspector())
    .withWebhookKey(.webhookSecret)
    .withDeclineCodes(MemoryMapping.reasons)
}

extension ProviderEnvironment {
    /// The one world of the memory provider.
    fileprivate static var memorySandbox: ProviderEnvironment {
        var sandbox = simulated("memory", as: "sandbox", merchant: "m-1")
        sandbox.publish(.webhookSecret, "memory-webhook-secret")
        return sandbox
    }
}

extension MemoryDriver {
    /// The same driver, taking only some currencies; nil for all.
    fileprivate init(_ driver: MemoryDriver, taking currencies: Set<Currency>?) {
        var takes = driver.capabilities
        takes.currencies = currencies
        (identity, capabilities) = (driver.identity, takes)
        (wire, configuration) = (driver.wire, driver.configuration)
    }
}
