import AllProviders
import Foundation
import PaymentCore
import PaymentProviderKit
import PaymentTestTill
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

    @Test func adapterThatAsksForAnUndescribedSetting_isNamed() async throws {
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

    @Test func valueThatTheAdapterDoesNotTake_isAnErrorOfTheConfiguration() async throws {
        let settings = try await settings()
        let odd = ProviderSettingKey(
            "retries", SettingKind.integer(0...10).mapped({ $0 % 2 == 0 ? $0 : nil }, back: { $0 }), default: 2,
            "How often a look-up is repeated.")
        let error = #expect(throws: PaymentError.self) { _ = try settings[odd] }
        #expect(error?.detail.contains("does not take the value of the setting retries") == true)
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

@Suite struct BrokenConfigurationTests {
    /// What reading a file and making its drivers ends with.
    private func failure(_ bytes: [UInt8], file: String) async -> PaymentError? {
        do {
            let configuration = try ConfigurationReader(AcmeEntry.registry).read(bytes, file: file)
            _ = try await configuration.drivers(
                ProviderDependencies(transport: FixedTransport.none),
                secrets: FixedSecrets(values: ["ACME_KEY": "k".secret]))
            return nil
        } catch {
            return error
        }
    }

    @Test func thereAreManyOfThem() { #expect(ConfigurationFixture.broken.count >= 40) }

    @Test(arguments: ConfigurationFixture.broken)
    func aBrokenFileSaysWhatIsWrong(_ fixture: ConfigurationFixture) async throws {
        let error = try #require(await failure(try fixture.bytes(), file: fixture.name + ".json"))
        #expect(error.code == .configuration)
        #expect(error.outcome == .notExecuted)
        #expect(try fixture.expected(error.detail) == error.detail + "\n")
        #expect(!error.debugDescription.contains(ConfigurationFixture.planted))
        let lines = error.detail.split(separator: "\n")
        #expect(lines.count >= 2 && lines.count <= 22)
        let place = try Regex("^\(fixture.name)[.]json:[0-9]+(:[0-9]+: .{10,}| more problems)")
        for line in lines.dropFirst() { #expect(line.contains(place) || line.contains("more problems"), "\(line)") }
        for line in lines { #expect(!line.contains { $0.isNewline || $0.asciiValue.map { $0 < 32 } ?? false }) }
    }

    @Test func twentyProblemsAreListedAndTheRestCounted() async throws {
        let fixture = ConfigurationFixture(name: "33-too-many")
        let error = try #require(await failure(try fixture.bytes(), file: "f"))
        #expect(error.detail.split(separator: "\n").count == 22)
        #expect(error.detail.hasPrefix("f has 33 problems"))
        #expect(error.detail.hasSuffix("f: 13 more problems are not listed; correct these first."))
    }

    @Test func credential_malformedValue_isNotInError() async throws {
        let values = [
            "\"PLANTED\"", "\"env:PLANTED value\"", "\"env:planted_PLANTED\"", "\"file:\\nPLANTED\"", "7777PLANTED",
            "[\"PLANTED\"]", "{\"PLANTED\": 1}", "\"command:'PLANTED'\"", "\"url:PLANTED\"",
            "\"url:https://PLANTED@x/\"",
            "\"ENV:PLANTED\"", "\"command:nothing PLANTED\"", "\"url:https://x/?k=PLANTED#a b\"", "\"PLANTED",
            "PLANTED\"",
            "\"\\xPLANTED\"", "\"PLANTED\" \"PLANTED\"", "-PLANTED", "\"PLANTED\"}",
        ]
        for value in values {
            let text = """
                { "active": "a", "journal": { "kind": "memory" }, "providers": { "a": {
                  "adapter": "acme", "environment": "test", "merchant": "42",
                  "settings": { "terminal": "T", "region": "eu" }, "credentials": { "apiKey": \(value) } } } }
                """
            let error = try #require(await failure(Array(text.utf8), file: "f"), "\(value)")
            #expect(!error.debugDescription.contains("PLANTED"), "\(value): \(error.debugDescription)")
        }
    }

    @Test func aSecretUnderAnUnknownOrDelicateNameIsNeverShown() async throws {
        for member in ["\"pasword\": \"PLANTED\"", "\"apikey\": \"PLANTED\"", "\"merchantKey\": {\"PLANTED\": 1}"] {
            let text = """
                { "active": "a", \(member), "providers": { "a": { \(member),
                  "adapter": "acme", "environment": "test", "merchant": "42",
                  "settings": { \(member), "terminal": "T", "region": "eu" }, "credentials": { \(member) } } } }
                """
            let error = try #require(await failure(Array(text.utf8), file: "f"))
            #expect(!error.debugDescription.contains("PLANTED"), "\(error.debugDescription)")
        }
    }

    @Test func everyByteThatIsChangedGivesAnErrorOrAConfiguration() async throws {
        let bytes = [UInt8](try Data(contentsOf: ConfigurationFixture.folder.appending(path: "valid.json")))
        for index in stride(from: 0, to: bytes.count, by: 3) {
            for byte in [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "0"), 0xFF] {
                var changed = bytes
                changed[index] = byte
                if let error = await failure(changed, file: "f") { #expect(error.code == .configuration) }
            }
        }
    }

    @Test func aFileFullOfProblemsIsReadOnce() async throws {
        let members = (0..<2_000).map { "\"wrong\($0)\": 1" }.joined(separator: ",\n")
        let error = try #require(await failure(Array("{\n\(members)\n}".utf8), file: "f"))
        #expect(error.detail.hasPrefix("f has 2003 problems"))
        #expect(error.detail.split(separator: "\n").count == 22)
    }

    @Test func anAdapterThatShowsItsCredentialIsScrubbed() async throws {
        let entry = AcmeEntry.entry { settings, _ throws(PaymentError) in
            let key = try settings[.apiKey].expose()
            throw PaymentError(.configuration, outcome: .notExecuted, detail: "the key \(key) is\nno good")
        }
        let bytes = [UInt8](try Data(contentsOf: ConfigurationFixture.folder.appending(path: "valid.json")))
        let configuration = try ConfigurationReader(.builtin + [entry]).read(bytes, file: "f")
        let error = await #expect(throws: PaymentError.self) {
            try await configuration.drivers(
                ProviderDependencies(transport: FixedTransport.none),
                secrets: FixedSecrets(values: ["ACME_KEY": "PLANTED".secret]))
        }
        #expect(error?.detail.hasSuffix("the adapter acme refused it: the key <secret> is no good") == true)
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 1_024 * 1_024 + 1)
        let error = try #require(await failure(bytes, file: "f"))
        #expect(error.detail.contains("more than 1048576 bytes"))
    }
}

@Suite struct SchemaTests {
    private static let root = ConfigurationFixture.repository

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.root.appending(path: name)))
    }

    private func problems(_ json: JSON, _ registry: ProviderRegistry) throws -> [String] {
        try SchemaValidator(JSONReader().read(registry.schema())).problems(json)
    }

    @Test func theFileAtTheRootIsWhatTheRegistrySays() throws {
        let schema = ProviderRegistry.builtin.schema()
        let file = Self.root.appending(path: "providers.schema.json")
        if ConfigurationFixture.isRecording { try Data(schema).write(to: file) }
        #expect(try bytes("providers.schema.json") == schema)
    }

    @Test func theConfigurationAtTheRootFitsReaderAndSchemaAndNeedsNothing() async throws {
        let bytes = try bytes("providers.json")
        #expect(try problems(JSONReader().read(bytes), .builtin) == [])
        let configuration = try ConfigurationReader(.builtin).read(bytes, file: "providers.json")
        let drivers = try await configuration.drivers(
            ProviderDependencies(transport: FixedTransport.none), secrets: FixedSecrets())
        #expect(drivers.map(\.identity.adapter).sorted() == ProviderRegistry.builtin.adapters)
    }

    @Test func theValidFixtureFitsTheSchema() throws {
        #expect(
            try problems(JSONReader().read(try bytes("Tests/Fixtures/Configuration/valid.json")), AcmeEntry.registry)
                == [])
    }

    /// What the schema can't say: it spans members, needs the list of currencies, or is known only when opening.
    private static let beyond: Set<String> = [
        "09-unknown-active", "13-address-for-a-key", "21-endpoint-missing",
        "25-journal-without-path", "26-journal-with-path", "30-credentials-missing",
        "31-references-to-nothing", "32-adapter-refuses", "37-plain-token-address", "42-journal-postgres-nowhere",
    ]

    @Test(arguments: ConfigurationFixture.broken)
    func theSchemaRefusesWhatTheReaderRefuses(_ fixture: ConfigurationFixture) throws {
        guard let json = try? JSONReader().read(try fixture.bytes()) else { return }
        #expect(try problems(json, AcmeEntry.registry).isEmpty == Self.beyond.contains(fixture.name), "\(fixture)")
    }

    @Test func everyKeywordOfTheSchemaIsKnownToTheValidator() throws {
        let schema = try JSONReader().read(AcmeEntry.registry.schema())
        #expect(SchemaValidator(schema).unknownKeywords(schema) == [])
    }

    @Test func theValidatorItselfRefuses() throws {
        let schema: JSON = [
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": ["a": ["type": "integer", "minimum": 1, "maximum": 3], "b": ["enum": ["x"]]],
        ]
        let validator = SchemaValidator(schema)
        #expect(validator.problems(["a": 2, "b": "x"]) == [])
        for broken: JSON in [["a": 0], ["a": 4], ["a": "2"], ["b": "x"], ["a": 2, "b": "y"], ["a": 2, "c": 1], 5] {
            #expect(validator.problems(broken) != [])
        }
    }
}

