internal import PaymentBase
internal import PaymentModel

/// How long a call of an application may take, checked once and in the client's own unit from then on.
struct Deadline: Hashable, Sendable {
    /// The longest that is taken for meant: a year.
    static let longest = Duration.seconds(366 * 86_400)

    /// The same in milliseconds; a part of one counts as a whole.
    let milliseconds: Int64

    /// Takes what a caller gave, or else what holds for the client.
    ///
    /// - Throws: `invalidRequest` when it is not more than nothing or beyond a year; nothing is computed with it then.
    init(_ given: Duration?, otherwise: Duration) throws(PaymentError) {
        let wanted = given ?? otherwise
        guard wanted > .zero, wanted <= Self.longest else {
            throw PaymentError(
                .invalidRequest, outcome: .notExecuted,
                detail: "a call may take more than nothing and at most a year, not \(wanted); "
                    + "give its limit as a Duration, such as `.seconds(60)`")
        }
        milliseconds = wanted.wholeMilliseconds
    }
}

/// Ends waits at their deadlines: one task sleeps for all of them, since nearly none is ever reached.
final class DeadlineTimer: Sendable {
    private struct State {
        var waits: [Int: Wait] = [:]
        var last = 0
        var sleeper: (task: Task<Void, Never>, until: Int64, number: Int)?
        var sleeperCount = 0
    }

    private struct Wait {
        /// By the clock that no person sets: a caller that waits a minute does so, whatever clock a
        /// person sets in that time.
        let end: Int64
        let give: @Sendable () -> Void
    }

    private let clock: any PaymentClock
    private let executor: (any TaskExecutor)?
    /// Whether a sleep that is for nothing does no harm; a clock of a test would move on for it.
    private let sleepsOn: Bool
    private let state = Locked(State())

    init(_ clock: any PaymentClock, _ executor: (any TaskExecutor)?) {
        (self.clock, self.executor, sleepsOn) = (clock, executor, clock is SystemClock)
    }

    deinit { state.withLock { $0.sleeper }?.task.cancel() }

    /// Runs `give` at an uptime, unless it is taken back by its number before.
    func add(_ end: Int64, _ give: @escaping @Sendable () -> Void) -> Int {
        let (number, old): (Int, Task<Void, Never>?) = state.withLock { state in
            state.last += 1
            state.waits[state.last] = Wait(end: end, give: give)
            let isEarlier = state.sleeper.map { end < $0.until } ?? true
            let old = isEarlier ? state.sleeper?.task : nil
            if isEarlier { sleep(until: end, &state) }
            return (state.last, old)
        }
        old?.cancel()
        return number
    }

    /// Takes a wait back.
    func remove(_ number: Int) {
        let idle: Task<Void, Never>? = state.withLock { state in
            state.waits[number] = nil
            guard state.waits.isEmpty, !sleepsOn else { return nil }
            defer { state.sleeper = nil }
            return state.sleeper?.task
        }
        idle?.cancel()
    }

    private func sleep(until end: Int64, _ state: inout State) {
        state.sleeperCount += 1
        let number = state.sleeperCount
        let task = Task<Void, Never>(executorPreference: executor) { [clock, weak self] in
            do { try await clock.sleep(until: clock.now + end - clock.uptime) } catch { return }
            self?.wake(number)
        }
        state.sleeper = (task, end, number)
    }

    /// Gives up every wait whose end has come, and sleeps for the next.
    private func wake(_ number: Int) {
        let uptime = clock.uptime
        let due: [Wait] = state.withLock { state in
            // A caller came that could not sleep so long.
            guard let sleeper = state.sleeper, sleeper.number == number else { return [] }
            state.sleeper = nil
            // A caller that has slept long enough is done, also by a clock that stands still.
            let now = max(uptime, sleeper.until)
            let due = state.waits.filter { $0.value.end <= now }.sorted { $0.key < $1.key }
            for wait in due { state.waits[wait.key] = nil }
            if let next = state.waits.values.map(\.end).min() { sleep(until: next, &state) }
            return due.map(\.value)
        }
        for wait in due { wait.give() }
    }
}
