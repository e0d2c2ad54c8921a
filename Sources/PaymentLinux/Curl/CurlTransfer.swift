internal import CCurl
internal import COpenSSL
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// One request under way: what libcurl's callbacks write to. It never leaves the thread.
///
/// The gate is what the evidence rests on: libcurl calls ``mayBegin()`` each time before it hands a request to a
/// connection. The first call is the last moment at which nothing has left us; a second call means that libcurl wants
/// to send the same request again over another connection, which may not happen. Nor does a request that has begun
/// open a socket (``openSocket(_:_:)``): it could only be for sending once more.
@safe final class CurlTransfer {
    let job: CurlJob
    let handle: CurlHandle
    let headerBytesMax: Int

    /// Whether a byte of the request may have left us.
    private(set) var hasBegun = false
    /// Whether libcurl wanted to send the request a second time.
    private(set) var wasLost = false
    /// Whether the server's certificate has a name that the request's own rule refuses.
    private(set) var isStranger = false
    /// Whether the time within which its bytes had to leave was over.
    private(set) var isTooLate = false
    private(set) var isTooLarge = false
    /// Whether the rest of the body was left unread.
    private var isCut = false
    /// Whether an address was refused that is not of the public internet.
    private var isPrivate = false
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []

    /// When to give up unless something moves; first that of connecting.
    private(set) var deadline: Int64
    private let deadlines: CurlDeadlines
    private var uploadedByteCount: curl_off_t = 0
    /// Until when all of it has to be handed to the system; nil where that is done, or where no money hangs on it.
    private var writeEnd: Int64?

    init(_ job: CurlJob, _ handle: CurlHandle, headerBytesMax: Int, _ deadlines: CurlDeadlines) {
        (self.job, self.handle) = (job, handle)
        self.headerBytesMax = headerBytesMax
        self.deadlines = deadlines
        deadline = deadlines.connect()
    }

    /// Whether nothing has moved until the deadline; what libcurl sent without telling is looked up.
    func isStalled(_ now: Int64) -> Bool {
        if now < deadline { return false }
        var uploaded: curl_off_t = 0
        let code = unsafe pay_curl_get_size(handle.easy, CURLINFO_SIZE_UPLOAD_T, &uploaded)
        guard hasBegun, code == CURLE_OK else { return true }
        if let end = writeEnd {
            if uploaded == job.request.body.count {
                // Only what was written is waited for; that it was is seen here for the first time.
                writeEnd = nil
                move()
                return false
            }
            if now >= end { return true }
        }
        guard uploaded != uploadedByteCount else { return true }
        uploadedByteCount = uploaded
        move()
        return false
    }

    /// Gives it time again.
    private func move() {
        let stall = deadlines.stall(job.request.idleTimeoutMilliseconds)
        deadline = min(stall, writeEnd ?? stall)
    }

    func mayBegin() -> Bool {
        if job.isCancelled { return false }
        if hasBegun {
            wasLost = true
            return false
        }
        if let rule = job.request.trust?.name, unsafe !PeerCertificate.fulfils(rule, handle.easy) {
            isStranger = true
            return false
        }
        if let opened = job.opened {
            guard (0...deadlines.beginMilliseconds).contains(opened.elapsedMilliseconds) else {
                isTooLate = true
                return false
            }
            writeEnd = deadlines.write()
        }
        hasBegun = true
        move()
        return true
    }

