internal import CCurl
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// One request under way: what libcurl's callbacks write to. It never leaves the thread.
///
/// The gate is what the evidence rests on: libcurl calls ``mayBegin()`` each time before it hands a request to a
/// connection. The first call is the last moment at which nothing has left us; a second call means that libcurl wants
/// to send the same request again over another connection, which may not happen. Nor does a request that has begun
/// open a socket (``openSocket(_:)``): it could only be for sending once more.
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

    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        if hasBegun {
            wasLost = true
            return CURL_SOCKET_BAD
        }
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        guard descriptor >= 0, deliverMilliseconds > 0 else { return descriptor }
        var limit = deliverMilliseconds
        let size = socklen_t(MemoryLayout.size(ofValue: limit))
        if unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, size) == 0 { return descriptor }
        close(descriptor)
        return CURL_SOCKET_BAD
    }

    /// How long the system may try to deliver, whoever still lives.
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
        guard bytes.count <= job.request.responseBodyBytesMax - body.count else {
            isTooLarge = true
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    // MARK: The end

    /// The failure of a given reason, with the evidence that the gate has.
    func failure(_ reason: TransportFailure.Reason) -> TransportFailure {
        hasBegun ? .maybeSent(reason) : .notSent(reason)
    }

    /// What libcurl's code and everything that came make of the request.
    func result(_ code: CURLcode) -> Result<HTTPResponse, TransportFailure> {
        if isTooLarge { return .failure(failure(.tooLarge)) }
        if wasLost { return .failure(.maybeSent(.connectionReset)) }
        if isStranger {
            return .failure(failure(.tlsFailed.withDetail(PeerCertificate.strangerWords)))
        }
        if isTooLate { return .failure(failure(.tooLate)) }
        guard code == CURLE_OK else {
            let reason = CurlFailure.reason(code, hasBegun: hasBegun)
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
