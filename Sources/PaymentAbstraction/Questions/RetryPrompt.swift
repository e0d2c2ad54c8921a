public import PaymentBase

/// The payment was declined and may be tried again within the same attempt, with the same or another card.
public struct RetryPrompt: Question {
    /// What to do.
    public enum Answer: Hashable, Sendable {
        /// The decline stands.
        case stop
        /// The same source is tried again.
        case retry
        /// Another source is tried.
        case retryWith(PaymentSource)
    }
    public static let timeout: Duration = .seconds(10 * 60)
    public static func secrets(in answer: Answer) -> [Secret] {
        if case .retryWith(let source) = answer { return source.secrets }
        return []
    }
    /// What the last try came to.
    public let decline: Decline
    /// Asks after a decline.
    public init(after decline: Decline) { self.decline = decline }
}
