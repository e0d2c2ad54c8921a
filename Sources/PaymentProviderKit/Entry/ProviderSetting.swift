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
