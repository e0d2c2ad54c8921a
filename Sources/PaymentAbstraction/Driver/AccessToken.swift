public import PaymentBase

/// An access token and when it stops working.
public struct AccessToken: Hashable, Sendable {
    /// The token itself.
    public let token: Secret
    /// In milliseconds since 1970.
    public let expires: Int64
    /// What gets the next one without credentials.
    public var refresh: Secret?
    /// Further tokens of the same life, by name.
    public var more: [String: Secret] = [:]

    /// Makes an access.
    public init(_ token: Secret, expires: Int64, refresh: Secret? = nil) {
        (self.token, self.expires, self.refresh) = (token, expires, refresh)
    }

    /// Everything in it that must not be printed or kept.
    var secrets: [Secret] { [token] + (refresh.map { [$0] } ?? []) + more.values }

    /// For providers without tokens.
    public static let none = AccessToken(Secret(""), expires: .max)
}
