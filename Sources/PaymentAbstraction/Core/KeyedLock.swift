internal import PaymentBase

/// Serialises work under one key, first come first served; different keys don't wait for each other.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let turn: Promise<Bool>
    }

    private struct State {
        /// Keys that are held, with the waiting tasks.
        var lanes: [Key: [Waiter]] = [:]
        var nextNumber = 0
    }

    private let state = Locked(State())

    /// Waits for the key; says whether it was got, which it is not when the task is cancelled first.
    func enter(_ key: Key) async -> Bool {
        let waiter: Waiter? = state.withLock { state in
            guard state.lanes[key] != nil else {
                state.lanes[key] = []
                return nil
            }
            state.nextNumber += 1
            let waiter = Waiter(number: state.nextNumber, turn: Promise<Bool>())
            state.lanes[key]?.append(waiter)
            return waiter
        }
        guard let waiter else { return true }
        return await withTaskCancellationHandler {
            await waiter.turn.value()
        } onCancel: {
            let wasWaiting = state.withLock { state in
                let count = state.lanes[key]?.count ?? 0
                state.lanes[key]?.removeAll { $0.number == waiter.number }
                return state.lanes[key]?.count ?? 0 < count
            }
            if wasWaiting { waiter.turn.fulfill(false) }
        }
    }

    /// Gives the key to the next waiting task.
    func leave(_ key: Key) {
        let next: Waiter? = state.withLock { state in
            guard let waiting = state.lanes[key], !waiting.isEmpty else {
                state.lanes[key] = nil
                return nil
            }
            return state.lanes[key]?.removeFirst()
        }
        next?.turn.fulfill(true)
    }
}
