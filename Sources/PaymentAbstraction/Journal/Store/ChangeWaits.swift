internal import PaymentBase

/// Who of this process waits for more to be written about which attempt, in a journal that others write to as well.
///
/// A `Mark` is that by which the journal's signs of change name an attempt.
package final class ChangeWaits<Mark: Hashable & Sendable>: Sendable {
    /// One who waits.
    package struct Waiter: Sendable {
        /// What he knows.
        package let known: AttemptFacts
        fileprivate let mark: Mark
        private let promise = Promise<Bool>()

        fileprivate init(_ known: AttemptFacts, _ mark: Mark) { (self.known, self.mark) = (known, mark) }

        /// There is more.
        package func wake() { promise.fulfil(true) }
        fileprivate func letGo() { promise.fulfil(false) }
        fileprivate func wait() async { _ = await promise.value(orWhenCancelled: false) }
    }

    /// Begins to look out for changes; what it gives ends that.
    package typealias Watching = @Sendable () -> @Sendable () -> Void

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var lastNumber = 0
        var endWatching: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let state = Locked(State())

    package init() {}

    /// Waits until there is more than what is known, the caller's task is cancelled, or the journal closes.
    ///
    /// - Parameter watching: Called where nobody waits yet; for a journal that is told of changes anyway, nil.
    /// - Parameter facts: What is there now.
    package func wait(
        for known: AttemptFacts, _ mark: Mark, watching: Watching? = nil,
        _ facts: (AttemptKey) async throws(JournalFailure) -> AttemptFacts?
    ) async throws(JournalFailure) {
        let waiter = Waiter(known, mark)
        guard let number = add(waiter, watching) else { return }
        defer { remove(number) }
        // Asked once he is among those who wait, so that nothing is missed in between.
        let now = try await facts(known.intent.key)
        guard now == known, !Task.isCancelled else { return }
        await waiter.wait()
    }

    private func add(_ waiter: Waiter, _ watching: Watching?) -> Int? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = waiter
            if state.endWatching == nil { state.endWatching = watching?() }
            return state.lastNumber
        }
    }

    private func remove(_ number: Int) {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            state.waiters[number] = nil
            guard state.waiters.isEmpty else { return nil }
            defer { state.endWatching = nil }
            return state.endWatching
        }
        end?()
    }

    /// Something was written about attempts.
    package func wake(_ marks: Set<Mark>) {
        if marks.isEmpty { return }
        for waiter in all where marks.contains(waiter.mark) { waiter.wake() }
    }

    /// Everybody who waits now.
    package var all: [Waiter] { state.withLock { Array($0.waiters.values) } }

    /// Lets everybody go.
    package func close() {
        let (waiters, end) = state.withLock { state in
            defer { (state.isClosed, state.endWatching) = (true, nil) }
            return (Array(state.waiters.values), state.endWatching)
        }
        end?()
        for waiter in waiters { waiter.letGo() }
    }
}
