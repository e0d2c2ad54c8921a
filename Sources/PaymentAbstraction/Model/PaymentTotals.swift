/// The sums of a payment, and what they leave.
package struct PaymentTotals {
    package private(set) var amounts: PaymentAmounts
    /// Open captures and refunds, each for itself: an open refund takes nothing from what can be captured.
    private(set) var capturing: Money
    private(set) var refunding: Money
    /// Whether nothing more can be captured: a void, a release or a last capture.
    package private(set) var isReleased = false
    /// Whether a void was executed.
    package private(set) var hasVoid = false
    /// Captures and new totals that were executed after a void had left nothing.
    package private(set) var late = 0
    /// The entry of the first void that left nothing.
    private var end: Int?
    /// The tip that is a part of what was charged.
    package private(set) var tip: Money?
    private var captures: [(entry: Int, amount: Money)] = []
    /// The totals of each account, if several have to do with the payment.
    private var parts: [Self] = []
    /// Refunds, made or possible, by accounts that did not take this payment: they count against the payment as a whole.
    private var givenElsewhere: Money
    /// What an import says was refunded, as far as none of it is known to have failed.
    private var refundedByImport: Money
    /// What was given without a payment: nothing had been taken, so that it is no refund of this one.
    private var given: Money
    /// Whether the provider refunds something of which the amount is not known.
    private var isUnknown = false
    private let origin: Attempt?

    /// Sums up attempts; of one account only, if it is named. If several accounts executed the payment, each has its own
    /// totals, and these are their sum.
    package init(_ attempts: [Attempt], currency: Currency, at account: ProviderIdentity? = nil) {
        amounts = PaymentAmounts(currency)
        (capturing, refunding) = (.zero(currency), .zero(currency))
        (givenElsewhere, refundedByImport, given) = (.zero(currency), .zero(currency), .zero(currency))
        origin = attempts.first(where: \.intent.isOrigin)
        (tip, amounts.isOffline) = (origin?.intent.tip, origin?.isOfflineStill == true)
        if account == nil, let origin {
            var accounts = origin.holders
            // Any account can give money back that another one took; that makes it no account of the payment.
            for attempt in attempts where attempt.absorbedBy == nil && attempt.intent.operation != .unlinkedRefund {
                for account in attempt.places where !accounts.contains(account) { accounts.append(account) }
            }
            if accounts.count > 1 {
                parts = accounts.map { Self(attempts, currency: currency, at: $0) }
                for part in parts { add(part) }
                for attempt in attempts where attempt.absorbedBy == nil && attempt.intent.operation == .unlinkedRefund {
                    for account in attempt.places where !accounts.contains(account) {
                        addElsewhere(Self([attempt], currency: currency, at: account))
                    }
                }
                amounts.isVoided = hasVoid && amounts.captured.isZero && capturable.isZero
                return
            }
        }
        let sums = attempts.filter { $0.intent.operation.addsUp && $0.absorbedBy == nil }
        // What comes off an import's sum comes off once that is there.
        for attempt in sums where !attempt.isTakenOffImport { add(attempt, at: account) }
        for attempt in sums where attempt.isTakenOffImport { add(attempt, at: account) }
        for attempt in Self.inOrder(attempts) where attempt.absorbedBy == nil { add(attempt, at: account) }
        // What is open over an unknown amount can be all there is.
        if isUnknown { amounts.inDoubt.increase(by: amounts.captured) }
        if let end { late += captures.count { $0.entry > end } }
    }

    private mutating func add(_ part: Self) {
        for amount in [\PaymentAmounts.authorized, \.captured, \.capturePending, \.refunded, \.refundPending] {
            amounts[keyPath: amount].increase(by: part.amounts[keyPath: amount])
        }
        for amount in [\PaymentAmounts.inDoubt, \.capturesInDoubt, \.inFlight, \.released, \.chargedBack] {
            amounts[keyPath: amount].increase(by: part.amounts[keyPath: amount])
        }
        if part.amounts.isVoided { amounts.released.increase(by: part.amounts.authorized.less(part.amounts.released)) }
        capturing.increase(by: part.capturing)
        refunding.increase(by: part.refunding)
        given.increase(by: part.given)
        hasVoid = hasVoid || part.hasVoid
        late += part.late
    }

    private mutating func addElsewhere(_ part: Self) {
        add(part)
        givenElsewhere.increase(by: part.amounts.refunded)
        givenElsewhere.increase(by: part.refunding)
    }

    /// What gives a new total, in the order in which it was executed. Of two totals the later one is valid, whichever began
    /// first; a message that confirms an earlier one changes nothing.
    private static func inOrder(_ attempts: [Attempt]) -> [Attempt] {
        let totals = attempts.filter { !$0.intent.operation.addsUp }
        if totals.count < 2 { return totals }
        let said = totals.map { ($0, $0.standingReport) }
        let areTimed = said.allSatisfy { $0.1.map { $0.executedAt != nil } ?? true }
        return said.sorted { one, other in
            guard let mine = one.1, let theirs = other.1 else { return false }
            if areTimed, let time = mine.executedAt, let other = theirs.executedAt, time != other {
                return time < other
            }
            return mine.entry < theirs.entry
        }.map(\.0)
    }

    /// The sums as they are shown: money that was given without a payment is refunded money as well.
    package var shown: PaymentAmounts {
        var shown = amounts
        if !amounts.isVoided { shown.refunded.increase(by: given) }
        let held = parts.isEmpty ? [self] : parts.filter { $0.capturable.minorUnits > 0 }
        shown.isCaptureRefused = held.allSatisfy { !$0.amounts.refunded.isZero }
        return shown
    }

    /// What is or may be refunded.
    package var refundedOrPending: Money {
        var sum = amounts.refunded
        sum.increase(by: refunding)
        return sum
    }

    /// What can still be refunded. What a device approved offline can't be before it is forwarded.
    package var refundable: Money {
        if !parts.isEmpty {
            let sum = parts.reduce(into: Money.zero(amounts.captured.currency)) { $0.increase(by: $1.refundable) }
            return sum.less(givenElsewhere)
        }
        if amounts.isVoided || amounts.isOffline { return .zero(amounts.captured.currency) }
        return amounts.captured.less(amounts.refunded, refunding)
    }

    /// Whether money is left at an account: something is held, or more was captured than refunded.
    package var isLeft: Bool {
        if capturable.minorUnits > 0, origin?.intent.operation == .authorize { return true }
        if parts.isEmpty { return kept.minorUnits > 0 }
        let sum = parts.reduce(into: Money.zero(amounts.captured.currency)) { $0.increase(by: $1.kept) }
        return sum.minorUnits > givenElsewhere.minorUnits
    }

    /// What was captured and not refunded. What a bank took back counts as kept: a dispute that is won brings it back,
    /// and whether the order is charged again is a person's to say.
    package var kept: Money {
        if amounts.isVoided { return .zero(amounts.captured.currency) }
        return amounts.captured.less(amounts.refunded.less(amounts.chargedBack))
    }

    /// How much more was refunded than is or may be captured, account by account.
    package var refundedTooMuch: Int64 {
        let whole = amounts.refunded.less(amounts.captured, capturing).minorUnits
        return max(whole, parts.reduce(0) { $0.addingSaturating($1.refundedTooMuch) })
    }

    /// What can still be captured.
    package var capturable: Money {
        if !parts.isEmpty {
            return parts.reduce(into: .zero(amounts.captured.currency)) { $0.increase(by: $1.capturable) }
        }
        if isReleased || amounts.isVoided { return .zero(amounts.captured.currency) }
        return amounts.authorized.less(amounts.captured, capturing)
    }

    private mutating func add(_ attempt: Attempt, at account: ProviderIdentity?) {
        let operation = attempt.intent.operation
        // A movement of the provider's in another currency blocks, and is in no sum.
        guard !isForeign(attempt), !attempt.isDryRun else { return }
        if attempt.isCountedByImport {
            // The import's sum has it; what failed of it since comes off.
            if operation.movementKind == .refunds, attempt.isTakenOffImport {
                // No more than it had counted.
                let rest = refundedByImport.less(attempt.intent.amount)
                amounts.refunded = amounts.refunded.less(refundedByImport.less(rest))
                refundedByImport = rest
            }
            if !attempt.isOpen { return }
        }
        if attempt.isOpen {
            let isThere = account == nil || attempt.newest?.account == account
            if isThere { addOpen(attempt, attempt.acknowledgedAmount ?? attempt.intent.amount) }
            return
        }
        if attempt.hasHiddenDoubt, account == nil || attempt.newest?.account == account {
            // One of its runs may have moved as much once more.
            let (kind, amount) = (attempt.intent.operation.movementKind, attempt.intent.amount)
            if kind == .captures {
                capturing.increase(by: amount)
                amounts.capturesInDoubt.increase(by: amount)
            }
            if kind == .refunds, !attempt.intent.isOrigin { refunding.increase(by: amount) }
            if kind == .captures || kind == .refunds, !attempt.intent.isOrigin { amounts.inDoubt.increase(by: amount) }
        }
        guard attempt.state == .approved, account.map(attempt.holders.contains) ?? true else { return }
        let moved = attempt.acknowledgedAmount ?? (account.map(attempt.moved(at:)) ?? attempt.moved)
        // A new total counts only if the payment was approved.
        let isTotal = attempt.intent.operation == .adjust || attempt.intent.operation == .tipAdjustment
        if isTotal, origin?.state != .approved { return }
        if let moved { addApproved(attempt, moved) }
    }

    private mutating func addOpen(_ attempt: Attempt, _ amount: Money) {
        let kind = attempt.intent.operation.movementKind
        if kind == .captures { capturing.increase(by: amount) }
        if kind == .refunds, !attempt.intent.isOrigin {
            refunding.increase(by: amount)
            if attempt.isAmountUnknown { isUnknown = true }
        }
        guard kind == .captures || kind == .refunds || attempt.intent.isOrigin else { return }
        switch attempt.state {
        case .running: if !attempt.intent.isOrigin { amounts.inFlight.increase(by: amount) }
        case .pending:
            if kind == .captures { amounts.capturePending.increase(by: amount) }
            if kind == .refunds { amounts.refundPending.increase(by: amount) }
        case .inDoubt: amounts.inDoubt.increase(by: amount)
        case .declined, .notExecuted, .approved, .reversed: break
        }
    }

    private mutating func addApproved(_ attempt: Attempt, _ moved: Money) {
        switch attempt.intent.operation {
        case .sale, .debit:
            amounts.authorized.increase(by: moved)
            amounts.captured.increase(by: moved)
        case .authorize: amounts.authorized.increase(by: moved)
        case .adjust:
            amounts.authorized = moved
            if end.map({ $0 < attempt.approvalEntry }) == true { late += 1 }
        case .capture:
            amounts.captured.increase(by: moved)
            captures.append((attempt.approvalEntry, moved))
            if attempt.intent.isLastCapture { isReleased = true }
        case .refund, .unlinkedRefund:
            if attempt.intent.isOrigin { return given.increase(by: moved) }
            amounts.refunded.increase(by: moved)
            // A chargeback has a name of its own, and what is not named can't be it.
            if attempt.isImported, !attempt.isByProvider { refundedByImport.increase(by: moved) }
        case .chargeback:
            amounts.refunded.increase(by: moved)
            amounts.chargedBack.increase(by: moved)
        case .void: addVoid(attempt, moved)
        case .tipAdjustment:
            var more = moved
            if let tip { more = moved.minus(tip) }
            // What is changed after a capture is charged, and not held.
            let isCharged = captures.contains { $0.entry < attempt.approvalEntry }
            let isLate = end.map { $0 < attempt.approvalEntry } == true
            if isLate { late += 1 }
            if origin?.intent.operation != .authorize || isCharged { amounts.captured.increase(by: more) }
            if isCharged, !isLate { captures.append((attempt.approvalEntry, more)) }
            amounts.authorized.increase(by: more)
            tip = moved
        case .verify, .tokenize: break
        }
        if isReleased, !amounts.isVoided { amounts.released = amounts.authorized.less(amounts.captured) }
    }

    /// A void undoes all there is, one over a part leaves the rest, and one that releases the rest leaves what was captured
    /// before. What the provider voids of a partly captured hold on its own releases the rest. A capture that comes
    /// after the void counts: the provider moved the money.
    private mutating func addVoid(_ attempt: Attempt, _ moved: Money) {
        let entry = attempt.approvalEntry
        var before = Money.zero(amounts.captured.currency)
        for capture in captures where capture.entry < entry { before.increase(by: capture.amount) }
        let isHold = origin?.intent.operation == .authorize
        let releasesRest = isHold && !before.isZero && (attempt.intent.releasesRest || attempt.isByProvider)
        let whole = isHold ? amounts.authorized.less(releasesRest ? before : .zero(before.currency)) : amounts.captured
        // What the provider voids on its own is compared with all that is there, what we asked for with that.
        let isEnd = attempt.isByProvider && attempt.intent.releasesRest
        let asked = isEnd ? moved : attempt.isByProvider ? whole : attempt.intent.amount
        if 0 < moved.minorUnits, moved.minorUnits < asked.minorUnits {
            amounts.authorized = amounts.authorized.less(moved)
            if !isHold { amounts.captured = amounts.captured.less(moved) }
            return
        }
        (isReleased, hasVoid) = (true, true)
        if releasesRest { return }
        end = min(end ?? entry, entry)
        amounts.captured = isHold ? amounts.captured.less(before) : .zero(amounts.captured.currency)
        amounts.isVoided = amounts.captured.isZero
    }

    private func isForeign(_ attempt: Attempt) -> Bool {
        attempt.lastKnownAmount.currency != amounts.captured.currency
    }
}

