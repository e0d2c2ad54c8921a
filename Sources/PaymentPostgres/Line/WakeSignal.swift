internal import PaymentSystem

/// Wakes a thread that waits for a connection at the same time; several signals count as one.
final class WakeSignal: Sendable {
    /// What can be waited for.
    let descriptor: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let code = unsafe pipe(&ends)
        precondition(code == 0, "no pipe could be made: too many files are open")
        (descriptor, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// A pipe that is full wakes as well.
    func ring() { while unsafe write(writing, [1], 1) < 0, errno == EINTR {} }

    /// Forgets the signals up to now; called before one looks what there is to do.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
