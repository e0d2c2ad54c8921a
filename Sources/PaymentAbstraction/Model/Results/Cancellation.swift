/// How a payment was ended before it was decided.
public struct Cancellation: Hashable, Sendable {
    /// Who or what ended it.
    public let cause: Cause
    /// What the provider or the reader said.
    public let provider: ProviderMessage?
    /// What the provider calls it.
    public var references: PaymentReferences
    /// Whether it was done and then undone as a whole: what says that it was done is about before.
    public let wasReversed: Bool

    /// Makes a cancellation.
    public init(
        cause: Cause, provider: ProviderMessage? = nil, references: PaymentReferences = [:], wasReversed: Bool = false
    ) {
        (self.cause, self.provider, self.references) = (cause, provider, references)
        self.wasReversed = wasReversed
    }

    var recordable: Cancellation {
        Cancellation(cause: cause, provider: provider?.recordable, references: references, wasReversed: wasReversed)
    }

    /// Who or what ended it; an open set.
    public struct Cause: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer.
        public static let customer = Cause(rawValue: "customer")
        /// The application or the person at the till.
        public static let merchant = Cause(rawValue: "merchant")
        /// Nobody acted in time.
        public static let timeout = Cause(rawValue: "timeout")
        /// The screen was recorded or mirrored.
        public static let screenCapture = Cause(rawValue: "screenCapture")
        /// The application left the foreground.
        public static let background = Cause(rawValue: "background")
        /// The device failed a security check.
        public static let deviceCompromised = Cause(rawValue: "deviceCompromised")
        /// The provider.
        public static let provider = Cause(rawValue: "provider")
    }
}
