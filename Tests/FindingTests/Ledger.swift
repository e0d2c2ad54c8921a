import PaymentBase
import PaymentDriverKit
import PaymentTestTill

/// The provider's own ledger: what really happened to the money.
final class Ledger: Sendable {
    /// One movement of money.
    struct Movement: Hashable, Sendable {
        let attempt: AttemptID
        let cents: Int64
        let name: String
    }

    private struct State {
        var charges: [Movement] = []
        var refunds: [Movement] = []
        var notices: [ProviderNotice] = []
    }

    private let state = Locked(State())

    /// Charges a card under a name of the provider's.
    func charge(_ attempt: AttemptID, _ amount: Money, as name: String? = nil) {
        let movement = Movement(attempt: attempt, cents: amount.minorUnits, name: name ?? "p-\(attempt)")
        state.withLock { $0.charges.append(movement) }
    }

    /// Gives money back under a name of the provider's.
    func refund(_ attempt: AttemptID, _ amount: Money, as name: String? = nil) {
        let movement = Movement(attempt: attempt, cents: amount.minorUnits, name: name ?? "r-\(attempt)")
        state.withLock { $0.refunds.append(movement) }
    }

    /// What was charged, in order.
    var charges: [Movement] { state.withLock { $0.charges } }
    /// What was refunded, in order.
    var refunds: [Movement] { state.withLock { $0.refunds } }
    /// What was charged in all, in cents.
    var chargedCents: Int64 { charges.reduce(0) { $0 + $1.cents } }
    /// What was refunded in all, in cents.
    var refundedCents: Int64 { refunds.reduce(0) { $0 + $1.cents } }

    /// What was charged for one attempt.
    func charges(of attempt: AttemptID) -> [Movement] { charges.filter { $0.attempt == attempt } }

    /// Puts a notice into the next webhook.
    func post(_ notice: ProviderNotice) { state.withLock { $0.notices.append(notice) } }

    /// Takes the notices of the next webhook.
    func takeNotices() -> [ProviderNotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// The charge of an attempt, as a lookup shows it; nil when there is none.
    func shown(_ attempt: AttemptID) -> Verdict? {
        charges(of: attempt).first.map { movement in
            .approved(Approval(.cents(movement.cents), references: ["payment": movement.name]))
        }
    }
}
