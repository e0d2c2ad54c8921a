public import PaymentProviderKit

extension ARISEDriver {
    /// How far a clock of ARISE may be behind ours, in milliseconds.
    static let skewMilliseconds: Int64 = 10 * 60_000
    /// How long after its last request an attempt can be executed, in milliseconds: a tap waits minutes, and our clock may be
    /// slow by an hour.
    static let executedWithinMilliseconds: Int64 = 120 * 60_000
    /// How many pages of the list one lookup reads, of 100 transactions each.
    static let pagesMax = 20
    /// How many look-alikes one lookup asks about.
    static let detailsMax = 50

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let operation = inquiry.record.intent.operation
        if let known = name(inquiry, operation) {
            if let said = try await transaction(known, context), said.id == known {
                let verdict: Verdict
                do throws(PaymentError) { verdict = try ARISEMapping.verdict(said, asked(inquiry)) } catch {
                    return .cannotTell("The transaction proves nothing: \(error.detail)", shown: [known])
                }
                return .found(turned(verdict, inquiry))
            }
            // What a kit calls a transaction may be its processor's name: the list may know it by another. That it shows
            // none proves nothing against a name that was given.
            guard inquiry.verdict == nil, operation.isOrigin else {
                return .cannotTell("The provider does not show the transaction that it named.")
            }
            let seen = try await search(inquiry, context)
            if case .notFound = seen {
                return .cannotTell("The provider does not show the transaction that it named.")
            }
            return seen
        }
        // No search finds what another program began, and a look-alike need not be it.
        if inquiry.record.isImported, operation.isOrigin || operation == .refund {
            return .cannotTell("The import names no transaction. Compare it in ARISE's portal, then resolve it.")
        }
        switch operation {
        case .sale, .authorize, .unlinkedRefund:
            return try await search(inquiry, context)
        case .capture, .void, .refund, .tipAdjustment:
            guard let names = inquiry.payment?.references, let id = names[ARISEMapping.nameKey(in: names)],
                let said = try await transaction(id, context), said.id == id
            else { return .cannotTell("The provider does not show the transaction.") }
            return try sighting(inquiry, said)
        case .adjust, .verify, .tokenize, .debit, .chargeback:
            return .cannotTell("The provider can't be asked about this operation.")
        }
    }

    /// What was done and is refused now has failed later: a bank returned it.
    private func turned(_ verdict: Verdict, _ inquiry: LookupRequest) -> Verdict {
        guard case .approved = inquiry.verdict, case .declined(let decline) = verdict else { return verdict }
        var late = Decline(.failedAfterApproval, provider: decline.provider, references: decline.references)
        (late.card, late.receipt) = (decline.card, decline.receipt)
        return .declined(late)
    }

    /// What ARISE called it when it accepted it.
    private func name(_ inquiry: LookupRequest, _ operation: PaymentOperation) -> String? {
        let key = operation == .refund ? ARISEMapping.refundKey : ARISEMapping.transactionKey
        guard operation == .refund || operation.isOrigin else { return nil }
        let names = inquiry.verdict?.references
        // A list of the provider's has one kind of name for all: an import names a refund by it, too.
        let listed = inquiry.record.isImported ? names?[ARISEMapping.transactionKey] : nil
        return names?[key] ?? listed ?? inquiry.note(key)
    }

    private func asked(_ inquiry: LookupRequest) -> ARISEMapping.Asked {
        let operation = inquiry.record.intent.operation
        var asked = ARISEMapping.Asked(operation: operation, amount: inquiry.amount, isReply: false)
        // Another program sent a number of its own with what was imported: the name that the import has is enough.
        asked.isImported = inquiry.record.isImported
        if operation.isOrigin, !asked.isImported { asked.reference = expected(inquiry.attempt) }
        if let payment = inquiry.payment { asked.key = ARISEMapping.nameKey(in: payment.references) }
        asked.failureIsFinal = configuration.failed == .final
        return asked
    }

    /// One transaction by its name; nil for a name that the platform does not know. One in another form than its own may
    /// be refused.
    func transaction(_ id: String, _ context: LookupContext) async throws -> ARISETransaction? {
        guard let segment = PercentEncoding.pathSegment(id) else { return nil }
        do {
            let reply = try await context.exchange { attempt in
                try await wire.send("GET", ARISEPath.transaction(segment), bearer: attempt.access.value)
            }
            return reply.body.map { ARISETransaction($0) }
        } catch {
            if error.code == .notFound || error.code == .invalidRequest { return nil }
            throw error
        }
    }

    /// Whether an operation on a transaction shows in how it is now.
    private func sighting(_ inquiry: LookupRequest, _ said: ARISETransaction) throws(PaymentError) -> LookupResult {
        let asked = asked(inquiry)
        guard let status = said.status else { return .cannotTell("The transaction has no status.") }
        let refused: (ARISEStatus) -> LookupResult = { status in
            .found(.declined(Decline(.declinedByProvider, provider: ProviderMessage(code: status.rawValue))))
        }
        switch (asked.operation, status) {
        case (.refund, _): return try refundSighting(inquiry, said)
        // What was settled was not undone, and what was undone was not captured.
        case (.void, .settled), (.void, .cleared), (.void, .chargedBack), (.void, .refunded), (.capture, .voided),
            (.capture, .declined), (.capture, .failed):
            return refused(status)
        case (.capture, .authorized), (.void, .authorized), (.void, .captured), (.void, .partiallyAuthorized):
            return .notFound(seesBack: nil)
        // Where the transaction itself waits, the void need not have arrived.
        case (.void, _) where ARISEStatus.waiting.contains(status): return .notFound(seesBack: nil)
        case (.tipAdjustment, _):
            let tip = said["amount"]?["tipAmount"]
            guard let tip, try ARISEMapping.money(tip, asked.amount.currency) == asked.amount else {
                return .notFound(seesBack: nil)
            }
            return .found(try ARISEMapping.verdict(said, asked))
        case (.capture, _):
            guard try said.total(asked.amount.currency) == asked.amount else {
                return .cannotTell("The transaction has another total.")
            }
            return .found(try ARISEMapping.verdict(said, asked))
        default: return .found(try ARISEMapping.verdict(said, asked))
        }
    }

    /// A refund shows as what is missing of what was left before; anything but exactly our amount proves nothing.
    private func refundSighting(_ inquiry: LookupRequest, _ said: ARISETransaction) throws(PaymentError) -> LookupResult
    {
        guard let before = inquiry.note(Self.baseline).flatMap({ Int64($0) }),
            let left = try said.left(.refund, inquiry.amount.currency)
        else { return .cannotTell("What was left before and what is left now are not both known.") }
        let (gone, overflow) = before.subtractingReportingOverflow(left.minorUnits)
        switch gone {
        case _ where overflow: return .cannotTell("The amounts that are left can't be compared.")
        case inquiry.amount.minorUnits: return .changed(.approved(Approval(inquiry.amount)))
        case 0: return .notFound(seesBack: nil)
        default: return .cannotTell("The amount that is left changed by another sum.")
        }
    }

    /// Goes through the newest transactions: by our reference where it comes back, else by amount and time.
    private func search(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let start = inquiry.createdAt - Self.skewMilliseconds
        var end = (inquiry.requests.last?.openedAt.wall ?? inquiry.createdAt) + Self.executedWithinMilliseconds
        var alike: [(said: ARISETransaction, isSure: Bool)] = []
        // What proves to be another's, or to have moved nothing.
        var others: Set<String> = []
        func unclear(_ why: String) -> LookupResult {
            let possible = alike.filter { ($0.said.at ?? end) <= end }
            return .cannotTell(why, shown: possible.compactMap { $0.said.id }.filter { !others.contains($0) })
        }
        var (isComplete, total) = (false, 0)
        for page in 0..<Self.pagesMax {
            let reply = try await newestFirst(page, context)
            let list: ARISEList
            do throws(PaymentError) {
                list = try ARISEList(reply, page: page, of: ListQuery.limitMax, atLeast: total)
            } catch { return unclear("The provider's list can't be read: \(error.detail)") }
            total = max(total, list.total ?? 0)
            // Our clock is slow where something is dated after our now: then it bounds nothing.
            let latest = context.now + Self.skewMilliseconds
            if list.items.contains(where: { $0.at.map { $0 > latest } ?? false }) { end = .max }
            let recent = list.items.filter { $0.at.map { $0 >= start } ?? true }
            for item in recent { if let isSure = match(item, inquiry) { alike.append((item, isSure)) } }
            // An older one ends the search only where the newest come first, as was asked.
            let times = list.items.compactMap(\.at)
            let isFalling = zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
            isComplete = isFalling && recent.count < list.items.count || list.isLast
            if isComplete { break }
        }
        var candidates: [LookupResult.Candidate] = []
        for item in alike.prefix(Self.detailsMax) {
            guard let id = item.said.id else { return unclear("A transaction of the list has no name.") }
            // What the list shows is there: passed over, it would prove an absence, or leave another's copy as the only one.
            guard let said = try await transaction(id, context), said.id == id else {
                return unclear("The list shows a transaction of which the details say nothing.")
            }
            let echoed = configuration.referenceEcho == .orderNumber ? said.orderNumber : nil
            if let echoed, !ARISEMapping.isSame(echoed, inquiry.attempt.text) {
                others.insert(id)
                continue
            }
            // What was paid long after the last request, and does not name it, is not it.
            if echoed == nil, let at = item.said.at, at > end {
                others.insert(id)
                continue
            }
            let verdict: Verdict
            do throws(PaymentError) { verdict = try ARISEMapping.verdict(said, asked(inquiry)) } catch {
                let why = "A transaction that looks like it proves nothing: \(error.detail)"
                return echoed == nil ? unclear(why) : .cannotTell(why, shown: [id])
            }
            if echoed != nil { return .found(verdict) }
            if item.isSure {
                candidates.append(LookupResult.Candidate(id, verdict, at: item.said.at))
                continue
            }
            // Ours or not, what was declined has moved nothing; anything else may be ours and have moved money.
            guard case .declined = verdict else { return unclear("A transaction that looks like it may be this one.") }
            others.insert(id)
        }
        if !isComplete || alike.count > Self.detailsMax {
            return unclear("The list is longer than a lookup reads.")
        }
        return candidates.isEmpty ? .notFound(seesBack: nil) : .candidates(candidates)
    }

    /// A page of the list, the newest first.
    private func newestFirst(_ page: Int, _ context: LookupContext) async throws -> JSONReply {
        let query = ListQuery.page(page, of: ListQuery.limitMax, order: "date", ascending: false)
        return try await context.exchange { attempt in
            try await wire.send("GET", ARISEPath.transactions, query: query, bearer: attempt.access.value)
        }
    }

    public func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String] {
        switch inquiry.record.intent.operation {
        case .sale, .authorize, .unlinkedRefund: break
        default: return []
        }
        var (alike, total) = ([(id: String, away: UInt64)](), 0)
        var dated: ClosedRange<Int64>?
        for page in 0..<Self.pagesMax {
            guard let reply = try? await newestFirst(page, context),
                let list = try? ARISEList(reply, page: page, of: ListQuery.limitMax, atLeast: total)
            else { break }
            total = max(total, list.total ?? 0)
            let times = list.items.compactMap(\.at)
            let range =
                dated
                ?? inquiry.couldBeDated(
                    newest: times.max(), now: context.now, margin: Self.skewMilliseconds,
                    within: Self.executedWithinMilliseconds)
            dated = range
            for item in list.items where item.status != .declined && match(item, inquiry) != nil {
                // What has no time that can be read may be of any.
                let at = item.at ?? inquiry.createdAt
                guard let id = item.id, range.contains(at) else { continue }
                alike.append((id, inquiry.distance(to: at)))
            }
            let isFalling = zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
            let isBefore = times.last.map { $0 < range.lowerBound } ?? false
            if list.isLast || isFalling && isBefore { break }
        }
        var names: [String] = []
        for (place, item) in alike.sorted(by: { $0.away < $1.away }).enumerated() {
            if place < Self.detailsMax, let said = try? await transaction(item.id, context) {
                let echoed = configuration.referenceEcho == .orderNumber ? said.orderNumber : nil
                if let echoed, !ARISEMapping.isSame(echoed, inquiry.attempt.text) { continue }
                if said.status == .declined { continue }
            }
            names.append(item.id)
        }
        return names
    }

    /// Whether an item of the list could be it, and whether everything that it says fits; nil when it can't be.
    private func match(_ item: ARISETransaction, _ inquiry: LookupRequest) -> Bool? {
        let intent = inquiry.record.intent
        if let type = item.type, type.neutral != intent.operation { return nil }
        let total = (try? item.total(inquiry.amount.currency)) ?? nil
        if let total, total != inquiry.amount {
            let isPart = item.status == .partiallyAuthorized && total.minorUnits < inquiry.amount.minorUnits
            // What was declined may be listed with nothing; over another amount it is another's.
            let isEmpty = total.isZero && (item.status == .declined || item.status == .failed)
            if !isPart, !isEmpty { return nil }
        }
        if let ours = intent.last4, let theirs = item.lastDigits, ours != theirs { return nil }
        let isCardSure = item.maskedPan == nil || item.lastDigits != nil || intent.last4 == nil
        return isCardSure && total?.isZero == false && item.type != nil && item.at != nil
    }
}

