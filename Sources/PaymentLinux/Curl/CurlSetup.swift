internal import CCurl
internal import COpenSSL
internal import PaymentTransport

/// Turns a request and the configuration into libcurl's options. Every code is checked.
@safe struct CurlSetup {
    private let easy: UnsafeMutableRawPointer
    private let configuration: CurlTransport.Configuration

    init(_ easy: UnsafeMutableRawPointer, _ configuration: CurlTransport.Configuration) {
        unsafe self.easy = easy
        self.configuration = configuration
    }

    /// What is the same for every request of a transport.
    func lasting() throws(TransportFailure) {
        try connection()
        try trust(nil)
        let http2 = configuration.http2
        try set(CURLOPT_HTTP_VERSION, Int(http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_ACCEPT_ENCODING, "")
    }

    /// Where to connect, and how long that may take; also what a WebSocket needs.
    func connection() throws(TransportFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: configuration.connectMilliseconds))
        try set(CURLOPT_MAXAGE_CONN, configuration.idleSecondsMax)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_PROXY, "")
        // Nor are the surroundings asked, for each request, whom no proxy is for.
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_TCP_NODELAY, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
    }

    /// Whom to trust; the checks of certificate and name are always on. A trust of the request's own brings a rule for
    /// the name with it, which ``PeerCertificate`` checks before a byte leaves; libcurl never lets a connection made
    /// with its own check and one made without stand in for each other, nor connections with different roots.
    func trust(_ own: ServerTrust?) throws(TransportFailure) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, own == nil ? 2 : 0)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try check(
            unsafe pay_curl_set_tls(easy) { _, context, _ in
                unsafe TLSFloor.hold(context.map { OpaquePointer($0) }) ? CURLE_OK : CURLE_SSL_CIPHER
            })
        switch own.map({ .pem($0.roots) }) ?? configuration.roots {
        case .system: break
        case .file(let path):
            try set(CURLOPT_CAINFO, path)
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_CAPATH, nil))
        case .pem(let text):
            let bytes = Array(text.utf8)
            try check(unsafe pay_curl_set_blob(easy, CURLOPT_CAINFO_BLOB, bytes, bytes.count))
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_CAINFO, nil))
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_CAPATH, nil))
        }
    }

    /// The address, without path: libcurl gets the target separately and so can't rewrite it.
    func place(_ origin: Origin) throws(TransportFailure) { try set(CURLOPT_URL, "\(origin)/") }

    /// Method and body of one request.
    func message(_ request: HTTPRequest) throws(TransportFailure) {
        // With TLS the handshake says whether a connection can be shared, and waiting for that is short. Without, only
        // its first reply would say so, and that may be a payment that takes minutes.
        try set(CURLOPT_PIPEWAIT, configuration.http2 && request.origin.scheme == .https ? 1 : 0)
        // The name of the method is left to libcurl where it would choose the same, and taken back from the last
        // request.
        var name: String? = request.method
        if request.method == "HEAD" {
            name = nil
            try set(CURLOPT_NOBODY, 1)
        } else if !request.body.isEmpty || Self.hasBody(request.method) {
            if request.method == "POST" { name = nil }
            try set(CURLOPT_POST, 1)
            let size = curl_off_t(request.body.count)
            try check(unsafe pay_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, size))
            let body = request.body.isEmpty ? [0] : request.body
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, body))
        } else {
            if request.method == "GET" { name = nil }
            try set(CURLOPT_HTTPGET, 1)
        }
        if let name {
            try set(CURLOPT_CUSTOMREQUEST, name)
        } else {
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_CUSTOMREQUEST, nil))
        }
    }

    /// Methods whose requests say how long their body is, even if it is empty.
    private static func hasBody(_ method: String) -> Bool {
        switch method {
        case "POST", "PUT", "PATCH": true
        case _: false
        }
    }

    /// Where to connect to instead, as libcurl wants it told.
    static func route(from origin: Origin, to place: Origin) -> String {
        "\(origin.host):\(origin.port):\(place.host):\(place.port)"
    }

    /// The list with one line more; the list itself stays as it was where that fails.
    func append(
        _ line: String, to list: UnsafeMutablePointer<curl_slist>?
    ) throws(TransportFailure) -> UnsafeMutablePointer<curl_slist> {
        guard let longer = unsafe curl_slist_append(list, line) else { throw .notSent(.other) }
        return unsafe longer
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportFailure) {
        try check(unsafe pay_curl_set_long(easy, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransportFailure) {
        try check(unsafe value.withCString { unsafe pay_curl_set_pointer(easy, option, $0) })
    }

    func check(_ code: CURLcode) throws(TransportFailure) {
        guard code == CURLE_OK else { throw .notSent(.other) }
    }
}
