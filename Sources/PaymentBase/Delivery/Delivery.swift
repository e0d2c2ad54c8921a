/// What is proven about one exchange that failed.
public enum Delivery: Sendable, Hashable, CaseIterable {
    /// No byte left us.
    case notSent
    /// A reply proves that it was refused before anything was executed.
    case refused
    /// It may have been executed.
    case maybeSent
}
