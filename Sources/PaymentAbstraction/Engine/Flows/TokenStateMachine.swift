/// When a token is used, renewed or waited for; pure.
package struct TokenStateMachine: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// Somebody wants to call the provider at a moment.
        case wanted(at: Int64)
        /// The token of the renewal under way came, or one that was kept, and stops working at a moment.
        case renewed(expires: Int64)
        /// No token came.
        case renewalFailed
        /// The provider refused the token of a generation.
        case refused(generation: Int)
        /// The token was given back.
        case signedOut
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Use the token that there is.
        case use
        /// Get a token; everybody else waits for it.
        case renew
        /// Wait for the renewal that is under way.
        case join
        /// Forget the token.
        case forget
        /// Nothing is to be done.
        case nothing
    }

    private enum Phase: Hashable { case empty, held(expires: Int64), renewing, signedOut }

    private let margin: Int64
    private var phase = Phase.empty
    /// Counts the tokens, so that a late refusal of an old one doesn't throw a new one away.
    package private(set) var generation = 0

    /// Begins without a token; one counts as lapsed a margin before it does.
    package init(margin: Int64) { self.margin = margin }

    /// Whether a renewal is under way.
    package var isRenewing: Bool { phase == .renewing }

    /// When the token stops working, if there is one.
    package var expires: Int64? {
        if case .held(let expires) = phase { return expires }
        return nil
    }

    /// Hears an event and says what to do.
    package mutating func handle(_ event: Event) -> Action {
        switch (phase, event) {
        case (.renewing, .wanted): return .join
        case (.held(let expires), .wanted(let now))
        where isFresh(expires, at: now):
            return .use
        case (.empty, .wanted), (.held, .wanted), (.signedOut, .wanted):
            phase = .renewing
            return .renew
        case (.renewing, .renewed(let expires)):
            generation += 1
            phase = .held(expires: expires)
            return .use
        case (.empty, .renewed(let expires)):
            generation += 1
            phase = .held(expires: expires)
            return .use
        case (.held, .renewed): return .nothing
        case (.renewing, .renewalFailed):
            phase = .empty
            return .nothing
        case (.empty, .renewalFailed), (.held, .renewalFailed), (.signedOut, .renewalFailed): return .nothing
        case (.held, .refused(let refused)):
            guard refused == generation else { return .nothing }
            phase = .empty
            return .forget
        case (.empty, .refused), (.renewing, .refused), (.signedOut, .refused): return .nothing
        case (.signedOut, .renewed): return .forget
        case (.held, .signedOut), (.empty, .signedOut), (.signedOut, .signedOut), (.renewing, .signedOut):
            // What a renewal or a store still brings must not be kept: the phase says so when it arrives.
            phase = .signedOut
            generation += 1
            return .forget
        }
    }

    /// Whether a token lasts a margin longer than now; one that lapses at the beginning of time has lapsed.
    private func isFresh(_ expires: Int64, at now: Int64) -> Bool {
        let (end, overflow) = expires.subtractingReportingOverflow(margin)
        return !overflow && end > now
    }
}
