internal import CCurl
internal import CLinux
internal import COpenSSL
internal import PaymentBase
internal import PaymentSystem
public import PaymentTransport

/// A connection that libcurl made (name, TCP, TLS with its checks) and that we speak on ourselves.
@safe final class WebSocketSocket {
    /// What one attempt to read or write gave.
    enum Step {
        case moved(Int)
        case wouldBlock
        case ended
    }

    private let easy: UnsafeMutableRawPointer
    private let mailbox: WebSocketMailbox
    private var connectList: UnsafeMutablePointer<curl_slist>?
    private var descriptor: curl_socket_t = -1
    private var rule: CertificateNameRule?
    private var isStranger = false
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    /// Prepares a handle; nothing is connected yet.
    init(_ mailbox: WebSocketMailbox) throws(TransportFailure) {
        guard CurlLibrary.isReady, let easy = unsafe curl_easy_init() else { throw .notSent(.other) }
        unsafe self.easy = easy
        self.mailbox = mailbox
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(connectList)
    }

    /// Connects, and returns when TLS is done too; an abandoned mailbox ends the attempt within a second.
    func connect(_ request: HTTPRequest, _ configuration: CurlTransport.Configuration) throws(TransportFailure) {
        let setup = unsafe CurlSetup(easy, configuration)
        try setup.place(request.origin)
        try setup.connection()
        try setup.trust(request.trust)
        try setup.set(CURLOPT_CONNECT_ONLY, 1)
        try setup.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try setup.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        if let connectTo = request.connectTo {
            unsafe connectList = try setup.append(CurlSetup.route(from: request.origin, to: connectTo), to: nil)
            try setup.check(unsafe pay_curl_set_pointer(easy, CURLOPT_CONNECT_TO, connectList))
        }
        try setup.set(CURLOPT_NOPROGRESS, 0)
        try setup.check(
            unsafe pay_curl_set_pointer(easy, CURLOPT_XFERINFODATA, Unmanaged.passUnretained(mailbox).toOpaque()))
        try setup.check(
            unsafe pay_curl_set_progress(easy) { context, _, _, _, _ in
                guard let context = unsafe context else { return 1 }
                return unsafe Unmanaged<WebSocketMailbox>.fromOpaque(context).takeUnretainedValue().isAbandoned ? 1 : 0
            })
        if let rule = request.trust?.name { try demand(rule, setup) }
        let code = unsafe curl_easy_perform(easy)
        guard !isStranger else { throw .notSent(.tlsFailed.withDetail(PeerCertificate.strangerWords)) }
        guard code == CURLE_OK else {
            let reason = CurlFailure.reason(code, hasBegun: false)
            guard reason == .tlsFailed else { throw .notSent(reason) }
            throw .notSent(reason.withDetail(unsafe PeerCertificate.refusal(code, easy)))
        }
        guard unsafe pay_curl_get_socket(easy, &descriptor) == CURLE_OK, descriptor >= 0 else {
            throw .notSent(.other)
        }
    }

