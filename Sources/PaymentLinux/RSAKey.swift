internal import COpenSSL
internal import PaymentBase
internal import PaymentTransport

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
