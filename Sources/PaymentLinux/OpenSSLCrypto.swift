internal import COpenSSL
public import PaymentBase
public import PaymentTransport

/// Cryptography by OpenSSL 3. It has no state: one value serves every task.
public struct OpenSSLCrypto: Crypto {
    /// The largest text that one call takes.
    public static let dataBytesMax = 64 * 1_024 * 1_024
    /// The smallest RSA key that is used, in bits (NIST SP 800-131A).
    public static let rsaKeyBitsMin = 2_048
    /// How many rounds a key derivation may ask for.
    public static let deriveRoundsMax = 10_000_000
    /// The longest key that is derived.
    public static let derivedKeyBytesMax = 1_024
    /// The most random bytes at once.
    public static let randomBytesMax = 1_024 * 1_024

    static let aesKeyByteCount = 32
    static let aesBlockByteCount = 16

    /// Makes the operations available.
    public init() {}

    public func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        var written: UInt32 = 0
        let code = unsafe EVP_Digest(data, data.count, &digest, &written, algorithm.function, nil)
        guard code == 1, written == UInt32(algorithm.byteCount) else { throw .unavailable }
        return digest
    }

    public func authenticate(
        _ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        let keyBytes = key.exposeBytes()
        guard let keyCount = Int32(exactly: keyBytes.count) else { throw .invalidKey }
        var code = [UInt8](repeating: 0, count: algorithm.byteCount)
        var written: UInt32 = 0
        let done = unsafe HMAC(algorithm.function, keyBytes, keyCount, data, data.count, &code, &written) != nil
        guard done, written == UInt32(algorithm.byteCount) else { throw .unavailable }
        return code
    }

    public func deriveKey(
        passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int
    ) throws(CryptoFailure) -> Secret {
        guard (1...Self.deriveRoundsMax).contains(rounds), (1...Self.derivedKeyBytesMax).contains(byteCount),
            salt.count <= Self.dataBytesMax
        else { throw .invalidInput }
        let text = passphrase.exposeBytes()
        guard let textCount = Int32(exactly: text.count) else { throw .invalidKey }
        var derived = [UInt8](repeating: 0, count: byteCount)
        let code = unsafe text.withUnsafeBytes { text in
            unsafe PKCS5_PBKDF2_HMAC(
                text.baseAddress?.assumingMemoryBound(to: CChar.self), textCount, salt, Int32(salt.count),
                Int32(rounds), EVP_sha1(), Int32(byteCount), &derived)
        }
        guard code == 1 else { throw .unavailable }
        return Secret(bytes: derived)
    }

    public func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        if padding == .none, plain.count % Self.aesBlockByteCount != 0 { throw .invalidInput }
        return try cipher(forth: true, key, vector, padding, plain)
    }

    public func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        if cipher.count % Self.aesBlockByteCount != 0 { throw .invalidInput }
        if padding == .pkcs7, cipher.isEmpty { throw .invalidInput }
        return try self.cipher(forth: false, key, vector, padding, cipher)
    }

    public func sign(
        _ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        try RSAKey(privatePEM: privateKey).sign(algorithm, data)
    }

    public func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool {
        try RSAKey(publicPEM: publicKey).verify(algorithm, signature, data)
    }

    public func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] {
        guard (0...Self.randomBytesMax).contains(count) else { throw .invalidInput }
        var bytes = [UInt8](repeating: 0, count: count)
        if count == 0 { return bytes }
        guard unsafe RAND_bytes(&bytes, Int32(count)) == 1 else { throw .unavailable }
        return bytes
    }

    public func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        if one.isEmpty { return true }
        return unsafe CRYPTO_memcmp(one, other, one.count) == 0
    }

    private func cipher(
        forth: Bool, _ key: Secret, _ vector: [UInt8], _ padding: BlockPadding, _ input: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        let keyBytes = key.exposeBytes()
        guard keyBytes.count == Self.aesKeyByteCount else { throw .invalidKey }
        guard vector.count == Self.aesBlockByteCount, input.count <= Self.dataBytesMax else { throw .invalidInput }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .unavailable }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let started = unsafe EVP_CipherInit_ex(context, EVP_aes_256_cbc(), nil, keyBytes, vector, forth ? 1 : 0)
        let padded = unsafe EVP_CIPHER_CTX_set_padding(context, padding == .pkcs7 ? 1 : 0)
        guard started == 1, padded == 1 else { throw .unavailable }
        var output = [UInt8](repeating: 0, count: input.count + Self.aesBlockByteCount)
        var first: Int32 = 0
        var last: Int32 = 0
        let updated = unsafe EVP_CipherUpdate(context, &output, &first, input, Int32(input.count))
        guard updated == 1, first >= 0, Int(first) <= output.count else { throw .unavailable }
        let finished = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe EVP_CipherFinal_ex(context, output.baseAddress?.advanced(by: Int(first)), &last)
        }
        guard finished == 1 else {
            ERR_clear_error()
            throw forth ? .unavailable : .notDecrypted
        }
        return Array(output.prefix(Int(first) + Int(last)))
    }
}

