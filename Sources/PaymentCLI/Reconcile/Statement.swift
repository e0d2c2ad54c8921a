internal import PaymentAbstraction

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
