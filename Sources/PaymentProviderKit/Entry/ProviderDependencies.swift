public import PaymentBase
public import PaymentModel
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
    /// Says where the device is; nil where that is unknown.
    public var location: Location?
    /// What an application hands to the adapter of one configured provider, such as a kit that runs on its phone.
    public var delegates: [String: any Sendable] = [:]

    /// Takes a transport; everything else has a default.
    public init(transport: any HTTPTransport) { self.transport = transport }
}

extension ProviderDependencies {
    /// The same for a provider whose endpoint has a path, which no adapter has to know.
    func behind(_ provider: ConfiguredProvider) -> ProviderDependencies {
        guard !provider.endpointPath.isEmpty else { return self }
        var dependencies = self
        dependencies.transport = EndpointTransport(
            inner: transport, origin: provider.endpoint, path: provider.endpointPath)
        return dependencies
    }
}

/// Puts the path of an endpoint before every target that goes there.
private struct EndpointTransport: HTTPTransport {
    let inner: any HTTPTransport
    let origin: Origin
    let path: String

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.origin == origin else { return try await inner.send(request) }
        var request = request
        request.target = path + request.target
        return try await inner.send(request)
    }
}

extension ProviderDependencies {
    /// The vendor's kit that the application handed over for one configured provider.
    ///
    /// ```swift
    /// let kit = try tools.kit(of: settings, "HaloPhoneSDK.SDK") { $0 as? any HaloPhoneSDK.SDK }
    /// ```
    ///
    /// - Parameters:
    ///   - settings: The provider's settings.
    ///   - name: How the kit's protocol is called, for who handed over none.
    ///   - cast: Takes what was handed over as the kit's protocol; nil where it is none.
    /// - Throws: `configuration`, nothing moved, when there is none.
    public func mobileSDK<Kit>(
        for settings: ProviderSettings, _ name: String, _ cast: (any Sendable) -> Kit?
    ) throws(PaymentError) -> Kit {
        if let kit = delegates[settings.id.rawValue].flatMap(cast) { return kit }
        throw PaymentError.notExecuted(
            .configuration,
            "\(settings.id) has link kit and got no kit: hand a value of \(name) over when opening, in "
                + "`delegates[\"\(settings.id)\"]`, or set link to reader")
    }
}

/// Where the device is, for providers that want to know; masked wherever it is printed.
public struct DeviceLocation: Hashable, Sendable {
    /// Degrees north, as exact decimal text.
    public let latitude: PersonalData
    /// Degrees east, as exact decimal text.
    public let longitude: PersonalData
    /// How exact it is, in metres.
    public var accuracyMetres = 0
    /// The country, as two letters; nil when it could not be found out.
    public var country: String?

    /// Makes a location.
    public init(latitude: String, longitude: String, country: String? = nil) {
        (self.latitude, self.longitude, self.country) = (PersonalData(latitude), PersonalData(longitude), country)
    }
}

/// Why the device's location is not known.
public enum LocationFailure: Error, Hashable, Sendable, CaseIterable {
    /// The application's source of locations is not set up.
    case notReady
    /// The person at the device does not allow it.
    case denied
    /// The device could not find out where it is.
    case unavailable
    /// The place is known and its country is not.
    case countryUnknown
}

/// Stands where an application has supplied no cryptography: everything fails, and nothing is ever equal.
public struct UnavailableCrypto: Crypto {
    /// Makes one.
    public init() {}

    public func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        throw .unavailable
    }

    public func authenticate(
        _ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func deriveKey(
        passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int
    ) throws(CryptoFailure) -> Secret { throw .unavailable }

    public func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func sign(
        _ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool { throw .unavailable }

    public func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool { false }
}
