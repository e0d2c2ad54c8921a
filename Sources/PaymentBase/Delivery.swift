/// What is proven about one exchange that failed.
public enum Delivery: Sendable, Hashable, CaseIterable {
    /// No byte left us.
    case notSent
    /// A reply proves that it was refused before anything was executed.
    case refused
    /// It may have been executed.
    case maybeSent
}

/// What a transport's error conforms to, so that the core can say what is proven without knowing HTTP.
///
/// ```swift
/// struct PortClosed: DeliveryEvidence { let delivery = Delivery.notSent }
/// ```
public protocol DeliveryEvidence: Error {
    /// What the failure proves about the request.
    var delivery: Delivery { get }
}

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

/// Which attempt the running task works for, as whatever watches the line wants to know.
///
/// The client sets it around a driver's work; a transport that records or observes reads it. No decision about money
/// may hang on it.
public enum CurrentAttempt {
    /// The attempt's id; nil outside of any.
    @TaskLocal public static var id: String?
}
