public import PaymentBase

/// Repeats what provably never left us, and nothing else.
///
/// ```swift
/// let transport = RetryingTransport(curl, clock: SystemClock(), repeatsMax: 2, pauseMilliseconds: 200)
/// ```
public struct RetryingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let clock: any PaymentClock
    private let repeatsMax: Int
    private let pauseMilliseconds: Int64

    /// Wraps a transport: a request is sent at most `repeatsMax` times more, each after the pause.
    public init(_ inner: any HTTPTransport, clock: any PaymentClock, repeatsMax: Int, pauseMilliseconds: Int64) {
        (self.inner, self.clock) = (inner, clock)
        (self.repeatsMax, self.pauseMilliseconds) = (repeatsMax, pauseMilliseconds)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var repeats = 0
        while true {
            do {
                return try await inner.send(request)
            } catch {
                guard Self.mayRepeat(error), repeats < repeatsMax else { throw error }
            }
            repeats += 1
            do {
                try await clock.sleep(until: clock.now + pauseMilliseconds)
            } catch {
                throw .notSent(.cancelled)
            }
        }
    }

    private static func mayRepeat(_ failure: TransportFailure) -> Bool {
        switch failure {
        case .notSent(let reason): reason != .cancelled && reason != .invalidRequest
        case .maybeSent: false
        }
    }
}
