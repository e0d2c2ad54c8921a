internal import CCurl
internal import COpenSSL
internal import PaymentTransport

/// libcurl as a whole: started once per process and never stopped.
enum CurlLibrary {
    /// Whether libcurl started, and has what we rely on.
    static let isReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        return pay_curl_version() >= versionMin
    }()

    /// 7.87, the first that leaves a name's look-up behind instead of waiting for its end.
    private static let versionMin: UInt32 = 0x07_57_00
}

/// What libcurl's codes mean to us. The evidence is not in the code: it comes from ``CurlTransfer``'s gate.
enum CurlFailure {
    /// The reason of a code; `hasBegun` distinguishes a connection that came too late from a reply that did.
    static func reason(_ code: CURLcode, hasBegun: Bool) -> TransportFailure.Reason {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
        case CURLE_COULDNT_CONNECT: .connectionRefused
        case CURLE_OPERATION_TIMEDOUT: hasBegun ? .stalled : .connectTimedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_INITFAILED:
            .tlsFailed
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND:
            .connectionReset
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING: .malformed
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: .invalidRequest
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case _: .other
        }
    }
}

/// What a connection has at least, whatever the machine's configuration of OpenSSL allows.
enum TLSFloor {
    /// 112 bits and more: RSA keys of 2,048 bits, no signature over SHA-1.
    static let level: Int32 = 2
    /// For TLS 1.2: keys that are forgotten after the connection, and ciphers that prove what they encrypt. What TLS
    /// 1.3 has is all of that kind.
    static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:!aNULL:!eNULL"

    /// Sets the floor, and has no key of the connection written down for a person who named a file in `SSLKEYLOGFILE`.
    static func hold(_ context: OpaquePointer?) -> Bool {
        guard let context = unsafe context else { return false }
        unsafe SSL_CTX_set_keylog_callback(context, nil)
        unsafe SSL_CTX_set_security_level(context, level)
        return unsafe SSL_CTX_set_cipher_list(context, ciphers) == 1
            && pay_ssl_ctx_set_min_version(context, TLS1_2_VERSION) == 1
    }
}

/// What the server at the other end of a handle's connection has shown; its chain was checked in the handshake.
enum PeerCertificate {
    /// Whether the rule accepts the name; a connection without TLS, without a certificate, or without a single name
    /// never passes. Asked per request, since a kept connection may have been made for another rule.
    static func fulfils(_ rule: CertificateNameRule, _ easy: UnsafeMutableRawPointer) -> Bool {
        guard let ssl = unsafe pay_curl_openssl(easy),
            let certificate = unsafe SSL_get1_peer_certificate(OpaquePointer(ssl))
        else { return false }
        defer { unsafe X509_free(certificate) }
        guard let name = unsafe commonName(certificate) else { return false }
        return rule.accepts(name)
    }

    /// What is said of a name that a rule refuses.
    static let strangerWords = "the certificate's name is none that is expected here"

    /// Why a handshake failed, for people; nil where it is not said.
    static func refusal(_ code: CURLcode, _ easy: UnsafeMutableRawPointer) -> String? {
        guard code == CURLE_PEER_FAILED_VERIFICATION else { return "the handshake failed" }
        var verdict = 0
        guard unsafe pay_curl_get_long(easy, CURLINFO_SSL_VERIFYRESULT, &verdict) == CURLE_OK else { return nil }
        // libcurl compares the names itself, once OpenSSL has nothing against the chain; it then says nothing special.
        let isOther = [Int(X509_V_OK), Int(X509_V_ERR_UNSPECIFIED)].contains(verdict)
        if isOther { return "the certificate is for another host" }
        return unsafe X509_verify_cert_error_string(verdict).map { unsafe String(cString: $0) }
    }

    /// The one common name of a certificate; nil when there is none, more than one, or text that is none.
    static func commonName(_ certificate: OpaquePointer) -> String? {
        guard let subject = unsafe X509_get_subject_name(certificate) else { return nil }
        let index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard index >= 0, unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, index) < 0,
            let value = unsafe X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index))
        else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&bytes, value)
        guard count > 0, let start = unsafe bytes else { return nil }
        defer { unsafe CRYPTO_free(start, #file, #line) }
        let text = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        // A zero in the middle has hidden the rest of a name from a reader before.
        if unsafe text.contains(0) { return nil }
        return unsafe String(validating: text, as: UTF8.self)
    }
}
