public import PaymentBase

/// A page of the card's bank that the customer's browser must load.
public struct ThreeDSecureChallenge: Question {
    /// What kind of step it is.
    public enum Step: String, Hashable, Sendable {
        /// Loaded out of sight; reports only that it was loaded.
        case method
        /// Shown to the customer.
        case challenge
        /// The older protocol's page.
        case legacy
    }

    /// What came of it.
    public struct Answer: Hashable, Sendable {
        /// The result that the bank's page handed back; nil when the page was only loaded.
        public let result: Secret?
        /// The merchant data that came with it, in the older protocol.
        public let merchantData: String?
        /// The address that the page went to at its end; nil when the application didn't follow it.
        public let address: Secret?
        /// Makes an answer.
        public init(result: Secret? = nil, merchantData: String? = nil, address: Secret? = nil) {
            (self.result, self.merchantData, self.address) = (result, merchantData, address)
        }
    }

    public static let timeout: Duration = .seconds(30 * 60)
    public static func secrets(in answer: Answer) -> [Secret] { [answer.result, answer.address].compactMap { $0 } }
    /// What kind of step it is.
    public let step: Step
    /// Where the browser goes.
    public let address: String
    /// What it posts there.
    public let fields: [String: String]
    /// Where the bank's page returns to.
    public let returnAddress: String?

    /// Makes a step.
    public init(_ step: Step, address: String, fields: [String: String] = [:], returnAddress: String? = nil) {
        (self.step, self.address, self.fields, self.returnAddress) = (step, address, fields, returnAddress)
    }
}

extension ThreeDSecureChallenge: RedactedDescription {
    /// The step and the names of the fields: their values are tokens.
    public var description: String {
        "ThreeDSecureChallenge(\(step.rawValue), fields: \(fields.keys.sorted().joined(separator: ", ")))"
    }
}
