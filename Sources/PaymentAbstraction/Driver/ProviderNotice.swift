/// What a webhook or a push says about one operation; without a verdict it is only a hint to look again.
public struct ProviderNotice: Hashable, Sendable {
    /// How the operation can be found.
    public enum Subject: Hashable, Sendable {
        /// By our own name for it.
        case attempt(AttemptID)
        /// By one of the provider's names for it, and which operations it may be.
        case reference(String, Set<PaymentOperation>)
    }

    /// How the operation can be found.
    public let subject: Subject
    /// What became of it; nil makes the notice a hint.
    public let verdict: Verdict?
    /// When the provider says that it happened, in milliseconds since 1970.
    public let at: Int64
    /// What the provider calls this kind of news.
    public let kind: String
    /// Which operations it can be about, where our own name alone does not say it; nil for any.
    public var operations: Set<PaymentOperation>?

    /// What the provider calls the payment that the operation acts on. Where nobody of ours has begun that operation, it
    /// is the provider's own, or of somebody at a dashboard, and becomes an attempt of its own.
    public var original: String?

    /// Names the message: made of what its signature covers, so that one signed content is one message. Nil makes the client
    /// name it by its content.
    public var id: String?

    /// Makes a notice.
    public init(_ subject: Subject, _ verdict: Verdict?, at instant: Int64, kind: String) {
        (self.subject, self.verdict, at) = (subject, verdict, instant)
        self.kind = Masking.cardNumbers(in: kind)
    }
}
