/// What an operation may still become after its first answer; pure.
///
/// Webhooks come late, twice and in any order. What holds in the end depends only on what the provider said and when
/// it says that it happened, never on the order in which we heard of it.
package struct OutcomeFlow: Hashable, Sendable {
    /// How it stands.
    package enum Phase: Hashable, Sendable {
        /// Nothing is known yet.
        case open
        /// It was accepted and is not final.
        case pending
        /// The money went back.
        case succeeded
        /// It came to nothing.
        case failed
    }
    /// What to do with what was heard.
    package enum Action: Hashable, Sendable {
        /// Write it down.
        case write
        /// It changes nothing.
        case ignore
        /// It can't be true beside what is written.
        case contradiction
    }

    /// Where the refund stands.
    package private(set) var phase: Phase
    /// When the provider says that this phase began, in milliseconds since 1970.
    package private(set) var since: Int64
    /// Whether a success can still fail and a failure still succeed.
    private let canTurn: Bool

    /// Starts from what is written.
    package init(_ phase: Phase, since: Int64, operation: PaymentOperation) {
        (self.phase, self.since) = (phase, since)
        canTurn = operation.canTurn
    }

    /// Hears that it was in a phase at a moment.
    ///
    /// - Parameters:
    ///   - heard: The phase.
    ///   - instant: When the provider says that it happened.
    ///   - isLate: Whether the provider itself says that it failed after it had been done, as a bank's return of a
    ///     settled sale; nothing else makes a sale turn.
    package mutating func handle(_ heard: Phase, at instant: Int64, isLate: Bool = false) -> Action {
        switch (phase, heard) {
        case (_, .open): return .ignore
        case (.open, _):
            (phase, since) = (heard, instant)
            return .write
        case (.pending, .pending):
            since = max(since, instant)
            return .write
        case (.succeeded, .pending), (.failed, .pending): return .ignore
        case (.pending, .succeeded), (.pending, .failed):
            (phase, since) = (heard, instant)
            return .write
        case (.succeeded, .succeeded), (.failed, .failed):
            if instant <= since { return .ignore }
            since = instant
            return canTurn ? .write : .ignore
        case (.succeeded, .failed): return turn(heard, instant, isNewer: instant >= since, isLegal: canTurn || isLate)
        case (.failed, .succeeded): return turn(heard, instant, isNewer: instant > since, isLegal: canTurn)
        }
    }

    private mutating func turn(_ heard: Phase, _ instant: Int64, isNewer: Bool, isLegal: Bool) -> Action {
        guard isLegal else { return .contradiction }
        guard isNewer else { return .ignore }
        (phase, since) = (heard, instant)
        return .write
    }
}

extension PaymentOperation {
    /// Whether what was done can still come to nothing, and what came to nothing still be done.
    var canTurn: Bool {
        switch self {
        case .capture, .refund, .unlinkedRefund, .void, .adjust: true
        case .sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit: false
        }
    }
}

extension OutcomeFlow.Phase {
    /// The phase of a recorded state.
    init(_ state: AttemptRecord.State) {
        switch state {
        case .begun, .submitted, .inDoubt, .notMoved: self = .open
        case .concluded(let verdict): self.init(verdict)
        }
    }

    /// The phase of a verdict.
    init(_ verdict: Verdict) {
        switch verdict {
        case .approved: self = .succeeded
        case .declined, .cancelled: self = .failed
        case .pending: self = .pending
        }
    }
}