extension HashAlgorithm {
    /// OpenSSL's function of that name.
    var function: OpaquePointer? {
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512()
        }
    }
}

/// One RSA key of OpenSSL's, freed with the object; made and used within one call.
@safe final class RSAKey {
    private let key: OpaquePointer

    /// Reads an unencrypted private key (PKCS #8 or PKCS #1).
    convenience init(privatePEM: Secret) throws(CryptoFailure) {
        unsafe try self.init(privatePEM.exposeBytes()) { bio in
            // An empty passphrase, so that an encrypted key fails instead of asking on the terminal.
            unsafe "".withCString { empty in
                unsafe PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: empty))
            }
        }
    }

    /// Reads a public key (SubjectPublicKeyInfo).
    convenience init(publicPEM: String) throws(CryptoFailure) {
        unsafe try self.init(Array(publicPEM.utf8)) { bio in unsafe PEM_read_bio_PUBKEY(bio, nil, nil, nil) }
    }

    private init(_ pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) throws(CryptoFailure) {
        let key = unsafe try Self.key(pem, read)
        unsafe self.key = key
        let isRSA = unsafe EVP_PKEY_is_a(key, "RSA") == 1
        guard isRSA, unsafe EVP_PKEY_get_bits(key) >= Int32(OpenSSLCrypto.rsaKeyBitsMin) else { throw .invalidKey }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    private static func key(
        _ pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?
    ) throws(CryptoFailure) -> OpaquePointer {
        guard let count = Int32(exactly: pem.count) else { throw .invalidKey }
        let key = unsafe pem.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
            defer { unsafe BIO_free(bio) }
            return unsafe read(bio)
        }
        guard let key = unsafe key else {
            ERR_clear_error()
            throw .invalidKey
        }
        return unsafe key
    }

    func sign(_ algorithm: RSASignature, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw .unavailable }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit(context, nil, algorithm.function, nil, key) == 1 else { throw .invalidKey }
        var count = 0
        guard unsafe EVP_DigestSign(context, nil, &count, data, data.count) == 1 else { throw .unavailable }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, data, data.count) == 1 else {
            ERR_clear_error()
            throw .invalidKey
        }
        return Array(signature.prefix(count))
    }

    func verify(
        _ algorithm: RSASignature, _ signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { throw .unavailable }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, algorithm.function, nil, key) == 1 else { throw .unavailable }
        let code = unsafe EVP_DigestVerify(context, signature, signature.count, data, data.count)
        if code != 1 { ERR_clear_error() }
        return code == 1
    }
}

extension RSASignature {
    /// The hash function under the signature.
    fileprivate var function: OpaquePointer? {
        switch self {
        case .rs256: unsafe EVP_sha256()
        case .rs512: unsafe EVP_sha512()
        }
    }
}
