internal import PaymentAbstraction
internal import PaymentBase

/// What a provider says that it did: its list, or a report that it publishes, row by row.
struct Statement: Sendable {
    /// What a movement does.
    enum Movement: String, Sendable, CaseIterable {
        case hold, charge, capture, change, tip, void, refund, chargeback

        /// Several of them, for people.
        var words: String {
            switch self {
            case .change: "changes of a hold"
            case .void: "cancelled payments"
            case .hold, .charge, .capture, .tip, .refund, .chargeback: rawValue + "s"
            }
        }
    }

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
        /// What was charged, or given back by a refund or a chargeback.
        var moved: Money?
        /// The same, where another row of the movement says it once more.
        var repeated: Money?
        /// All that was given back of a payment, where a list says the sum.
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

    mutating func leaveOut(
        _ place: String, _ amount: Money?, _ why: String, isOtherAccount: Bool = false, names: Set<String> = []
    ) {
        outside.append(Outside(row: add(place, amount), why: why, isOtherAccount: isOtherAccount, names: names))
    }

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

extension Statement {
    /// The most transactions that a provider's list is read to.
    static let listedMax = 200_000

    /// What the list of each adapter shows. NI's says SUCCESS of a payment, whatever became of it later.
    private static let listed: [String: (lists: Set<Movement>, refundTotals: Bool)] = [
        "memory": ([.hold, .charge, .capture, .change, .tip, .void, .refund], true),
        "arise": ([.hold, .charge, .capture, .change, .tip, .void, .refund], false),
        "halo": ([.charge, .void, .refund], false),
        "ni": ([.hold, .charge, .refund], true),
    ]

    /// A list without rows.
    static func list(of id: ProviderID, _ adapter: String) -> Statement {
        var statement = Statement(.list, "the list of \(id)", lists: listed[adapter]?.lists ?? [])
        statement.hasRefundTotals = listed[adapter]?.refundTotals ?? false
        return statement
    }

    /// Everything that a provider lists, asked for page by page.
    ///
    /// - Throws: What the provider's list throws; a list that could not be read to its end is no statement.
    static func listed(
        by view: ProviderClient, _ adapter: String, _ days: ReconciledDays, _ seen: (Int) -> Void
    ) async throws -> Statement {
        guard view.capabilityTable["list"], let transactions = view.transactions else {
            throw UsageError(
                message:
                    "\(view.id) lists no transactions; name a report of its own with --file, where it publishes one")
        }
        var statement = Statement.list(of: view.id, adapter)
        var query = ListQuery(limit: ListQuery.limitMax)
        if view.capabilities.listFilters.contains(.dates) {
            // A provider may date a transaction by another clock or zone.
            query.filters = [.dates(days.start - ReconciledDays.day...days.end + ReconciledDays.day)]
        }
        var names: Set<Set<String>> = []
        for try await item in transactions.every(query) {
            let count = statement.rows.count
            guard count < listedMax else {
                throw UsageError(message: "\(view.id) lists more than \(listedMax) transactions; reconcile by a report")
            }
            if count.isMultiple(of: ListQuery.limitMax) { seen(count) }
            // What comes in while the pages are read moves the others: some are listed twice.
            let isNew = item.references.isEmpty || names.insert(Set(item.references.values)).inserted
            guard isNew else { continue }
            statement.add(item, adapter, "item \(count + 1)")
        }
        return statement
    }

    /// Adds a row of a list.
    mutating func add(_ item: PaymentDetails, _ adapter: String, _ place: String) {
        let kind = item.kind?.lowercased() ?? ""
        let words = [item.kind, item.state].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let state = ListedWord.state(item, adapter)
        let names = item.references.values.sorted()
        if ["verify", "verification", "tokenize", "informational"].contains(kind) || ListedWord.isNoMoney(item.state) {
            return leaveOut(place, item.amount, "transactions without money (\(words))")
        }
        let isRefund = kind.contains("refund") || kind == "return"
        let isCharged = state == .charged
        var listing = Listing(
            subject: isRefund ? .refund : .payment, names: names,
            payment: isRefund ? item.additional["originalTransactionId"] : names.first, reference: item.reference,
            state: state, words: words, at: item.at,
            rows: [add(place, isCharged ? item.captured ?? item.amount : item.amount)])
        if state == .unread { listing.problem = "the word \(words) is not known here" }
        if isRefund {
            (listing.moved, listing.repeated) = (item.amount, item.amount)
        } else {
            listing.held = state == .held || state == .taken || state == .unread ? item.amount : nil
            listing.moved = isCharged ? item.captured ?? item.amount : nil
            listing.refunded = hasRefundTotals ? item.refunded : nil
            if hasRefundTotals, item.refunded == nil, state.hasMoved {
                listing.problem = listing.problem ?? "what was given back of it can't be read"
            }
        }
        if item.amount == nil, item.captured == nil, state.hasMoved {
            listing.problem = listing.problem ?? "its amount can't be read"
        }
        listings.append(listing)
    }
}

/// What the words of providers' lists mean, as their drivers read them elsewhere.
enum ListedWord {
    static func state(_ item: PaymentDetails, _ adapter: String) -> Statement.State {
        switch (adapter, item.state) {
        case ("memory", "approved"):
            if (item.captured?.minorUnits ?? 0) > 0 { return .charged }
            return (item.amount?.minorUnits ?? 0) > 0 ? .held : .undone
        case ("memory", "declined"), ("memory", "failed"): return .refused
        case ("memory", "pending"), ("memory", "new"), ("memory", "needsFields"): return .pending
        case ("halo", "Approved"): return .charged
        case ("halo", "Declined"): return .refused
        case ("halo", "Voided"): return .undone
        case ("halo", "Indeterminate"): return .pending
        case ("arise", "Authorized"): return .held
        case ("arise", "Captured"), ("arise", "Settled"), ("arise", "Refunded"), ("arise", "Cleared"),
            ("arise", "PartiallyAuthorized"):
            return .charged
        case ("arise", "Voided"), ("arise", "Cancelled"): return .undone
        case ("arise", "Declined"), ("arise", "Failed"): return .refused
        case ("arise", "Pending"), ("arise", "Scheduled"), ("arise", "InProgress"), ("arise", "Held"),
            ("arise", "HeldByProcessor"):
            return .pending
        // The report calls what was reversed later a success, too.
        case ("ni", "SUCCESS"): return .taken
        case ("ni", "FAILED"): return .refused
        case ("ni", "PENDING"): return .pending
        case (_, _): return .unread
        }
    }

    /// Whether a word belongs to what never was about money.
    static func isNoMoney(_ state: String) -> Bool { ["Verified", "Informational"].contains(state) }
}
