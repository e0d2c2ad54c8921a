internal import PaymentBase
internal import PaymentSystem

/// Wakes a thread that waits; a signal that comes first is not lost, and several count as one.
///
/// A pipe rather than a condition variable: its two numbers may be shared without telling the compiler to look away.
final class CommitSignal: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let isSignalled = Locked(false)
    private static let failuresMax = 8

    init() {
        var ends: [Int32] = [-1, -1]
        let code = unsafe pipe(&ends)
        precondition(code == 0, "no pipe could be made: too many files are open")
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func signal() {
        let isFirst = isSignalled.withLock { isSignalled in
            defer { isSignalled = true }
            return !isSignalled
        }
        guard isFirst else { return }
        // There is room for it; whoever waits would wait for ever if the one write were lost.
        var failures = 0
        while unsafe write(writing, [1], 1) < 0, errno == EINTR || failures < Self.failuresMax { failures += 1 }
    }

    /// Waits until there was a signal since the last wait.
    func wait() {
        var byte: [UInt8] = [0]
        while unsafe read(reading, &byte, 1) < 0, errno == EINTR {}
        isSignalled.withLock { $0 = false }
    }
}
