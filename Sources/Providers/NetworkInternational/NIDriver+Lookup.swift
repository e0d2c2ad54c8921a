public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension NIDriver: DetailsDriver, ListDriver {
    /// How far the provider's clock and ours may be apart, in milliseconds.
    static let clockSkewMilliseconds: Int64 = 120_000
    /// How many pages of the report a lookup reads at most.
    static let lookupPagesMax = 20

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        switch inquiry.record.intent.operation {
        case .sale, .authorize:
            if let name = inquiry.record.verdict?.references["order"] {
                return .found(try await found(name, inquiry, context).verdict)
            }
            if let name = inquiry.note(Self.orderNote) {
                let (order, verdict) = try await found(name, inquiry, context)
                return isHere(order) ? .found(verdict) : .cannotTell("The provider does not say.")
            }
            return try await likeness(inquiry, context)
        case .capture: return try await difference(inquiry, "capture", context, \.captures)
        case .refund: return try await difference(inquiry, "refund", context, \.refunds)
        case .void:
            guard let name = inquiry.payment?.references["order"] else {
                return .cannotTell("The provider does not say.")
            }
            let order = try await context.exchange { attempt in try await self.order(name, attempt) }
            return order.isUndone
                ? .found(.approved(Approval(inquiry.amount))) : .cannotTell("The provider does not say.")
        case .adjust, .unlinkedRefund, .tipAdjustment, .verify, .tokenize, .debit:
            return .cannotTell("The provider does not say.")
        }
    }

    private func found(
        _ name: String, _ inquiry: LookupRequest, _ context: LookupContext
    ) async throws -> (order: NIOrder, verdict: Verdict) {
        let order = try await context.exchange { attempt in try await self.order(name, attempt) }
        return (order, try NIMapping.verdict(order, inquiry.record.intent.operation))
    }

    /// Whether an order was taken at this terminal.
    private func isHere(_ order: NIOrder) -> Bool {
        let isOfTerminal = order.terminal.map { $0 == configuration.terminal }
        return isOfTerminal ?? (order.device?["code"]?.string == configuration.deviceCode)
    }

    /// Payments of the same kind and amount, at the same time, at this terminal; at most one of them is ours.
    private func likeness(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        guard let submitted = inquiry.submittedAt else { return .cannotTell("The provider does not say.") }
        let times = submitted - Self.clockSkewMilliseconds...submitted + arrivalMilliseconds
        let actions = inquiry.record.intent.operation == .authorize ? ["AUTH"] : ["PURCHASE", "SALE"]
        var alike: [String: Int64] = [:]
        var offset = 0
        for page in 1... {
            guard page <= Self.lookupPagesMax else { return .cannotTell("The provider does not say.") }
            let items = try await self.page(offset, ListQuery.limitMax, context)
            for item in items {
                // What can't be read may be ours.
                guard let amount = item.amount, let at = item.at else {
                    return .cannotTell("The provider does not say.")
                }
                if actions.contains(item.action), amount == inquiry.amount, times.contains(at) {
                    alike[item.reference] = at
                }
            }
            offset += items.count
            // A page may have fewer lines than were asked for; only an empty one ends the report, or an older line where
            // the newest come first.
            guard let first = items.first?.at, let last = items.last?.at else { break }
            if last < times.lowerBound, items.count == 1 || first > last { break }
        }
        var candidates: [LookupResult.Candidate] = []
        for (name, at) in alike.sorted(by: { $0.key < $1.key }) {
            let (order, verdict) = try await found(name, inquiry, context)
            guard isHere(order) else { continue }
            candidates.append(LookupResult.Candidate(name, verdict, at: at))
        }
        return .candidates(candidates)
    }

    /// What there is now against what there was before; told only when exactly one of our amount is new.
    private func difference(
        _ inquiry: LookupRequest, _ name: String, _ context: LookupContext, _ movements: (NIOrder) -> [NIMovement]
    ) async throws -> LookupResult {
        guard let reference = inquiry.payment?.references["order"] else {
            return .cannotTell("The provider does not say.")
        }
        let order = try await context.exchange { attempt in try await self.order(reference, attempt) }
        if let known = inquiry.record.verdict?.references[name] {
            let same = movements(order).filter { $0.name == known }
            return same.count == 1
                ? .found(try NIMapping.verdict(of: same[...], name, asked: inquiry.amount))
                : byTotals(order, name, inquiry)
        }
        let count = baseline(inquiry).first
        guard let count, movements(order).count > count else { return byTotals(order, name, inquiry) }
        let new = movements(order).dropFirst(Int(count))
        guard new.count == 1, new.first?.amount?.money == inquiry.amount else { return byTotals(order, name, inquiry) }
        return .changed(try NIMapping.verdict(of: new, name, asked: inquiry.amount))
    }

    /// The numbers that were remembered before anything was sent.
    private func baseline(_ inquiry: LookupRequest) -> [Int64] {
        (inquiry.note(Self.baselineNote)?.split(separator: " ") ?? []).compactMap { Int64($0) }
    }

    /// What the running amounts say, where the list of movements doesn't: exactly ours has changed.
    private func byTotals(_ order: NIOrder, _ name: String, _ inquiry: LookupRequest) -> LookupResult {
        let known = baseline(inquiry)
        guard known.count == 3, order.info["captured"]?.hasOurDecimals == true,
            let change = order.change(since: (known[1], known[2])), change.kind == name,
            change.units == inquiry.amount.minorUnits
        else { return .cannotTell("The provider does not say.") }
        return .changed(.approved(Approval(inquiry.amount)))
    }

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let name = references["order"] else { return nil }
        let order: NIOrder
        do { order = try await context.exchange { attempt in try await self.order(name, attempt) } } catch {
            if error.code == .notFound { return nil }
            throw error
        }
        return try NIMapping.details(order, now: context.now)
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        let offset = query.cursor.flatMap { Int($0) } ?? 0
        let items = try await page(offset, query.limit, context)
        let next = items.count < query.limit ? nil : String(offset + items.count)
        return PaymentDetailsPage(items.map { NIMapping.details($0) }, next: next)
    }

    private func page(_ offset: Int, _ limit: Int, _ context: LookupContext) async throws -> [NIListItem] {
        let query = [(name: "limit", value: String(limit)), (name: "offset", value: String(offset))]
        return try await context.exchange { attempt in
            try await send("GET", NIPath.payments, attempt, query: query, unreadable: "310") { json in
                guard let items = json?["items"]?.array else { return nil }
                let read = items.compactMap { NIListItem($0) }
                return read.count == items.count ? read : nil
            }
        }
    }
}
