import PaymentBase

/// Counts from one.
final class Counter: Sendable {
    private let count = Locked(0)
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
