public import PaymentProviderKit

/// Credentials out of a dictionary, by what stands in the reference.
public struct FixedSecrets: SecretResolver {
    private let values: [String: Secret]

    public init(values: [String: Secret] = [:]) { self.values = values }

    public func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
        guard let value = values[name] else {
            throw SecretResolutionError("the variable is not set", "Set it before the program starts.")
        }
        return value
    }

    public func file(_ path: String) async throws(SecretResolutionError) -> Secret {
        guard let value = values[path] else { throw SecretResolutionError("there is no such file", "Write it.") }
        return value
    }

    public func command(_ words: [String]) async throws(SecretResolutionError) -> Secret {
        guard let value = values[words[0]] else {
            throw SecretResolutionError("there is no such program", "Install it.")
        }
        return value
    }
}

/// Cryptography that counts how many bytes it is given to authenticate: how much work a message causes, whatever the time.
public final class CountingCrypto: Crypto {
    private let real: any Crypto
    private let count = Locked(0)

    /// Counts what goes to a real one.
    public init(_ real: any Crypto) { self.real = real }

    /// How many bytes were authenticated.
    public var authenticatedBytes: Int { count.withLock { $0 } }

    public func authenticate(_ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8]
    {
        count.withLock { $0 += data.count }
        return try real.authenticate(algorithm, key: key, data)
    }

    public func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try real.digest(algorithm, data)
    }

    public func deriveKey(
        passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int
    ) throws(CryptoFailure) -> Secret {
        try real.deriveKey(passphrase: passphrase, salt: salt, rounds: rounds, byteCount: byteCount)
    }

    public func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { try real.encrypt(key: key, vector: vector, padding: padding, plain) }

    public func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { try real.decrypt(key: key, vector: vector, padding: padding, cipher) }

    public func sign(_ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try real.sign(algorithm, privateKey: privateKey, data)
    }

    public func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool { try real.verify(algorithm, publicKey: publicKey, signature: signature, data) }

    public func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] { try real.randomBytes(count) }

    public func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool { real.equal(one, other) }
}

extension String {
    /// The text as a secret.
    public var secret: Secret { Secret(self) }
}
