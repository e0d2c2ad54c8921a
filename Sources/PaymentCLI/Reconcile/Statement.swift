internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit

/// What a provider says that it did: its list, or a report that it publishes, row by row.
struct Statement: Sendable {
    typealias Movement = ListedTransactions.Movement

    /// Which statement it is, and so what it lists. Its reader declares that; nothing is guessed from the rows.
    enum Kind: String, Sendable {
        /// Everything that the provider knows of, asked for through the driver; a row is a payment with its totals.
        case list
        /// Everything that was booked, from its receipt on; captures and refunds have rows of their own.
        case accounting
        /// What was paid out and nothing else: that something is missing proves nothing.
        case settlement

        /// The same, for people.
        var shown: String {
            switch self {
            case .list: "the list"
            case .accounting: "the payment accounting report"
            case .settlement: "the settlement details report"
            }
        }

        /// How long a movement of the journal may be missing there, in days.
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
        /// The word is not known here.
        case unread

        /// Whether money moved, for all that the word says.
        var hasMoved: Bool { self == .held || self == .charged || self == .taken }
    }

    /// One row, as it was written.
    struct Row: Sendable {
        let place: String
        /// Its amount with the sign that it has there.
        let amount: Money?
    }

    /// One movement, with every row that is about it.
    struct Listing: Sendable {
        /// What the rows are about; of a list, the payment as a whole.
        enum Subject: Sendable { case payment, capture, refund, chargeback }

        var subject: Subject
        /// What the provider calls the movement; empty where it has no name of its own.
        var names: [String]
        /// What the provider calls the payment that it belongs to.
        var payment: String?
        /// The merchant's reference.
        var reference: String?
        var state: State
        /// The provider's own words for that.
        var words: String
        var at: Int64?
        var held: Money?
        /// What was charged, or refunded by a refund or a chargeback.
        var moved: Money?
        /// The same, where another row of the movement says it once more.
        var repeated: Money?
        /// All that was refunded of a payment, where a list says the sum.
        var refunded: Money?
        /// Why the rows can't be compared, where they contradict each other or one of them can't be read.
        var problem: String?
        var rows: [Int]

        /// The amount that speaks for it.
        var amount: Money? { moved ?? held }
    }

    /// A row that is about no movement that could be compared.
    struct Outside: Sendable {
        let row: Int
        let why: String
        /// Whether it should have been read and could not be.
        var isUnreadable = false
        /// Whether it is another account's.
        var isOtherAccount = false
        /// The provider's names and the merchant's reference on it.
        var names: Set<String> = []
    }

    let kind: Kind
    /// What was read, for people.
    let title: String
    /// Which movements it lists.
    let lists: Set<Movement>
    /// Whether refunds are shown as the sum of a payment rather than as rows.
    var hasRefundTotals = false
    /// Under which name a reference to a payment is kept.
    var paymentName = "payment"
    /// Up to which moment it speaks, in milliseconds since 1970: a list up to when it was asked for, a report up to its last
    /// row.
    var saidAt: Int64 = 0
    var rows: [Row] = []
    var listings: [Listing] = []
    var outside: [Outside] = []

    init(_ kind: Kind, _ title: String, lists: Set<Movement>) {
        (self.kind, self.title, self.lists) = (kind, title, lists)
    }

    /// Adds a row; gives its number.
    mutating func add(_ place: String, _ amount: Money?) -> Int {
        rows.append(Row(place: place, amount: amount))
        return rows.count - 1
    }

    /// Adds a row that is about no money of the account.
    mutating func leaveOut(
        _ place: String, _ amount: Money?, _ why: String, isOtherAccount: Bool = false, names: Set<String> = []
    ) {
        outside.append(Outside(row: add(place, amount), why: why, isOtherAccount: isOtherAccount, names: names))
    }

    /// Adds a row that can't be read.
    mutating func refuse(_ place: String, _ why: String, names: Set<String> = []) {
        outside.append(Outside(row: add(place, nil), why: why, isUnreadable: true, names: names))
    }

    /// The rows that can't be read, each with its place.
    var unreadable: [String] { outside.filter(\.isUnreadable).map { "\(rows[$0.row].place): \($0.why)" } }

    /// Where some rows are: the first few by name.
    func place(_ numbers: [Int]) -> String? {
        guard let first = numbers.first else { return nil }
        let more = numbers.dropFirst().prefix(3).map { rows[$0].place.split(separator: " ").last ?? "" }
        let rest = numbers.count > 4 ? " and \(numbers.count - 4) more" : ""
        return ([rows[first].place] + more.map(String.init)).joined(separator: ", ") + rest
    }
}

extension Statement.Movement {
    /// Several of them, for people.
    var plural: String {
        switch self {
        case .change: "changes of a hold"
        case .void: "cancelled payments"
        case .hold, .charge, .capture, .tip, .refund, .chargeback: rawValue + "s"
        }
    }
}

