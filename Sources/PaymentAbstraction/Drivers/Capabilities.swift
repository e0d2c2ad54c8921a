public import PaymentModel

/// What a provider takes, as far as it can't be read from its driver's conformances.
public struct Capabilities: Hashable, Sendable {
    /// Sources of a sale.
    public var sources: Set<PaymentSource.Kind>
    /// Sources of an authorisation.
    public var authorizationSources: Set<PaymentSource.Kind> = []
    /// Sources that can be verified or tokenised.
    public var verificationSources: Set<PaymentSource.Kind> = []
    /// Sources that a refund without an original can go to.
    public var unlinkedRefundSources: Set<PaymentSource.Kind> = []
    /// What a request may carry.
    public var features: Set<RequestFeature> = []
    /// Currencies that are taken; nil for all.
    public var currencies: Set<Currency>?
    /// What happens to the rest of an authorisation after a capture.
    public var captureRule = CaptureRule.multiple
    /// What a void does to an authorization of which something was captured.
    public var voidRule = VoidRule.all
    /// Whether less than all can be captured.
    public var partialCapture = true
    /// Whether less than all can be refunded.
    public var partialRefund = true
    /// Whether cards are read by a terminal of the provider's, so that no reader has to be given.
    public var usesProviderTerminal = false
    /// Conditions that a list can have.
    public var listFilters: Set<ListQuery.Filter.Kind> = []
    /// What the list shows, so that it can be compared with the journal; nil if there is no list, or if that is not known.
    public var listed: ListedTransactions?

    /// For how long after its opening bytes of a request for money can leave, in milliseconds: what the transport enforces, or
    /// the longest that a vendor's SDK takes; nil if nothing limits that, and then absence proves nothing.
    public private(set) var sendLimit: Int64?
    /// How long a request may take from its last byte to its execution, in milliseconds; nil if that is not known.
    public var transit: Int64?
    /// How long the provider keeps an idempotency key, in milliseconds; nil for ever.
    public var keyLifetime: Int64?
    /// How long the provider keeps a hold that nothing captures, in milliseconds; nil if it says when one expires.
    public var holdLifetime: Int64?
    /// Whether a terminal may approve without the issuer and keep that to itself for a while.
    public var approvesOffline = false
    /// Within which time after a call such a terminal has certainly forwarded what it holds, in milliseconds.
    public var forwardsWithin: Int64?
    /// Which references in a verdict name one operation alone; nil for all of them.
    public var uniqueNames: Set<String>?
    /// Under which name of a reference a person's name for a payment is kept, so that what follows finds the payment.
    public var manualName = "payment"
    /// Whether the configuration says that no other system and no person works on the account. Only then is what looks like an
    /// attempt, or what changed since, taken for it.
    public var isExclusive = false
    /// Whether the provider names customers itself, so that a request brings its name of one; else the name is the merchant's own.
    public var namesCustomers = false

    /// Makes capabilities. The send limit has no default, so that no adapter and no wrapper of a transport can forget it.
    public init(sources: Set<PaymentSource.Kind>, sendLimit: Int64?) {
        (self.sources, self.sendLimit) = (sources, sendLimit)
    }

    /// The same with another send limit: of a vendor's SDK, which sends in place of the transport.
    public func limited(to sendLimit: Int64?) -> Capabilities {
        var copy = self
        copy.sendLimit = sendLimit
        return copy
    }
}

/// What a provider's list of transactions shows, and what its words mean.
///
/// The list is compared with the journal by this declaration, and never by the rows that happen to be in it: a refund that the
/// list lacks is missing only if the list shows refunds.
public struct ListedTransactions: Hashable, Sendable {
    /// What a movement of money does.
    public enum Movement: String, Hashable, Sendable, CaseIterable {
        /// An amount is held.
        case hold
        /// An amount is charged, without a hold before it.
        case charge
        /// A held amount is charged.
        case capture
        /// A hold is raised or lowered.
        case change
        /// A tip is added or changed.
        case tip
        /// A payment is undone before it is settled.
        case void
        /// Money is refunded.
        case refund
        /// The cardholder's bank takes money back.
        case chargeback
    }

    /// What a word says of a transaction: its kind or its state.
    public enum Meaning: Hashable, Sendable {
        /// The transaction is a payment.
        case payment
        /// The transaction gives money back.
        case refund
        /// The transaction is about no money: a check of a card, or a token.
        case noMoney
        /// The provider accepted it, and it is not final.
        case pending
        /// The amount is held.
        case held
        /// The amount is charged, or refunded.
        case charged
        /// It was cancelled, or taken back.
        case undone
        /// It came to nothing.
        case refused
        /// It was executed; whether it is held, charged or undone by now follows from what was captured, if the list says that.
        case executed
    }

    /// Every kind of movement that the list shows.
    public var movements: Set<Movement>
    /// Whether refunds are shown as a sum of their payment, and not as transactions.
    public var hasRefundTotals: Bool
    /// What each word for a kind or a state means. A transaction with any other word is not compared.
    public var words: [String: Meaning]

    /// Declares what a list shows.
    public init(_ movements: Set<Movement>, hasRefundTotals: Bool = false, words: [String: Meaning]) {
        (self.movements, self.hasRefundTotals, self.words) = (movements, hasRefundTotals, words)
    }
}

/// What happens to the rest of an authorisation when a part of it was captured.
public enum CaptureRule: String, Hashable, Sendable, CaseIterable {
    /// More captures may follow.
    case multiple = "several"
    /// One capture releases the rest.
    case single = "oneReleasesTheRest"
}

/// What a void does to an authorization of which something was captured.
public enum VoidRule: String, Hashable, Sendable, CaseIterable {
    /// It takes back what was captured as well.
    case all
    /// It leaves what was captured and releases the rest.
    case uncaptured
}
