public import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

/// What a configuration says about one provider, checked against its entry before an adapter sees it.
///
/// The functions throw only when an adapter asks for what its own entry doesn't describe.
public struct ProviderSettings: Sendable {
    /// The name under which it is configured.
    public let id: ProviderID
    /// The adapter's name.
    public let adapter: String
    /// One of the entry's environments.
    public let environment: String
    /// Where the provider is.
    public let endpoint: Origin
    /// The merchant's account.
    public let merchant: String
    /// The currencies that it may take; nil for all.
    public let currencies: Set<Currency>?
    let values: [String: SettingValue]
    let secrets: [String: Secret]
    let sources: [String: SecretSource]

    /// Which account of which provider it is.
    public var identity: ProviderIdentity {
        ProviderIdentity(id, adapter: adapter, environment: environment, merchant: merchant)
    }

    /// Whether a setting is there, written or by default.
    public func has(_ key: String) -> Bool { values[key] != nil }

    /// Whether a credential is there.
    public func hasCredential(_ key: String) -> Bool { secrets[key] != nil || sources[key] != nil }

    /// A text, or one of a list of words.
    public func text(_ key: String) throws(PaymentError) -> String {
        if case .text(let value)? = values[key] { return value }
        throw missing("text", key)
    }

    /// A whole number.
    public func integer(_ key: String) throws(PaymentError) -> Int64 {
        if case .integer(let value)? = values[key] { return value }
        throw missing("whole number", key)
    }

    /// `true` or `false`.
    public func boolean(_ key: String) throws(PaymentError) -> Bool {
        if case .boolean(let value)? = values[key] { return value }
        throw missing("truth value", key)
    }

    /// A list of currencies.
    public func currencies(_ key: String) throws(PaymentError) -> [Currency] {
        if case .currencies(let value)? = values[key] { return value }
        throw missing("list of currencies", key)
    }

    /// A duration in milliseconds.
    public func milliseconds(_ key: String) throws(PaymentError) -> Int64 {
        if case .milliseconds(let value)? = values[key] { return value }
        throw missing("duration", key)
    }

    /// A scheme, a host and a port.
    public func origin(_ key: String) throws(PaymentError) -> Origin {
        if case .origin(let value)? = values[key] { return value }
        throw missing("origin", key)
    }

    /// An address with a path.
    public func address(_ key: String) throws(PaymentError) -> WebAddress {
        if case .address(let value)? = values[key] { return value }
        throw missing("address", key)
    }

    /// A credential that was read when the client opened.
    public func secret(_ key: String) throws(PaymentError) -> Secret {
        if let secret = secrets[key] { return secret }
        throw missing("credential", key)
    }

    /// A credential that is fetched whenever it is needed.
    public func source(_ key: String) throws(PaymentError) -> SecretSource {
        if let source = sources[key] { return source }
        throw missing("credential that is fetched when needed", key)
    }

    /// A text without the credentials that somebody put into it, and on one line.
    func scrubbed(_ text: String) -> String {
        let values = secrets.values.map { $0.expose() }.filter { $0.utf8.count >= 3 }.sorted { $0.count > $1.count }
        let clean = values.reduce(text) { $0.replacing($1, with: "<secret>") }
        return String(clean.map { $0.isNewline ? " " : $0 })
    }

    private func missing(_ what: String, _ key: String) -> PaymentError {
        PaymentError(
            .configuration, outcome: .nothingMoved,
            detail: "the adapter \(adapter) asks for the \(what) \(key), which \(id) doesn't have; "
                + "describe it in the adapter's entry, and ask with `has` where it may be left out")
    }
}
