internal import PaymentSystem

/// Starts a thread of our own, for work that blocks in C.
package enum DedicatedThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, with every signal blocked there; false when no thread could be made.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                #if !canImport(Darwin)
                guard let context = unsafe context else { return nil }
                #endif
                var signals = sigset_t()
                unsafe sigfillset(&signals)
                unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
                unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            unsafe work.release()
            return false
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return true
    }

    /// Milliseconds of a clock that no person sets, for limits on waiting.
    package static var monotonicNow: Int64 {
        var time = timespec()
        let code = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(code == 0, "the machine has no clock")
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
