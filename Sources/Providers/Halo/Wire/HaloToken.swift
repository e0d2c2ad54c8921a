internal import PaymentBase

/// What is read of a token without checking its signature: that is the provider's business.
struct HaloToken {
    let algorithm: String
    let audience: String?
    /// When it lapses, in milliseconds since 1970.
    let expires: Int64

    /// Reads a token; nil when it is none, or does not say when it lapses.
    init?(_ token: Secret) {
        let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let algorithm = header["alg"]?.string, let seconds = claims["exp"]?.int64,
            (0...253_402_300_799).contains(seconds)
        else { return nil }
        (self.algorithm, audience, expires) = (algorithm, claims["aud"]?.string, seconds * 1_000)
    }

    private static func json(_ part: Substring) -> JSON? {
        Base64.urlSafe.decode(String(part)).flatMap { try? JSONReader().read($0) }
    }
}
