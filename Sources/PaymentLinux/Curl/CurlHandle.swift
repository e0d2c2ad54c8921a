internal import CCurl
internal import PaymentTransport

/// One easy handle: set up once with what all requests of a transport have in common, then lent to one at a time.
///
/// Between requests it holds nothing of them: neither body nor header fields.
@safe final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    private(set) var transfer: CurlTransfer?
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
        (self.fields, self.sockets) = (fields, sockets)
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
                guard let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
                return unsafe CurlHandle.with(context, CURL_SOCKET_BAD) { transfer in
                    let descriptor = transfer.openSocket(address)
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