    /// Has the name of the server's certificate checked while libcurl still shows the connection.
    private func demand(_ rule: CertificateNameRule, _ setup: CurlSetup) throws(TransportFailure) {
        self.rule = rule
        try setup.check(
            unsafe pay_curl_set_pointer(easy, CURLOPT_PREREQDATA, Unmanaged.passUnretained(self).toOpaque()))
        try setup.check(
            unsafe pay_curl_set_before_request(easy) { context, _, _, _, _ in
                guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
                let socket = unsafe Unmanaged<WebSocketSocket>.fromOpaque(context).takeUnretainedValue()
                guard let rule = socket.rule, unsafe PeerCertificate.fulfils(rule, socket.easy) else {
                    socket.isStranger = true
                    return CURL_PREREQFUNC_ABORT
                }
                return CURL_PREREQFUNC_OK
            })
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Step {
        var count = 0
        let code = unsafe bytes.withUnsafeBytes { unsafe curl_easy_send(easy, $0.baseAddress, $0.count, &count) }
        return step(code, count)
    }

    func read() -> (step: Step, bytes: ArraySlice<UInt8>) {
        var count = 0
        let size = buffer.count
        let code = unsafe curl_easy_recv(easy, &buffer, size, &count)
        let step = count == 0 && code == CURLE_OK ? Step.ended : step(code, count)
        return (step, buffer.prefix(count))
    }

    private func step(_ code: CURLcode, _ count: Int) -> Step {
        switch code {
        case CURLE_OK: .moved(count)
        case CURLE_AGAIN: .wouldBlock
        case _: .ended
        }
    }

    /// Waits until the socket can do what is wanted, the mailbox has something, or the time is over.
    func wait(toRead: Bool, toWrite: Bool, milliseconds: Int64) {
        let wanted = (toRead ? POLLIN : 0) | (toWrite ? POLLOUT : 0)
        var descriptors = [
            // A negative descriptor is passed over, so that a dead peer whom we don't read can't make this spin.
            pollfd(fd: wanted == 0 ? -1 : descriptor, events: Int16(wanted), revents: 0),
            pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        unsafe poll(&descriptors, 2, Int32(clamping: max(0, milliseconds)))
        var value: UInt64 = 0
        unsafe eventfd_read(mailbox.wakeDescriptor, &value)
    }
}

/// The opening handshake (RFC 6455, section 4): one GET, and a reply that proves that the server speaks the protocol.
struct WebSocketHandshake {
    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private let request: HTTPRequest
    private let userAgent: String
    private let key: String

    /// Makes a handshake with a fresh key; nil when the request can't be one.
    init?(_ request: HTTPRequest, userAgent: String) {
        let own = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-accept", "sec-websocket-extensions"]
        guard request.isWellFormed, request.method == "GET", request.body.isEmpty,
            own.allSatisfy({ request.headers[$0] == nil })
        else { return nil }
        (self.request, self.userAgent) = (request, userAgent)
        key = Self.base64(SystemRandom().bytes(16))
    }

    /// What goes out.
    var bytes: [UInt8] {
        let origin = request.origin
        var lines = ["GET \(request.target) HTTP/1.1", "Host: \(origin.host):\(origin.port)"]
        lines += [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        if request.headers["User-Agent"] == nil, !userAgent.isEmpty { lines.append("User-Agent: \(userAgent)") }
        lines += request.headers.fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Whether the reply's head agrees to everything that was asked, and to nothing else.
    func accepts(_ head: [UInt8]) throws(CryptoFailure) -> Bool {
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first, status.hasPrefix("HTTP/1.1 101") else { return false }
        lines.removeFirst()
        var fields = HTTPHeaders()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return false }
            fields.add(String(parts[0]), Self.trimmed(parts[1]))
        }
        let answer = Self.base64(try OpenSSLCrypto().digest(.sha1, Array((key + Self.magic).utf8)))
        let asked = Self.tokens(request.headers.values("Sec-WebSocket-Protocol"))
        let chosen = fields.values("Sec-WebSocket-Protocol")
        return fields.values("Sec-WebSocket-Accept") == [answer]
            && Self.tokens(fields.values("Upgrade")).contains("websocket")
            && Self.tokens(fields.values("Connection")).contains("upgrade")
            && fields["Sec-WebSocket-Extensions"] == nil
            && chosen.count <= 1 && chosen.allSatisfy { asked.contains($0.lowercased()) }
    }

    private static func tokens(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",").map { trimmed($0).lowercased() } }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}

extension TransportFailure.Reason {
    /// The server answered the handshake of a WebSocket with something else than agreement.
    public static let notUpgraded = TransportFailure.Reason(rawValue: "notUpgraded")
    /// The WebSocket was closed in good order, by either side.
    public static let closed = TransportFailure.Reason(rawValue: "closed")
}
