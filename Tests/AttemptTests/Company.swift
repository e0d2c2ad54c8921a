import PaymentAbstraction
import PaymentBase
import PaymentTestTill

/// The provider behind the fake driver: its ledger is what really happened to the money.
final class Company: Sendable {
    /// One movement of money.
    struct Movement: Hashable, Sendable {
        let attempt: AttemptID
        let cents: Int64
        let name: String
    }

    private struct State {
        var charges: [Movement] = []
        var refunds: [Movement] = []
        var mail: [ProviderNotice] = []
        var lookupCount = 0
        var heard: [String] = []
    }

    private let state = Locked(State())

    /// Charges a card; the name is what the provider calls it.
    func charge(_ attempt: AttemptID, _ amount: Money, as name: String? = nil) {
        let movement = Movement(attempt: attempt, cents: amount.minorUnits, name: name ?? "p-\(attempt)")
        state.withLock { $0.charges.append(movement) }
    }

    /// Gives money back.
    func giveBack(_ attempt: AttemptID, _ amount: Money, as name: String? = nil) {
        let movement = Movement(attempt: attempt, cents: amount.minorUnits, name: name ?? "r-\(attempt)")
        state.withLock { $0.refunds.append(movement) }
    }

    /// Undoes a refund, because the customer's bank has sent it back.
    func takeBack(_ attempt: AttemptID) { state.withLock { $0.refunds.removeAll { $0.attempt == attempt } } }

    /// What was charged, in order.
    var charges: [Movement] { state.withLock { $0.charges } }
    /// What was given back, in order.
    var refunds: [Movement] { state.withLock { $0.refunds } }
    /// What was charged in all, in cents.
    var charged: Int64 { charges.reduce(0) { $0 + $1.cents } }
    /// What was given back in all, in cents.
    var refunded: Int64 { refunds.reduce(0) { $0 + $1.cents } }

    /// What it was asked or shown, in words.
    var heard: [String] { state.withLock { $0.heard } }
    func hear(_ words: String) { state.withLock { $0.heard.append(words) } }

    /// How often somebody has asked what became of something.
    var lookupCount: Int { state.withLock { $0.lookupCount } }
    func countLookup() { state.withLock { $0.lookupCount += 1 } }

    /// Puts news into the next message.
    func post(_ notice: ProviderNotice) { state.withLock { $0.mail.append(notice) } }
    /// Empties the letter box.
    func takeMail() -> [ProviderNotice] {
        state.withLock { state in
            defer { state.mail = [] }
            return state.mail
        }
    }

    /// The charge of an attempt, as a lookup shows it; nil when there is none.
    func shown(_ attempt: AttemptID) -> Verdict? {
        charges.first { $0.attempt == attempt }.map { movement in
            .approved(Approval(.cents(movement.cents), references: ["payment": movement.name]))
        }
    }

    /// The refund of an attempt, as a lookup shows it; nil when there is none.
    func shownRefund(_ attempt: AttemptID) -> Verdict? {
        refunds.first { $0.attempt == attempt }.map { movement in
            .approved(Approval(.cents(movement.cents), references: ["refund": movement.name]))
        }
    }
}
