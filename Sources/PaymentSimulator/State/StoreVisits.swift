package import PaymentBase

/// Counts the items that simulated providers look at in what they keep, so that a test can hold requests to a number.
package enum StoreVisits {
    /// Where the running task counts; nil outside of such a test.
    @TaskLocal package static var counter: Locked<Int>?

    /// One item was looked at.
    static func count(_ number: Int = 1) { counter?.withLock { $0 += number } }
}
