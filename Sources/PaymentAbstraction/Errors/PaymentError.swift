/// The one error that applications meet; says what may have happened to the money.
public struct PaymentError: Error, Sendable {
    /// What kind of error it is.
    public let code: Code
    /// What may have happened to the money.
    public let outcome: Outcome
    /// What the provider said, untouched.
    public let provider: ProviderMessage?
    /// Whether and when the same may be tried again; our advice, never the provider's.
    public let retry: RetryAdvice
    /// Whether a person has to do something first.
    public let requiresUserAction: Bool
    /// Names what was wrong, where, what was expected and what to do.
    public let detail: String
    /// The attempt that the error belongs to; there for every error after the intent was written.
    public package(set) var attempt: AttemptID?

    /// Whether nothing was sent and no card was read, so that another provider may be tried.
    package var allowsFallback = false
    /// Open attempts that stand in the way; a look may decide them.
    package var blocking: [AttemptID] = []
    /// Whether the payment changed since it was read, so that the work can be begun over.
    package var isChange = false
    /// Whether a refusal is known to be no answer to a copy of an executed request: it is the driver's own proof.
    package var excludesCopy = false
    /// The state of the recorded attempt that the error names, if the error is a conflict with it.
    public package(set) var state: Attempt.State?

    /// Makes an error; what is left out follows from the code and the outcome.
    public init(
        _ code: Code, outcome: Outcome, attempt: AttemptID? = nil, provider: ProviderMessage? = nil,
        retry: RetryAdvice? = nil, requiresUserAction: Bool? = nil, detail: String = ""
    ) {
        (self.code, self.outcome, self.attempt) = (code, outcome, attempt)
        (self.provider, self.detail) = (provider, detail)
        self.retry = outcome == .unknown ? .afterStatusCheck : retry ?? code.retry
        self.requiresUserAction = requiresUserAction ?? code.requiresUserAction
    }

    /// What may have happened to the money.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// Proven: no money moved.
        case notExecuted = "nothingMoved"
        /// The attempt that the error names moved money.
        case executed = "moved"
        /// Nobody knows yet.
        case unknown
    }

    /// Whether the same call is safe to make again now.
    public var isRetryable: Bool { retry == .safe }
    /// Whether trying again on this device or configuration can never help.
    public var isFatal: Bool { code == .deviceUnsupported || code == .deviceCompromised || code == .unsupported }
    /// Whether the access was refused even after one renewal.
    public var requiresTokenRefresh: Bool { code == .authentication }
}

extension PaymentError: Hashable {
    /// Errors are equal when their code and outcome are.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code && one.outcome == other.outcome }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(outcome)
    }
}

extension PaymentError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Code and outcome only; ``message`` says more.
    public var description: String { "PaymentError(\(code.rawValue), outcome: \(outcome.rawValue))" }
    public var debugDescription: String { message }

    /// Everything that helps a person: the detail, the attempt and what the provider said.
    public var message: String {
        var text = description
        if !detail.isEmpty { text += ": \(detail)" }
        if let attempt { text += " [attempt \(attempt)]" }
        if let provider { text += " [provider \(provider)]" }
        return text
    }
}
