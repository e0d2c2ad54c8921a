import AllProviders
import MemoryProvider
import PaymentProviderKit
import PaymentTestTill
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

/// What a refusal over HTTP proves.
@Suite struct RefusalTests {
    private static let statuses: [ErrorTable.Row] = [
        .init("http.400", "http", .invalidRequest, .refused, "not valid"),
        .init("http.401", "http", .authentication, .refused, "not known"),
        .init("http.429", "http", .rateLimited, .refused, "too many"),
    ]
    private let plain = ErrorTable([.init("7", "code", .invalidRequest, .refused, "no such thing")] + statuses)
    private let repeating = ErrorTable(
        [
            .init("7", "code", .invalidRequest, .refused, "no such thing"),
            .init("8", "code", .conflict, .maybeSent, "this came before"),
        ] + statuses)

    private func delivery(_ table: ErrorTable, _ status: Int, _ code: String?) -> Delivery {
        let refusal = HTTPErrorResponse(HTTPResponse(status), code.map { ["code": .string($0)] })
        return table.failure(refusal) { ($0?["code"]?.string ?? "", "") }.delivery
    }

    /// Where no code says that something came before, the status is believed.
    @Test func theStatusIsBelievedWhereNothingElseCouldHaveBeenSaid() {
        for code in [nil, "7", "9"] { #expect(delivery(plain, 400, code) == .refused) }
    }

    /// An unreadable body may have said that the request came before: then it was carried out.
    @Test func whatMayHaveComeBeforeIsNotRefused() {
        #expect(delivery(repeating, 400, "7") == .refused)
        #expect(delivery(repeating, 400, "8") == .maybeSent)
        for code in [nil, "", "9"] { #expect(delivery(repeating, 400, code) == .maybeSent) }
    }

    /// A gateway answers so after the provider has executed the request, whatever the table says of the status.
    @Test(arguments: [500, 502, 503, 504]) func serverFailure_whoseRowSaysRefused_mayHaveBeenSent(_ status: Int) {
        let trusting = ErrorTable(
            [.init("http.\(status)", "http", .providerUnavailable, .refused, isRetryable: true, "down for a moment")])
        let refusal = HTTPErrorResponse(HTTPResponse(status), nil)
        let fault = trusting.failure(refusal) { _ in ("", "") }
        #expect(fault.delivery == .maybeSent && fault.code == .providerUnavailable && fault.isRetryable)
    }

    /// A provider that rejects the login or the rate did not execute the request, even if it sends no error code.
    @Test(arguments: [401, 429]) func http401And429_withoutErrorCode_isRefused(_ status: Int) {
        #expect(delivery(repeating, status, nil) == .refused)
    }
}

/// An adapter from outside with every kind of setting; its driver is the memory driver.
enum AcmeEntry {
    /// Where an account is.
    enum Region: String, Sendable, CaseIterable { case eu, us }

    static let settings = [
        ProviderSetting(.terminal), ProviderSetting(.region), ProviderSetting(.retries), ProviderSetting(.signs),
        ProviderSetting(.takes), ProviderSetting(.waitMilliseconds), ProviderSetting(.gateway),
        ProviderSetting(.callback),
    ]

    static let credentials = [ProviderCredential(.apiKey), ProviderCredential(.token)]

    private static var test: ProviderEnvironment {
        var test = ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example"))
        test.set(.gateway, to: Origin(.https, "gate.acme.example"))
        return test
    }

    /// Hands everything that it is made of to `seen`.
    static func entry(
        _ adapter: String = "acme",
        seen: @escaping @Sendable (ProviderSettings, ProviderDependencies) throws(PaymentError) -> Void = { _, _ in }
    ) -> ProviderDefinition {
        ProviderDefinition(
            adapter: adapter, name: "Acme Payments",
            environments: [test, ProviderEnvironment("own", endpoint: nil)], merchant: "The merchant's number at Acme.",
            settings: settings, credentials: credentials,
            errors: ErrorTable([])
        ) { settings, tools throws(PaymentError) in
            try seen(settings, tools)
            if try settings[.terminal] == "T-refuse" {
                throw PaymentError(
                    .configuration, outcome: .notExecuted, detail: "terminals of this kind are gone; order another")
            }
            let configuration = MemoryConfiguration(
                name: settings.id.rawValue, endpoint: settings.endpoint, merchant: settings.merchant,
                secret: try settings[.apiKey])
            return MemoryDriver(configuration, tools.transport)
        }
    }

    static let registry = ProviderRegistry.builtin + [entry()]
}

extension RequiredSettingKey where Value == String {
    static var terminal: Self { Self("terminal", .text(charactersMax: 32), "The terminal's id.") }
}

extension RequiredSettingKey where Value == AcmeEntry.Region {
    static var region: Self { Self("region", .choice, "Where the account is.") }
}

extension ProviderSettingKey where Value == Int64 {
    static var retries: Self { Self("retries", .integer(0...10), default: 2, "How often a look-up is repeated.") }
}

extension ProviderSettingKey where Value == Bool {
    static var signs: Self { Self("signs", .boolean, default: false, "Whether requests are signed.") }
}

extension ProviderSettingKey where Value == [Currency]? {
    static var takes: Self { Self("takes", .currencies, "What the terminal shows.") }
}

extension ProviderSettingKey where Value == Int64? {
    static var waitMilliseconds: Self {
        Self("waitMilliseconds", .milliseconds(100...60_000), "How long the terminal may think.")
    }
}

extension ProviderSettingKey where Value == Origin? {
    static var gateway: Self { Self("gateway", .origin, "Where cards are checked.") }
}

extension ProviderSettingKey where Value == WebURL? {
    static var callback: Self { Self("callback", .address, "Where results are sent.") }
}

extension ProviderCredentialKey where Value == Secret {
    static var apiKey: Self { Self("apiKey", "The key of the back office.") }
}

extension ProviderCredentialKey where Value == SecretSource? {
    static var token: Self { Self("token", "The till's token.") }
}
