internal import PaymentAbstraction
internal import PaymentBase

/// Something that a thread with a connection does.
protocol QueuedWork: Sendable {
    /// What no other work of this process may have meanwhile.
    var keys: [Int64] { get }
    /// Whether it is done alone.
    var isAlone: Bool { get }
    /// When it was given up to be done, by a clock that is never set.
    var postedAt: Int64 { get }
    /// Tells that it isn't done, and why.
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
            // What stands behind something of the same key waits for it, too.
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
