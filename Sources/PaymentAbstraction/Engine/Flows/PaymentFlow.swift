/// Where a payment stands after everything that was asked of it, and what may be asked next; pure.
///
/// It is built anew from the attempts, so that no sum is ever stored beside what it sums.
package struct PaymentFlow: Hashable, Sendable {
    /// How one operation stands.
    package enum Standing: Hashable, Sendable {
        /// It is under way.
        case inFlight
        /// Nobody knows what became of it.
        case inDoubt
        /// It was accepted and is not final.
        case pending
        /// It was done, with this amount.
        case approved(Money)
        /// It moved nothing.
        case nothing

        init(_ record: AttemptRecord) {
            switch record.state {
            case .begun, .submitted: self = .inFlight
            case .inDoubt: self = .inDoubt
            case .notMoved: self = .nothing
            case .concluded(.approved(let approval)): self = approval.isDryRun ? .nothing : .approved(approval.amount)
            case .concluded(.pending): self = .pending
            case .concluded(.declined), .concluded(.cancelled): self = .nothing
            }
        }
    }

    /// Whether an operation may begin.
    package enum Permission: Hashable, Sendable {
        /// It may go on.
        case granted
        /// The state does not allow it, in words.
        case notAllowed(String)
        /// More than what is left.
        case exceeds(Money)
        /// Something else on the payment has to end first.
        case busy
    }

    /// The sums.
    package private(set) var amounts: PaymentAmounts
    private let captures: CaptureRule
    private var origin: PaymentOperation?
    private var isApproved = false
    private var captureCount = 0
    private var openCount = 0
    /// Operations under way, in doubt or pending that act on the payment as a whole.
    private var wholeCount = 0
    private var doubtCount = 0
    private var hasReturned = false
    /// Whether something was approved without the issuer and is still to be forwarded.
    private var isOffline = false
    /// The tip that is a part of what was charged.
    package private(set) var tip: Money?

    /// Starts with nothing.
    package init(_ currency: Currency, captures: CaptureRule) {
        amounts = PaymentAmounts(currency)
        self.captures = captures
    }

    /// Adds up a payment's attempts around their origin; nil when it is not among them.
    package init?(_ family: [AttemptRecord], captures: CaptureRule) {
        guard let origin = family.first(where: \.intent.isOrigin) else { return nil }
        self.init(origin, captures: captures)
        isOffline = family.contains { $0.approval?.isOffline == true }
        let rest = family.filter { $0.intent.attempt != origin.intent.attempt }
        // Of two new totals the one that was said later holds, whichever was begun first.
        let totals = rest.filter { !$0.intent.operation.addsUp }.sorted { $0.isSaidBefore($1) }
        for record in rest.filter(\.intent.operation.addsUp) + totals {
            let isAfterCapture = Self.hasCapture(before: record, in: rest)
            add(record.intent.operation, record.intent.amount, Standing(record), afterCapture: isAfterCapture)
        }
    }

    /// Whether a capture was approved before an attempt; of one moment, what was begun first comes first.
    private static func hasCapture(before record: AttemptRecord, in family: [AttemptRecord]) -> Bool {
        var isEarlier = true
        for other in family {
            if other.intent.attempt == record.intent.attempt { isEarlier = false }
            guard other.intent.operation == .capture, case .approved = Standing(other) else { continue }
            if other.isSaidBefore(record) || isEarlier && !record.isSaidBefore(other) { return true }
        }
        return false
    }

    /// Begins with the attempt that a payment came from.
    init(_ origin: AttemptRecord, captures: CaptureRule) {
        self.init(origin.intent.amount.currency, captures: captures)
        tip = origin.intent.tip
        add(origin.intent.operation, origin.intent.amount, Standing(origin))
    }

    /// Adds one operation as it stands; a tip that is changed after a capture is charged, and not held.
    package mutating func add(
        _ operation: PaymentOperation, _ asked: Money, _ standing: Standing, afterCapture isAfterCapture: Bool = false
    ) {
        switch standing {
        case .nothing: break
        case .inFlight:
            openCount += 1
            if operation.actsOnWhole { wholeCount += 1 }
            if operation.takesFromPayment { amounts.inFlight.increase(by: asked) }
        case .inDoubt:
            openCount += 1
            doubtCount += 1
            if operation.takesFromPayment || operation.isOrigin { amounts.inDoubt.increase(by: asked) }
        case .pending: addPending(operation, asked)
        case .approved(let approved): addApproved(operation, approved, afterCapture: isAfterCapture)
        }
        if operation.isOrigin, origin == nil { origin = operation }
        if operation == .capture, standing != .nothing { captureCount += 1 }
        if operation == .refund || operation == .unlinkedRefund, standing != .nothing { hasReturned = true }
    }

    private mutating func addPending(_ operation: PaymentOperation, _ asked: Money) {
        switch operation {
        case .capture: amounts.capturePending.increase(by: asked)
        case .refund, .unlinkedRefund: amounts.refundPending.increase(by: asked)
        case .adjust, .void, .tipAdjustment:
            openCount += 1
            wholeCount += 1
        case .sale, .debit, .authorize, .verify, .tokenize: openCount += 1
        }
    }

    private mutating func addApproved(
        _ operation: PaymentOperation, _ approved: Money, afterCapture isAfterCapture: Bool
    ) {
        switch operation {
        case .sale, .debit:
            amounts.authorized.increase(by: approved)
            amounts.captured.increase(by: approved)
        case .authorize: amounts.authorized.increase(by: approved)
        case .adjust: amounts.authorized = approved
        case .capture: amounts.captured.increase(by: approved)
        case .refund, .unlinkedRefund: amounts.refunded.increase(by: approved)
        case .void: amounts.isVoided = true
        case .tipAdjustment:
            let more = Money(minorUnits: approved.minorUnits - (tip?.minorUnits ?? 0), approved.currency)
            if origin != .authorize || isAfterCapture { amounts.captured.increase(by: more) }
            amounts.authorized.increase(by: more)
            tip = approved
        case .verify, .tokenize: break
        }
        if captures == .oneReleasesTheRest, amounts.captured.minorUnits > 0 {
            amounts.released = Money(
                minorUnits: max(0, amounts.authorized.minorUnits - amounts.captured.minorUnits),
                amounts.authorized.currency)
        }
        if operation.isOrigin, origin == nil { isApproved = true }
    }

    /// Whether an operation on the payment may begin now.
    package func permission(for operation: PaymentOperation, _ amount: Money) -> Permission {
        guard let origin, isApproved else { return .notAllowed("the payment was not approved") }
        if amounts.isVoided { return .notAllowed("the payment was voided") }
        if amount.currency != amounts.captured.currency {
            return .notAllowed("the payment is in \(amounts.captured.currency.code)")
        }
        if doubtCount > 0 || wholeCount > 0 { return .busy }
        if isOffline, operation != .void {
            return .notAllowed("it was approved offline and is not forwarded yet; until then it can only be voided")
        }
        switch operation {
        case .capture: return capturePermission(origin, amount)
        case .refund, .unlinkedRefund:
            if amounts.captured.minorUnits == 0, amounts.inFlight.minorUnits == 0 {
                return .notAllowed(nothingCharged)
            }
            if amount.minorUnits <= 0 {
                let isAll = amounts.refundable.minorUnits <= 0
                return .notAllowed(isAll ? "nothing is left to give back" : "a refund is more than nothing")
            }
            let left = amounts.refundable
            return amount.minorUnits <= left.minorUnits ? .granted : .exceeds(left)
        case .void:
            if hasReturned { return .notAllowed("a part was given back already; refund the rest") }
            if !amounts.capturePending.isZero { return .busy }
            return openCount > 0 ? .busy : .granted
        case .adjust:
            if origin != .authorize { return .notAllowed("only an authorisation can be adjusted") }
            if amount.minorUnits <= 0 { return .notAllowed("what is held is more than nothing; void it instead") }
            if captureCount > 0 { return .notAllowed("a part was charged already") }
            return openCount > 0 ? .busy : .granted
        case .tipAdjustment:
            if amount.isNegative { return .notAllowed("a tip is not less than nothing") }
            if amount.minorUnits < tip?.minorUnits ?? 0, hasReturned {
                return .notAllowed("something was given back already, which a lower tip might not cover")
            }
            return openCount > 0 ? .busy : .granted
        case .sale, .authorize, .verify, .tokenize, .debit: return .notAllowed("it starts a payment of its own")
        }
    }

    private var nothingCharged: String {
        amounts.capturePending.isZero
            ? "nothing was charged yet, so that nothing can be given back; void it instead"
            : "a capture is not decided yet, so that nothing can be given back; ask for its status first"
    }

    private func capturePermission(_ origin: PaymentOperation, _ amount: Money) -> Permission {
        if origin != .authorize { return .notAllowed("only an authorisation can be captured") }
        if amount.minorUnits <= 0 {
            let isAll = amounts.capturable.minorUnits <= 0
            return .notAllowed(isAll ? "nothing is left to capture" : "a capture is more than nothing")
        }
        if captures == .oneReleasesTheRest, captureCount > 0 {
            return .notAllowed("one capture releases the rest at this provider, and there was one")
        }
        if hasReturned { return .notAllowed("a part was given back already") }
        let left = amounts.capturable
        return amount.minorUnits <= left.minorUnits ? .granted : .exceeds(left)
    }
}

