internal import PaymentBase

/// What a terminal is doing for this till now, so that it can be cancelled.
final class ActiveTerminalTransaction: Sendable {
    private struct Work {
        var header: NexoHeader?
        let isCancelled = Promise<Bool>()
    }

    private let work = Locked<Work?>(nil)

    /// A payment begins.
    func begin() { work.withLock { $0 = Work() } }

    /// A message of it has its name.
    func sent(_ header: NexoHeader) { work.withLock { $0?.header = header } }

    /// The payment has ended; whoever cancels hears how.
    func end(isCancelled: Bool) {
        let promise = work.withLock { work in
            defer { work = nil }
            return work?.isCancelled
        }
        promise?.fulfill(isCancelled)
    }

    /// The message that runs, and what will say how it ended; nil when none does.
    var running: (header: NexoHeader, isCancelled: Promise<Bool>)? {
        work.withLock { work in work.flatMap { work in work.header.map { ($0, work.isCancelled) } } }
    }
}
