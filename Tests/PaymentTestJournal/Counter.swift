internal import PaymentBase

/// Counts from one.
public final class Counter: Sendable {
    private let count = Locked(0)
    /// Begins with one.
    public init() {}

    /// The next number.
    public func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
