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
        public static let amountTooHigh = Code(rawValue: "exceeds")
        /// An attempt on the same payment or reference is still open.
        public static let inDoubt = Code(rawValue: "inDoubt")
        /// Proven after the quiet time: the provider never got it.
        public static let notReceived = Code(rawValue: "neverArrived")
        /// The caller or the customer ended it.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The provider could not be reached.
        public static let network = Code(rawValue: "network")
        /// The provider is down for now.
        public static let providerUnavailable = Code(rawValue: "unavailable")
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
        public static let questionUnanswered = Code(rawValue: "unanswered")
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
        public static let signatureInvalid = Code(rawValue: "notVerified")
    }
}

extension PaymentError.Code {
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
    var retry: RetryAdvice {
        if Self.retryable.contains(self) { return .safe }
        return Self.afterCheck.contains(self) ? .afterStatusCheck : .never
    }

    /// Whether this kind of error usually needs a person.
    var requiresUserAction: Bool { Self.needsPerson.contains(self) }
}
