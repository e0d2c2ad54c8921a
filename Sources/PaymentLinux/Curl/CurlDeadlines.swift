internal import PaymentBase

/// When the loop has to look at its transfers next; shared by the loop and its transfers, all on one thread.
final class CurlDeadlines {
    let connectMilliseconds: Int64
    let stallMilliseconds: Int64
    let writeMilliseconds: Int64
    let beginMilliseconds: Int64
    let deliverMilliseconds: Int64
    private(set) var next = Int64.max
    /// The time as the loop saw it when it began to work; what libcurl does in one go happens at one time.
    private(set) var now = DedicatedThread.monotonicNow

    init(_ configuration: CurlTransport.Configuration) {
        connectMilliseconds = configuration.connectMilliseconds
        stallMilliseconds = configuration.idleTimeoutMilliseconds
        writeMilliseconds = configuration.writeMilliseconds
        beginMilliseconds = configuration.beginMilliseconds
        deliverMilliseconds = configuration.deliverMilliseconds
    }

    /// The deadline of a connection that is asked for now.
    func connect() -> Int64 { after(connectMilliseconds) }

    /// The deadline after something has moved now.
    func stall(_ own: Int64?) -> Int64 { after(own ?? stallMilliseconds) }

    /// The deadline of writing what begins to leave now.
    func write() -> Int64 { after(writeMilliseconds) }

    /// Looks at the clock.
    func look() { now = DedicatedThread.monotonicNow }

    /// Starts again from the deadlines that are left.
    func reset(_ left: some Sequence<Int64>) { next = left.min() ?? .max }

    private func after(_ milliseconds: Int64) -> Int64 {
        let (sum, overflow) = now.addingReportingOverflow(max(0, milliseconds))
        let deadline = overflow ? Int64.max : sum
        next = min(next, deadline)
        return deadline
    }
}
