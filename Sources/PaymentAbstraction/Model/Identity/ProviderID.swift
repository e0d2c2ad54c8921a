/// The name under which a provider is configured.
public struct ProviderID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

extension ProviderID: CustomStringConvertible {
    public var description: String { rawValue }
}
