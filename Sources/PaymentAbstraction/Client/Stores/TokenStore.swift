/// Where access is kept between runs of an application.
public protocol TokenStore: Sendable {
    /// What is kept for a provider.
    func load(_ provider: ProviderIdentity) async throws -> AccessToken?
    /// Keeps an access; nil forgets it.
    func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws
}