extension Statement {
    /// The most transactions that a provider's list is read to.
    static let listedMax = 200_000

    /// A list without rows.
    static func list(of id: ProviderID, _ listed: ListedTransactions) -> Statement {
        var statement = Statement(.list, "the list of \(id)", lists: listed.movements)
        statement.hasRefundTotals = listed.hasRefundTotals
        return statement
    }

    /// Everything that a provider lists, asked for page by page.
    ///
    /// - Throws: What the provider's list throws; a list that could not be read to its end is no statement.
    static func listed(
        by view: ProviderClient, _ days: ReconciledDays, _ seen: (Int) -> Void
    ) async throws -> Statement {
        guard view.capabilityTable["list"], let transactions = view.transactions else {
            throw UsageError(
                message:
                    "\(view.id) lists no transactions; name a report of its own with --file, where it publishes one")
        }
        guard let listed = view.capabilities.listed else {
            throw UsageError(
                message:
                    "the adapter of \(view.id) doesn't declare what its list shows, so nothing in it can be compared; "
                    + "it has to set Capabilities.listed")
        }
        var statement = Statement.list(of: view.id, listed)
        statement.paymentName = view.capabilities.manualName
        var query = ListQuery(limit: ListQuery.limitMax)
        if view.capabilities.listFilters.contains(.dates) {
            // A provider may date a transaction by another clock or zone.
            query.filters = [.dates(days.start - ReconciledDays.day...days.end + ReconciledDays.day)]
        }
        var (known, count) = (Set<PaymentDetails>(), 0)
        for try await item in transactions.every(query) {
            guard count < listedMax else {
                throw UsageError(message: "\(view.id) lists more than \(listedMax) transactions; reconcile fewer days")
            }
            if count.isMultiple(of: ListQuery.limitMax) { seen(count) }
            count += 1
            // What comes in while the pages are read moves the others: some are listed twice.
            guard item.references.isEmpty || known.insert(item).inserted else { continue }
            statement.add(item, listed, "item \(statement.rows.count + 1)")
        }
        return statement
    }

    /// Adds a row of a list.
    mutating func add(_ item: PaymentDetails, _ listed: ListedTransactions, _ place: String) {
        let words = [item.kind, item.state].compactMap(\.self).filter { !$0.isEmpty }
        let kind = item.kind.map { $0.isEmpty ? .payment : listed.words[$0] } ?? .payment
        let meaning = listed.words[item.state]
        let names = item.references.values.sorted()
        if kind == .noMoney || meaning == .noMoney {
            let why = "transactions without money (\(words.joined(separator: " ")))"
            return leaveOut(place, item.amount, why, names: Set(names))
        }
        let isRefund = kind == .refund
        // Of a refund nothing is captured, which says of a payment that it came to nothing.
        let state = isRefund && meaning == .executed ? .charged : State(meaning, item)
        let isCharged = state == .charged
        let back = item.amount.flatMap { $0.isZero ? nil : $0 } ?? item.refunded ?? item.amount
        let charged = isRefund ? back : item.captured ?? item.amount
        var listing = Listing(
            subject: isRefund ? .refund : .payment, names: names,
            payment: isRefund ? item.additional["originalTransactionId"] : names.first, reference: item.reference,
            state: state, words: words.joined(separator: " "), at: item.at,
            rows: [add(place, isCharged ? charged : item.amount)])
        if kind != .payment && kind != .refund || state == .unread {
            listing.problem = "the adapter doesn't say what \(words.joined(separator: " ")) means"
        }
        if isRefund {
            (listing.moved, listing.repeated) = (back, back)
        } else {
            listing.held = state == .held || state == .taken || state == .unread ? item.amount : nil
            listing.moved = isCharged ? charged : nil
            listing.refunded = hasRefundTotals ? item.refunded : nil
            if hasRefundTotals, item.refunded == nil, state.hasMoved {
                listing.problem = listing.problem ?? "what was refunded of it can't be read"
            }
        }
        if item.amount == nil, item.captured == nil, state.hasMoved {
            listing.problem = listing.problem ?? "its amount can't be read"
        }
        listings.append(listing)
    }
}

extension Statement.State {
    /// What the word for a state means, beside the amounts of the same transaction.
    fileprivate init(_ meaning: ListedTransactions.Meaning?, _ item: PaymentDetails) {
        switch meaning {
        case .pending: self = .pending
        case .held: self = .held
        case .charged: self = .charged
        case .undone: self = .undone
        case .refused: self = .refused
        case .executed:
            if let captured = item.captured {
                self = captured.minorUnits > 0 ? .charged : item.amount?.minorUnits ?? 0 > 0 ? .held : .undone
            } else {
                self = .taken
            }
        case .payment, .refund, .noMoney, nil: self = .unread
        }
    }
}
