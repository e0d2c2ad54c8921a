public import PaymentAbstraction
public import PaymentTransport

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