extension Money {
    /// What is left when other amounts are taken off; zero at least, whatever the amounts are.
    package func less(_ others: Money...) -> Money {
        let left = others.reduce(minorUnits) { left, part in
            let (rest, overflow) = left.subtractingReportingOverflow(Swift.max(0, part.minorUnits))
            return overflow ? 0 : Swift.max(0, rest)
        }
        return Money(minorUnits: Swift.max(0, left), currency)
    }

    /// The difference, which stays at the end of the range where it can't be held.
    func minus(_ other: Money) -> Money {
        let (rest, overflow) = minorUnits.subtractingReportingOverflow(other.minorUnits)
        return Money(minorUnits: overflow ? (other.minorUnits > 0 ? .min : .max) : rest, currency)
    }
}

extension PaymentRecord {
    /// Whether it would be too much if all that is open were executed.
    package var mayExceed: Bool {
        let totals = PaymentTotals(attempts, currency: origin?.intent.amount.currency ?? .eur)
        var (refunded, captured) = (totals.amounts.refunded, totals.amounts.captured)
        refunded.increase(by: totals.refunding)
        captured.increase(by: totals.capturing)
        if refunded.minorUnits > captured.minorUnits { return true }
        return origin?.intent.operation == .authorize && captured.minorUnits > totals.amounts.authorized.minorUnits
    }

