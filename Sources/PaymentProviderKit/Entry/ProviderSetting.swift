public import PaymentBase
public import PaymentModel
public import PaymentTransport

/// One member of a provider's `settings` as entries list it; a ``ProviderSettingKey`` declares it.
public struct ProviderSetting: Hashable, Sendable {
    /// Whether a configuration has to have it.
    public enum Need: Hashable, Sendable {
        /// It must be there.
        case required
        /// It may be left out, and then there is none.
        case optional
        /// It may be left out, and then this is what it is.
        case `default`(SettingValue)
    }

    /// The member's name.
    public let key: String
    /// What it may hold.
    public let kind: Kind
    /// Whether it must be there.
    public let need: Need
    /// What it is for, as one sentence.
    public let summary: String

    /// What a key declares.
    public init<Value>(_ key: ProviderSettingKey<Value>) { self = key.setting }

    /// What a key declares.
    public init<Value>(_ key: RequiredSettingKey<Value>) { self = key.setting }

    init(_ key: String, _ kind: Kind, _ need: Need, _ summary: String) {
        (self.key, self.kind, self.need, self.summary) = (key, kind, need, summary)
    }
}

extension ProviderSetting {
    /// What a setting may hold.
    public enum Kind: Hashable, Sendable {
        /// A text of one line that is not empty.
        case text(charactersMax: Int = 128)
        /// A whole number within bounds.
        case integer(ClosedRange<Int64>)
        /// `true` or `false`.
        case boolean
        /// One of a list of words.
        case choice([String])
        /// A list of currency codes.
        case currencies
        /// A duration in milliseconds within bounds.
        case milliseconds(ClosedRange<Int64>)
        /// A scheme, a host and a port.
        case origin
        /// An address with a path.
        case address
    }
}

extension ProviderSetting.Kind {
    /// What a value has to be, in words.
    package var expected: String {
        switch self {
        case .text(let charactersMax): "a text of 1 to \(charactersMax) characters on one line, in quotes"
        case .integer(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .boolean: "true or false"
        case .choice(let words): Shown.choices(words)
        case .currencies: "a list of currency codes, like [\"EUR\"]"
        case .milliseconds(let bounds):
            "a whole number of milliseconds from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .origin: "an origin like \"https://host\" or \"https://host:8443\""
        case .address: "an address like \"https://host/path\""
        }
    }

    /// Whether a default fits.
    func holds(_ value: SettingValue) -> Bool {
        switch (self, value) {
        case (.text(let charactersMax), .text(let text)): !text.isEmpty && text.unicodeScalars.count <= charactersMax
        case (.choice(let words), .text(let text)): words.contains(text)
        case (.integer(let bounds), .integer(let value)): bounds.contains(value)
        case (.milliseconds(let bounds), .milliseconds(let value)): bounds.contains(value)
        case (.currencies, .currencies(let list)): !list.isEmpty && Set(list).count == list.count
        case (.boolean, .boolean), (.origin, .origin), (.address, .address): true
        case (.text, _), (.choice, _), (.integer, _), (.milliseconds, _), (.currencies, _), (.boolean, _), (.origin, _),
            (.address, _):
            false
        }
    }

    /// The same as JSON Schema.
    var schema: JSON {
        switch self {
        case .text(let charactersMax):
            ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(Int64(charactersMax)))]
        case .integer(let bounds), .milliseconds(let bounds):
            [
                "type": "integer", "minimum": .number(JSONNumber(bounds.lowerBound)),
                "maximum": .number(JSONNumber(bounds.upperBound)),
            ]
        case .boolean: ["type": "boolean"]
        case .choice(let words): ["enum": .array(words.map { .string($0) })]
        case .currencies: ConfigurationShape.currencies
        case .origin: ["type": "string", "pattern": .string(ConfigurationShape.originPattern)]
        case .address: ["type": "string", "pattern": "^https?://[^#@ ]+$"]
        }
    }
}

extension SettingValue {
    /// A default as JSON Schema shows it.
    var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let value), .milliseconds(let value): .number(JSONNumber(value))
        case .boolean(let value): .bool(value)
        case .currencies(let list): .array(list.map { .string($0.code) })
        case .origin(let origin): .string("\(origin)")
        case .address(let address): .string("\(address.origin)\(address.target)")
        }
    }
}

/// What a setting may hold, with the type as which its adapter reads it.
///
/// ```swift
/// extension ProviderSettingKey where Value == Link {
///     static var link: Self { Self("link", .choice, default: .cloud, "How the terminal is reached.") }
/// }
/// ```
public struct SettingKind<Value: Sendable>: Sendable {
    let kind: ProviderSetting.Kind
    let read: @Sendable (SettingValue) -> Value?
    let write: @Sendable (Value) -> SettingValue

    /// The same in a configuration, and another type for the adapter.
    ///
    /// - Parameters:
    ///   - reading: Makes the adapter's value of what a configuration holds; nil for one that the adapter does not take, which
    ///     is an error of the configuration.
    ///   - writing: Makes what a configuration would hold of the adapter's value.
    public func mapped<Other: Sendable>(
        _ reading: @escaping @Sendable (Value) -> Other?, back writing: @escaping @Sendable (Other) -> Value
    ) -> SettingKind<Other> {
        SettingKind<Other>(kind: kind) { [read] in
            read($0).flatMap(reading)
        } write: { [write] in
            write(writing($0))
        }
    }
}

