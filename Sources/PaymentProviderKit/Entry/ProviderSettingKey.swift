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
    /// What it is when nobody says anything.
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
