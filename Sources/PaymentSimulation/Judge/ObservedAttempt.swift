internal import PaymentAbstraction
internal import PaymentConformance

/// One attempt as the judge sees it: what the provider's books have of it, and what callers were told.
struct ObservedAttempt {
    let order: Order
    /// What moved its own way, and what is left of that after everything that came back.
    var gross: Int64 = 0
    var net: Int64 = 0
    var currency = ""
    /// When the requests left that moved it; one for each time.
    var executedAt: [Int] = []
    /// How many of them had come back whole when a person said so, who may have it done anew.
    var undoneCount = 0
    /// How often it moved its own way, and how much at a time.
    var moves: [Int64] = []
    /// Whether the provider did one request twice, as it was declared to.
    var isDoubled = false
    /// Whether a request of it came twice to a provider that was declared to do both.
    var cameTwice = false
    /// Calls that somebody still waits for.
    var waiting = 0
    /// When the last call ended that somebody waited for, and in which process.
    var answeredAt = 0
    var answeredIn = ""
    /// When its caller heard that it moved; whether anybody heard that it is pending.
    var heardMovedAt: Int?
    var isPendingTold = false
    /// When somebody was told that it moved and that this is written down.
    var movedWrittenAt: Int?
    /// Since when it is said that nothing moved by it, and whether that can't be changed by trying again.
    var deniedAt: Int?
    var isRefused = false
    /// Whether it failed afterwards and nobody could hear so.
    var isUnsaid = false
    /// Whether a person decided it, and whether against the books.
    var isDecided = false
    var isMisjudged = false
    /// When somebody was told last that nothing moved by it.
    var wasDeniedAt: Int?
    /// Which requests moved anything: when they had left, and whose they were.
    var causes: [(at: Int, from: String)] = []
    /// The provider's payments that it touched.
    var payments: Set<String> = []
    var lastTold: DeliveredResult?

    init(_ order: Order) { self.order = order }

    /// Whether it moved by requests alone that have left since a moment, and none of them a process's own.
    func isOvertaken(since: Int, _ process: String?) -> Bool {
        !causes.isEmpty && causes.allSatisfy { $0.at > since && $0.from != process }
    }

    /// Which ways its money goes; none where the books have no way of its own for it. What isn't settled yet is given
    /// back as if it had never been.
    var ways: Set<LedgerView.Direction> {
        switch order.operation {
        case .sale, .debit: [.charge]
        case .authorize: [.hold]
        case .capture: [.capture]
        case .refund, .unlinkedRefund: [.refund, .reversal]
        case .adjust, .void, .tipAdjustment, .verify, .tokenize: []
        }
    }

    /// Whether a movement counts for what it did, or takes that back.
    func sign(of direction: LedgerView.Direction) -> Int64 {
        switch order.operation {
        case .refund, .unlinkedRefund: ways.contains(direction) ? 1 : -1
        case .void: direction == .release || direction == .reversal || direction == .refund ? 1 : -1
        case .sale, .debit, .authorize, .capture, .adjust, .tipAdjustment, .verify, .tokenize:
            direction == .charge || direction == .hold || direction == .capture ? 1 : -1
        }
    }

    /// Whether what was told may be the end of one of two that came of one request, and its money that of the other: they
    /// were pending, and are decided one by one.
    var mayBeOfTwin: Bool { cameTwice && isPendingTold }

    /// Its name in the table of what was visited.
    var word: String {
        let books = gross == 0 && net == 0 ? "no money" : net == 0 ? "undone" : "money"
        let said = heardMovedAt != nil ? "moved" : deniedAt != nil ? "denied" : lastTold?.word ?? "nothing"
        return "\(books), told \(said)\(waiting > 0 ? ", asked" : "")"
    }

    /// Whether amounts that it moved are this, where the provider may have done it twice.
    func isRight(_ amount: Money) -> Bool {
        guard currency == amount.currency.code else { return false }
        return gross == amount.minorUnits || isDoubled && moves.contains(amount.minorUnits)
    }
}
