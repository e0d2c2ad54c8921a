internal import PaymentBase
internal import PaymentTransport

/// How webhooks are signed.
enum AdyenSigning {
    /// The signature of a text under a key in hexadecimal; nil where the key is none.
    static func signature(_ text: String, _ key: Secret, _ crypto: any Crypto) -> [UInt8]? {
        guard let bytes = Hex.decode(key.expose()), !bytes.isEmpty else { return nil }
        return try? crypto.authenticate(.sha256, key: Secret(bytes: bytes), Array(text.utf8))
    }

    /// Whether a signature fits one of the keys; without keys nothing does.
    static func isGenuine(_ text: String, _ signature: String, _ keys: [Secret], _ crypto: any Crypto) -> Bool {
        guard let given = Base64.standard.decode(signature) else { return false }
        return keys.reduce(false) { isGenuine, key in
            guard let due = self.signature(text, key, crypto) else { return isGenuine }
            return crypto.equal(given, due) || isGenuine
        }
    }
}
