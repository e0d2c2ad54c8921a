internal import PaymentAbstraction
internal import PaymentBase

/// A thread with a connection of its own, which takes work from a queue; where the connection is lost, it makes another.
final class ConnectionThread<Work: QueuedWork>: Sendable {
    /// What came of a batch.
    enum Progress {
        /// All of it was told what came of it.
        case done
        /// The connection is of no use any more; this part of the batch was certainly not done.
        case lost([Work])
    }

    private let ended = Promise<Bool>()

    /// How much is done together at most. Every piece has a handful of locks, of which a server has some thousands.
    private static var batchMax: Int { 128 }

    /// Starts the thread; false where none can be made. `greet` is the first that is done with each connection.
    static func start(
        _ queue: WorkQueue<Work>, _ link: PostgresLink,
        greet: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Void = { _ throws(PostgresFailure) in
        },
        _ work: @escaping @Sendable (PostgresConnection, [Work]) -> Progress
    ) -> ConnectionThread? {
        let thread = ConnectionThread()
        let ended = thread.ended
        let isStarted = DedicatedThread.start {
            var line: PostgresConnection?
            while let batch = queue.take(batchMax) {
                var rest = batch
                while !rest.isEmpty {
                    guard let connected = line ?? connect(link, greet, &rest, queue) else { break }
                    switch work(connected, rest) {
                    case .done: (line, rest) = (connected, [])
                    case .lost(let left): (line, rest) = (nil, worthTrying(left, link))
                    }
                }
                queue.done(batch)
            }
            ended.fulfill(true)
        }
        return isStarted ? thread : nil
    }

    /// What is tried again with another connection; what was lost for too long is failed.
    private static func worthTrying(_ works: [Work], _ link: PostgresLink) -> [Work] {
        let start = DedicatedThread.monotonicNow - link.outageMilliseconds
        for work in works where work.postedAt < start {
            work.fail(.notWritten("the connection to the database was lost again and again"))
        }
        return works.filter { $0.postedAt >= start }
    }

    /// Connects for work that waits, as long as it is worth waiting; what isn't is failed.
    private static func connect(
        _ link: PostgresLink, _ greet: @Sendable (PostgresConnection) throws(PostgresFailure) -> Void,
        _ works: inout [Work], _ queue: WorkQueue<Work>
    ) -> PostgresConnection? {
        var pause: Int32 = 10
        while true {
            do throws(PostgresFailure) {
                let line = try link.connect()
                try greet(line)
                return line
            } catch {
                let now = DedicatedThread.monotonicNow
                let late = works.filter { queue.isClosed || now - $0.postedAt > link.outageMilliseconds }
                for work in late { work.fail(.notWritten(error.words)) }
                works.removeAll { work in queue.isClosed || now - work.postedAt > link.outageMilliseconds }
                if works.isEmpty { return nil }
                Pause.milliseconds(pause)
                pause = min(pause * 2, 200)
            }
        }
    }

    /// Returns when the thread is gone.
    func waitForEnd() async { _ = await ended.value() }
}
