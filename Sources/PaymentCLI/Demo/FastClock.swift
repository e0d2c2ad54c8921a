internal import PaymentBase

/// The machine's clock at several times its speed, so that a day at the till takes seconds.
struct FastClock: PaymentClock {
    private let start: Int64
    private let factor: Int64
    private let inner = SystemClock()

    init(times factor: Int64) { (start, self.factor) = (inner.now, factor) }

    var now: Int64 { start + (inner.now - start) * factor }

    func sleep(until instant: Int64) async throws {
        // Rounded up: whoever wakes must find that the instant has come.
        try await inner.sleep(until: start + (instant - start + factor - 1) / factor)
    }
}
