internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// Something that a thread with a connection does.
protocol QueuedWork: Sendable {
    /// What no other work of this process may have in the meantime.
    var keys: [Int64] { get }
    /// Whether it is done alone.
    var isAlone: Bool { get }
    /// When it was given up to be done, by a clock that is never set.
    var postedAt: Int64 { get }
    /// Reports that it isn't done, and why.
    func fail(_ failure: JournalFailure)
}

/// Work that several threads share. What has a key in common is done one after the other, in the order in which it came;
/// the rest is taken together, as much as there is.
final class WorkQueue<Work: QueuedWork>: Sendable {
    private struct State {
        var waiting: [Work] = []
        var busy: Set<Int64> = []
        var idle = 0
        var isClosed = false

        /// How many threads are to be woken for one more piece of work.
        mutating func wakeOne() -> Int {
            guard idle > 0 else { return 0 }
            idle -= 1
            return 1
        }
    }

    private enum Taken { case work([Work]), nothing, ended }

    private let state = Locked(State())
    private let bell = ThreadSignal()

    /// Among how many a thread looks for what can be taken together.
    private static var lookedAtMax: Int { 1_024 }

    /// Queues work; says false when none is taken any more.
    func post(_ work: Work) -> Bool {
        let (isTaken, rings) = state.withLock { state in
            if state.isClosed { return (false, 0) }
            state.waiting.append(work)
            return (true, state.wakeOne())
        }
        for _ in 0..<rings { bell.ring() }
        return isTaken
    }

    /// Waits for work and takes what can be done together; nil when there will be none.
    func take(_ countMax: Int) -> [Work]? {
        while true {
            let taken: Taken = state.withLock { state in
                let work = Self.pick(&state, countMax)
                if !work.isEmpty { return .work(work) }
                if state.isClosed, state.waiting.isEmpty { return .ended }
                state.idle += 1
                return .nothing
            }
            switch taken {
            case .work(let work): return work
            case .ended: return nil
            case .nothing: bell.wait()
            }
        }
    }

    private static func pick(_ state: inout State, _ countMax: Int) -> [Work] {
        var picked: [Work] = []
        var (taken, left): (Set<Int64>, [Work]) = (state.busy, [])
        var place = 0
        while place < min(state.waiting.count, lookedAtMax), picked.count < countMax {
            let work = state.waiting[place]
            place += 1
            // What is behind something of the same key waits for it, too.
            let isFree = work.keys.allSatisfy { !taken.contains($0) }
            taken.formUnion(work.keys)
            guard isFree, picked.isEmpty || !work.isAlone else {
                left.append(work)
                continue
            }
            picked.append(work)
            if work.isAlone { break }
        }
        guard !picked.isEmpty else { return [] }
        state.waiting.replaceSubrange(..<place, with: left)
        for work in picked { state.busy.formUnion(work.keys) }
        return picked
    }

    /// Frees what work that was taken had for itself.
    func done(_ works: [Work]) {
        let rings = state.withLock { state in
            for work in works { state.busy.subtract(work.keys) }
            return state.waiting.isEmpty ? 0 : state.wakeOne()
        }
        for _ in 0..<rings { bell.ring() }
    }

    /// Takes no more; what is queued is done.
    func close() {
        let rings = state.withLock { state in
            state.isClosed = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<rings { bell.ring() }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}

/// A question: statements of which each is of one moment, and what is made of their answers.
struct ReadWork: QueuedWork {
    let calls: [PostgresCall]
    /// Takes the answers, and says how to tell of them.
    let take: @Sendable (ArraySlice<PostgresRows>) throws -> @Sendable () -> Void
    let failed: @Sendable (JournalFailure) -> Void
    let postedAt = DedicatedThread.monotonicNow

    var keys: [Int64] { [] }
    var isAlone: Bool { false }
    func fail(_ failure: JournalFailure) { failed(failure) }

    /// Answers questions together; where one is refused, each alone.
    static func answer(_ line: PostgresConnection, _ works: [ReadWork]) -> ConnectionThread<ReadWork>.Progress {
        do {
            var rows = try line.exchange(works.flatMap(\.calls))[...]
            for work in works {
                work.end(rows.prefix(work.calls.count))
                rows = rows.dropFirst(work.calls.count)
            }
            return .done
        } catch {
            guard case .refused = error else { return .lost(works) }
            if works.count == 1 {
                works[0].fail(.notWritten(error.words))
                return .done
            }
            for (index, work) in works.enumerated() {
                if case .lost(let left) = answer(line, [work]) { return .lost(left + works[(index + 1)...]) }
            }
            return .done
        }
    }

    private func end(_ rows: ArraySlice<PostgresRows>) {
        do { try take(rows)() } catch let failure as PostgresStoreError { fail(failure.meaning) } catch {
            fail(.notWritten("\(type(of: error))"))
        }
    }
}

/// What an entry has to have for itself while it is decided, as the server's numbers for locks. Two things with one number
/// only wait for each other.
///
/// Every transaction takes its locks in the same order: first those that are known from the entry, by number; then the
/// payments to which its ids and names lead, by the payments' numbers. So no two wait for each other.
struct LockKey {
    private let schema: String

    init(schema: String) { self.schema = schema }

    func owner(_ name: String) -> Int64 { number("owner", name) }

    /// By which signs of change name a payment.
    func payment(_ id: PaymentID) -> Int64 { number("payment", id.attempt.text) }

    var making: Int64 { number("making") }

    /// Held while the journal is copied.
    var copying: Int64 { number("copying") }

    /// With which the server makes locks of payments' numbers.
    var seed: Int64 { number("payment") }

    /// What is known from the entry: its reference, the ids that may be new, names, and the message.
    func all(_ entry: JournalEntry, _ reads: JournalReads) -> [Int64] {
        var keys = Set(reads.attempts.union(reads.payments.map(\.attempt)).map { number("attempt", $0.text) })
        if let reference = reads.reference {
            keys.insert(number("reference", reference.scope, reference.isRefund ? "refund" : "", reference.text))
        }
        for name in reads.names { keys.insert(number("name", EventCodec.key(name.account), name.value)) }
        if let account = reads.matches { keys.insert(number("matches", EventCodec.key(account))) }
        if case .notice(let notice) = entry.command {
            keys.insert(number("notice", EventCodec.key(notice.account), notice.id))
        }
        return keys.sorted()
    }

    /// FNV-1a over the parts, each with its end, so that no two sets of parts run into one.
    private func number(_ parts: String...) -> Int64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for part in [schema] + parts {
            for byte in part.utf8 { take(byte) }
            take(0xFF)
        }
        return Int64(bitPattern: sum)
    }
}

/// A thread with a connection of its own, which takes work from a queue; where the connection is lost, it makes another.
final class ConnectionThread<Work: QueuedWork>: Sendable {
    /// What came of a batch.
    enum Progress {
        /// All of it has its result.
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
