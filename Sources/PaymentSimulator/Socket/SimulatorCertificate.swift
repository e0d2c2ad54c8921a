internal import COpenSSL

/// A server's key (EC P-256) with a certificate that it signed itself, made at the start and kept nowhere.
@safe public final class SimulatorCertificate: Sendable {
    /// How many days the certificate is good for.
    public static let validDays = 7
    /// For whom the certificate stands.
    public static let names = "DNS:localhost,IP:127.0.0.1"

    /// The certificate in PEM form, for those who shall trust it.
    public let certificatePEM: String
    private let address: UInt

    /// The server side of TLS with this identity; OpenSSL counts its users and locks by itself.
    var context: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    /// Makes a key and a certificate.
    public init() throws(SimulatorServerError) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw .noIdentity }
        guard let key = unsafe Self.makeKey() else {
            unsafe SSL_CTX_free(context)
            throw .noIdentity
        }
        defer { unsafe EVP_PKEY_free(key) }
        guard let certificate = unsafe Self.makeCertificate(key) else {
            unsafe SSL_CTX_free(context)
            throw .noIdentity
        }
        defer { unsafe X509_free(certificate) }
        let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        _ = unsafe pay_ssl_ctx_set_mode(context, Int(mode))
        guard unsafe pay_ssl_ctx_set_min_version(context, TLS1_2_VERSION) == 1,
            unsafe SSL_CTX_use_certificate(context, certificate) == 1,
            unsafe SSL_CTX_use_PrivateKey(context, key) == 1, let pem = unsafe Self.pem(certificate)
        else {
            unsafe SSL_CTX_free(context)
            throw .noIdentity
        }
        certificatePEM = pem
        address = UInt(bitPattern: context)
    }

    deinit { unsafe SSL_CTX_free(context) }

    private static func makeKey() -> OpaquePointer? {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1
        else { return nil }
        return unsafe key
    }

    private static func makeCertificate(_ key: OpaquePointer) -> OpaquePointer? {
        guard let certificate = unsafe X509_new() else { return nil }
        let daySeconds = 86_400
        let name = unsafe X509_get_subject_name(certificate)
        let common = Array("payment sandbox".utf8)
        // MBSTRING_ASC, a macro with a cast.
        let ascii: Int32 = 0x1001
        let codes = unsafe [
            X509_set_version(certificate, 2),
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1),
            X509_gmtime_adj(X509_getm_notBefore(certificate), -daySeconds) == nil ? 0 : 1,
            X509_gmtime_adj(X509_getm_notAfter(certificate), validDays * daySeconds) == nil ? 0 : 1,
            X509_NAME_add_entry_by_txt(name, "CN", ascii, common, Int32(common.count), -1, 0),
            X509_set_issuer_name(certificate, name),
            X509_set_pubkey(certificate, key),
        ]
        let isNamed = unsafe names.withCString { text -> Bool in
            guard let value = unsafe X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, text) else { return false }
            defer { unsafe X509_EXTENSION_free(value) }
            return unsafe X509_add_ext(certificate, value, -1) == 1
        }
        guard codes.allSatisfy({ $0 == 1 }), isNamed, unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
            unsafe X509_free(certificate)
            return nil
        }
        return unsafe certificate
    }

    private static func pem(_ certificate: OpaquePointer) -> String? {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(bio) }
        guard unsafe PEM_write_bio_X509(bio, certificate) == 1 else { return nil }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe pay_bio_bytes(bio, &bytes)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