extension SettingKind where Value == String {
    /// A text of one line that is not empty.
    public static func text(charactersMax: Int = 128) -> Self {
        Self(kind: .text(charactersMax: charactersMax)) { value in
            if case .text(let text) = value { text } else { nil }
        } write: {
            .text($0)
        }
    }
}

extension SettingKind where Value == Int64 {
    /// A whole number within bounds.
    public static func integer(_ bounds: ClosedRange<Int64>) -> Self {
        Self(kind: .integer(bounds)) { value in
            if case .integer(let number) = value { number } else { nil }
        } write: {
            .integer($0)
        }
    }

    /// A duration in milliseconds within bounds.
    public static func milliseconds(_ bounds: ClosedRange<Int64>) -> Self {
        Self(kind: .milliseconds(bounds)) { value in
            if case .milliseconds(let duration) = value { duration } else { nil }
        } write: {
            .milliseconds($0)
        }
    }
}

extension SettingKind where Value == Bool {
    /// `true` or `false`.
    public static var boolean: Self {
        Self(kind: .boolean) { value in
            if case .boolean(let truth) = value { truth } else { nil }
        } write: {
            .boolean($0)
        }
    }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration, in the order of its cases.
    public static var choice: Self {
        Self(kind: .choice(Value.allCases.map(\.rawValue))) { value in
            if case .text(let word) = value { Value(rawValue: word) } else { nil }
        } write: {
            .text($0.rawValue)
        }
    }
}

extension SettingKind where Value == [Currency] {
    /// A list of currency codes.
    public static var currencies: Self {
        Self(kind: .currencies) { value in
            if case .currencies(let list) = value { list } else { nil }
        } write: {
            .currencies($0)
        }
    }
}

extension SettingKind where Value == Origin {
    /// A scheme, a host and a port.
    public static var origin: Self {
        Self(kind: .origin) { value in
            if case .origin(let origin) = value { origin } else { nil }
        } write: {
            .origin($0)
        }
    }
}

extension SettingKind where Value == WebURL {
    /// An address with a path.
    public static var address: Self {
        Self(kind: .address) { value in
            if case .address(let address) = value { address } else { nil }
        } write: {
            .address($0)
        }
    }
}

/// What a setting holds once it has been read.
public enum SettingValue: Hashable, Sendable {
    /// A text, or one of a list of words.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// `true` or `false`.
    case boolean(Bool)
    /// Currencies, in the order of the configuration.
    case currencies([Currency])
    /// A duration.
    case milliseconds(Int64)
    /// A scheme, a host and a port.
    case origin(Origin)
    /// An address with a path.
    case address(WebURL)
}

/// A setting that may be left out: its key, what it holds, what it is then, and what it is for, in one place.
///
/// An adapter declares each of its settings once. Its entry lists them, its configuration takes its defaults from them,
/// and ``ProviderSettings`` reads them by their types:
///
/// ```swift
/// extension ProviderSettingKey where Value == String {
///     static var saleID: Self { Self("saleID", .text(), default: "TILL", "What this till calls itself.") }
/// }
/// extension ProviderSettingKey where Value == String? {
///     static var store: Self { Self("store", .text(), "The store that payments belong to.") }
/// }
///
/// settings: [ProviderSetting(.saleID), ProviderSetting(.store)]      // in the entry
/// public var saleID = ProviderSettingKey.saleID.default              // in the configuration
/// saleID = try settings[.saleID]                                     // where it is read
/// ```
public struct ProviderSettingKey<Value: Sendable>: Sendable {
    /// What a configuration may say about it.
    public let setting: ProviderSetting
    /// What it is when it is left out.
    public let `default`: Value
    let read: @Sendable (SettingValue) -> Value?
    let write: @Sendable (Value) -> SettingValue?

    /// Declares a setting with a default.
    public init(_ key: String, _ kind: SettingKind<Value>, default value: Value, _ summary: String) {
        setting = ProviderSetting(key, kind.kind, .default(kind.write(value)), summary)
        (`default`, read, write) = (value, kind.read, { [write = kind.write] in write($0) })
    }

    /// Declares a setting that is nil when it is left out.
    public init<Wrapped>(_ key: String, _ kind: SettingKind<Wrapped>, _ summary: String) where Value == Wrapped? {
        setting = ProviderSetting(key, kind.kind, .optional, summary)
        `default` = nil
        read = { [read = kind.read] value in read(value).map { .some($0) } }
        write = { [write = kind.write] value in value.map(write) }
    }
}

extension ProviderSettingKey where Value == Bool {
    /// Whether no other system works on the account; for adapters of providers that show only what looks like a
    /// payment, or the state of the whole of it.
    public static var exclusiveAccount: Self {
        Self(
            "soleUser", .boolean, default: false,
            """
            Whether no other system and no person at a dashboard works on the account; only then is \
            what looks like a lost payment taken for it.
            """)
    }
}

