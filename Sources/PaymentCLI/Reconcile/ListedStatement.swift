internal import PaymentAbstraction
internal import PaymentBase

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
