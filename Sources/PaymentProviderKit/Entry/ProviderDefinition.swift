public import PaymentDriverKit
public import PaymentTransport

/// What an adapter declares about itself, so that a configuration can name it: one entry per adapter.
///
/// The reader of `providers.json` and its schema both follow this description, and `makeDriver` runs only with settings
/// that fit it.
///
/// ```swift
/// let acme = ProviderDefinition(
///     adapter: "acme", name: "Acme Payments",
///     environments: [ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example"))],
///     merchant: "The merchant's number at Acme.",
///     settings: [ProviderSetting(.terminal)], credentials: [ProviderCredential(.apiKey)], errors: .acme
/// ) { settings, tools throws(PaymentError) in
///     AcmeDriver(key: try settings[.apiKey], settings.endpoint, tools.transport)
/// }
/// extension ProviderSettingKey where Value == String? {
///     static var terminal: Self { Self("terminal", .text(), "The terminal's id.") }
/// }
/// extension ProviderCredentialKey where Value == Secret {
///     static var apiKey: Self { Self("apiKey", "The key of Acme's back office.") }
/// }
/// ```
public struct ProviderDefinition: Sendable {
    /// Makes a driver of settings that fit the entry.
    public typealias Make = @Sendable (ProviderSettings, ProviderDependencies) throws(PaymentError) -> any PaymentDriver

    /// The name by which a configuration names the adapter.
    public let adapter: String
    /// The provider's name, for people.
    public let name: String
    /// The environments that the provider has.
    public let environments: [ProviderEnvironment]
    /// What `merchant` means at this name, as one sentence.
    public let merchant: String
    /// What may be under `settings`.
    public let settings: [ProviderSetting]
    /// What may be under `credentials`.
    public let credentials: [ProviderCredential]
    /// What the provider's errors mean.
    public let errors: ErrorTable
    /// Makes the driver.
    public let makeDriver: Make
    /// Explains messages of the provider's wire; nil where that is unknown.
    public var inspector: (any Inspector)?
    /// How messages are signed; nil where they aren't.
    public var signatures: (any SignatureScheme)?
    /// Which credential proves that a webhook comes from the provider; nil where nothing does.
    public internal(set) var webhookCredential: String?
    /// What the codes of its final refusals mean: those of issuers and those of its own; empty where no document says.
    public var declines: [String: Decline.Reason] = [:]
    /// What the adapter takes for granted where the documents allow more than one behaviour.
    public private(set) var assumptions: [ProviderAssumption] = []
    /// The ways in which it reaches its provider, the one for a new application first; empty where there is one way only.
    public private(set) var links: [ProviderLink] = []
    /// What a configuration of it allows and a person should know before real payments; empty where there is nothing.
    public private(set) var cautions: @Sendable (ConfiguredProvider) -> [String] = { _ in [] }

    /// Makes an entry.
    public init(
        adapter: String, name: String, environments: [ProviderEnvironment], merchant: String,
        settings: [ProviderSetting] = [], credentials: [ProviderCredential] = [], errors: ErrorTable,
        makeDriver: @escaping Make
    ) {
        (self.adapter, self.name, self.environments) = (adapter, name, environments)
        (self.merchant, self.settings, self.credentials) = (merchant, settings, credentials)
        (self.errors, self.makeDriver) = (errors, makeDriver)
    }

    /// One of the environments.
    public func environment(_ name: String) -> ProviderEnvironment? { environments.first { $0.name == name } }

    /// The same with what the codes of its refusals mean.
    public func withDeclineCodes(_ declines: [String: Decline.Reason]) -> ProviderDefinition {
        var entry = self
        entry.declines = declines
        return entry
    }

    /// The same with what people need who look at single messages.
    public func withInspector(
        _ inspector: (any Inspector)?, signatures: (any SignatureScheme)? = nil
    ) -> ProviderDefinition {
        var entry = self
        (entry.inspector, entry.signatures) = (inspector, signatures)
        return entry
    }

    /// The same with what the adapter takes for granted.
    public func withAssumptions(_ assumptions: [ProviderAssumption]) -> ProviderDefinition {
        var entry = self
        entry.assumptions = assumptions
        return entry
    }

    /// The same with the ways in which it reaches its provider, and where each exists.
    public func withLinks(_ links: [ProviderLink]) -> ProviderDefinition {
        var entry = self
        entry.links = links
        return entry
    }

    /// The same with what a person should know of a configuration that is allowed, each in a sentence or two:
    /// `payctl doctor` says it.
    public func withCautions(_ cautions: @escaping @Sendable (ConfiguredProvider) -> [String]) -> ProviderDefinition {
        var entry = self
        entry.cautions = cautions
        return entry
    }

    /// The same with the credential that proves that a webhook comes from the provider.
    public func withWebhookKey<Value>(_ key: ProviderCredentialKey<Value>) -> ProviderDefinition {
        var entry = self
        entry.webhookCredential = key.credential.key
        return entry
    }
}