/// A setting that a configuration has to have, unless its environment has a default of it.
///
/// ```swift
/// extension RequiredSettingKey where Value == String {
///     static var terminal: Self { Self("terminal", .text(), "The terminal's id.") }
/// }
/// ```
///
/// It is used like a ``ProviderSettingKey``.
public struct RequiredSettingKey<Value: Sendable>: Sendable {
    /// What a configuration has to say about it.
    public let setting: ProviderSetting
    let read: @Sendable (SettingValue) -> Value?
    let write: @Sendable (Value) -> SettingValue

    /// Declares a setting without a default.
    public init(_ key: String, _ kind: SettingKind<Value>, _ summary: String) {
        setting = ProviderSetting(key, kind.kind, .required, summary)
        (read, write) = (kind.read, kind.write)
    }
}

/// What a configuration says about one provider, checked against its entry before an adapter sees it.
///
/// Reading throws when an adapter asks for what its own entry doesn't list, or does not take a value.
public struct ProviderSettings: Sendable {
    /// The name under which it is configured.
    public let id: ProviderID
    /// One of the entry's environments.
    public let environment: String
    /// Where the provider is.
    public let endpoint: Origin
    /// The merchant's account.
    public let merchant: String
    /// The currencies that it may take; nil for all.
    public let currencies: Set<Currency>?
    let entry: ProviderDefinition
    let values: [String: SettingValue]
    let secrets: [String: Secret]
    let sources: [String: SecretSource]

    /// The adapter's name.
    public var adapter: String { entry.adapter }

    /// Which account of which provider it is.
    public var identity: ProviderIdentity {
        ProviderIdentity(id, adapter: adapter, environment: environment, merchant: merchant)
    }

    /// A setting, as the configuration or a default has it.
    ///
    /// - Throws: `configuration`, nothing moved, when the entry doesn't list it.
    public subscript<Value>(_ key: ProviderSettingKey<Value>) -> Value {
        get throws(PaymentError) {
            guard entry.settings.contains(key.setting) else { throw unlisted("setting", key.setting.key) }
            guard let value = values[key.setting.key] else { return key.default }
            guard let read = key.read(value) else { throw notTaken(key.setting.key) }
            return read
        }
    }

    /// A setting that has to be there.
    ///
    /// - Throws: `configuration`, nothing moved, when the entry doesn't list it.
    public subscript<Value>(_ key: RequiredSettingKey<Value>) -> Value {
        get throws(PaymentError) {
            guard entry.settings.contains(key.setting), let value = values[key.setting.key] else {
                throw unlisted("setting", key.setting.key)
            }
            guard let read = key.read(value) else { throw notTaken(key.setting.key) }
            return read
        }
    }

    /// A credential, read when the client opened or fetched whenever it is needed.
    ///
    /// - Throws: `configuration`, nothing moved, when the entry doesn't list it.
    public subscript<Value>(_ key: ProviderCredentialKey<Value>) -> Value {
        get throws(PaymentError) {
            guard entry.credentials.contains(key.credential), let read = key.read(self) else {
                throw unlisted("credential", key.credential.key)
            }
            return read
        }
    }

    /// A text without the credentials in it, and on one line.
    func scrubbed(_ text: String) -> String {
        let values = secrets.values.map { $0.expose() }.filter { $0.utf8.count >= 3 }.sorted { $0.count > $1.count }
        let clean = values.reduce(text) { $0.replacing($1, with: "<secret>") }
        return String(clean.map { $0.isNewline ? " " : $0 })
    }

    private func notTaken(_ key: String) -> PaymentError {
        PaymentError.notExecuted(
            .configuration,
            "The adapter \(adapter) does not take the value of the setting \(key) of \(id). Correct it.")
    }

    private func unlisted(_ what: String, _ key: String) -> PaymentError {
        PaymentError.notExecuted(
            .configuration,
            "The adapter \(adapter) asks for the \(what) \(key), which its entry doesn't list. "
                + "Add its key to the entry's \(what)s.")
    }
}

/// An address with a path, such as where a token is fetched.
public struct WebURL: Hashable, Sendable {
    /// The longest address.
    public static let charactersMax = 2_048

    /// Scheme, host and port.
    public let origin: Origin
    /// Path and query, beginning with a slash.
    public let target: String

    /// Makes an address of its parts.
    public init(_ origin: Origin, _ target: String) { (self.origin, self.target) = (origin, target) }

    /// An origin with what goes before every path there; nothing is nothing.
    init(_ origin: Origin, path: String) { (self.origin, target) = (origin, path) }

    /// Reads `https://host:port/path?query`; nil when it is anything else, or has a user, a fragment or a space.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), !text.contains("\\"), let colon = text.firstRange(of: "://")
        else { return nil }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let origin = Origin(String(text[..<end])) else { return nil }
        let target = String(rest[end...])
        self.init(origin, target.hasPrefix("/") ? target : "/" + target)
    }
}

extension WebURL: RedactedDescription {
    /// Without the query, which may hold a key.
    public var description: String { "\(origin)\(target.prefix { $0 != "?" })" }
}