/// A page of the provider's list of transactions.
struct ARISEList {
    /// The last page that may be asked for.
    static let pageMax = 1_000_000

    let items: [ARISETransaction]
    let total: Int?
    let isLast: Bool

    /// Reads a page. What could not be read to its end would prove that a payment is not there.
    ///
    /// A page may have fewer items than were asked for, so that without a total only an empty one is the last.
    ///
    /// - Parameter most: The total that an earlier page has said.
    init(_ reply: JSONReply, page: Int, of size: Int, atLeast most: Int = 0) throws(PaymentError) {
        guard let items = reply["items"]?.array else {
            throw PaymentError.notExecuted(.unreadableReply, "the list has no items on page \(page)")
        }
        let said = reply["total"] ?? .null
        (self.items, total) = (items.map { ARISETransaction($0) }, said.int64.map { Int($0) })
        guard total.map({ $0 >= 0 }) ?? (said == .null) else {
            throw PaymentError.notExecuted(.unreadableReply, "the total of the list can't be read on page \(page)")
        }
        guard total != nil || most > 0 else {
            isLast = items.isEmpty
            return
        }
        let (before, total) = (page * size, max(self.total ?? 0, most))
        let due = total < before ? 0 : min(size, total - before)
        guard items.count >= due else {
            throw PaymentError.notExecuted(
                .unreadableReply, "page \(page) of the list has \(items.count) of the \(due) items that its total says")
        }
        // With more than that the total is wrong.
        isLast = items.count == due && before + due >= total
    }
}

extension ListQuery {
    /// The fields of the query for a page.
    static func page(_ page: Int, of size: Int, order: String?, ascending: Bool) -> [(name: String, value: String)] {
        var fields = [(name: "page", value: String(page)), (name: "pageSize", value: String(size))]
        if let order { fields.append((name: "orderBy", value: order)) }
        fields.append((name: "asc", value: String(ascending)))
        return fields
    }
}
