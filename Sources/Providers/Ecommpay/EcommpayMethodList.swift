public import PaymentAbstraction

/// What a session offers the customer, with titles and labels in the customer's language.
public struct EcommpayMethodList: Hashable, Sendable {
    /// One way to pay.
    public struct Method: Hashable, Sendable {
        /// The provider's code for it, such as `card`.
        public let code: String
        /// Its title for people.
        public var title: String?
        /// The kind of method, such as `card` or `applePay`.
        public var kind: String?
        /// Whether it is kept for the customer: `never`, `ask` or `always`.
        public var saving: String?
        /// Where its logo is.
        public var logo: String?
        /// The kinds of cards that it takes.
        public var cards: [String] = []
        /// What the customer is asked for beside it.
        public var fields: [RequestedField] = []

        init(code: String) { self.code = code }
    }

    /// Whether a payment of this name is under way already and is only gone on with.
    public let isRestored: Bool
    /// The ways to pay, in the order in which they are to be shown.
    public internal(set) var methods: [Method] = []
    /// What is kept for the customer.
    public internal(set) var saved: [SavedInstrument] = []
    /// Titles and labels by name, such as `payment.methodsTitle`.
    public internal(set) var titles: [String: String] = [:]
    /// Addresses of logos by name, such as `visa`.
    public internal(set) var logos: [String: String] = [:]

    init(isRestored: Bool) { self.isRestored = isRestored }
}
