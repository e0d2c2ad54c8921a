internal import PaymentBase
internal import PaymentTransport

/// How webhooks are signed.
enum AdyenSigning {
    /// The signature of bytes under a key in hexadecimal; nil where the key is none.
    static func signature(_ bytes: [UInt8], _ key: Secret, _ crypto: any Crypto) -> [UInt8]? {
        guard let key = Hex.decode(key.expose()), !key.isEmpty else { return nil }
        return try? crypto.authenticate(.sha256, key: Secret(bytes: key), bytes)
    }

    /// Whether a signature fits one of the keys; without keys nothing does.
    static func isGenuine(_ bytes: [UInt8], _ signature: String, _ keys: [Secret], _ crypto: any Crypto) -> Bool {
        guard let given = Base64.standard.decode(signature) else { return false }
        return keys.reduce(false) { isGenuine, key in
            guard let due = self.signature(bytes, key, crypto) else { return isGenuine }
            return crypto.equal(given, due) || isGenuine
        }
    }
}
