internal import PaymentBase

extension PaymentClient {
    /// How often the recovery in the background looks at what is open.
    public static let recoveryInterval: Duration = .seconds(60)
    /// How many attempts are taken at a time.
    private static let recoveredMax = 64

    /// Asks about what is open, again and again, until the task is cancelled. Any number of processes may do so at once: each
    /// look is taken by one of them. It never guesses and never decides by age.
    public func runRecovery() async {
        while !Task.isCancelled {
            _ = try? await services.finish()
            await recoverDue()
            let next = services.clock.now + Self.recoveryInterval.wholeMilliseconds
            do { try await services.clock.sleep(until: next) } catch { return }
        }
    }

    /// Looks at what is due now.
    private func recoverDue() async {
        let terms = DueTerms(
            limit: Self.recoveredMax, scope: services.scope, accounts: Set(providers.values.map(\.identity)))
        while !Task.isCancelled {
            let due = try? await services.journal.takeDue(terms, at: services.instant)
            guard let due, !due.attempts.isEmpty else { return }
            for attempt in due.attempts { await recoverNow(attempt, isOwed: attempt.isDecided) }
        }
    }

    /// One look at what was left open; what can't be asked stays as it is, and holds up no other.
    @discardableResult
    private func recoverNow(_ held: Attempt, isOwed: Bool = false) async -> Attempt? {
        let id = held.intent.attempt
        guard !isUnderWay(id), let after = try? await recover(id, isOwed: isOwed).attempt else { return nil }
        if after.state != held.state { tell(after) }
        return after
    }

    /// Looks at everything that is open, as after a restart.
    ///
    /// - Returns: The attempts of which it is still not known what became of them, also those that can't be asked about or read.
    @discardableResult
    public func recover() async throws(PaymentError) -> [AttemptID] {
        try await services.finish()
        var left: [AttemptID] = []
        var cursor: JournalCursor?
        repeat {
            let (scope, after) = (services.scope, cursor)
            let page = try await services.reading(nil) { journal throws(JournalFailure) in
                try await journal.attempts(.open(scope: scope), after: after, limit: Self.recoveredMax)
            }
            left += page.unreadable.map(\.attempt)
            for attempt in page.attempts where !isUnderWay(attempt.intent.attempt) {
                let held = await recoverNow(attempt) ?? attempt
                if held.isOpen { left.append(attempt.intent.attempt) }
            }
            cursor = page.next
        } while cursor != nil
        return left
    }
}
