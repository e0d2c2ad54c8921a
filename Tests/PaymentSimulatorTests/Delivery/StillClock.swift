import PaymentBase

/// A clock that stands still: whoever waits waits until the wait is given up.
struct StillClock: PaymentClock {
    var now: Int64 { 1_767_225_600_000 }

    func sleep(until instant: Int64) async throws {
        if instant <= now { return }
        let over = Promise<Void>()
        await withTaskCancellationHandler {
            await over.value()
        } onCancel: {
            over.fulfill(())
        }
        throw CancellationError()
    }
}
