internal import CCurl
internal import PaymentTransport

/// Turns a request and the configuration into libcurl's options. Every code is checked.
@safe struct CurlSetup {
    private let easy: UnsafeMutableRawPointer
    private let configuration: CurlTransport.Configuration

    init(_ easy: UnsafeMutableRawPointer, _ configuration: CurlTransport.Configuration) {
        unsafe self.easy = easy
        self.configuration = configuration
    }

    /// Sets everything for a transfer; its handle must be fresh or reset.
    func apply(_ transfer: CurlTransfer) throws(TransportFailure) {
        let request = transfer.job.request
        try place(request)
        try connection()
        try trust(request.trust)
        try message(request)
        let fields = lines(request)
        unsafe transfer.headerList = try list(fields)
        try check(unsafe pay_curl_set_pointer(easy, CURLOPT_HTTPHEADER, transfer.headerList))
        if let connectTo = request.connectTo {
            unsafe transfer.connectList = try list([Self.route(from: request.origin, to: connectTo)])
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_CONNECT_TO, transfer.connectList))
        }
        for code in transfer.installCallbacks() { try check(code) }
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
    func place(_ request: HTTPRequest) throws(TransportFailure) {
        try set(CURLOPT_URL, "\(request.origin)/")
        try set(CURLOPT_REQUEST_TARGET, request.target)
    }

    private func message(_ request: HTTPRequest) throws(TransportFailure) {
        let http2 = configuration.http2
        try set(CURLOPT_HTTP_VERSION, Int(http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        // With TLS the handshake says whether a connection can be shared, and waiting for that is short. Without, only
        // its first reply would say so, and that may be a payment that takes minutes.
        try set(CURLOPT_PIPEWAIT, http2 && request.origin.scheme == .https ? 1 : 0)
        try set(CURLOPT_ACCEPT_ENCODING, "")
        if !configuration.userAgent.isEmpty { try set(CURLOPT_USERAGENT, configuration.userAgent) }
        if request.method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
            try set(CURLOPT_POST, 1)
            let size = curl_off_t(request.body.count)
            try check(unsafe pay_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, size))
            let body = request.body.isEmpty ? [0] : request.body
            try check(unsafe pay_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, body))
        } else {
            try set(CURLOPT_HTTPGET, 1)
        }
        if request.method != "HEAD" { try set(CURLOPT_CUSTOMREQUEST, request.method) }
    }

    /// The request's fields, and a line without a value for each field that libcurl would add by itself.
    private func lines(_ request: HTTPRequest) -> [String] {
        let own = request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        let unwanted = ["Accept", "Content-Type"].filter { request.headers[$0] == nil }.map { "\($0):" }
        return own + unwanted + ["Expect:"]
    }

    /// Where to connect to instead, as libcurl wants it told.
    static func route(from origin: Origin, to place: Origin) -> String {
        "\(origin.host):\(origin.port):\(place.host):\(place.port)"
    }

    func list(_ lines: [String]) throws(TransportFailure) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else {
                unsafe curl_slist_free_all(list)
                throw .notSent(.other)
            }
            unsafe list = longer
        }
        return unsafe list
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
