import AllProviders
import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTestTill
import PaymentTransport
import Testing

@Suite struct ValidConfigurationTests {
    private func valid() throws -> PaymentConfiguration {
        let bytes = [UInt8](try Data(contentsOf: ConfigurationFixture.folder.appending(path: "valid.json")))
        return try ConfigurationReader(AcmeEntry.registry).read(bytes, file: "valid.json")
    }

    /// The settings that an adapter is made of.
    private func settings(_ tools: ProviderDependencies = ProviderDependencies(transport: FixedTransport.none))
        async throws -> ProviderSettings
    {
        let seen = Locked([ProviderSettings]())
        let entry = AcmeEntry.entry { settings, _ throws(PaymentError) in seen.withLock { $0.append(settings) } }
        let bytes = [UInt8](try Data(contentsOf: ConfigurationFixture.folder.appending(path: "valid.json")))
        let configuration = try ConfigurationReader(.builtin + [entry]).read(bytes, file: "valid.json")
        _ = try await configuration.drivers(tools, secrets: FixedSecrets(values: ["ACME_KEY": "the-key".secret]))
        return try #require(seen.withLock { $0.first })
    }

    @Test func everythingIsRead() throws {
        let configuration = try valid()
        #expect(configuration.providers.map(\.id) == ["till", "counter"])
        #expect(configuration.routing.active == "till")
        #expect(configuration.journal == JournalConfiguration(.sqlite, path: "payments.sqlite"))
        #expect(configuration.deadlineMilliseconds == 60_000)
        let till = configuration.providers[0]
        #expect(till.currencies == [.eur, .usd])
        #expect(till.endpoint == Origin(.http, "memory.sandbox"))
        let counter = configuration.providers[1].identity
        #expect(counter == ProviderIdentity("counter", adapter: "acme", environment: "test", merchant: "42"))
        #expect(configuration.providers[1].credentials["apiKey"] == .environment("ACME_KEY"))
    }

    @Test func settingsAreTypedAndDefaultsFilledIn() async throws {
        let settings = try await settings()
        #expect(try settings[.terminal] == "T-1")
        #expect(try settings[.region] == .eu)
        #expect(try settings[.retries] == 3)
        #expect(try settings[.signs])
        #expect(try settings[.takes] == [.eur, .jpy])
        #expect(try settings[.waitMilliseconds] == 250)
        #expect(try settings[.gateway] == Origin(.https, "gate.acme.example"))
        #expect(try settings[.callback] == WebURL(Origin(.https, "shop.example"), "/paid?x=1"))
        #expect(try settings[.apiKey].expose() == "the-key")
        #expect(try settings[.token] != nil)
        #expect(settings.endpoint == Origin(.https, "test.acme.example"))
    }

    @Test func anAdapterThatAsksForWhatItDoesNotDescribeIsTold() async throws {
        let settings = try await settings()
        // Another kind, another default, another type, another sentence: a declaration that isn't the entry's.
        let asks: [(String, () throws -> Void)] = [
            ("setting nothing", { _ = try settings[ProviderSettingKey("nothing", .text(), "Nothing.")] }),
            ("setting retries", { _ = try settings[RequiredSettingKey("retries", .text(), "")] }),
            (
                "setting retries",
                {
                    _ = try settings[
                        ProviderSettingKey("retries", .integer(0...10), default: 3, "How often a look-up is repeated.")]
                }
            ),
            ("setting terminal", { _ = try settings[ProviderSettingKey("terminal", .integer(0...1), default: 0, "")] }),
            ("setting signs", { _ = try settings[ProviderSettingKey("signs", .currencies, "Signs.")] }),
            ("setting region", { _ = try settings[RequiredSettingKey("region", .text(), "Where the account is.")] }),
            ("credential nothing", { _ = try settings[ProviderCredentialKey<Secret>("nothing", "Nothing.")] }),
            ("credential token", { _ = try settings[ProviderCredentialKey<Secret>("token", "The till's token.")] }),
            (
                "credential apiKey",
                { _ = try settings[ProviderCredentialKey<SecretSource>("apiKey", "The key of the back office.")] }
            ),
        ]
        for (words, ask) in asks {
            let error = #expect(throws: PaymentError.self) { try ask() }
            #expect(error?.code == .configuration)
            #expect(error?.detail.contains("asks for the \(words), which its entry doesn't list") == true, "\(words)")
        }
    }

