public import PaymentAbstraction
public import PaymentTransport

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
    ///   - reading: Makes the adapter's value of what a configuration holds; nil where there is none.
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
