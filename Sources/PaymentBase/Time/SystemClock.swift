internal import PaymentSystem

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

    public var uptime: Int64 {
        var time = timespec()
        #if canImport(Darwin)
        let clock = CLOCK_MONOTONIC
        #else
        let clock = CLOCK_BOOTTIME
        #endif
        let code = unsafe clock_gettime(clock, &time)
        precondition(code == 0, "the machine has no clock")
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    public var boot: String { Self.startOfMachine }

    /// The name that the system gives to this start of the machine; empty where it gives none.
    private static let startOfMachine: String = {
        #if canImport(Darwin)
        return ""
        #else
        let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).filter { $0 > 32 && $0 < 127 }, as: UTF8.self)
        #endif
    }()

    public func sleep(until instant: Int64) async throws {
        let wait = instant - now
        if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
    }
}
