internal import PaymentBase

/// The callers of this process that wait until more is written about a payment, in a journal that other processes write to as
/// well. A `Mark` is that by which the journal's signs of change name a payment.
package final class ChangeWaits<Mark: Hashable & Sendable>: Sendable {
    /// One caller that waits.
    package struct Waiter: Sendable {
        /// The payment.
        package let payment: PaymentID
        /// The payment's last entry that the caller knows.
        package let entry: Int
        fileprivate let mark: Mark
        private let promise = Promise<Bool>()

        fileprivate init(_ payment: PaymentID, _ entry: Int, _ mark: Mark) {
            (self.payment, self.entry, self.mark) = (payment, entry, mark)
        }

        /// More was written.
        package func wake() { promise.fulfill(true) }
        fileprivate func letGo() { promise.fulfill(false) }
        fileprivate func wait() async { _ = await promise.value(orWhenCancelled: false) }
    }

    /// Begins to watch for changes; what it returns ends that.
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
    /// - Parameters:
    ///   - watching: Called if no caller waits yet; nil for a journal that learns of changes anyway.
    ///   - current: The number of the payment's last entry now.
    package func wait(
        for payment: PaymentID, after entry: Int, _ mark: Mark, watching: Watching? = nil,
        _ current: () async throws(JournalFailure) -> Int
    ) async throws(JournalFailure) {
        let waiter = Waiter(payment, entry, mark)
        guard let number = add(waiter, watching) else { return }
        defer { remove(number) }
        // Asked once the caller is among those who wait, so that nothing is missed in between.
        guard try await current() == entry, !Task.isCancelled else { return }
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

    /// Something was written about payments.
    package func wake(_ marks: Set<Mark>) {
        if marks.isEmpty { return }
        for waiter in all where marks.contains(waiter.mark) { waiter.wake() }
    }

    /// All callers that wait now.
    package var all: [Waiter] { state.withLock { Array($0.waiters.values) } }

    /// Lets all callers go.
    package func close() {
        let (waiters, end) = state.withLock { state in
            defer { (state.isClosed, state.endWatching) = (true, nil) }
            return (Array(state.waiters.values), state.endWatching)
        }
        end?()
        for waiter in waiters { waiter.letGo() }
    }
}
