public import PaymentBase

/// The one error that applications meet; says what may have happened to the money.
public struct PaymentError: Error, Sendable {
    /// What kind of error it is.
    public let code: Code
    /// What may have happened to the money.
    public let outcome: Outcome
    /// What the provider said, in its own words, without secrets and card numbers.
    public let provider: ProviderMessage?
    /// Whether and when the same may be tried again; our advice, never the provider's.
    public let retry: RetryAdvice
    /// Whether a person has to do something first.
    public let requiresUserAction: Bool
    /// Names what was wrong, where, what was expected and what to do. It is for developers; a till shows ``message``.
    public let detail: String
    /// Where and why the call failed, for programs: step, host and cause; nil where no request and no journal failed.
    public package(set) var diagnosis: FailureDiagnosis?
    /// The attempt that the error belongs to; there for every error after the intent was written.
    public package(set) var attempt: AttemptID?

    /// Whether nothing was sent and no card was read, so that another provider may be tried.
    package var allowsFallback = false
    /// Open attempts that are in the way; a look may decide them.
    package var blocking: [AttemptID] = []
    /// Whether the attempt that it names was pruned: what became of it is not known here any more.
    package var isPruned = false
    /// Whether the payment changed since it was read, so that the work can be begun over.
    package var isChange = false
    /// Whether a refusal is known to be no answer to a copy of an executed request: it is the driver's own proof.
    package var excludesCopy = false
    /// The state of the recorded attempt that the error names, if the error is a conflict with it.
    public package(set) var state: Attempt.State?
    /// The accounts of which the call has to name one, because each has money of the payment; empty for every other error.
    public package(set) var accounts: [ProviderIdentity] = []

    /// Makes an error; what is left out follows from the code and the outcome.
    public init(
        _ code: Code, outcome: Outcome, attempt: AttemptID? = nil, provider: ProviderMessage? = nil,
        retry: RetryAdvice? = nil, requiresUserAction: Bool? = nil, detail: String = "",
        diagnosis: FailureDiagnosis? = nil
    ) {
        self.diagnosis = diagnosis
        (self.code, self.outcome, self.attempt) = (code, outcome, attempt)
        (self.provider, self.detail) = (provider, detail)
        self.retry = outcome == .unknown ? .afterStatusCheck : retry ?? code.retry
        self.requiresUserAction = requiresUserAction ?? code.requiresUserAction
    }

    /// What may have happened to the money.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// Proven: no money moved.
        case notExecuted
        /// The attempt that the error names moved money.
        case executed
        /// It is not known yet.
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
    /// Code and outcome only; `debugDescription` says more.
    public var description: String { "PaymentError(\(code.rawValue), outcome: \(outcome.rawValue))" }

    /// Everything that helps a developer: the detail, the diagnosis, the attempt and what the provider said.
    public var debugDescription: String {
        var text = description
        if !detail.isEmpty { text += ": \(detail)" }
        if let diagnosis { text += " [\(diagnosis)]" }
        if let attempt { text += " [attempt \(attempt)]" }
        if let provider { text += " [provider \(provider)]" }
        return text
    }
}

