public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

/// What the driver of Halo needs to know.
public struct HaloConfiguration: Sendable {
    /// How tokens have to be signed.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        /// RSA with SHA-256.
        case rs256 = "RS256"
        /// RSA with SHA-512.
        case rs512 = "RS512"
    }

    /// Whether a payment goes on without the device's location.
    public enum LocationPolicy: String, Hashable, Sendable, CaseIterable {
        /// It is sent where it is known.
        case optional
        /// No payment begins without it.
        case required
    }

    /// The name under which it is configured.
    public var name = "halo"
    /// The environment, as payments are recorded with it.
    public var environment = "production"
    /// The kernel server.
    public let endpoint: Origin
    /// The merchant's or the application's id.
    public let merchant: String
    /// Gives a signed token whenever one is needed.
    public let token: SecretSource
    /// How tokens have to be signed.
    public var algorithm = ProviderSettingKey.algorithm.default
    /// For which host tokens are made; the endpoint's own when nil.
    public var audience: String?
    /// Whether a payment goes on without the device's location.
    public var locationPolicy = ProviderSettingKey.location.default
    /// The key of the back office; without one nothing can be given back to an original.
    public var officeKey: Secret?

    /// Makes a configuration.
    public init(endpoint: Origin, merchant: String, token: SecretSource) {
        (self.endpoint, self.merchant, self.token) = (endpoint, merchant, token)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(endpoint: settings.endpoint, merchant: settings.merchant, token: try settings[.token])
        (name, environment) = (settings.id.rawValue, settings.environment)
        (algorithm, audience) = (try settings[.algorithm], try settings[.audience])
        (locationPolicy, officeKey) = (try settings[.location], try settings[.officeKey])
    }
}
