internal import PaymentAbstraction

/// What a caller was told about an attempt.
enum DeliveredResult: Hashable, Sendable {
    /// It moved this; perhaps it could not be written down.
    case moved(Money, isRecorded: Bool)
    /// It was refused or cancelled, finally.
    case refused
    /// Nothing moved by it.
    case nothing
    /// It was accepted and is not final.
    case pending
    /// Nobody can tell.
    case unknown(String)
    /// Another one is paid under the reference, and this call did nothing.
    case behind(AttemptID)

    init(_ result: PaymentResult) {
        switch result {
        case .approved(let payment): self = .moved(payment.approved, isRecorded: payment.isRecorded)
        case .declined, .cancelled: self = .refused
        case .pending: self = .pending
        }
    }

    /// What an error says about the attempt that was asked for; an error that names none or another one speaks of the
    /// call alone.
    init(_ error: PaymentError, about attempt: AttemptID) {
        switch (error.outcome, error.attempt) {
        case (.notExecuted, let other?) where error.code == .referenceInUse && error.state == .approved:
            self = .behind(other)
        case (.notExecuted, attempt): self = .nothing
        case (_, _): self = .unknown(error.code.rawValue)
        }
    }

    /// Its name in the table of what was visited.
    var word: String {
        switch self {
        case .moved: "moved"
        case .refused: "refused"
        case .nothing: "nothing moved"
        case .pending: "pending"
        case .unknown: "unknown"
        case .behind: "behind another"
        }
    }
}