    func openSocket(_ address: curl_sockaddr, _ bytes: [UInt8]) -> curl_socket_t {
        if hasBegun {
            wasLost = true
            return CURL_SOCKET_BAD
        }
        if handle.isPublicOnly, !PublicAddress.isPublic(bytes) {
            isPrivate = true
            return CURL_SOCKET_BAD
        }
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        if descriptor >= 0 { sockets.append(descriptor) }
        guard descriptor >= 0, deliverMilliseconds > 0 else { return descriptor }
        var limit = deliverMilliseconds
        let size = socklen_t(MemoryLayout.size(ofValue: limit))
        if unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, size) == 0 { return descriptor }
        close(descriptor)
        return CURL_SOCKET_BAD
    }

    /// How long the system may try to deliver, whether the other side lives or not.
    private var deliverMilliseconds: CUnsignedInt { CUnsignedInt(clamping: deadlines.deliverMilliseconds) }

    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        move()
        guard line.count <= headerBytesMax - head.byteCount else {
            isTooLarge = true
            return false
        }
        unsafe head.take(line)
        return true
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        move()
        let room = job.request.responseBodyBytesMax - body.count
        guard bytes.count <= room else {
            if job.request.leavesRestUnread {
                unsafe body.append(contentsOf: bytes.prefix(room))
                isCut = true
                return false
            }
            isTooLarge = true
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    // MARK: The end

    /// The failure of a given reason, with the evidence that the gate has.
    func failure(_ reason: TransportFailure.Reason) -> TransportFailure {
        if hasBegun { return .maybeSent(reason) }
        let isWaiting = reason == .connectTimedOut || reason == .cancelled
        return .notSent(isWaiting ? reason.during(waitingStep) : reason)
    }

    /// The sockets that were opened for it, to see how far a connection came that is given up.
    private var sockets: [curl_socket_t] = []

    /// Whether one of its sockets has another side.
    private var isConnected: Bool {
        sockets.contains { descriptor in
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe getpeername(descriptor, pointer, &size) == 0
                }
            }
        }
    }

    /// Which step of connecting is under way.
    private var waitingStep: FailureDiagnosis.Step {
        if isConnected { return job.request.origin.scheme == .https ? .tls : .request }
        var microseconds: curl_off_t = 0
        let code = unsafe pay_curl_get_size(handle.easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds)
        return code == CURLE_OK && microseconds > 0 || !sockets.isEmpty ? .connect : .dns
    }

    /// What libcurl's code and everything that came make of the request.
    func result(_ code: CURLcode) -> Result<HTTPResponse, TransportFailure> {
        if isTooLarge { return .failure(failure(.tooLarge)) }
        if wasLost { return .failure(.maybeSent(.connectionReset)) }
        if isStranger {
            return .failure(failure(.tlsFailed.withDetail(PeerCertificate.strangerWords)))
        }
        if isTooLate { return .failure(failure(.tooLate)) }
        guard code == CURLE_OK || isCut else {
            let reason = CurlFailure.reason(code, hasBegun: hasBegun)
            if isPrivate, !hasBegun {
                return .failure(.notSent(reason.withDetail("The name leads to an address that is not public.")))
            }
            guard reason == .tlsFailed else { return .failure(failure(reason)) }
            return .failure(failure(reason.withDetail(unsafe PeerCertificate.refusal(code, handle.easy))))
        }
        // libcurl takes a connection that ends in the middle of the head for the end of an empty reply.
        guard head.isComplete else { return .failure(failure(.truncated)) }
        var status = 0
        guard unsafe pay_curl_get_long(handle.easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK, status >= 200 else {
            return .failure(failure(.malformed))
        }
        return .success(HTTPResponse(status, headers: head.unpacked, body: body))
    }
}

/// One request on its way, those that wait for it, and what came of it.
final class CurlJob: Sendable {
    typealias End = Result<HTTPResponse, TransportFailure>

    private struct State {
        var isCancelled = false
        var end: End?
        var waiter: CheckedContinuation<End, Never>?
    }

    let request: HTTPRequest
    /// When it was opened, if money hangs on it.
    let opened: RequestTimer?
    private let state = Locked(State())

    init(_ request: HTTPRequest, _ opened: RequestTimer? = nil) { (self.request, self.opened) = (request, opened) }

    /// Set before the thread learns of it, so that a cancellation that overtakes its own request is not lost.
    func cancel() { state.withLock { $0.isCancelled = true } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Waits for the end, whatever happens to the waiting task; one waits, once.
    func value() async -> End {
        await withCheckedContinuation { waiter in
            let end = state.withLock { state in
                if state.end == nil { state.waiter = waiter }
                return state.end
            }
            if let end { waiter.resume(returning: end) }
        }
    }

    /// Ends it; the first to end it wins.
    func finish(_ end: End) {
        let waiter = state.withLock { state -> CheckedContinuation<End, Never>? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: end)
    }

    func fail(_ failure: TransportFailure) { finish(.failure(failure)) }
}

/// One easy handle: set up once with what all requests of a transport have in common, then lent to one at a time.
///
/// Between requests it holds nothing of them: neither body nor header fields.
@safe final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private(set) var transfer: CurlTransfer?
    /// Whether it connects to addresses of the public internet alone.
    let isPublicOnly: Bool
    private let setup: CurlSetup
    private var origin: Origin?
    private var target: String?
    private let fields: CurlFields
    /// Outlives the connections that the handle makes, as the handle itself may not.
    private let sockets: CurlSockets
    private var connectList: UnsafeMutablePointer<curl_slist>?

