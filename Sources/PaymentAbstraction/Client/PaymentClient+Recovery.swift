internal import PaymentBase

extension PaymentClient {
    /// How often the recovery in the background looks at what is open.
    public static let recoveryEvery: Duration = .seconds(60)
    /// How many attempts are taken at a time.
    private static let recoveredMax = 64

    /// Asks about what is open, again and again, until the task is cancelled. Any number of processes may do so at once:
    /// each look is taken by one of them. Never by guess and never by age.
    public func recoverInBackground() async {
        while !Task.isCancelled {
            _ = try? await services.finish()
            await recoverDue()
            let next = services.clock.now + Self.recoveryEvery.wholeMilliseconds
            do { try await services.clock.sleep(until: next) } catch { return }
        }
    }

    /// Looks at what is due now.
    private func recoverDue() async {
        while !Task.isCancelled {
            let (scope, instant) = (services.scope, services.instant)
            let due = try? await services.journal.due(scope: scope, limit: Self.recoveredMax, at: instant)
            guard let due, !due.rows.isEmpty else { return }
            for facts in due.rows { await recoverNow(AttemptRecord(facts)) }
        }
    }

    /// One look at what was left open; what can't be asked stays as it is, and harms no other.
    @discardableResult
    private func recoverNow(_ record: AttemptRecord) async -> AttemptRecord? {
        guard !isUnderWay(record.intent.attempt) else { return nil }
        guard let after = try? await recover(record.intent.attempt).record else { return nil }
        if after.state != record.state { await tell(after) }
        return after
    }

    /// After a restart: what was only begun moved nothing, what was submitted is looked up; what stays open is named.
    ///
    /// - Returns: The attempts that nobody can tell about yet, also those that can't be asked about or be read.
    @discardableResult
    public func recover() async throws(PaymentError) -> [AttemptID] {
        try await services.finish()
        var left: [AttemptID] = []
        var cursor: JournalCursor?
        repeat {
            let (scope, after) = (services.scope, cursor)
            let page = try await services.reading(nil) { journal throws(JournalFailure) in
                try await journal.page(.open, scope: scope, after: after, limit: Self.recoveredMax)
            }
            left += page.unreadable.map(\.attempt)
            for facts in page.rows where !isUnderWay(facts.intent.attempt) {
                let record = AttemptRecord(facts)
                let held = await recoverNow(record) ?? record
                if held.isUndecided { left.append(facts.intent.attempt) }
            }
            cursor = page.next
        } while cursor != nil
        return left
    }
}
