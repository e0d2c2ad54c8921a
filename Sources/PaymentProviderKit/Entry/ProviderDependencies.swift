public import PaymentBase
public import PaymentTransport

/// What adapters work with; everything that they need of the outside beside their settings.
public struct ProviderDependencies: Sendable {
    /// Gives a token that works now; called whenever the adapter needs a fresh one.
    public typealias TokenProvider = @Sendable () async throws -> Secret
    /// Signs bytes, and gives the signature as the provider's wire has it.
    public typealias Signer = @Sendable ([UInt8]) async throws -> Secret

    /// Says where the device is.
    public typealias Location = @Sendable () async throws(LocationFailure) -> DeviceLocation

    /// What carries requests.
    public var transport: any HTTPTransport
    /// What opens WebSockets; nil where nothing can, and adapters ask again and again instead.
    public var webSockets: (any WebSocketTransport)?
    /// The cryptography; without any, what needs it fails before anything is sent.
    public var crypto: any Crypto = UnavailableCrypto()
    /// What time it is.
    public var clock: any PaymentClock = SystemClock()
    /// Where random numbers come from.
    public var random: any RandomSource = SystemRandom()
    /// Token providers by the name of the configured provider; one goes before the file's credential.
    public var tokenProviders: [String: TokenProvider] = [:]
    /// Signers by the name of the configured provider.
    public var signers: [String: Signer] = [:]
    /// Says where the device is; nil where nobody can.
    public var location: Location?
    /// What an application hands to the adapter of one configured provider, such as a kit that runs on its phone.
    public var delegates: [String: any Sendable] = [:]

    /// Takes a transport; everything else has a default.
    public init(transport: any HTTPTransport) { self.transport = transport }
}
