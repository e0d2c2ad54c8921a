internal import Glibc
internal import PaymentBase

extension OwnThread {
    /// Milliseconds of a clock that nobody sets, for limits on waiting.
    static var monotonicNow: Int64 {
        var time = timespec()
        let code = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(code == 0, "the machine has no clock")
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
