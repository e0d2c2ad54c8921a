public import PaymentBase

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

    /// Makes an access.
    public init(_ token: Secret, expiresAt: Int64, refreshToken: Secret? = nil) {
        (self.value, self.expiresAt, self.refreshToken) = (token, expiresAt, refreshToken)
    }

    /// Everything in it that must not be printed or kept.
    var secrets: [Secret] { [value] + (refreshToken.map { [$0] } ?? []) + additional.values }

    /// For providers without tokens.
    public static let none = AccessToken(Secret(""), expiresAt: .max)
}
