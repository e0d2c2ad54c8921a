internal import PaymentAbstraction

/// What a provider says that it did in a period: its list, or a report that it publishes.
struct Statement: Sendable {
    /// What a statement shows, and so what its silence can mean.
    enum Kind: String, Sendable {
        /// Everything that the provider knows of, asked for through the driver.
        case list
        /// Everything that was booked, from its receipt on.
        case accounting
        /// What was paid out and nothing else: that something is missing proves nothing.
        case settlement

        /// How long what moved here may be missing there, in days.
        var transitDays: Int64 {
            switch self {
            case .list: 0
            case .accounting: 1
            case .settlement: 14
            }
        }
    }

    /// What became of something there, as far as the provider's word can be read.
    enum State: String, Sendable {
        case pending, held, charged, undone, refused
        /// It moved; whether it is held, charged or undone by now isn't said.
        case taken
        /// Nobody here knows the word.
        case unread

        /// Whether money moved, for all that the word says.
        var hasMoved: Bool { self == .held || self == .charged || self == .taken }
    }

    /// One payment.
    struct Payment: Sendable {
        /// What the provider calls it.
        var names: [String]
        var state: State
        /// The provider's own words for that.
        var words: String
        /// The merchant's reference.
        var reference: String?
        var held: Money?
        var charged: Money?
        /// All that was given back, where the statement says the sum.
        var refunded: Money?
        var at: Int64?
        /// Where the statement says so.
        var place: String

        /// The amount that speaks for it.
        var amount: Money? { charged ?? held }
    }

    /// Money that went the other way, on a row of its own.
    struct Movement: Sendable {
        enum Kind: String, Sendable { case refund, chargeback }
        var kind: Kind
        /// What the provider calls it.
        var names: [String]
        /// What it calls the payment.
        var payment: String?
        var amount: Money?
        var state: State
        var words: String
        var at: Int64?
        var place: String
    }

    /// A row that is none of the account's payments, and may carry the name of an attempt all the same.
    struct ForeignRow: Sendable {
        /// The provider's name and the merchant's reference, as far as it has them.
        let names: Set<String>
        /// Why it was left out.
        let why: String
        let place: String
    }

    let kind: Kind
    /// What was read, for people.
    let title: String
    var payments: [Payment] = []
    var movements: [Movement] = []
    /// What is no payment of the account, by what it is.
    var leftOut: [String: Int] = [:]
    /// What of it may be about money of an attempt.
    var foreign: [ForeignRow] = []
    /// What should have been read and could not be.
    var unreadable: [String] = []

    init(_ kind: Kind, _ title: String) { (self.kind, self.title) = (kind, title) }

    mutating func leaveOut(_ what: String) { leftOut[what, default: 0] += 1 }

    /// Whether it shows refunds at all: as rows, or as sums of payments.
    var showsRefunds: Bool { kind != .list || !movements.isEmpty || payments.contains { $0.refunded != nil } }
}
