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
    /// Milliseconds since the machine was started, sleep counted; nobody can set it.
    var uptime: Int64 { get }
    /// Which start of the machine this is; empty where that can't be told.
    var boot: String { get }
    /// Waits until `now` has reached `instant`; throws when the task is cancelled.
    func sleep(until instant: Int64) async throws
}

extension PaymentClock {
    /// The same as the time itself, for clocks that nobody sets.
    public var uptime: Int64 { now }
    /// Nothing is known of it.
    public var boot: String { "" }
}
