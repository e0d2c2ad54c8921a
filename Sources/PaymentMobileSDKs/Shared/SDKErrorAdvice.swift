/// What a vendor's document advises after an error of a payment; never to be followed while the outcome is unknown.
public struct SDKErrorAdvice: Sendable, Hashable {
    /// Whether the document says to try again.
    public enum Retry: String, Sendable, Hashable, CaseIterable {
        /// Try the payment again at once.
        case again
        /// Try the payment again after a while.
        case later
        /// Try the payment again after something was put right.
        case afterFix
        /// Don't try again: it will fail again, or the document calls it final.
        case never
    }

    /// Whether to try the payment again.
    public let retry: Retry
    /// What to put right first, in a few words of ours; empty when the document names nothing.
    public let action: String

    /// Takes a document's advice.
    public init(_ retry: Retry, _ action: String = "") { (self.retry, self.action) = (retry, action) }
}