    /// Makes a handle; nil when libcurl refuses.
    init?(_ configuration: CurlTransport.Configuration, _ sockets: CurlSockets) {
        guard let fields = CurlFields(userAgent: configuration.userAgent), let easy = unsafe curl_easy_init() else {
            return nil
        }
        (self.fields, self.sockets, isPublicOnly) = (fields, sockets, configuration.isPublicOnly)
        unsafe self.easy = easy
        setup = unsafe CurlSetup(easy, configuration)
        do { try setup.lasting() } catch { return nil }
        if !installCallbacks().allSatisfy({ $0 == CURLE_OK }) { return nil }
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(connectList)
    }

    /// The object that an easy handle belongs to.
    static func of(_ easy: UnsafeMutableRawPointer) -> CurlHandle? { unsafe from(pay_curl_private(easy)) }

    /// Sets what this request has of its own.
    func prepare(_ transfer: CurlTransfer) throws(TransportFailure) {
        let request = transfer.job.request
        self.transfer = transfer
        if origin != request.origin { try setup.place(request.origin) }
        origin = request.origin
        if target != request.target { try setup.set(CURLOPT_REQUEST_TARGET, request.target) }
        target = request.target
        if let trust = request.trust { try setup.trust(trust) }
        try setup.message(request)
        try setup.check(unsafe pay_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields.lines(request)))
        guard let connectTo = request.connectTo else { return }
        unsafe connectList = try setup.append(CurlSetup.route(from: request.origin, to: connectTo), to: nil)
        try setup.check(unsafe pay_curl_set_pointer(easy, CURLOPT_CONNECT_TO, connectList))
    }

    /// Forgets the request, once libcurl is done with it; whether the handle is as good as new.
    func clear() -> Bool {
        guard let request = transfer?.job.request else { return false }
        transfer = nil
        let codes = unsafe (
            pay_curl_set_pointer(easy, CURLOPT_HTTPHEADER, nil),
            pay_curl_set_pointer(easy, CURLOPT_CONNECT_TO, nil),
            pay_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, nil)
        )
        fields.clear()
        unsafe curl_slist_free_all(connectList)
        unsafe connectList = nil
        // What a trust of its own or a request for a head alone has changed isn't worth being undone.
        return codes == (CURLE_OK, CURLE_OK, CURLE_OK) && request.trust == nil && request.method != "HEAD"
    }

    // MARK: Callbacks

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        unsafe context.map { unsafe Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does something with the transfer that a callback is about.
    private static func with<Value>(
        _ context: UnsafeMutableRawPointer?, _ none: Value, _ body: (CurlTransfer) -> Value
    ) -> Value {
        guard let context = unsafe context else { return none }
        return unsafe Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
            handle.transfer.map(body) ?? none
        }
    }

    /// Makes libcurl call this object, which lives as long as the handle.
    private func installCallbacks() -> [CURLcode] {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe [
            pay_curl_set_pointer(easy, CURLOPT_PRIVATE, context),
            pay_curl_set_pointer(easy, CURLOPT_PREREQDATA, context),
            pay_curl_set_before_request(easy) { context, _, _, _, _ in
                let mayBegin = unsafe CurlHandle.with(context, false) { $0.mayBegin() }
                return mayBegin ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            pay_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context),
            pay_curl_set_open_socket(easy) { context, _, address in
                guard let place = unsafe address else { return CURL_SOCKET_BAD }
                var bytes = [UInt8](repeating: 0, count: 16)
                let count = unsafe Int(pay_curl_address(place, &bytes))
                let address = unsafe place.pointee
                return unsafe CurlHandle.with(context, CURL_SOCKET_BAD) { transfer in
                    let descriptor = transfer.openSocket(address, Array(bytes.prefix(count)))
                    if descriptor != CURL_SOCKET_BAD { transfer.handle.sockets.open(descriptor) }
                    return descriptor
                }
            },
            pay_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(sockets).toOpaque()),
            pay_curl_set_close_socket(easy) { context, descriptor in
                guard let context = unsafe context else { return -1 }
                return unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
            },
            pay_curl_set_pointer(easy, CURLOPT_HEADERDATA, context),
            pay_curl_set_data(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe CurlHandle.with(context, 0) { unsafe $0.takeHeader(line) ? line.count : 0 }
            },
            pay_curl_set_pointer(easy, CURLOPT_WRITEDATA, context),
            pay_curl_set_data(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe CurlHandle.with(context, 0) { unsafe $0.takeBody(bytes) ? bytes.count : 0 }
            },
        ]
    }
}

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
        // The transfer's own deadline is the same and must come first: it can still see how far the connection came.
        let limit = Int(clamping: configuration.connectMilliseconds)
        try set(CURLOPT_CONNECTTIMEOUT_MS, limit < Int.max - 1_000 ? limit + 1_000 : limit)
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