extension PaymentError {
    /// What kind of error it is; an open set, so that an adapter outside can add its own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The call itself is wrong: a value, a combination, a state that can't be asked for.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The provider has no such thing, or no reader or handler was given that it needs.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The configuration is wrong or incomplete.
        public static let configuration = Code(rawValue: "configuration")
        /// The provider refused our access, also after one renewal.
        public static let authentication = Code(rawValue: "authentication")
        /// The access is good but does not allow this.
        public static let permission = Code(rawValue: "permission")
        /// Something else is already recorded, or the state there does not allow it.
        public static let conflict = Code(rawValue: "conflict")
        /// The reference and its part are paid, or may be.
        public static let referenceInUse = Code(rawValue: "referenceInUse")
        /// There is no such thing.
        public static let notFound = Code(rawValue: "notFound")
        /// More than what is left of the payment.
        public static let amountTooHigh = Code(rawValue: "amountTooHigh")
        /// An attempt on the same payment or reference is still open.
        public static let inDoubt = Code(rawValue: "inDoubt")
        /// Proven after the quiet time: the provider never got it.
        public static let notReceived = Code(rawValue: "notReceived")
        /// The caller or the customer ended it.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The provider could not be reached.
        public static let network = Code(rawValue: "network")
        /// The provider is down for now.
        public static let providerUnavailable = Code(rawValue: "providerUnavailable")
        /// Too many calls.
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// An answer could not be read, or said something that no table lists.
        public static let unreadableReply = Code(rawValue: "unreadableReply")
        /// The provider failed inside.
        public static let providerFailed = Code(rawValue: "providerFailed")
        /// The answer named another amount, currency or reference than was asked for.
        public static let mismatch = Code(rawValue: "mismatch")
        /// The journal could not be read or written.
        public static let journal = Code(rawValue: "journal")
        /// A question had no answer in time.
        public static let questionUnanswered = Code(rawValue: "questionUnanswered")
        /// The reader is not ready or failed.
        public static let readerUnavailable = Code(rawValue: "readerUnavailable")
        /// The reader is busy with something else.
        public static let readerBusy = Code(rawValue: "readerBusy")
        /// The device can't take cards.
        public static let deviceUnsupported = Code(rawValue: "deviceUnsupported")
        /// The device failed a security check.
        public static let deviceCompromised = Code(rawValue: "deviceCompromised")
        /// The location is needed and missing.
        public static let locationRequired = Code(rawValue: "locationRequired")
        /// The terms were not accepted.
        public static let termsNotAccepted = Code(rawValue: "termsNotAccepted")
        /// The merchant's account is not linked to the device.
        public static let accountNotLinked = Code(rawValue: "accountNotLinked")
        /// A webhook or a message failed its verification.
        public static let signatureInvalid = Code(rawValue: "signatureInvalid")
    }
}

extension PaymentError.Code {
    /// The kinds of error that this library makes, in the order above.
    public static let known: [Self] = [
        .invalidRequest, .unsupported, .configuration, .authentication, .permission, .conflict, .referenceInUse,
        .notFound, .amountTooHigh, .inDoubt, .notReceived, .cancelled, .timedOut, .network, .providerUnavailable,
        .rateLimited, .unreadableReply, .providerFailed, .mismatch, .journal, .questionUnanswered, .readerUnavailable,
        .readerBusy, .deviceUnsupported, .deviceCompromised, .locationRequired, .termsNotAccepted, .accountNotLinked,
        .signatureInvalid,
    ]

    private static let retryable: Set<Self> = [
        .network, .providerUnavailable, .rateLimited, .readerUnavailable, .readerBusy, .timedOut, .cancelled,
        .notReceived,
        .questionUnanswered,
    ]
    private static let needsPerson: Set<Self> = [
        .permission, .configuration, .deviceUnsupported, .deviceCompromised, .locationRequired, .termsNotAccepted,
        .accountNotLinked,
    ]
    private static let afterCheck: Set<Self> = [.inDoubt, .providerFailed, .unreadableReply, .mismatch, .conflict]

    /// The advice for this kind of error when nothing moved.
    var retry: PaymentError.RetryAdvice {
        if Self.retryable.contains(self) { return .safe }
        return Self.afterCheck.contains(self) ? .afterStatusCheck : .never
    }

    /// Whether this kind of error usually needs a person.
    var requiresUserAction: Bool { Self.needsPerson.contains(self) }
}

extension PaymentError {
    /// Whether and when the same call may be made again.
    public enum RetryAdvice: String, Hashable, Sendable, CaseIterable {
        /// Now, or when the stated condition is met: nothing has moved.
        case safe
        /// Only after the status is known.
        case afterStatusCheck
        /// Not as it is.
        case never
    }
}

extension ProviderMessage: RedactedDescription {
    public var description: String { message.isEmpty ? code : "\(code): \(message)" }
}

extension PaymentError {
    /// An error of which it is proven that no money moved.
    public static func notExecuted(_ code: Code, _ detail: String) -> PaymentError {
        PaymentError(code, outcome: .notExecuted, detail: detail)
    }

    /// An error after which it is not known yet whether money moved.
    public static func unknown(_ code: Code, _ detail: String) -> PaymentError {
        PaymentError(code, outcome: .unknown, detail: detail)
    }
}
