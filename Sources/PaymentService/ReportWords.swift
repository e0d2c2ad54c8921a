internal import PaymentBase
internal import PaymentCore
package import PaymentModel

extension Attempt.Evidence {
    /// Why a person said so.
    package var reason: String? { if case .person(_, let reason, _) = self { reason } else { nil } }

    /// The provider's message that said so.
    fileprivate var message: String? { if case .webhook(let id, _) = self { id } else { nil } }
}

extension Attempt.Report {
    /// What was said, in a few words.
    package var words: String {
        switch what {
        case .notExecuted: return "not executed"
        case .withdrawn: return "the statement before was withdrawn"
        case .verdict(.approved(let approval)): return "approved \(approval.amount)"
        case .verdict(.declined(let decline)): return "declined: \(decline.reason) (\(decline.provider))"
        case .verdict(.cancelled(let cancellation)): return "cancelled by \(cancellation.cause.rawValue)"
        case .verdict(.pending): return "received, decided later"
        }
    }

    /// Who said what, and when.
    var json: JSON {
        [
            "at": Moment.json(at.wall), "evidence": .string(evidence.word),
            "text": .string(Masking.cardNumbers(in: words)), "message": .text(evidence.message),
        ]
    }

    /// The schema of ``json``.
    static let schema = Schema.object([
        ("at", Schema.moment), ("evidence", Schema.text), ("text", Schema.text), ("message", Schema.textOrNull),
    ])
}
