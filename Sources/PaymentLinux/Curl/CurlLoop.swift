internal import CCurl
internal import CLinux
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// The multi handle with its connections and transfers. It lives behind a lock: the thread of the transport works with
/// it whenever a socket has something, and a task that starts a request while the thread sleeps does so itself where
/// the lock is free, which saves waking the thread. libcurl allows any thread, one at a time.
@safe final class CurlLoop {
    /// How one request ended; told only when the lock is free again.
    struct Ended: Sendable {
        let job: CurlJob
        let end: CurlJob.End
    }

    /// What a turn leaves: requests that are done, how long to wait, and whether libcurl can go on.
    struct Turn: Sendable {
        var ended: [Ended] = []
        var waitMilliseconds: Int32 = 0
        var isBroken = false
    }

    /// How many unused easy handles are kept for later requests.
    private static let idleHandlesMax = 64
    /// How long one wait may last; a lost wake-up costs no more than this.
    private static let waitMillisecondsMax: Int64 = 1_000
    /// How often libcurl may ask to be called again at once before others get their turn.
    private static let callsMax = 4

    private let configuration: CurlTransport.Configuration
    private let multi: UnsafeMutableRawPointer
    private let sockets: CurlSockets
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var idleHandles: [CurlHandle] = []
    private let deadlines: CurlDeadlines
    /// When libcurl wants to be called though no socket has anything.
    private var timer = Int64.max
    /// Until when the thread sleeps unless a socket or the bell wakes it.
    private var wakesAt = Int64.min
    private var ended: [Ended] = []
    private var isBroken = false

    /// Makes the handle, which watches its sockets with `epoll`; nil when libcurl refuses.
    init?(_ configuration: CurlTransport.Configuration, epoll: Int32) {
        guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        (self.configuration, sockets) = (configuration, CurlSockets(epoll))
        deadlines = CurlDeadlines(configuration)
        unsafe self.multi = multi
        let perHost = max(1, configuration.connectionsPerHostMax)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let codes = unsafe [
            pay_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
            pay_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, perHost),
            pay_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, perHost * 4),
            pay_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            pay_curl_multi_set_socket(multi) { _, descriptor, wanted, context, _ in
                unsafe CurlLoop.from(context)?.sockets.watch(descriptor, wanted) == true ? 0 : -1
            },
            pay_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            pay_curl_multi_set_timer(multi) { _, milliseconds, context in
                unsafe CurlLoop.from(context)?.setTimer(milliseconds)
                return 0
            },
        ]
        if !codes.allSatisfy({ $0 == CURLM_OK }) { return nil }
    }

    deinit {
        // Nobody is there any more whom libcurl could tell that it closes its sockets.
        _ = unsafe pay_curl_multi_set_socket(multi, nil)
        _ = unsafe pay_curl_multi_set_timer(multi, nil)
        unsafe curl_multi_cleanup(multi)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
        unsafe context.map { unsafe Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What libcurl asks for

    private func setTimer(_ milliseconds: Int) {
        timer = milliseconds < 0 ? .max : milliseconds == 0 ? .min : deadlines.now + Int64(milliseconds)
    }

    // MARK: The task's side

    /// Starts a request; says what has ended by that, and whether the thread must be woken for its deadlines.
    func start(_ job: CurlJob) -> (ended: [Ended], mustWake: Bool) {
        deadlines.look()
        begin(job)
        callOnTime(calls: Self.callsMax)
        collect()
        defer { ended = [] }
        return (ended, min(timer, deadlines.next) < wakesAt || isBroken)
    }

    // MARK: The thread's side

    /// Does what the mailbox and the sockets say.
    func turn(_ commands: [CurlMailbox.Command], _ events: [CurlEvent]) -> Turn {
        deadlines.look()
        for command in commands {
            switch command {
            case .start(let job): begin(job)
            case .cancel(let job):
                guard let transfer = transfers[ObjectIdentifier(job)] else { continue }
                end(transfer, .failure(transfer.failure(.cancelled)))
            }
        }
        for event in events where sockets.isWanted(event.descriptor) { act(event.descriptor, event.mask) }
        callOnTime(calls: Self.callsMax)
        collect()
        let now = deadlines.now
        if now >= deadlines.next { enforceDeadlines(now) }
        let next = min(timer, deadlines.next, now + Self.waitMillisecondsMax)
        wakesAt = next
        defer { ended = [] }
        return Turn(ended: ended, waitMilliseconds: next <= now ? 0 : Int32(next - now), isBroken: isBroken)
    }

    /// Ends whatever is left.
    func endAll() -> [Ended] {
        for transfer in Array(transfers.values) { end(transfer, .failure(transfer.failure(.cancelled))) }
        idleHandles = []
        defer { ended = [] }
        return ended
    }

    // MARK: Work

    /// Calls libcurl when its time has come; what it asks for at once, too, so many times.
    private func callOnTime(calls: Int) {
        for _ in 0..<calls {
            guard timer == .min || (timer < .max && timer <= deadlines.now) else { return }
            timer = .max
            act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    private func act(_ descriptor: Int32, _ mask: Int32) {
        var running: Int32 = 0
        if unsafe curl_multi_socket_action(multi, descriptor, mask, &running) != CURLM_OK { isBroken = true }
    }

    private func begin(_ job: CurlJob) {
        func fail(_ failure: TransportFailure) { ended.append(Ended(job: job, end: .failure(failure))) }
        if job.isCancelled { return fail(.notSent(.cancelled)) }
        guard transfers.count < configuration.requestsMax else { return fail(.notSent(.overloaded)) }
        guard let handle = idleHandles.popLast() ?? CurlHandle(configuration, sockets) else {
            return fail(.notSent(.other))
        }
        let transfer = CurlTransfer(job, handle, headerBytesMax: configuration.headerBytesMax, deadlines)
        do throws(TransportFailure) {
            try handle.prepare(transfer)
            guard unsafe curl_multi_add_handle(multi, handle.easy) == CURLM_OK else { throw .notSent(.other) }
        } catch {
            _ = handle.clear()
            return fail(error)
        }
        transfers[ObjectIdentifier(job)] = transfer
    }

    /// Ends every transfer that libcurl is done with.
    private func collect() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe pay_curl_message_easy(message) else {
                continue
            }
            let code = unsafe pay_curl_message_result(message)
            guard let transfer = unsafe CurlHandle.of(easy)?.transfer else { continue }
            end(transfer, transfer.result(code))
        }
    }

    /// Ends a transfer that libcurl has or hasn't finished. A handle is used again only after a reply.
    private func end(_ transfer: CurlTransfer, _ result: CurlJob.End) {
        transfers[ObjectIdentifier(transfer.job)] = nil
        let handle = transfer.handle
        let isRemoved = unsafe curl_multi_remove_handle(multi, handle.easy) == CURLM_OK
        let isClean = handle.clear()
        if isRemoved, isClean, case .success = result, idleHandles.count < Self.idleHandlesMax {
            idleHandles.append(handle)
        }
        ended.append(Ended(job: transfer.job, end: result))
    }

    // MARK: Limits on waiting

    private func enforceDeadlines(_ now: Int64) {
        for transfer in Array(transfers.values) where transfer.isStalled(now) {
            // A connection on which nothing moves must not carry the next request.
            unsafe _ = pay_curl_set_long(transfer.handle.easy, CURLOPT_FORBID_REUSE, 1)
            end(transfer, .failure(transfer.failure(transfer.hasBegun ? .stalled : .connectTimedOut)))
        }
        deadlines.reset(transfers.values.map(\.deadline))
    }
}
