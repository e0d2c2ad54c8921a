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
