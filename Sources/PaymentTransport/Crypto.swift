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

    /// Bytes that can't be guessed.
    func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8]

    /// Whether two texts are equal, in a time that depends on their length only.
    func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool
}

/// The hash functions that providers ask for.
public enum HashAlgorithm: Sendable, Hashable, CaseIterable {
    /// SHA-1, for key derivation and the WebSocket handshake only; not collision resistant.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512

    /// How many bytes a digest has.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}

/// RSA signatures with PKCS #1 v1.5 padding, named as in JSON Web Signature.
public enum RSASignature: Sendable, Hashable, CaseIterable {
    /// Over SHA-256.
    case rs256
    /// Over SHA-512.
    case rs512
}

/// What fills the last block of a block cipher.
public enum BlockPadding: Sendable, Hashable, CaseIterable {
    /// PKCS #7; always adds at least one byte.
    case pkcs7
    /// Nothing: the text must be whole blocks already.
    case none
}

/// Why a cryptographic operation gave nothing; never says anything about a key or a text.
public enum CryptoFailure: Error, Sendable, Hashable {
    /// The key can't be read, or is of the wrong kind or length.
    case invalidKey
    /// An argument has a length that the operation doesn't take.
    case invalidInput
    /// The text doesn't decrypt: wrong key, wrong padding or a changed text.
    case notDecrypted
    /// The library refused an operation that it should know.
    case unavailable
}

/// What keeps a process's memory to itself. Programs begin it; a library doesn't decide that for the process it is part
/// of.
///
/// On a platform that has none, a program continues without:
///
/// ```swift
/// struct None: MemoryProtection {
///     func begin() -> Bool { false }
///     var holds: Bool { false }
/// }
/// ```
public protocol MemoryProtection: Sendable {
    /// Begins to protect; false where the system refuses.
    func activate() -> Bool
    /// Whether no dump of this process can be written now.
    var isActive: Bool { get }
}
