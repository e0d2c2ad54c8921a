public import PaymentBase
internal import PaymentLinux
internal import PaymentTransport

/// The merchant's own backend, which signs tokens; its key is the example of RFC 7515, which the whole world knows.
public struct HaloMerchant: Sendable {
    /// How a token is signed, as its header names it.
    public enum Algorithm: String, Sendable, CaseIterable {
        /// RSA with SHA-256.
        case rs256 = "RS256"
        /// RSA with SHA-512.
        case rs512 = "RS512"
    }

    /// The merchant's id.
    public var merchant = "merchant-1"
    /// The host that its tokens are for.
    public var audience = "halo.sandbox"
    /// The terminal that its tokens name; nil leaves the claim out.
    public var terminal: String? = "TID0001"
    /// How its tokens are signed.
    public var algorithm = Algorithm.rs256
    /// How long its tokens live, in milliseconds.
    public var tokenMilliseconds: Int64 = 15 * 60_000

    /// Makes the usual merchant.
    public init() {}

    /// Signs a token; the number makes it different from others of the same moment.
    public func token(now: Int64, number: Int) -> Secret {
        let header: JSON = ["alg": .string(algorithm.rawValue), "typ": "JWT"]
        var claims: JSONObject = [
            "iss": "simulated", "sub": .string(merchant), "usr": "user-1", "aud": .string(audience),
            "iat": .number(JSONNumber(now / 1_000)), "exp": .number(JSONNumber((now + tokenMilliseconds) / 1_000)),
            "refresh_token": false, "mcc": "5411", "mbn": "Simulated Shop", "tpid": "tp-1",
            "jti": .string(String(number)),
        ]
        if let terminal { claims["x-tid"] = .string(terminal) }
        let signed = [header, .object(claims)].map { Base64.urlSafe.encode($0.bytes()) }.joined(separator: ".")
        let rule: RSASignature = algorithm == .rs256 ? .rs256 : .rs512
        let signature = try? OpenSSLCrypto().sign(rule, privateKey: Secret(Self.privatePEM), Array(signed.utf8))
        return Secret(signed + "." + Base64.urlSafe.encode(signature ?? []))
    }

    /// The claims of a token that this merchant signed in this way; nil for any other.
    func claims(of token: String) -> JSON? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            header["alg"]?.string == algorithm.rawValue, let signature = Base64.urlSafe.decode(String(parts[2]))
        else { return nil }
        let rule: RSASignature = algorithm == .rs256 ? .rs256 : .rs512
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        let isGood = try? OpenSSLCrypto().verify(rule, publicKey: Self.publicPEM, signature: signature, signed)
        return isGood == true ? claims : nil
    }

    private static func json(_ part: Substring) -> JSON? {
        Base64.urlSafe.decode(String(part)).flatMap { try? JSONReader().read($0) }
    }

    private static let privatePEM = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEAofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd/wWJcyQoTbji9k0
        l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL+yRT+SFd2lZS+pC
        gNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb/7OMg0LOL+bSf63kpaSHSX
        ndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD
        Zlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxXFvUK+DWNmoudF8NAco9/h9iaGNj8
        q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQIDAQABAoIBABKucaRpzQorw35S
        bEUAVx8dYXUdZOlJcHtiWQ+dC6V8ljxAHj/PLyzTveyI5QO/xkObCyjIL303l2cf
        UhPu2MFaJdjVzqACXuOrLot/eSFvxjvqVidTtAZExqFRJ9mylUVAoLvhowVWmC1O
        n95fZCXxTUtxNEG1Xcc7m0rtzJKs45J+N/V9DP1edYH6USyPSWGp6wuA+KgHRnKK
        Vf9GRx80JQY7nVNkL17eHoTWEwga+lwi0FEoW9Y7lDtWXYmKBWhUE+U8PGxlJf8f
        40493HDw1WRQ/aSLoS4QTp3rn7gYgeHEvfJdkkf0UMhlknlo53M09EFPdadQ4TlU
        bjqKc50CgYEA4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH/5IB3jw3bcxGn6QLvnE
        tfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw/Py5PJdTJNPY8cQn7ouZ2KKDcmnPG
        BY5t7yLc1QlQ5xHdwW1VhvKn+nXqhJTBgIPgtldC+KDV5z+y2XDwGUcCgYEAuQPE
        fgmVtjL0Uyyx88GZFF1fOunH3+7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYs
        p1ZSe7zFYHj7C6ul7TjeLQeZD/YwD66t62wDmpe/HlB+TnBA+njbglfIsRLtXlnD
        zQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdcCgYAHAp9XcCSrn8wVkMVkKdb7
        DOX4IKjzdahm+ctDAJN4O/y7OW5FKebvUjdAIt2GuoTZ71iTG+7F0F+lP88jtjP4
        U4qe7VHoewl4MKOfXZKTe+YCS1XbNvfgwJ3Ltyl1OH9hWvu2yza7q+d5PCsDzqtm
        27kxuvULVeya+TEdAB1ijQKBgQCH/3r6YrVH/uCWGy6bzV1nGNOdjKc9tmkfOJmN
        54dxdixdpozCQ6U4OxZrsj3FcOhHBsqAHvX2uuYjagqvo3cOj1TRqNocX40omfCC
        Mx3bD1yPPf/6TI2XECva/ggqEY2mYzmIiA5LVVmc5nrybr+lssFKneeyxN2Wq93S
        0iJMdQKBgCGHewxzoa1r8ZMD0LETNrToK423K377UCYqXfg5XMclbrjPbEC3YI1Z
        NqMtuhdBJqUnBi6tjKMF+34Xf0CUN8ncuXGO2CAYvO8PdyCixHX52ybaDjy1FtCE
        6yUXjoKNXKvUm7MWGsAYH6f4IegOetN5NvmUMFStCSkh7ixZLkN1
        -----END RSA PRIVATE KEY-----
        """

    private static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
        NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
        P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
        9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
        EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
        FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
        oQIDAQAB
        -----END PUBLIC KEY-----
        """
}
