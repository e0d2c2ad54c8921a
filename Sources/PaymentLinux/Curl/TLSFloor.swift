internal import COpenSSL

/// What a connection has at least, whatever the machine's configuration of OpenSSL allows.
enum TLSFloor {
    /// 112 bits and more: RSA keys of 2,048 bits, no signature over SHA-1.
    static let level: Int32 = 2
    /// For TLS 1.2: keys that are forgotten after the connection, and ciphers that prove what they encrypt. What TLS 1.3
    /// has is all of that kind.
    static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:!aNULL:!eNULL"

    /// Sets the floor, and has no key of the connection written down for whoever named a file in `SSLKEYLOGFILE`.
    static func hold(_ context: OpaquePointer?) -> Bool {
        guard let context = unsafe context else { return false }
        unsafe SSL_CTX_set_keylog_callback(context, nil)
        unsafe SSL_CTX_set_security_level(context, level)
        return unsafe SSL_CTX_set_cipher_list(context, ciphers) == 1
            && pay_ssl_ctx_set_min_version(context, TLS1_2_VERSION) == 1
    }
}
