public import PaymentAbstraction
public import PaymentBase

/// What an application knows about a payment that only this provider asks for; asked before a session is opened.
public struct EcommpayRequestOptions: Question {
    /// What is known.
    public struct Answer: Hashable, Sendable {
        /// Times and amounts of later charges, beside the terms that the request names.
        public var recurrence: EcommpayRecurrence?
        /// What helps the card's bank to recognise its customer.
        public var risk: EcommpayRisk?
        /// The method that this session begins with; nil for the configured one.
        public var forcedMethod: String?
        /// Whether this session leaves saved instruments out; nil for what is configured.
        public var hidesSaved: Bool?

        /// Makes an answer that says nothing.
        public init() {}
    }

    public static let timeout: Duration = .seconds(1 * 60)
    public static func secrets(in answer: Answer) -> [Secret] {
        (answer.risk?.values ?? [:]).values.map { Secret($0.value) }.filter { $0.exposeBytes().count > 3 }
    }

    /// Which attempt it is about.
    public let attempt: AttemptID
    /// What is about to be done.
    public let operation: PaymentOperation
    /// The amount; zero where a card is only checked.
    public let amount: Money

    init(_ attempt: AttemptID, _ operation: PaymentOperation, _ amount: Money) {
        (self.attempt, self.operation, self.amount) = (attempt, operation, amount)
    }
}
