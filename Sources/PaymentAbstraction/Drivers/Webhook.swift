public import PaymentBase
public import PaymentModel

/// A message as it came in from a provider.
public struct WebhookMessage: Hashable, Sendable {
    /// The header fields, names in lower case.
    public let headers: [String: String]
    /// The body as it came.
    public let body: [UInt8]
    /// When it came, in milliseconds since 1970.
    public let at: Int64

    /// Makes a message.
    public init(headers: [String: String] = [:], body: [UInt8], at: Int64) {
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { _, last in last })
        (self.body, self.at) = (body, at)
    }
}

extension WebhookMessage: RedactedDescription {
    /// The size only: headers and body hold what must not be printed.
    public var description: String { "WebhookMessage(\(body.count) bytes)" }
}

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
    /// When the provider says that it happened, in milliseconds since 1970; nil if the message does not say it. Never
    /// the time of its arrival: a message can be sent again at any time.
    public let at: Int64?
    /// What the provider calls this kind of news.
    public let kind: String
    /// What makes two messages one: the provider's own name of the message, or a digest of what its signature covers. A
    /// message with the id of an earlier one repeats that one, whatever its other members say. Nil if only messages
    /// that are equal are one.
    public var id: String?
    /// Which operations it can be about, where our own name alone does not say it; nil for any.
    public var operations: Set<PaymentOperation>?

    /// What the provider calls the payment that the operation acts on. Where no client of this journal has begun that
    /// operation, it is the provider's own, or of a person at a dashboard, and becomes an attempt of its own. Where our
    /// own name for the operation is given, a verdict about another payment than the attempt's is only a hint.
    public var original: String?

    /// How much failed or was refused, where the message says it.
    public var amount: Money?

    /// The provider's account that a proven message is about, where that is not the driver's own. Then the message is
    /// acknowledged and told of by an event; of what it says nothing is recorded.
    public var otherAccount: String?

    /// Makes a notice.
    public init(_ subject: Subject, _ verdict: Verdict?, at instant: Int64?, kind: String) {
        (self.subject, self.verdict, at) = (subject, verdict, instant)
        self.kind = Masking.cardNumbers(in: kind)
    }

    /// The same without a verdict: a hint to ask.
    public var asHint: ProviderNotice {
        var hint = ProviderNotice(subject, nil, at: at, kind: kind)
        (hint.id, hint.operations, hint.original, hint.amount) = (id, operations, original, amount)
        hint.otherAccount = otherAccount
        return hint
    }
}

/// How a provider wants to know that its webhook arrived.
public struct WebhookAcknowledgement: Hashable, Sendable {
    /// The status of the answer.
    public let status: Int
    /// Its body.
    public let body: [UInt8]

    /// An answer of a status and a body.
    public init(status: Int = 200, body: [UInt8] = []) { (self.status, self.body) = (status, body) }
}