/// The header fields of one handle's requests, as the list of lines that libcurl takes.
///
/// The lines that all requests of a transport have are written once and linked in; a request's own are there as long as
/// it is under way. libcurl puts its text together letter by letter, and does so twice with what has an option of its
/// own; so the program's name and the encodings are lines like the others.
@safe final class CurlFields {
    /// A line for requests that have no field of that name.
    @safe private struct Lasting {
        let name: String
        let line: UnsafeMutablePointer<curl_slist>
    }

    private var lasting: [Lasting] = []
    private var first: UnsafeMutablePointer<curl_slist>?
    private var last: UnsafeMutablePointer<curl_slist>?

    /// Writes the lines that last; nil without memory.
    init?(userAgent: String) {
        var lines = [("User-Agent", userAgent), ("Accept-Encoding", Self.encodings)].filter { !$0.1.isEmpty }
        // A line without a value for each field that libcurl would add on its own.
        lines += [("Accept", ""), ("Content-Type", ""), ("Expect", "")]
        for (name, value) in lines {
            let text = value.isEmpty ? "\(name):" : "\(name): \(value)"
            guard let line = unsafe curl_slist_append(nil, text) else { return nil }
            unsafe lasting.append(Lasting(name: name, line: line))
        }
    }

    deinit {
        clear()
        for one in lasting {
            unsafe one.line.pointee.next = nil
            unsafe curl_slist_free_all(one.line)
        }
    }

    /// All lines of a request, which stay until they are cleared.
    func lines(_ request: HTTPRequest) throws(TransportFailure) -> UnsafeMutablePointer<curl_slist>? {
        for field in request.headers.fields { try add(field) }
        var shared: UnsafeMutablePointer<curl_slist>?
        for one in lasting.reversed() where request.headers[one.name] == nil {
            unsafe one.line.pointee.next = shared
            unsafe shared = one.line
        }
        guard let last = unsafe last else { return unsafe shared }
        unsafe last.pointee.next = shared
        return unsafe first
    }

    /// Forgets the request's own lines.
    func clear() {
        unsafe last?.pointee.next = nil
        unsafe curl_slist_free_all(first)
        unsafe (first, last) = (nil, nil)
    }

    private func add(_ field: HTTPHeaders.Field) throws(TransportFailure) {
        var text = field.name
        // libcurl's way to write a field without a value.
        text += field.value.isEmpty ? ";" : ": "
        text += field.value
        guard let line = unsafe curl_slist_append(nil, text) else { throw .notSent(.other) }
        if let last = unsafe last { unsafe last.pointee.next = line } else { unsafe first = line }
        unsafe last = line
    }

    /// What libcurl can unpack, in the order in which it says so itself.
    private static let encodings: String = {
        let has = pay_curl_features()
        let all = [
            (CURL_VERSION_LIBZ, "deflate, gzip"), (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"),
        ]
        return all.filter { has & $0.0 != 0 }.map(\.1).joined(separator: ", ")
    }()
}
