/// One member of a provider's `settings`: its key, what it may hold, and what it is for.
public struct ProviderSetting: Hashable, Sendable {
    /// Whether a configuration has to have it.
    public enum Need: Hashable, Sendable {
        /// It must be there.
        case required
        /// It may be left out, and then there is none.
        case optional
        /// It may be left out, and then this is what it is.
        case otherwise(SettingValue)
    }

    /// The member's name.
    public let key: String
    /// What it may hold.
    public let kind: Kind
    /// Whether it must be there.
    public let need: Need
    /// What it is for, as one sentence.
    public let summary: String

    /// Describes a setting.
    public init(_ key: String, _ kind: Kind, _ need: Need = .required, _ summary: String) {
        (self.key, self.kind, self.need, self.summary) = (key, kind, need, summary)
    }
}
