public import PaymentBase
public import PaymentModel

/// One failed exchange, sorted by an adapter's table.
public struct RequestFailure: Sendable {
    /// What kind of error it is.
    public let code: PaymentError.Code
    /// What is proven about the exchange.
    public let delivery: Delivery
    /// What the provider said.
    public var provider: ProviderMessage?
    /// Our advice, where it is not what follows from the code.
    public var retry: PaymentError.RetryAdvice?
    /// Whether a person must act, where it is not what follows from the code.
    public var requiresUserAction: Bool?
    /// Whether the exchange may be repeated at once, with a fresh try. A request for money whose delivery is `maybeSent` is
    /// repeated only after the provider has shown that it never arrived.
    public var isRetryable: Bool
    /// How long to wait before that, in milliseconds.
    public var retryAfterMilliseconds: Int64?
    /// What was wrong, in our words.
    public var detail = ""

    /// Makes a fault; by default only what was never sent may be repeated.
    public init(_ code: PaymentError.Code, _ delivery: Delivery, provider: ProviderMessage? = nil, detail: String = "")
    {
        (self.code, self.delivery, self.provider, self.detail) = (code, delivery, provider, detail)
        isRetryable = delivery == .notSent
    }

    /// The same, of an exchange that was shown not to have been executed.
    var refused: RequestFailure {
        var fault = RequestFailure(code, .refused, provider: provider, detail: detail)
        (fault.retry, fault.requiresUserAction) = (retry, requiresUserAction)
        (fault.isRetryable, fault.retryAfterMilliseconds) = (isRetryable, retryAfterMilliseconds)
        return fault
    }

    /// The sorting that needs no table: whatever is not listed may have been executed.
    public init(_ error: any Error) {
        switch error {
        case let error as PaymentError:
            self.init(error.code, error.outcome == .unknown ? .maybeSent : .refused, provider: error.provider)
            retry = error.retry
            requiresUserAction = error.requiresUserAction
            detail = error.detail
        case let error as any DeliveryEvidence: self.init(.network, error.delivery)
        case is CancellationError: self.init(.cancelled, .maybeSent)
        default: self.init(.unreadableReply, .maybeSent)
        }
    }
}

/// A provider's errors as one table: what each code means, what it proves, and what to do.
///
/// Whatever is not listed may have been executed.
public struct ErrorTable: Sendable {
    /// One code.
    public struct Row: Hashable, Sendable {
        /// The code as it is on the wire.
        public let code: String
        /// Which of the provider's lists it is in.
        public let family: String
        /// What kind of error it is.
        public let category: PaymentError.Code
        /// What the provider's code proves about a money exchange that it answers.
        public let delivery: Delivery
        /// Our advice, where it differs from the category's own.
        public var retry: PaymentError.RetryAdvice?
        /// Whether a person has to act, where it differs from the category's own.
        public var requiresUserAction: Bool?
        /// Whether the same exchange may be made again at once; of a request for money that may have been executed
        /// (`maybeSent`), only after the provider has shown that it never arrived.
        public var isRetryable = false
        /// What the provider's documents say, in our words.
        public let message: String

        /// Makes a row.
        public init(
            _ code: String, _ family: String, _ category: PaymentError.Code, _ delivery: Delivery,
            retry: PaymentError.RetryAdvice? = nil, userAction: Bool? = nil, isRetryable: Bool = false,
            _ message: String
        ) {
            (self.code, self.family, self.category, self.delivery) = (code, family, category, delivery)
            (self.retry, requiresUserAction, self.isRetryable, self.message) = (retry, userAction, isRetryable, message)
        }

        /// The message as it may be shown: while the money may have moved, without the sentences in which a provider
        /// advises to try again.
        public var summary: String {
            guard outcome == .unknown else { return message }
            let sentences = message.split(separator: ". ").filter { sentence in
                let words = sentence.lowercased()
                return !words.contains("again") && !words.contains("retry")
            }
            return sentences.joined(separator: ". ")
        }

        /// What is known about the money after it.
        public var outcome: PaymentError.Outcome { delivery == .maybeSent ? .unknown : .notExecuted }
    }

    /// All rows, in the order of the documents.
    public let rows: [Row]
    private let byCode: [String: Row]

    /// Makes a table; the first row of a code counts.
    public init(_ rows: [Row]) {
        self.rows = rows
        byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The row of a code.
    public subscript(code: String) -> Row? { byCode[code] }

    /// Sorts a provider's answer: by its own code, else by the fallback (an HTTP status, say), else as unknown.
    public func failure(code: String, fallback: String? = nil, message: String = "") -> RequestFailure {
        let said = ProviderMessage(code: code.isEmpty ? fallback ?? "" : code, message: message)
        guard let row = byCode[code] ?? fallback.flatMap({ byCode[$0] }) else {
            return RequestFailure(.unreadableReply, .maybeSent, provider: said, detail: "the answer is in no table")
        }
        var fault = RequestFailure(row.category, row.delivery, provider: said, detail: row.summary)
        (fault.retry, fault.requiresUserAction) = (row.retry, row.requiresUserAction)
        fault.isRetryable = row.isRetryable
        return fault
    }
}
