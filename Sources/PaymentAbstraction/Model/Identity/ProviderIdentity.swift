/// Which account of which provider took a payment; a payment goes back only where all four agree.
public struct ProviderIdentity: Hashable, Sendable {
    /// The name under which it is configured.
    public let id: ProviderID
    /// The adapter that speaks with it.
    public let adapter: String
    /// The environment, such as `sandbox` or `production`.
    public let environment: String
    /// The merchant's account there.
    public let merchant: String

    /// Makes an identity of all four parts.
    public init(_ id: ProviderID, adapter: String, environment: String, merchant: String) {
        (self.id, self.adapter, self.environment, self.merchant) = (id, adapter, environment, merchant)
    }

    /// Stands for the account of what never ran.
    static let none = ProviderIdentity("none", adapter: "none", environment: "none", merchant: "none")
}

extension ProviderIdentity: CustomStringConvertible {
    public var description: String { "\(id) (\(adapter), \(environment), \(merchant))" }
}
