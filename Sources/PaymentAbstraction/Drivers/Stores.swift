public import PaymentBase
public import PaymentModel

/// An access token and when it stops working.
public struct AccessToken: Hashable, Sendable {
    /// The token itself.
    public let value: Secret
    /// In milliseconds since 1970.
    public let expiresAt: Int64
    /// What gets the next one without credentials.
    public var refreshToken: Secret?
    /// Further tokens of the same life, by name.
    public var additional: [String: Secret] = [:]
    /// The addresses that it is for; the client sets them, and uses no access that a store gives without them.
    public var addresses: [String] = []

    /// Makes an access.
    public init(_ token: Secret, expiresAt: Int64, refreshToken: Secret? = nil) {
        (self.value, self.expiresAt, self.refreshToken) = (token, expiresAt, refreshToken)
    }

    /// Everything in it that must not be printed or kept.
    package var secrets: [Secret] { [value] + (refreshToken.map { [$0] } ?? []) + additional.values }

    /// For providers without tokens.
    public static let none = AccessToken(Secret(""), expiresAt: .max)
}

// How stores that outlive a process write access down; a store adds where, and who may read it.
extension AccessToken {
    /// The access as bytes, with the account that it belongs to; secrets in the clear.
    package func kept(for provider: ProviderIdentity) -> Secret {
        var object: JSONObject = [
            "token": .string(value.expose()), "expires": .number(JSONNumber(expiresAt)),
            "provider": .array(provider.parts.map { .string($0) }),
        ]
        object["refresh"] = refreshToken.map { .string($0.expose()) }
        var further = JSONObject()
        for (name, token) in additional.sorted(by: { $0.key < $1.key }) { further[name] = .string(token.expose()) }
        object["more"] = .object(further)
        object["addresses"] = .array(addresses.map { .string($0) })
        return Secret(bytes: JSON.object(object).bytes())
    }

    /// Reads what was kept; nil when it can't be understood or belongs to another account.
    package init?(kept bytes: Secret, for provider: ProviderIdentity) {
        guard let json = try? JSONReader().read(bytes.exposeBytes()), let token = json["token"]?.string,
            let expires = json["expires"]?.int64, json["provider"]?.array == provider.parts.map({ .string($0) })
        else { return nil }
        self.init(Secret(token), expiresAt: expires, refreshToken: json["refresh"]?.string.map { Secret($0) })
        addresses = (json["addresses"]?.array ?? []).compactMap(\.string)
        for member in json["more"]?.object?.members ?? [] {
            additional[member.key] = member.value.string.map { Secret($0) }
        }
    }
}

extension Installation {
    /// The names as bytes.
    package var kept: Secret {
        let json: JSON = ["id": .string(id), "device": .string(device)]
        return Secret(bytes: json.bytes())
    }

    /// Reads what was kept; nil when it can't be understood.
    package init?(kept bytes: Secret) {
        guard let json = try? JSONReader().read(bytes.exposeBytes()), let id = json["id"]?.string, !id.isEmpty,
            let device = json["device"]?.string, !device.isEmpty
        else { return nil }
        self.init(id: id, device: device)
    }
}

extension ProviderIdentity {
    /// The four parts of the account.
    fileprivate var parts: [String] { [id.rawValue, adapter, environment, merchant] }

    /// The account's name in a store: all four parts, and nothing that a path or a query would read otherwise.
    package var storageName: String { parts.map { PercentEncoding.queryComponent($0) }.joined(separator: ",") }
}

/// Where access is kept between runs of an application.
public protocol TokenStore: Sendable {
    /// What is kept for a provider.
    func load(_ provider: ProviderIdentity) async throws -> AccessToken?
    /// Keeps an access; nil forgets it.
    func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws
}

/// Keeps access as long as the process lives.
public final class InMemoryTokenStore: TokenStore {
    private let kept = Locked([String: AccessToken]())
    /// Makes an empty store.
    public init() {}
    public func load(_ provider: ProviderIdentity) async throws -> AccessToken? {
        kept.withLock { $0[provider.storageName] }
    }
    public func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {
        kept.withLock { $0[provider.storageName] = access }
    }
}

/// What names this installation to providers: made once, kept apart from tokens, and kept after signing out.
public struct Installation: Hashable, Sendable {
    /// A UUID of the installation, in lower case.
    public let id: String
    /// A UUID of the device, in lower case.
    public let device: String

    /// Makes an installation.
    public init(id: String, device: String) { (self.id, self.device) = (id, device) }
}

/// Where the installation's names are kept.
public protocol InstallationStore: Sendable {
    /// The names, when they were made before.
    func load() async throws -> Installation?
    /// Keeps them.
    func save(_ installation: Installation) async throws
}

/// Keeps the installation's names as long as the process lives.
public final class InMemoryInstallationStore: InstallationStore {
    private let kept = Locked(Installation?.none)
    /// Makes an empty store.
    public init() {}
    public func load() async throws -> Installation? { kept.withLock { $0 } }
    public func save(_ installation: Installation) async throws { kept.withLock { $0 = installation } }
}
