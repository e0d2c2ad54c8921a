public import PaymentBase

/// The cryptography that providers ask for. Adapters are given one and never make one.
///
/// A fake wraps the real one and changes what the test is about:
///
/// ```swift
/// struct FixedNonce: Crypto {
///     let real: any Crypto
///     func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] { [UInt8](repeating: 7, count: count) }
///     func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
///         try real.digest(algorithm, data)
///     }   // and so on for the others
/// }
/// ```
public protocol Crypto: Sendable {
    /// The hash of `data`.
    func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8]

    /// The keyed hash of `data` (RFC 2104).
    func authenticate(_ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8]

    /// A key from a passphrase: PBKDF2 over HMAC-SHA1 (RFC 8018). It is slow on purpose: derive once and keep it.
    func deriveKey(passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int) throws(CryptoFailure) -> Secret

    /// AES-256 in CBC mode, forth; the key has 32 bytes and the vector 16.
    func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8]

    /// AES-256 in CBC mode, back. Check a message authentication code first: padding alone proves nothing.
    func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8]

    /// Signs with an unencrypted RSA private key in PEM form.
    func sign(_ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8]

    /// Whether a signature fits, by an RSA public key in PEM form; a signature that can't be read doesn't fit.
    func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool

    /// Bytes that nobody can guess.
    func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8]

    /// Whether two texts are equal, in a time that depends on their length only.
    func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool
}
