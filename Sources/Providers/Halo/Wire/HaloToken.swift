internal import PaymentBase

/// What is read of a token without checking its signature: that is the provider's business.
struct HaloToken {
    let algorithm: String
    /// For whom it is; empty where it doesn't say.
    let audiences: [String]
    /// When it lapses, in milliseconds since 1970.
    let expires: Int64

    /// Reads a token; nil when it is none, or does not say when it lapses.
    init?(_ token: Secret) {
        let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let algorithm = header["alg"]?.string, let seconds = claims["exp"]?.int64,
            (0...253_402_300_799).contains(seconds)
        else { return nil }
        (self.algorithm, expires) = (algorithm, seconds * 1_000)
        audiences = claims["aud"]?.string.map { [$0] } ?? (claims["aud"]?.array ?? []).compactMap(\.string)
    }

    private static func json(_ part: Substring) -> JSON? {
        Base64.urlSafe.decode(String(part)).flatMap { try? JSONReader().read($0) }
    }
}
