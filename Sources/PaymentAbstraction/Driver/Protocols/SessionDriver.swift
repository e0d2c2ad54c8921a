/// What an adapter with an expiring access implements; the client keeps, renews and shares it.
public protocol SessionDriver: PaymentDriver {
    /// How long before it lapses an access is renewed, in milliseconds.
    var renewalMarginMilliseconds: Int64 { get }
    /// Gets a fresh access; `last` is the one before, whose refresh token may help.
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken
    /// Gives an access back.
    func signOut(_ access: AccessToken, _ context: SessionContext) async throws
}

extension SessionDriver {
    public var renewalMarginMilliseconds: Int64 { 60_000 }
    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {}
}
