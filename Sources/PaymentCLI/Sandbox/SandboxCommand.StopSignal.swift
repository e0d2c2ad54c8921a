internal import PaymentBase
internal import PaymentSystem

/// Turns SIGTERM, SIGINT and SIGHUP into a promise: the handler writes a byte, and a thread of its own waits for it.
enum StopSignal {
    /// What the system refused.
    enum Failure: Error { case noDescriptor }

    private final class Waiter: Sendable {
        let stopped = Promise<Bool>()
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
    }

    /// The two ends of a pipe, made once; the handler may only use what exists already.
    private static let pipe: (read: Int32, write: Int32)? = {
        var ends: [Int32] = [-1, -1]
        let code = unsafe PaymentSystem.pipe(&ends)
        return code == 0 ? (ends[0], ends[1]) : nil
    }()

    /// A promise that is fulfilled when the program is told to stop.
    static func watch() throws(Failure) -> Promise<Bool> {
        guard let pipe else { throw .noDescriptor }
        let waiter = Waiter(pipe.read)
        let context = unsafe Unmanaged.passRetained(waiter)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                let waiter = unsafe Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue()
                #else
                guard let context = unsafe context else { return nil }
                let waiter = unsafe Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue()
                #endif
                var byte: UInt8 = 0
                while unsafe read(waiter.descriptor, &byte, 1) < 0, errno == EINTR {}
                waiter.stopped.fulfill(true)
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw .noDescriptor
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        for number in [SIGTERM, SIGINT, SIGHUP] {
            let before = signal(number) { number in
                // Who says it twice means it.
                signal(number, SIG_DFL)
                var byte: UInt8 = 1
                if let pipe = StopSignal.pipe { _ = unsafe write(pipe.write, &byte, 1) }
            }
            // Whoever was begun to outlive its terminal does (`nohup`).
            let (was, ignoring) = unsafe (unsafeBitCast(before, to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self))
            if number == SIGHUP, was == ignoring {
                signal(SIGHUP, SIG_IGN)
            }
        }
        signal(SIGPIPE, SIG_IGN)
        return waiter.stopped
    }
}
