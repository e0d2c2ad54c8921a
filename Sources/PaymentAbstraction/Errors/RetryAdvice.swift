/// Whether and when the same call may be made again.
public enum RetryAdvice: String, Hashable, Sendable, CaseIterable {
    /// Now, or when the stated condition is met: nothing has moved.
    case safe
    /// Only after the status is known.
    case afterStatusCheck
    /// Not as it is.
    case never
}
