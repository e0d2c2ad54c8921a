public import PaymentBase

/// One kind of question to the application; its answer's type belongs to it.
///
/// An adapter outside can add its own kind:
///
/// ```swift
/// struct FavouriteColour: Question {
///     typealias Answer = String
///     static let timeout: Duration = .seconds(1 * 60)
/// }
/// ```
public protocol Question: Sendable {
    /// What the application answers.
    associatedtype Answer: Sendable
    /// How long an answer is of use, while a caller waits for the payment.
    static var timeout: Duration { get }
    /// What in an answer must not be printed or kept, should a provider echo it.
    static func secrets(in answer: Answer) -> [Secret]
}

extension Question {
    public static func secrets(in answer: Answer) -> [Secret] { [] }
}

/// The application's handlers, one per kind of question; what is missing is known before a payment starts.
public struct QuestionHandlers: Sendable {
    private typealias Handler<Asked: Question> = @Sendable (Asked) async throws -> Asked.Answer

    private var handlers: [ObjectIdentifier: any Sendable] = [:]

    /// Answers nothing.
    public init() {}

    /// Sets the handler for one kind of question; a handler that throws gives no answer.
    public mutating func handle<Asked: Question>(
        _ kind: Asked.Type, with handler: @escaping @Sendable (Asked) async throws -> Asked.Answer
    ) {
        handlers[ObjectIdentifier(kind)] = handler as Handler<Asked>
    }

    /// Whether there is a handler.
    public func hasHandler<Asked: Question>(for kind: Asked.Type) -> Bool { handlers[ObjectIdentifier(kind)] != nil }

    package func handler<Asked: Question>(for kind: Asked.Type) -> (@Sendable (Asked) async throws -> Asked.Answer)? {
        handlers[ObjectIdentifier(kind)] as? Handler<Asked>
    }
}

/// Fields that the provider wants to know of the customer, at the beginning or while the payment waits; it may ask again for
/// those that an answer leaves out.
public struct RequestedFields: Question {
    public typealias Answer = [String: PersonalData]
    public static let timeout: Duration = .seconds(30 * 60)
    public static func secrets(in answer: Answer) -> [Secret] { answer.values.map { Secret($0.value) } }
    /// What is asked for.
    public let fields: [Field]
    /// Asks for fields.
    public init(_ fields: [Field]) { self.fields = fields }

    /// One field that a provider asks for.
    public struct Field: Hashable, Sendable {
        /// What the provider calls it.
        public let name: String
        /// What people read beside it.
        public var label: String?
        /// What helps people to fill it in.
        public var hint: String?
        /// Whether it must be filled in.
        public var isRequired = true
        /// The kind of input: `text`, `tel`, `email`, `date` and so on.
        public var type: String?
        /// What the value has to match.
        public var pattern: String?
        /// Values to choose from.
        public var options: [String] = []

        /// Makes a field.
        public init(_ name: String) { self.name = name }
    }
}

/// Less than asked for was approved: take it, or return it? Without an answer, or a caller that waits for it, it is returned.
///
/// A part is offered only when its reply comes. One that a lookup or a message finds after the reply was lost is approved,
/// and stays: the result has both amounts, as of a part that comes unasked.
public struct PartialApprovalOffer: Question {
    /// Whether it is taken.
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(2 * 60)
    /// What was approved.
    public let approved: Money
    /// What was asked for.
    public let asked: Money
    /// Asks about an approval.
    public init(approved: Money, of asked: Money) { (self.approved, self.asked) = (approved, asked) }
}

/// A page of the provider's on which the customer pays: the application leads the customer there.
///
/// ```swift
/// options.answers.handle(PaymentLink.self) { link in
///     await shop.redirect(link.attempt, to: link.address)
///     return false
/// }
/// ```
///
/// From the moment it is handed over until the provider ends it, the page can be paid. The answer says whether the
/// customer is known to have come back; then the payment is asked for at once. Otherwise it is pending, and the
/// provider's message decides. Nothing waits for the answer once no caller does: the payment is pending then, too.
public struct PaymentLink: Question {
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(30 * 60)
    /// The payment's attempt.
    public let attempt: AttemptID
    /// Where the customer's browser goes.
    public let address: String
    /// Until when the provider accepts money there, in milliseconds since 1970 by this machine's clock; nil
    /// where it wasn't told. The provider goes by its own clock.
    public let until: Int64?

    /// Names a page.
    public init(_ attempt: AttemptID, address: String, until: Int64? = nil) {
        (self.attempt, self.address, self.until) = (attempt, address, until)
    }
}

extension PaymentLink: RedactedDescription {
    /// The attempt alone: a person who has the address can pay, and sees what is paid for.
    public var description: String { "PaymentLink(\(attempt))" }
}

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
    public static func secrets(in answer: Answer) -> [Secret] {
        [answer.result, answer.address, answer.merchantData.map { Secret($0) }].compactMap { $0 }
    }
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

/// The provider offers to try another way with the same card, which may show the customer another page.
public struct CascadeConsent: Question {
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(10 * 60)
    /// What the last try said.
    public let last: ProviderMessage?
    /// Asks for consent.
    public init(last: ProviderMessage? = nil) { self.last = last }
}

/// The payment was declined and may be tried again within the same attempt, with the same or another card.
public struct RetryPrompt: Question {
    /// What to do.
    public enum Answer: Hashable, Sendable {
        /// The decline counts.
        case stop
        /// The same source is tried again.
        case retry
        /// Another source is tried.
        case retryWith(PaymentSource)
    }
    public static let timeout: Duration = .seconds(10 * 60)
    public static func secrets(in answer: Answer) -> [Secret] {
        if case .retryWith(let source) = answer { return source.secrets }
        return []
    }
    /// What the last try came to.
    public let decline: Decline
    /// Asks after a decline.
    public init(after decline: Decline) { self.decline = decline }
}