    @Test func aDefaultStandsInTheDeclaration() {
        #expect(ProviderSettingKey.retries.default == 2)
        #expect(ProviderSettingKey.takes.default == nil)
        #expect(ProviderSetting(.retries).need == .default(.integer(2)))
        #expect(ProviderSetting(.takes).need == .optional)
        #expect(ProviderSetting(.region).need == .required)
        #expect(ProviderSetting(.region).kind == .choice(["eu", "us"]))
    }

    @Test func aSettingCanHaveATypeOfTheAdapters() throws {
        let first = ProviderSettingKey(
            "first", SettingKind.currencies.mapped({ $0.first }, back: { [$0] }), default: .jpy, "The first.")
        #expect(first.setting.kind == .currencies && first.setting.need == .default(.currencies([.jpy])))
        let entry = ProviderDefinition(
            adapter: "first", name: "First", environments: [ProviderEnvironment("test", endpoint: nil)],
            merchant: "Any.", settings: [ProviderSetting(first)], errors: ErrorTable([]),
            makeDriver: AcmeEntry.entry().makeDriver)
        try ProviderRegistry([entry]).check()
    }

    @Test func noSecretIsInAnyDump() async throws {
        let settings = try await settings()
        var text = ""
        dump(settings, to: &text)
        #expect(!text.contains("the-key"))
        #expect(!"\(settings)".contains("the-key"))
    }

    @Test func theFirstRouteThatMatchesTakesThePayment() throws {
        let routing = try valid().routing
        func takers(
            _ amount: String, _ currency: Currency, _ source: PaymentSource.Kind = .reader, _ label: String? = "fuel"
        )
            throws -> [ProviderID]
        {
            routing.candidates(try Money(amount, currency), from: source, label: label)
        }
        #expect(try takers("10.00", .eur) == ["counter", "till"])
        #expect(try takers("500.00", .eur) == ["counter", "till"])
        #expect(try takers("9.99", .eur) == ["till"])
        #expect(try takers("500.01", .eur) == ["till"])
        #expect(try takers("20.00", .eur, .card) == ["till"])
        #expect(try takers("20.00", .eur, .reader, nil) == ["till"])
        #expect(try takers("20.00", .usd) == ["till"])
        #expect(try takers("5000", .jpy, .card, nil) == ["counter"])
        #expect(try takers("5001", .jpy) == ["till"])
        #expect(routing.rules[0].minimum == Money(minorUnits: 1_000, .eur))
    }

    @Test func theMemoryDriverTakesTheConfiguredCurrencies() async throws {
        let drivers = try await valid().drivers(
            ProviderDependencies(transport: FixedTransport.none),
            secrets: FixedSecrets(values: ["ACME_KEY": "k".secret]))
        #expect(drivers.map(\.identity.id) == ["till", "counter"])
        #expect(drivers[0].capabilities.currencies == [.eur, .usd])
        #expect(drivers[0].identity.merchant == "m-1")
    }

    @Test func oneAmountAloneCanHaveARoute() throws {
        let text = """
            { "active": "a", "journal": { "kind": "memory" },
              "providers": { "a": { "adapter": "memory", "environment": "sandbox", "merchant": "m" } },
              "routes": [{ "currency": "EUR", "least": "5", "most": "5.00", "providers": ["a"] }] }
            """
        let routing = try ConfigurationReader(.builtin).read(Array(text.utf8), file: "f").routing
        #expect(routing.rules[0].minimum == routing.rules[0].maximum)
    }

    @Test func limitsHold() throws {
        func read(_ providers: Int, _ routes: Int) throws {
            let one = "{ \"adapter\": \"memory\", \"environment\": \"sandbox\", \"merchant\": \"m\" }"
            let all = (0..<providers).map { "\"p\($0)\": \(one)" }.joined(separator: ",")
            let route = "{ \"label\": \"x\", \"providers\": [\"p0\"] }"
            let some = repeatElement(route, count: routes).joined(separator: ",")
            let text = """
                { "active": "p0", "journal": { "kind": "memory" }, "providers": { \(all) }, "routes": [\(some)] }
                """
            _ = try ConfigurationReader(.builtin).read(Array(text.utf8), file: "f")
        }
        try read(64, 256)
        #expect(throws: PaymentError.self) { try read(65, 1) }
        #expect(throws: PaymentError.self) { try read(1, 257) }
    }
}
