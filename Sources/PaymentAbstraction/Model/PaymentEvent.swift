/// One step in the life of a payment; numbered within it.
public struct PaymentEvent: Hashable, Sendable {
    /// Its place in the payment's timeline; 0 for events that belong to none.
    public let sequence: Int
    /// When, in milliseconds since 1970.
    public let at: Int64
    /// The payment that it belongs to, if to any.
    public let payment: PaymentID?
    /// The attempt that it belongs to, if to any.
    public let attempt: AttemptID?
    /// The provider that was asked, if one was.
    public let provider: ProviderID?
    /// What happened.
    public let kind: Kind
    /// What belongs to it, by name; never a secret.
    public let attributes: [String: String]

    /// Makes an event.
    public init(
        _ kind: Kind, sequence: Int = 0, at: Int64, payment: PaymentID? = nil, attempt: AttemptID? = nil,
        provider: ProviderID? = nil, attributes: [String: String] = [:]
    ) {
        (self.kind, self.sequence, self.at) = (kind, sequence, at)
        (self.payment, self.attempt, self.provider) = (payment, attempt, provider)
        self.attributes = attributes
    }
    /// The same at another place.
    package func numbered(_ sequence: Int) -> PaymentEvent {
        PaymentEvent(
            kind, sequence: sequence, at: at, payment: payment, attempt: attempt, provider: provider,
            attributes: attributes)
    }
}

extension PaymentEvent {
    /// What happened; an open set, to which drivers and applications add their own.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The intent is written; nothing has moved.
        public static let begun = Kind(rawValue: "begun")
        /// Written just before the first byte that may move money.
        public static let submitted = Kind(rawValue: "submitted")
        /// An exchange is repeated, here or at the next provider, because the one before was provably not executed.
        public static let repeated = Kind(rawValue: "repeated")
        /// The reader was prepared and can read cards.
        public static let readerReady = Kind(rawValue: "readerReady")
        /// The reader could not be prepared.
        public static let readerFailed = Kind(rawValue: "readerFailed")
        /// The screen that teaches how to take a card was shown.
        public static let educationShown = Kind(rawValue: "educationShown")
        /// The reader waits for a card.
        public static let readyForCard = Kind(rawValue: "readyForCard")
        /// The reader has read a card.
        public static let cardRead = Kind(rawValue: "cardRead")
        /// The reader captures a PIN.
        public static let pinRequested = Kind(rawValue: "pinRequested")
        /// The PIN was captured.
        public static let pinEntered = Kind(rawValue: "pinEntered")
        /// What a reader reported, under its own name.
        public static func reader(_ event: ReaderEvent) -> Kind { Kind(rawValue: "reader.\(event.name)") }
        /// The application is asked something.
        public static let asked = Kind(rawValue: "asked")
        /// The application answered.
        public static let answered = Kind(rawValue: "answered")
        /// The application did not answer, or not in time.
        public static let unanswered = Kind(rawValue: "unanswered")
        /// The answer is awaited elsewhere.
        public static let waiting = Kind(rawValue: "waiting")
        /// The provider was asked what became of it.
        public static let lookedUp = Kind(rawValue: "lookedUp")
        /// It was done.
        public static let approved = Kind(rawValue: "approved")
        /// It was refused.
        public static let declined = Kind(rawValue: "declined")
        /// It was ended before it was decided.
        public static let cancelled = Kind(rawValue: "cancelled")
        /// It was accepted and is not final.
        public static let pending = Kind(rawValue: "pending")
        /// It ended with an error and moved nothing.
        public static let failed = Kind(rawValue: "failed")
        /// It is not known yet what became of it.
        public static let inDoubt = Kind(rawValue: "inDoubt")
        /// What was approved before failed afterwards.
        public static let failedLater = Kind(rawValue: "failedLater")
        /// An outcome could not be written; recovery writes it.
        public static let notRecorded = Kind(rawValue: "notRecorded")
        /// An outcome that contradicts the recorded one. The recorded one stays, unless it says that nothing moved and
        /// the provider itself sends word that something did.
        public static let contradiction = Kind(rawValue: "contradiction")
        /// A name that the provider gave belongs to another payment already; an attribute says which.
        public static let nameTaken = Kind(rawValue: "nameTaken")
        /// Another amount moved than was asked for, and nothing explains it.
        public static let otherAmount = Kind(rawValue: "otherAmount")
        /// An approval may be another payment's: a person has to say which one it is.
        public static let disputed = Kind(rawValue: "disputed")
        /// The customer's bank took money of the payment back.
        public static let chargedBack = Kind(rawValue: "chargedBack")
        /// Two payments under one reference and part are active at once.
        public static let activeTwice = Kind(rawValue: "activeTwice")
        /// More messages came about an unknown name than are kept, or one about a chargeback that proves nothing and names
        /// nothing, so that it can't be kept.
        public static let messagesDropped = Kind(rawValue: "messagesDropped")
        /// A webhook arrived.
        public static let webhook = Kind(rawValue: "webhook")
        /// A proven webhook is about another account than the configured one: it was acknowledged, and nothing was
        /// recorded.
        public static let otherAccount = Kind(rawValue: "otherAccount")
        /// A person decided.
        public static let resolved = Kind(rawValue: "resolved")
        /// The access to a provider was renewed.
        public static let accessRenewed = Kind(rawValue: "accessRenewed")
    }
}

extension PaymentEvent.Kind: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Attempt {
    /// What the timeline says of its state.
    package var news: PaymentEvent.Kind {
        switch state {
        case .running, .inDoubt: .inDoubt
        case .pending: .pending
        case .notExecuted: .failed
        case .declined: verdict.map { .of($0) } ?? .declined
        case .reversed: .failedLater
        case .approved: .approved
        }
    }

    /// What belongs to an event about its state: how it is known.
    package func attributes(of kind: PaymentEvent.Kind) -> [String: String] {
        guard kind == news, let evidence else { return [:] }
        return ["by": evidence.word]
    }
}

extension Attempt.Evidence {
    /// The kind of evidence, in one word.
    public var word: String {
        switch self {
        case .reply: "reply"
        case .lookup: "lookup"
        case .webhook: "webhook"
        case .person: "person"
        case .imported: "imported"
        }
    }
}

extension PaymentEvent.Kind {
    package static func of(_ verdict: Verdict) -> Self {
        switch verdict {
        case .approved: .approved
        case .declined(let decline): decline.reason == .failedAfterApproval ? .failedLater : .declined
        case .cancelled: .cancelled
        case .pending: .pending
        }
    }
}