extension AttemptRecord {
    /// Whether its word was said before another one's: by the provider's own times where both have one.
    fileprivate func isSaidBefore(_ other: AttemptRecord) -> Bool {
        guard let mine = facts.holdingWord, let theirs = other.facts.holdingWord else { return false }
        if let one = mine.providerTime, let two = theirs.providerTime, one != two { return one < two }
        return mine.at.isBefore(theirs.at)
    }
}

extension PaymentOperation {
    /// Whether nothing else may happen to the payment while it is under way.
    var actsOnWhole: Bool {
        switch self {
        case .void, .adjust, .tipAdjustment: true
        case .sale, .authorize, .capture, .refund, .unlinkedRefund, .verify, .tokenize, .debit: false
        }
    }

    /// Whether its amount is taken from what is left of a payment.
    var takesFromPayment: Bool {
        switch self {
        case .capture, .refund, .unlinkedRefund: true
        case .sale, .authorize, .adjust, .void, .tipAdjustment, .verify, .tokenize, .debit: false
        }
    }
}

extension Money {
    /// Adds without ever wrapping: a sum that can't be held stays at the top, where every check refuses.
    mutating func increase(by other: Money) {
        let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
        self = Money(minorUnits: overflow ? .max : sum, currency)
    }
}

extension PaymentFlow {
    /// Whether more of a payment was given back than it took, itself or by captures; what was given without one took nothing.
    package static func isOverRefunded(_ family: [AttemptFacts]) -> Bool {
        guard let origin = family.first(where: \.intent.isOrigin), origin.intent.operation != .unlinkedRefund,
            let flow = PaymentFlow(family.map(AttemptRecord.init), captures: .several)
        else { return false }
        return flow.amounts.refunded.minorUnits > flow.amounts.captured.minorUnits
    }
}
