internal import COpenSSL

/// A fresh RSA key pair in PEM form.
public struct TestRSAKey: Sendable {
    /// The private key (PKCS #8).
    public let privatePEM: String
    /// The public key (SubjectPublicKeyInfo).
    public let publicPEM: String

    /// Makes a key of so many bits.
    public init(bits: Int32 = 2_048) throws {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            unsafe EVP_PKEY_generate(context, &made) == 1, let key = unsafe made
        else { throw TestIdentity.Failure() }
        defer { unsafe EVP_PKEY_free(key) }
        privatePEM = unsafe try TestIdentity.pem { unsafe PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
        publicPEM = unsafe try TestIdentity.pem { unsafe PEM_write_bio_PUBKEY($0, key) }
    }
}
