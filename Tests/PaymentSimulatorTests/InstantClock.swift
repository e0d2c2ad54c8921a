import PaymentBase
import PaymentTesting

/// A clock on which nobody waits: its time is a stage's.
struct InstantClock: PaymentClock {
    let scheduler: TestScheduler

    var now: Int64 { scheduler.now }
    func sleep(until instant: Int64) async throws {}
}
