/// A payment: the attempt that started it and everything that followed, in the order in which it began.
public struct PaymentRecord: Hashable, Sendable {
    /// The attempts, without those that were absorbed.
    public let attempts: [Attempt]
    /// Counts what can change money, also of what was absorbed. What a driver read before it asked is compared with it.
    package let version: Int

    /// Takes all attempts of a payment.
    package init(_ all: [Attempt]) {
        let isLeftOut: (Attempt) -> Bool = { $0.absorbedBy != nil && !$0.intent.isOrigin }
        attempts = all.contains(where: isLeftOut) ? all.filter { !isLeftOut($0) } : all
        version = all.reduce(0) { $0 + $1.version }
    }

    /// The attempt that started the payment.
    public var origin: Attempt? { attempts.first(where: \.intent.isOrigin) }

    private var first: Attempt? { origin ?? attempts.first }
    /// The payment's id.
    public var id: PaymentID { first?.intent.paymentID ?? PaymentID(AttemptID.none) }
    /// The operation that started it.
    public var operation: PaymentOperation { first?.intent.operation ?? .sale }
    /// The state of the attempt that started it.
    public var state: Attempt.State { first?.state ?? .inDoubt }
    /// What was asked for.
    public var requested: Money { first?.intent.amount ?? .zero(.eur) }
    /// The application's reference; empty if it has none.
    public var reference: String { first?.intent.reference ?? "" }
    /// The account that took it, or was asked last.
    public var provider: ProviderIdentity { first?.account ?? .none }
    /// The card, as far as it may be shown.
    public var card: CardSummary? { first?.approval?.card }
    /// What kind of source it came from.
    public var source: PaymentSource.Kind? { first?.intent.source }
    /// When it began, in milliseconds since 1970.
    public var createdAt: Int64 { first?.runs.first?.begunAt.wall ?? 0 }

    /// What is not decided: running, in doubt, or pending, and an approval of which another run is in doubt, or of which a part
    /// may go back.
    public var openAttempts: [Attempt] { attempts.filter(\.isUndecided) }
    /// Attempts of which two final reports can't both be true.
    public var conflictingAttempts: [Attempt] { attempts.filter(\.isContradicted) }

    /// All amounts of the payment.
    public var amounts: PaymentAmounts { totals().shown }

    /// The sums of the payment in its currency; of one account only, if it is named.
    package func totals(at account: ProviderIdentity? = nil) -> PaymentTotals {
        PaymentTotals(attempts, currency: requested.currency, at: account)
    }
}

extension PaymentRecord {
    /// The accounts that have money of the payment: those of its origin, else those of its captures.
    package var holders: [ProviderIdentity] {
        let first = origin?.holders ?? []
        if !first.isEmpty { return first }
        let captures = attempts.filter { $0.intent.operation == .capture }
        return captures.flatMap(\.holders).reduce(into: []) { found, account in
            // A message of the capture may have come to another name of the account.
            let own = origin?.named(account) ?? account
            if !found.contains(own) { found.append(own) }
        }
    }

    /// The one of these accounts that a caller names: as an error names it, by the provider, or by the merchant. The first of
    /// these ways that fits one account alone counts.
    package func holder(named name: String) -> ProviderIdentity? {
        let ways: [(ProviderIdentity) -> String] = [\.description, \.id.rawValue, \.merchant]
        for way in ways {
            let named = holders.filter { way($0) == name }
            if named.count == 1 { return named.first }
        }
        return nil
    }
}

extension Attempt {
    /// Whether nothing real happened, as was asked for. A dry run that moved money is no rehearsal.
    public var isDryRun: Bool { intent.isDryRun && reports.allSatisfy { $0.approval?.isDryRun ?? true } }

    /// What belongs on paper: of the approval that is valid, else of any before it, else of what is pending.
    package var receipt: Receipt? {
        approval?.receipt ?? reports.lazy.compactMap { $0.approval?.receipt }.first
            ?? reports.lazy.filter(\.isPending).compactMap { $0.verdict?.receipt }.first
    }
}

// MARK: - What a person has to look at

extension Attempt {
    /// How much more was executed than was asked for; nil if nothing was, if the provider explains it, or if a person has
    /// acknowledged just this amount.
    package var excess: Money? {
        // A void of what is left may be answered with the whole.
        guard !isByProvider, intent.operation != .void, state == .approved, !intent.amount.isZero, let moved,
            moved.currency == intent.amount.currency, reports.allSatisfy({ $0.approval?.isPartial != true })
        else { return nil }
        if case .person? = evidence { return nil }
        if acknowledged.contains(.amount(moved)) { return nil }
        let more = moved.less(intent.amount)
        return more.isZero ? nil : more
    }

    /// Whether it is a chargeback that no person has acknowledged.
    package var isUnseenChargeback: Bool {
        intent.operation == .chargeback && state == .approved && !acknowledged.contains(.chargeback)
    }

    /// Whether it gives money to the customer.
    package var givesMoney: Bool { intent.operation.movementKind == .refunds }
}

extension PaymentRecord {
    /// Whether what an attempt executed too much is there still: not refunded, voided, or let go with the rest of a hold.
    package func keepsExcess(of attempt: Attempt) -> Bool {
        guard let excess = attempt.excess else { return false }
        // What was refunded too much stays refunded.
        if attempt.givesMoney { return true }
        let amounts = amounts
        guard !amounts.isVoided, amounts.refunded.minorUnits < excess.minorUnits else { return false }
        return attempt.intent.operation != .authorize || !amounts.capturable.isZero
            || amounts.captured.minorUnits > attempt.intent.amount.minorUnits
    }
}

extension Int64 {
    /// The sum, which stays at the end of the range where it can't be held.
    package func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
