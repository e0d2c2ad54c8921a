internal import COpenSSL

/// A server's key (EC P-256) with a certificate that it signed itself, made when the test starts.
@safe public final class TestIdentity: Sendable {
    /// OpenSSL refused.
    public struct Failure: Error {}

    /// The certificate in PEM form, for clients that shall trust it.
    public let certificatePEM: String
    private let address: UInt

    /// The server side of TLS with this identity; OpenSSL counts its users and locks on its own.
    var context: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    /// Makes a certificate for the names given (`DNS:localhost,IP:127.0.0.1`), and offers a protocol by ALPN.
    ///
    /// Without an issuer it signs itself and may sign others. Each common name becomes an entry of its own. An expired one
    /// ended yesterday.
    public init(
        names: String = "DNS:localhost,IP:127.0.0.1", commonNames: [String] = ["test"], issuer: TestIdentity? = nil,
        http2: Bool = false, isExpired: Bool = false
    ) throws {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()), let key = unsafe Self.makeKey() else {
            throw Failure()
        }
        defer { unsafe EVP_PKEY_free(key) }
        let certificate = unsafe try Self.makeCertificate(key, names, commonNames, issuer, isExpired ? -1 : 1)
        defer { unsafe X509_free(certificate) }
        guard unsafe SSL_CTX_use_certificate(context, certificate) == 1,
            unsafe SSL_CTX_use_PrivateKey(context, key) == 1
        else { throw Failure() }
        if http2 {
            unsafe SSL_CTX_set_alpn_select_cb(
                context,
                { _, chosen, length, offered, offeredLength, _ in
                    unsafe TestIdentity.chooseHTTP2(chosen, length, offered, offeredLength)
                }, nil)
        }
        certificatePEM = unsafe try Self.pem { bio in unsafe PEM_write_bio_X509(bio, certificate) }
        address = UInt(bitPattern: context)
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// The protocols offered are length-prefixed names; points at `h2` among them.
    private static func chooseHTTP2(
        _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
        _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32
    ) -> Int32 {
        let names = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredLength))
        var index = 0
        while index < names.count {
            let count = unsafe Int(names[index])
            if count == 2, index + 2 < names.count, unsafe names[index + 1] == 0x68, unsafe names[index + 2] == 0x32 {
                unsafe chosen?.pointee = offered?.advanced(by: index + 1)
                unsafe length?.pointee = 2
                return SSL_TLSEXT_ERR_OK
            }
            index += count + 1
        }
        return SSL_TLSEXT_ERR_NOACK
    }

    private static func makeKey() -> OpaquePointer? {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1
        else { return nil }
        return unsafe key
    }

    private static func makeCertificate(
        _ key: OpaquePointer, _ names: String, _ commonNames: [String], _ issuer: TestIdentity?, _ daysLeft: Int
    ) throws -> OpaquePointer {
        guard let certificate = unsafe X509_new() else { throw Failure() }
        let day = 86_400
        let name = unsafe X509_get_subject_name(certificate)
        let issuerName = unsafe issuer.flatMap { unsafe X509_get_subject_name(SSL_CTX_get0_certificate($0.context)) }
        let signingKey = unsafe issuer.flatMap { unsafe SSL_CTX_get0_privatekey($0.context) }
        for common in commonNames.map({ Array($0.utf8) }) {
            let code = unsafe X509_NAME_add_entry_by_txt(
                name, "CN", MBSTRING_UTF8_VALUE, common, Int32(common.count), -1, 0)
            if code != 1 { throw Failure() }
        }
        let codes = unsafe [
            X509_set_version(certificate, 2),
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1),
            X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * day) == nil ? 0 : 1,
            X509_gmtime_adj(X509_getm_notAfter(certificate), daysLeft * day) == nil ? 0 : 1,
            X509_set_issuer_name(certificate, issuerName ?? name),
            X509_set_pubkey(certificate, key),
        ]
        let isExtended =
            unsafe add(NID_subject_alt_name, names, to: certificate)
            && add(NID_basic_constraints, issuer == nil ? "critical,CA:TRUE" : "CA:FALSE", to: certificate)
        guard codes.allSatisfy({ $0 == 1 }), isExtended,
            unsafe X509_sign(certificate, signingKey ?? key, EVP_sha256()) > 0
        else { throw Failure() }
        return unsafe certificate
    }

    private static func add(_ kind: Int32, _ text: String, to certificate: OpaquePointer) -> Bool {
        guard let value = unsafe X509V3_EXT_conf_nid(nil, nil, kind, text) else { return false }
        defer { unsafe X509_EXTENSION_free(value) }
        return unsafe X509_add_ext(certificate, value, -1) == 1
    }

    private static let MBSTRING_UTF8_VALUE: Int32 = 0x1000

    static func pem(_ write: (OpaquePointer) -> Int32) throws -> String {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { unsafe BIO_free(bio) }
        guard unsafe write(bio) == 1 else { throw Failure() }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe pay_bio_bytes(bio, &bytes)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

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