/// A broken configuration of `Tests/Fixtures/Configuration` with the message that it must lead to.
struct ConfigurationFixture: CustomStringConvertible {
    /// The file's name without its ending.
    let name: String

    var description: String { name }

    /// What is written where a secret must not be shown.
    static let planted = "PLANTED"

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = repository.appending(path: "Tests/Fixtures/Configuration")
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    static let broken: [ConfigurationFixture] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") && $0 != "valid.json" }.sorted()
            .map { ConfigurationFixture(name: String($0.dropLast(5))) }
    }()

    func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: name + ".json")))
    }

    /// The expected message; written again when snapshots are recorded.
    func expected(_ message: String) throws -> String {
        let file = Self.folder.appending(path: name + ".txt")
        if Self.isRecording { try Data((message + "\n").utf8).write(to: file) }
        return try String(contentsOf: file, encoding: .utf8)
    }
}

@Suite struct SpellingSuggestionTests {
    @Test(arguments: [
        ("merchnat", "merchant"), ("MERCHANT", "merchant"), ("end-point", "endpoint"), ("credential", "credentials"),
        ("setings", "settings"), ("curencies", "currencies"),
    ])
    func whatWasMeantIsFound(_ text: String, _ meant: String) {
        let names = ["adapter", "environment", "endpoint", "merchant", "currencies", "settings", "credentials"]
        #expect(SpellingSuggestion.of(text, in: names) == meant)
    }

    @Test(arguments: ["", "x", "colour", "s3cr3t-value-of-someone", String(repeating: "merchant", count: 20)])
    func whatIsFarFromEverythingIsNot(_ text: String) {
        #expect(SpellingSuggestion.of(text, in: ["merchant", "settings"]) == nil)
    }

    @Test func neighboursThatAreSwappedCountOnce() {
        #expect(SpellingSuggestion.of("eu", in: ["ue"]) == "ue")
        #expect(SpellingSuggestion.of("abc", in: ["xyz"]) == nil)
        #expect(SpellingSuggestion.of("a", in: []) == nil)
    }
}