    /// The most that a capture or a refund can find left once what is open is decided: what brings money is executed, and
    /// what takes it away is not, unless it is pending. At the account that is named, if several have money of the payment.
    package func mostLeft(for operation: PaymentOperation, at account: ProviderIdentity? = nil) -> Money {
        func remaining(_ amounts: PaymentAmounts) -> Money {
            operation == .capture ? amounts.capturable : amounts.refundable
        }
        func left(withNewTotal: Bool) -> Money {
            let decided = attempts.compactMap { attempt -> Attempt? in
                let own = attempt.intent.operation
                guard attempt.isOpen else { return attempt }
                let takes = own.movementKind == .refunds || own.movementKind == .voids || own == operation
                if takes, !attempt.intent.isOrigin { return attempt.state == .pending ? attempt : nil }
                return own.addsUp || withNewTotal ? attempt.ifExecuted : nil
            }
            let record = PaymentRecord(decided)
            let (here, all) = (remaining(record.sums(at: account)), remaining(record.amounts))
            return here.minorUnits < all.minorUnits ? here : all
        }
        let (with, without) = (left(withNewTotal: true), left(withNewTotal: false))
        return with.minorUnits < without.minorUnits ? without : with
    }

    /// The sums of one account, if several have money of the payment; else those of the payment.
    package func sums(at account: ProviderIdentity?) -> PaymentAmounts {
        guard let account, holders.count > 1 else { return amounts }
        return totals(at: account).amounts
    }

