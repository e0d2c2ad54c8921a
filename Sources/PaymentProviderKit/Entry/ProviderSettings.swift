public import PaymentAbstraction
internal import PaymentBase
public import PaymentTransport

/// What a configuration says about one provider, checked against its entry before an adapter sees it.
///
/// Reading throws only when an adapter asks for what its own entry doesn't list.
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
            guard let read = key.read(value) else { throw unlisted("setting", key.setting.key) }
            return read
        }
    }

    /// A setting that has to be there.
    ///
    /// - Throws: `configuration`, nothing moved, when the entry doesn't list it.
    public subscript<Value>(_ key: RequiredSettingKey<Value>) -> Value {
        get throws(PaymentError) {
            guard entry.settings.contains(key.setting), let read = values[key.setting.key].flatMap(key.read) else {
                throw unlisted("setting", key.setting.key)
            }
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

    /// A text without the credentials that somebody put into it, and on one line.
    func scrubbed(_ text: String) -> String {
        let values = secrets.values.map { $0.expose() }.filter { $0.utf8.count >= 3 }.sorted { $0.count > $1.count }
        let clean = values.reduce(text) { $0.replacing($1, with: "<secret>") }
        return String(clean.map { $0.isNewline ? " " : $0 })
    }

    private func unlisted(_ what: String, _ key: String) -> PaymentError {
        PaymentError.notExecuted(
            .configuration,
            "the adapter \(adapter) asks for the \(what) \(key), which its entry doesn't list; "
                + "add its key to the entry's \(what)s")
    }
}
