/// When the exchange about money that the running task makes was opened, for whatever carries its bytes.
///
/// The client sets it around a driver's work. A transport that declares for how long bytes can leave looks at it
/// immediately before the first one does, so that no adapter can forget to.
public struct RequestTimer: Sendable {
    /// That of the running task; nil for whatever is not about money.
    @TaskLocal public static var current: RequestTimer?

    private let openedAt: Int64
    private let clock: any PaymentClock

    /// Opens one now, by a clock that counts sleep.
    public init(_ clock: any PaymentClock) { (openedAt, self.clock) = (clock.uptime, clock) }

    /// How long ago it was opened, in milliseconds.
    public var elapsedMilliseconds: Int64 {
        let (elapsed, overflow) = clock.uptime.subtractingReportingOverflow(openedAt)
        return overflow ? .max : elapsed
    }
}