/// One of the worlds that a provider runs, such as its sandbox or the real one.
public struct ProviderEnvironment: Hashable, Sendable {
    /// Its name, such as `sandbox`, `uat` or `production`.
    public let name: String
    /// Where the provider is; nil when a configuration has to say it.
    public let endpoint: Origin?
    /// Whether addresses may be plain `http` beyond this machine: only for providers that are simulated.
    public var allowsPlainHTTP = false
    /// Credentials that a simulated provider accepts without any set-up, known to everyone, by key; empty for real
    /// ones.
    public internal(set) var publicCredentials: [String: String] = [:]
    /// The merchant's account at a simulated provider; nil for real ones.
    public var publicMerchant: String?
    /// The environment that payments are recorded with, where several lead to the same accounts, as Adyen's regions do; nil
    /// for its own name.
    public var world: String?
    /// What settings have here when a configuration leaves them out; goes before the setting's own default.
    public internal(set) var defaults: [String: SettingValue] = [:]
    /// What a file to start from has for settings that only the merchant knows, by key.
    public internal(set) var expected: [String: String] = [:]

    /// Makes an environment.
    public init(_ name: String, endpoint: Origin?) { (self.name, self.endpoint) = (name, endpoint) }

    /// The simulated provider, at the address under which `payctl` runs it within itself.
    ///
    /// - Parameters:
    ///   - provider: The simulated provider's name; it is found at `http://NAME.sandbox`.
    ///   - name: What configurations call the environment.
    ///   - merchant: The account that it knows.
    public static func simulated(
        _ provider: String, as name: String = "simulated", merchant: String
    ) -> ProviderEnvironment {
        var environment = ProviderEnvironment(name, endpoint: Origin(.http, "\(provider).sandbox"))
        (environment.allowsPlainHTTP, environment.publicMerchant) = (true, merchant)
        return environment
    }

    /// Says what a setting is here when a configuration leaves it out.
    public mutating func set<Value>(_ key: ProviderSettingKey<Value>, to value: Value) {
        defaults[key.setting.key] = key.write(value)
    }

    /// Says what a setting is here when a configuration leaves it out.
    public mutating func set<Value>(_ key: RequiredSettingKey<Value>, to value: Value) {
        defaults[key.setting.key] = key.write(value)
    }

    /// Says that a setting is usually needed here, although it may be left out: a file to start from asks for it.
    ///
    /// - Parameters:
    ///   - key: The member of the configuration.
    ///   - example: What is there, with `REPLACE-ME` for what only the merchant knows.
    public mutating func expect<Value>(
        _ key: ProviderSettingKey<Value>, as example: String = ConfigurationReader.placeholder
    ) {
        expected[key.setting.key] = example
    }

    /// Says what the simulated provider accepts, known to everyone; never for a real one.
    public mutating func publish<Value>(_ key: ProviderCredentialKey<Value>, _ value: String) {
        publicCredentials[key.credential.key] = value
    }
}

/// What a provider, an adapter or an environment may be called: short, and fit for every log and file name.
enum ProviderName {
    /// The longest name.
    static let charactersMax = 40
    /// The rule in words, to follow the name.
    static let rule =
        "is no name: 1 to \(charactersMax) letters a to z or A to Z, digits, hyphens and underscores, "
        + "beginning with a letter"
    /// The rule as a pattern.
    static let pattern = "^[A-Za-z][A-Za-z0-9_-]{0,\(charactersMax - 1)}$"

    /// Whether a text is such a name.
    static func isGood(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= charactersMax else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}

/// What an adapter takes for granted where its provider's documents allow more than one behaviour.
public struct ProviderAssumption: Hashable, Sendable, Identifiable {
    /// The reading that it builds on, such as `adyen.tip.as-asked`: a place of the documents and what happens there.
    public let id: String
    /// The place in the documents, such as `adyen.tip`.
    public let place: String
    /// The setting that changes it, here or at the provider; nil where there is none.
    public let setting: String?
    /// How to find out what the real provider does.
    public let howToFindOut: String

    /// Names an assumption.
    public init(place: String, _ reading: String, setting: String?, _ howToFindOut: String) {
        (self.place, self.setting, self.howToFindOut) = (place, setting, howToFindOut)
        id = reading.count == 1 && reading.first?.isNumber == true ? "\(place)/\(reading)" : "\(place).\(reading)"
    }

    /// Reads assumptions, one on each line: `place|reading|setting|how to find out`, with `-` for no setting.
    public static func list(_ provider: String, _ text: String) -> [ProviderAssumption] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            precondition(parts.count == 4, "an assumption has four parts: \(line)")
            return ProviderAssumption(
                place: "\(provider).\(parts[0])", parts[1], setting: parts[2] == "-" ? nil : parts[2], parts[3])
        }
    }
}
