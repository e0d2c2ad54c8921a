/// One way in which an adapter reaches its provider, and where that way exists: one value of the setting `link`.
public struct ProviderLink: Hashable, Sendable {
    /// What the way is made of.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// What the provider publishes, or says that it may be used.
        case published
        /// The vendor's SDK in the application, which hands it over when it opens the client.
        case sdk
        /// The simulated provider alone: no real one has it.
        case simulated
    }

    /// The value of the setting `link`.
    public let name: String
    /// What the way is made of.
    public let kind: Kind
    /// What it is for, as a clause.
    public let purpose: String
    /// The environments at which it works.
    public let environments: [String]
    /// What it lacks at an environment, each in a sentence.
    public let limits: [String: String]

    /// Describes a way.
    public init(
        _ name: String, _ kind: Kind, _ purpose: String, at environments: [String], limits: [String: String] = [:]
    ) {
        (self.name, self.kind, self.purpose) = (name, kind, purpose)
        (self.environments, self.limits) = (environments, limits)
    }
}

extension ConfiguredProvider {
    /// The way that is configured, as its adapter describes it; nil where the adapter has one way only.
    public var link: ProviderLink? {
        guard case .text(let name) = settings["link"] else { return nil }
        return entry.links.first { $0.name == name }
    }
}
