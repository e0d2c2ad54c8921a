import AllProviders
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTransport
import Testing

@Suite struct RegistryTests {
    private func problem(_ entries: [ProviderDefinition]) -> String? {
        do {
            try (ProviderRegistry.builtin + entries).check()
            return nil
        } catch {
            return error.detail
        }
    }

    private func entry(
        _ name: String = "acme", environments: [ProviderEnvironment] = [ProviderEnvironment("test", endpoint: nil)],
        settings: [ProviderSetting] = [], credentials: [ProviderCredential] = []
    ) -> ProviderDefinition {
        ProviderDefinition(
            adapter: name, name: "Acme", environments: environments, merchant: "The merchant.", settings: settings,
            credentials: credentials, errors: ErrorTable([]), makeDriver: AcmeEntry.entry().makeDriver)
    }

    @Test func theBuiltInOnesAreSound() throws {
        try ProviderRegistry.builtin.check()
        #expect(ProviderRegistry.builtin.adapters == ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
        #expect(ProviderRegistry.builtin.entry("memory")?.name == "Memory, a simulated provider")
        #expect(ProviderRegistry.builtin.entry("acme") == nil)
        #expect(AcmeEntry.registry.adapters == ["acme", "adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    }

    @Test func anAdapterThatIsThereTwiceIsAnErrorBeforeAnythingIsRead() throws {
        let registry = ProviderRegistry.builtin + [AcmeEntry.entry(), AcmeEntry.entry()]
        let error = #expect(throws: PaymentError.self) { try ConfigurationReader(registry).read([], file: "f") }
        #expect(error?.detail.contains("the adapter acme was added 2 times (Acme Payments, Acme Payments)") == true)
        #expect(problem([entry("memory")])?.contains("memory was added 2 times") == true)
    }

    @Test func anEntryThatContradictsItselfIsAnError() {
        #expect(problem([entry()]) == nil)
        #expect(problem([entry("a b")])?.contains("\"a b\" is no name") == true)
        #expect(problem([entry(environments: [])])?.contains("no environment") == true)
        let one = ProviderSetting(ProviderSettingKey("x", .integer(1...2), default: 3, "One."))
        #expect(problem([entry(settings: [one])])?.contains("default of x is not a whole number from 1 to 2") == true)
        let two = ProviderSetting(ProviderSettingKey("x", .boolean, "Two."))
        #expect(problem([entry(settings: [two, two])])?.contains("describes the setting x twice") == true)
        let key = ProviderCredentialKey<Secret>("k", "A key.")
        let credential = ProviderCredential(key)
        #expect(problem([entry(credentials: [credential, credential])])?.contains("credential k twice") == true)
        var strange = ProviderEnvironment("test", endpoint: nil)
        strange.set(ProviderSettingKey("y", .boolean, default: false, "Three."), to: true)
        #expect(problem([entry(environments: [strange])])?.contains("default of the unknown y") == true)
        var wrong = ProviderEnvironment("test", endpoint: nil)
        wrong.set(RequiredSettingKey("x", .text(), "Four."), to: "yes")
        var known = ProviderEnvironment("test", endpoint: nil)
        known.publish(key, "everybody-knows-it")
        #expect(problem([entry(environments: [known])])?.contains("public value of the unknown credential k") == true)
        #expect(problem([entry(environments: [known], credentials: [credential])]) == nil)
        let unproven = entry().withWebhookKey(key)
        #expect(problem([unproven])?.contains("proves webhooks by the unknown credential k") == true)
        #expect(problem([entry(environments: [wrong], settings: [two])])?.contains("is not true or false") == true)
    }
}
