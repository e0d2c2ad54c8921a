internal import CMicroHTTP
package import PaymentBase
internal import PaymentSystem

/// A server over GNU libmicrohttpd: one thread of the library for all connections, and a task for each answer.
package final class MicroHTTPServer: HTTPServer {
    /// How long cancelled tasks have before the server is left as it is, in milliseconds.
    private static let cancelledMilliseconds: Int64 = 1_000

    package let port: Int
    private let core: ServerCore
    private let daemon: Locked<UInt>
    private let watch: Task<Void, Never>

    /// Listens on an address.
    ///
    /// - Throws: ``HTTPServerError`` if another program has the port, or the system refuses it.
    package init(
        at address: ListenAddress = .anyLoopbackPort, limits: ServerLimits = ServerLimits(),
        clock: any PaymentClock = SystemClock(), handler: any HTTPRequestHandler
    ) throws(HTTPServerError) {
        let core = ServerCore(limits, handler, clock)
        let (listener, port) = try address.open()
        // The library has the core until it was stopped.
        let context = unsafe Unmanaged.passRetained(core)
        var options = unsafe pay_mhd_options()
        unsafe options.listener = listener
        unsafe options.connections_max = UInt32(clamping: limits.connectionsMax)
        unsafe options.connections_per_address_max = UInt32(clamping: limits.connectionsPerAddressMax)
        unsafe options.idle_seconds = UInt32(clamping: limits.idleSeconds)
        unsafe options.connection_bytes_max = max(1_024, limits.connectionBytesMax)
        unsafe options.context = context.toOpaque()
        unsafe options.access = ServerCallbacks.access
        unsafe options.completed = ServerCallbacks.completed
        unsafe options.connection = ServerCallbacks.connection
        unsafe options.began = ServerCallbacks.began
        guard let daemon = unsafe pay_mhd_start(&options) else {
            unsafe context.release()
            close(listener)
            throw HTTPServerError("The server can't start: the system gives it no thread or no descriptor.")
        }
        (self.port, self.core) = (port, core)
        self.daemon = Locked(UInt(bitPattern: daemon))
        watch = Task { await core.watch() }
    }

    deinit { watch.cancel() }

    package func stop(within limit: Duration) async {
        let address = daemon.withLock { address in
            defer { address = 0 }
            return address
        }
        guard address != 0 else { return }
        let listener = unsafe MHD_quiesce_daemon(OpaquePointer(bitPattern: address))
        if listener >= 0 { close(listener) }
        core.beginStop()
        var isIdle = await core.idle(within: max(0, limit.wholeMilliseconds))
        if !isIdle {
            core.cancelTasks()
            isIdle = await core.idle(within: Self.cancelledMilliseconds)
        }
        watch.cancel()
        // The library must not end while a connection is suspended: then the server ends with the process.
        guard isIdle else { return }
        let (core, end) = (self.core, Promise<Bool>())
        let thread = DedicatedThread.start {
            unsafe MHD_stop_daemon(OpaquePointer(bitPattern: address))
            unsafe Unmanaged.passUnretained(core).release()
            end.fulfill(true)
        }
        if thread { _ = await end.value() }
    }
}
