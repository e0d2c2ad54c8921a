internal import PaymentBase
internal import PaymentLinux
internal import PaymentTransport

/// Cryptography that derives each key once for the whole process: that is slow on purpose, and a walk opens the same
/// provider thousands of times under the same passphrase.
struct DerivedKeyCache: Crypto {
    private struct Recipe: Hashable, Sendable {
        let passphrase: Secret
        let salt: [UInt8]
        let rounds: Int
        let byteCount: Int
    }

    /// More passphrases than all harnesses together have.
    private static let keysMax = 64
    private static let keys = Locked([Recipe: Secret]())

    private let real = OpenSSLCrypto()

    func deriveKey(passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int) throws(CryptoFailure) -> Secret {
        let recipe = Recipe(passphrase: passphrase, salt: salt, rounds: rounds, byteCount: byteCount)
        if let kept = Self.keys.withLock({ $0[recipe] }) { return kept }
        let key = try real.deriveKey(passphrase: passphrase, salt: salt, rounds: rounds, byteCount: byteCount)
        Self.keys.withLock { keys in
            if keys.count < Self.keysMax { keys[recipe] = key }
        }
        return key
    }

    func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try real.digest(algorithm, data)
    }

    func authenticate(_ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try real.authenticate(algorithm, key: key, data)
    }

    func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { try real.encrypt(key: key, vector: vector, padding: padding, plain) }

    func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { try real.decrypt(key: key, vector: vector, padding: padding, cipher) }

    func sign(_ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try real.sign(algorithm, privateKey: privateKey, data)
    }

    func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool { try real.verify(algorithm, publicKey: publicKey, signature: signature, data) }

    func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] { try real.randomBytes(count) }

    func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool { real.equal(one, other) }
}