    /// The accounts that have something left for an operation on the payment. If these are several, a call names one of them.
    package func accounts(for operation: PaymentOperation) -> [ProviderIdentity] {
        let holders = holders
        guard holders.count > 1 else { return holders }
        return holders.filter { account in
            // What is open there may fail yet.
            if attempts.contains(where: { $0.isOpen && $0.intent.operation == operation && $0.account == account }) {
                return true
            }
            let there = totals(at: account)
            switch operation {
            case .capture, .adjust: return there.capturable.minorUnits > 0
            case .refund: return there.refundable.minorUnits > 0
            case .sale, .authorize, .void, .unlinkedRefund, .tipAdjustment, .verify, .tokenize, .debit, .chargeback:
                // What was approved offline can't be refunded yet, and a void returns it.
                let isKept = there.amounts.isOffline && there.kept.minorUnits > 0
                return isKept || there.refundable.minorUnits > 0 || there.capturable.minorUnits > 0
            }
        }
    }

    /// Which of the sums can't be true, in the words of a message; nil if all can.
    package var whyImpossible: String? {
        let amounts = totals().amounts
        let isHold = origin?.intent.operation == .authorize
        if amounts.refunded.minorUnits > amounts.captured.minorUnits {
            return "\(amounts.refunded) of \(amounts.captured) is refunded"
        }
        if isHold, amounts.captured.minorUnits > amounts.authorized.minorUnits {
            return "\(amounts.captured) of \(amounts.authorized) is captured"
        }
        return nil
    }

