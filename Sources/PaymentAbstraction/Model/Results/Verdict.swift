/// What the provider said, as the adapter read it; the client checks it and makes the application's result of it.
///
/// Its parts are large and are handed on often: each lies in a box of its own, so that a copy is one count.
public indirect enum Verdict: Hashable, Sendable {
    /// It was done.
    case approved(Approval)
    /// It was refused, finally.
    case declined(Decline)
    /// It was ended before it was decided.
    case cancelled(Cancellation)
    /// It was accepted and is not final.
    case pending(Pending)

    /// What the provider calls it.
    public var references: PaymentReferences {
        switch self {
        case .approved(let approval): approval.references
        case .declined(let decline): decline.references
        case .cancelled(let cancellation): cancellation.references
        case .pending(let pending): pending.references
        }
    }

    /// Whether nothing but a later failure can change it.
    public var isFinal: Bool {
        switch self {
        case .approved, .declined, .cancelled: true
        case .pending: false
        }
    }

    /// The same without what a journal must not hold.
    var recordable: Verdict {
        switch self {
        case .approved(let approval): .approved(approval.recordable)
        case .declined(let decline): .declined(decline.recordable)
        case .cancelled(let cancellation): .cancelled(cancellation.recordable)
        case .pending(let pending): .pending(pending.recordable)
        }
    }
}
