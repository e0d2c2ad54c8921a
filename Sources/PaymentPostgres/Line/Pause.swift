internal import PaymentSystem

/// Lets a thread of ours rest.
enum Pause {
    static func milliseconds(_ count: Int32) { _ = poll(nil, 0, count) }
}
