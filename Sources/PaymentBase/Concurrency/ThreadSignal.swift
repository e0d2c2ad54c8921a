internal import PaymentSystem

/// Lets one thread sleep until another rings; a ring before the wait is not lost.
///
/// A pipe rather than a condition variable, so that nothing here has to claim to be sendable.
package final class ThreadSignal: Sendable {
    private let inside: Int32
    private let outside: Int32
    private static let failuresMax = 8

    /// Makes a bell that was not rung.
    package init() {
        var ends: [Int32] = [-1, -1]
        let code = unsafe pipe(&ends)
        precondition(code == 0, "the system has no descriptors left for a pipe")
        // A program that is started inherits neither.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (inside, outside) = (ends[0], ends[1])
    }

    deinit {
        close(inside)
        close(outside)
    }

    /// Wakes the thread that waits, or the next to wait.
    package func ring() {
        var byte: UInt8 = 1
        // One that can't be rung because it rings already is left; one that can't for another reason is rung again.
        var failures = 0
        while unsafe write(outside, &byte, 1) < 0, errno == EINTR || errno != EAGAIN && failures < Self.failuresMax {
            failures += 1
        }
    }

    /// Blocks this thread until another thread rings.
    package func wait() {
        var byte: UInt8 = 0
        while unsafe read(inside, &byte, 1) < 0, errno == EINTR {}
    }
}
