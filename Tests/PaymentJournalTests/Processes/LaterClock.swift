import PaymentBase

/// The machine's clock, moved on.
struct LaterClock: PaymentClock {
    let milliseconds: Int64
    var now: Int64 { SystemClock().now + milliseconds }
    func sleep(until instant: Int64) async throws { try await SystemClock().sleep(until: instant - milliseconds) }
}
