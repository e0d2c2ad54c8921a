public import PaymentBase
public import PaymentTransport

/// Stands where an application has supplied no cryptography: everything fails, and nothing is ever equal.
public struct UnavailableCrypto: Crypto {
    /// Makes one.
    public init() {}

    public func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        throw .unavailable
    }

    public func authenticate(
        _ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func deriveKey(
        passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int
    ) throws(CryptoFailure) -> Secret { throw .unavailable }

    public func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func sign(
        _ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool { throw .unavailable }

    public func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] { throw .unavailable }

    public func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool { false }
}
