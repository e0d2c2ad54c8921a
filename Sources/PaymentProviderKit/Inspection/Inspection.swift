public import PaymentAbstraction

/// What one message of a provider says, in neutral words.
///
/// Nothing in it is proven to come from the provider: whoever inspects a message holds no key.
public struct Inspection: Hashable, Sendable {
    /// What the message says about the operation that it belongs to.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// It was done.
        case approved
        /// It was refused, finally.
        case declined
        /// It was ended before it was decided.
        case cancelled
        /// It was accepted and is decided later.
        case pending
        /// It was refused or came to nothing, and that is not the issuer's decision.
        case failed
        /// It should say, and can't be judged.
        case unknown
        /// It says nothing about an outcome: a request, or news of something else.
        case none
    }

    /// What is known about the money after this message, and nothing but this message.
    public enum MoneyEffect: String, Hashable, Sendable, CaseIterable {
        /// The money moved.
        case executed = "moved"
        /// The money did not move.
        case notExecuted = "notMoved"
        /// Nobody can tell from the message.
        case unknown
    }

    /// An error that the message reports.
    public struct Problem: Hashable, Sendable {
        /// The provider's code, as it stands in the message.
        public let code: String
        /// What kind of error it is.
        public let category: PaymentError.Code
        /// The provider's words.
        public let message: String

        /// Makes a problem.
        public init(_ code: String, _ category: PaymentError.Code, _ message: String = "") {
            let said = ProviderMessage(code: code, message: message)
            (self.code, self.category, self.message) = (said.code, category, said.message)
        }
    }

    /// What kind of message it is, in the provider's words.
    public let message: String
    /// What the message says about its operation.
    public let status: Status
    /// What is known about the money.
    public let money: MoneyEffect
    /// The amount that it names, if it names one.
    public var amount: Money?
    /// The reference of ours that it carries, where it carries one.
    public var attempt: String?
    /// What the provider calls the payment or the operation.
    public var providerReference: String?
    /// What the provider calls the payment that this operation belongs to, where that is another name.
    public var originalReference: String?
    /// Why it was declined, if it was.
    public var decline: Decline?
    /// The error that it reports, if it reports one.
    public var problem: Problem?
    /// Members that the provider's documents don't name, as paths from the root with dots in between, in order.
    public var unknownFields: [String] = []

    /// Makes an inspection.
    public init(_ message: String, _ status: Status, _ money: MoneyEffect) {
        self.message = ProviderMessage(code: message).code
        (self.status, self.money) = (status, money)
    }

    /// A message that can't be judged.
    public static func unknown(_ message: String) -> Inspection { Inspection(message, .unknown, .unknown) }
}