    /// What an account has left of a hold of which it captured something, or may have; nil if it is none.
    package func restAfterCaptures(of attempt: Attempt, at account: ProviderIdentity) -> Money? {
        guard attempt.intent.isOrigin, attempt.intent.operation == .authorize, attempt.state == .approved else {
            return nil
        }
        let isOne = attempt.holders.count < 2
        let isCaptured = attempts.contains { other in
            guard other.intent.operation == .capture else { return false }
            if other.isOpen { return isOne || other.newest?.account == account }
            return other.state == .approved && (isOne || other.holders.contains(account))
        }
        guard isCaptured else { return nil }
        let amounts = totals(at: isOne ? nil : account).amounts
        return amounts.authorized.less(amounts.captured)
    }
}

extension Attempt {
    /// The accounts that executed it, or the one that may have.
    fileprivate var places: [ProviderIdentity] { isOpen ? [account] : holders }

    /// The same if the provider executes it as it was asked for.
    fileprivate var ifExecuted: Attempt {
        guard let run = newest else { return self }
        let approval = Approval(acknowledgedAmount ?? intent.amount)
        let found = Evidence.lookup(askedAt: run.begunAt, known: .max)
        var copy = self
        copy.apply(.report(.init(.verdict(.approved(approval)), found, run: run.number, entry: .max, at: run.begunAt)))
        return copy
    }

    /// The number of the payment's entry that said what is valid now.
    package var approvalEntry: Int { standingReport?.entry ?? 0 }

    /// The report that first said what is valid now: what comes after it only confirms it.
    package var standingReport: Report? { standing(among: reports) }

    /// The same of one account.
    package func standingReport(at account: ProviderIdentity) -> Report? {
        standing(among: reports.filter { runs[$0.run - 1].account == account })
    }

    private func standing(among reports: [Report]) -> Report? {
        guard let last = reports.last(where: \.isApproval) else { return nil }
        let failed = reports.last { $0.isDecline && $0.entry < last.entry && counts($0) }?.entry ?? 0
        return reports.first { $0.isApproval && $0.entry > failed } ?? last
    }
}
