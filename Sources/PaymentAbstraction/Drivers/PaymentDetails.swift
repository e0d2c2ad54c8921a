/// What a provider says about one of its transactions when it is asked.
public struct PaymentDetails: Hashable, Sendable {
    /// What the provider calls it.
    public let references: PaymentReferences
    /// The state, in the provider's word.
    public let state: String
    /// When it happened, in milliseconds since 1970.
    public var at: Int64?
    /// What kind of transaction it is, in the provider's word.
    public var kind: String?
    /// What was asked for or is held.
    public var amount: Money?
    /// What was charged.
    public var captured: Money?
    /// What was refunded.
    public var refunded: Money?
    /// What the amount is made of.
    public var breakdown: Quote.Breakdown?
    /// What can be done with it now.
    public var operations: [PaymentDetails.AvailableOperation] = []
    /// Every capture that the provider lists.
    public var captures: [PaymentDetails.Movement] = []
    /// Every refund that the provider lists.
    public var refunds: [PaymentDetails.Movement] = []
    /// The batch that it is settled in.
    public var batch: String?
    /// Whether it is settled, where the provider says.
    public var isSettled: Bool?
    /// Where it came from: a terminal, an application, an invoice.
    public var source: String?
    /// The device that took it.
    public var device: DeviceSummary?
    /// The card, as far as it may be shown.
    public var card: CardSummary?
    /// What belongs on a receipt.
    public var receipt: Receipt?
    /// Who paid, where the provider keeps it.
    public var customer: CustomerContact?
    /// The application's own reference, where the provider keeps it.
    public var reference: String?
    /// What else the provider said, by its own names; never a secret.
    public var additional: [String: String] = [:]

    /// Makes details of a state.
    public init(_ state: String, references: PaymentReferences) { (self.state, self.references) = (state, references) }
}

extension PaymentDetails {
    /// One capture or refund, as the provider lists it.
    public struct Movement: Hashable, Sendable {
        /// What the provider calls it; empty where it has no name.
        public let reference: String
        /// How much moved.
        public let amount: Money
        /// The state, in the provider's word.
        public let state: String
        /// When it happened, in milliseconds since 1970.
        public var at: Int64?
        /// What can follow it, in the provider's word.
        public var followUp: String?

        /// Makes a movement.
        public init(_ reference: String, _ amount: Money, state: String) {
            (self.reference, self.amount, self.state) = (reference, amount, state)
        }
    }
}

extension PaymentDetails {
    /// Something that can be done with a transaction now, as the provider says.
    public struct AvailableOperation: Hashable, Sendable {
        /// What, in the provider's word.
        public let name: String
        /// What it is here, where we have it.
        public let operation: PaymentOperation?
        /// How much at most.
        public let amount: Money?
        /// Tips to suggest.
        public var suggestedTips: [Money] = []

        /// Makes an operation of the provider's name.
        public init(_ name: String, _ operation: PaymentOperation? = nil, amount: Money? = nil) {
            (self.name, self.operation, self.amount) = (name, operation, amount)
        }
    }
}

/// One page of a provider's transactions.
public struct PaymentDetailsPage: Hashable, Sendable {
    /// The transactions of this page.
    public let items: [PaymentDetails]
    /// Where the next page begins; nil at the end.
    public let next: String?
    /// How many there are in all, where the provider says.
    public let total: Int?

    /// Makes a page.
    public init(_ items: [PaymentDetails], next: String? = nil, total: Int? = nil) {
        (self.items, self.next, self.total) = (items, next, total)
    }
}

/// Which of a provider's transactions to list.
public struct ListQuery: Hashable, Sendable {
    /// How many at most.
    public var limit: Int
    /// Where to continue, from the page before.
    public var cursor: String?
    /// What to sort by, in the provider's word; nil for its own order.
    public var order: String?
    /// Whether the smallest or oldest comes first.
    public var ascending = false
    /// Only those that match all of these.
    public var filters: [ListQuery.Filter] = []

    /// The most that one page may hold.
    public static let limitMax = 100

    /// Asks for the first page.
    public init(limit: Int = 20) { self.limit = limit }
}

extension ListQuery {
    /// One condition on a list of transactions.
    public enum Filter: Hashable, Sendable {
        /// Of one settlement batch.
        case batch(String)
        /// Not settled yet.
        case unsettled
        /// Made by one terminal, invoice or user.
        case creator(String)
        /// Made in one way, in the provider's word.
        case channel(String)
        /// Under one reference of the application.
        case reference(String)
        /// Between two moments, in milliseconds since 1970.
        case dates(ClosedRange<Int64>)
        /// Between two amounts.
        case amounts(least: Money, most: Money)
        /// With one outcome, in the provider's word.
        case outcome(String)

        /// The kinds of condition, to say which a provider takes.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// By settlement batch.
            case batch
            /// By not being settled yet.
            case unsettled
            /// By terminal, invoice or user.
            case creator
            /// By the way in which they were made.
            case channel
            /// By the application's reference.
            case reference
            /// By time.
            case dates
            /// By amount.
            case amounts
            /// By outcome.
            case outcome
        }

        /// Which kind it is.
        public var kind: Kind {
            switch self {
            case .batch: .batch
            case .unsettled: .unsettled
            case .creator: .creator
            case .channel: .channel
            case .reference: .reference
            case .dates: .dates
            case .amounts: .amounts
            case .outcome: .outcome
            }
        }
    }
}
