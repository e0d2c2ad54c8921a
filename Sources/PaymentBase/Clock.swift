internal import PaymentSystem

/// Time as milliseconds since 1970; injected everywhere, so that tests never sleep.
///
/// An implementation needs a moment and a way to wait for one:
///
/// ```swift
/// struct Frozen: PaymentClock {
///     let now: Int64 = 1_767_225_600_000
///     func sleep(until instant: Int64) async throws {}
/// }
/// ```
public protocol PaymentClock: Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var now: Int64 { get }
    /// Milliseconds since the machine was started, sleep counted; no person can set it.
    var uptime: Int64 { get }
    /// Which start of the machine this is; empty where that is unknown.
    var boot: String { get }
    /// Waits until `now` has reached `instant`; throws when the task is cancelled.
    func sleep(until instant: Int64) async throws
}

extension PaymentClock {
    /// The same as the time itself, for clocks that no person sets.
    public var uptime: Int64 { now }
    /// Nothing is known of it.
    public var boot: String { "" }
}

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

extension Duration {
    /// In milliseconds, a part of one counted as a whole; what can't be held stays at the ends.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (high, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        if overflow { return seconds < 0 ? .min : .max }
        let part = attoseconds / 1_000_000_000_000_000
        let rest: Int64 = attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0
        let (sum, isOver) = high.addingReportingOverflow(part + rest)
        return isOver ? .max : sum
    }
}
