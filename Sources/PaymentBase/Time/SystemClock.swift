#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The machine's clock.
public struct SystemClock: PaymentClock {
    /// Makes a clock that reads the machine's time.
    public init() {}

    public var now: Int64 {
        var time = timespec()
        let code = unsafe clock_gettime(CLOCK_REALTIME, &time)
        precondition(code == 0, "the machine has no clock")
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    public func sleep(until instant: Int64) async throws {
        let wait = instant - now
        if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
    }
}
