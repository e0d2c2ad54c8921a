public import PaymentModel

/// What a payment is meant to meet; a harness says by which amount or card.
public enum SimulatedOutcome: String, Hashable, Sendable, CaseIterable {
    /// It is approved.
    case approved
    /// It is declined for want of money.
    case insufficientFunds
    /// The card was reported lost.
    case lostCard
    /// The card has expired.
    case expiredCard
    /// The issuer says no and gives no reason.
    case doNotHonor
    /// The security code is wrong.
    case wrongSecurityCode
    /// It is accepted and decided later.
    case pending
    /// It is received first and approved by the provider itself after seconds, while the call may still ask.
    case decidedSoon
    /// It is received first and approved by the provider itself, later than the driver asks within the call.
    case decidedLate
    /// The customer takes as long at the provider's own terminal as one may, and is then approved.
    case slowCustomer
    /// Only a part is approved, where the request allows it.
    case partial
    /// The cardholder is challenged first.
    case challenge
    /// More fields are asked for first.
    case clarification
    /// The PIN is asked for after the card was read.
    case pin
    /// The PIN is asked for, and the holder types a wrong one.
    case wrongPIN
    /// The PIN is asked for and not typed.
    case noPIN
    /// No card ever comes to the reader.
    case noCard
    /// The card can't be read.
    case unreadableCard
    /// It is done, and the answer is lost.
    case replyLost
    /// The request is lost before it was read.
    case requestLost
    /// It is done, and the answer is a word that no document lists.
    case unknownWord
    /// It is done, and the answer is a server failure.
    case failsAfter
    /// It is refused once for a moment, and nothing is done.
    case busyOnce
    /// It is done, and the answer names another amount.
    case wrongEcho
}

/// By which amount and source a script is brought about.
public struct TestPayment: Sendable {
    /// The amount to ask for.
    public let amount: Money
    /// The source to take it from.
    public let source: PaymentSource
    /// The reason that a decline must come with; nil where it is approved or left open.
    public var reason: Decline.Reason?
    /// The provider's own code that must come through untouched.
    public var code: String?
    /// The customer whose instrument it is, where the provider charges it for no other customer.
    public var customer: String?
    /// What is said of the customer, where the provider takes no payment without it.
    public var contact: CustomerContact?
    /// Texts in the source that must never be printed or kept.
    public var secrets: [String] = []

    /// Makes a cue.
    public init(_ amount: Money, _ source: PaymentSource) { (self.amount, self.source) = (amount, source) }

    /// The request for it.
    package func request(_ reference: String, over other: Money? = nil) -> SaleRequest {
        var request = SaleRequest(other ?? amount, from: source, reference: reference)
        (request.customer, request.contact) = (customer, contact)
        return request
    }
}

/// A fault under a stable name, and how often the provider carries the request out under it.
public struct InjectedFault: Hashable, Sendable, CustomStringConvertible {
    /// A family of faults that look alike from outside; pairs are made of these.
    public enum Effect: String, Hashable, Sendable, CaseIterable {
        /// The request never gets there.
        case lostBefore
        /// It is done, and the answer does not come back.
        case lostAfter
        /// It is done, and the answer says something wrong or nothing.
        case falsified
        /// It is refused, and nothing is done.
        case refused
        /// It is done, and the answer is a failure.
        case failedAfter
        /// It is done more than once.
        case repeated
        /// Something that must not matter.
        case harmless
    }

    /// Its name.
    public let id: String
    /// What it looks like.
    public let kind: Effect
    /// How often the request is carried out.
    public let executions: Int

    /// Names a fault.
    public init(_ id: String, _ kind: Effect, executions: Int) {
        (self.id, self.kind, self.executions) = (id, kind, executions)
    }

    public var description: String { id }
}
