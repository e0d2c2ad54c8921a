internal import CCurl
internal import COpenSSL
internal import PaymentTransport

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

    /// Why a handshake failed, for people; nil where nobody says.
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
