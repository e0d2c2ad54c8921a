internal import CCurl
internal import PaymentBase
internal import PaymentTransport

/// What the thread owns: the multi handle, its connections, the transfers. Made on the thread and never leaves it.
@safe final class CurlLoop {
    /// How many unused easy handles are kept for later requests.
    private static let idleHandlesMax = 64
    /// How long one wait may last; a lost wake-up costs no more than this.
    private static let waitMillisecondsMax: Int64 = 1_000

    private let configuration: CurlTransport.Configuration
    private let mailbox: CurlMailbox
    private let multi: UnsafeMutableRawPointer
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var transferIDs: [UnsafeMutableRawPointer: ObjectIdentifier] = unsafe [:]
    private var idleHandles: [UnsafeMutableRawPointer] = unsafe []
    private let deadlines: CurlDeadlines

    /// Makes the handle; nil when libcurl refuses.
    init?(_ configuration: CurlTransport.Configuration, _ mailbox: CurlMailbox) {
        guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        (self.configuration, self.mailbox) = (configuration, mailbox)
        deadlines = CurlDeadlines(configuration)
        unsafe self.multi = multi
        let perHost = max(1, configuration.connectionsPerHostMax)
        let codes = unsafe [
            pay_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
            pay_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, perHost),
            pay_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, perHost * 4),
        ]
        guard codes.allSatisfy({ $0 == CURLM_OK }) else { return nil }
        unsafe mailbox.attach(multi)
    }

    deinit {
        while let easy = unsafe idleHandles.popLast() { unsafe curl_easy_cleanup(easy) }
        unsafe curl_multi_cleanup(multi)
    }

    /// Works until the mailbox is closed or libcurl fails, then ends whatever is left.
    func run() {
        while true {
            let (commands, isClosed) = mailbox.take()
            for command in commands { obey(command) }
            if isClosed || !turn() { break }
        }
        for command in mailbox.detach() { obey(command) }
        for transfer in transfers.values { end(transfer, .failure(transfer.failure(.cancelled))) }
    }

    private func obey(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let job): begin(job)
        case .cancel(let job):
            guard let transfer = transfers[ObjectIdentifier(job)] else { return }
            end(transfer, .failure(transfer.failure(.cancelled)))
        }
    }

    /// One round of work and waiting; false when libcurl can't go on.
    private func turn() -> Bool {
        var running: Int32 = 0
        guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return false }
        collect()
        let now = OwnThread.monotonicNow
        if now >= deadlines.next { enforceDeadlines(now) }
        let wait = max(0, min(deadlines.next - now, Self.waitMillisecondsMax))
        return unsafe curl_multi_poll(multi, nil, 0, Int32(wait), nil) == CURLM_OK
    }

    private func begin(_ job: CurlJob) {
        if job.isCancelled { return job.fail(.notSent(.cancelled)) }
        guard transfers.count < configuration.requestsMax else { return job.fail(.notSent(.overloaded)) }
        guard let easy = unsafe idleHandles.popLast() ?? curl_easy_init() else { return job.fail(.notSent(.other)) }
        let transfer = unsafe CurlTransfer(job, easy, headerBytesMax: configuration.headerBytesMax, deadlines)
        do {
            try unsafe CurlSetup(easy, configuration).apply(transfer)
        } catch {
            release(transfer)
            return job.fail(error)
        }
        guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else {
            release(transfer)
            return job.fail(.notSent(.other))
        }
        transfers[ObjectIdentifier(job)] = transfer
        unsafe transferIDs[easy] = ObjectIdentifier(job)
    }

    /// Ends every transfer that libcurl is done with.
    private func collect() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe pay_curl_message_easy(message) else {
                continue
            }
            let code = unsafe pay_curl_message_result(message)
            guard let id = unsafe transferIDs[easy], let transfer = transfers[id] else { continue }
            end(transfer, transfer.result(code))
        }
    }

    /// Ends a transfer that libcurl has or hasn't finished; the promise comes last, when nothing is in use any more.
    private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, TransportFailure>) {
        transfers[ObjectIdentifier(transfer.job)] = nil
        unsafe transferIDs[transfer.easy] = nil
        if unsafe curl_multi_remove_handle(multi, transfer.easy) == CURLM_OK {
            release(transfer)
        } else {
            transfer.freeLists()
            unsafe curl_easy_cleanup(transfer.easy)
        }
        transfer.job.end.fulfil(result)
    }

    private func release(_ transfer: CurlTransfer) {
        unsafe curl_easy_reset(transfer.easy)
        transfer.freeLists()
        if unsafe idleHandles.count < Self.idleHandlesMax {
            unsafe idleHandles.append(transfer.easy)
        } else {
            unsafe curl_easy_cleanup(transfer.easy)
        }
    }

    // MARK: Limits on waiting

    private func enforceDeadlines(_ now: Int64) {
        for transfer in Array(transfers.values) where transfer.isStalled(now) {
            // A connection on which nothing moves must not carry the next request.
            unsafe _ = pay_curl_set_long(transfer.easy, CURLOPT_FORBID_REUSE, 1)
            end(transfer, .failure(transfer.failure(transfer.hasBegun ? .stalled : .connectTimedOut)))
        }
        deadlines.reset(transfers.values.map(\.deadline))
    }
}
