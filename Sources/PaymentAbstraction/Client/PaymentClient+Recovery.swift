internal import PaymentBase

extension PaymentClient {
    /// How often the recovery in the background looks at what is open.
    public static let recoveryEvery: Duration = .seconds(60)

    /// Asks about what is open, again and again, until the task is cancelled: after five minutes, an hour, a day, and
    /// then daily. Never by guess and never by age; only one process of those that share a journal does it.
    public func recoverInBackground() async {
        var schedule = RecoverySchedule()
        while !Task.isCancelled {
            await recoverDue(&schedule)
            let next = services.clock.now + Self.recoveryEvery.wholeMilliseconds
            do { try await services.clock.sleep(until: next) } catch { return }
        }
    }

    private func recoverDue(_ schedule: inout RecoverySchedule) async {
        guard services.settlementLock?.acquire() ?? true else { return }
        defer { services.settlementLock?.release() }
        guard let open = try? await services.journal.records(.open) else { return }
        schedule.keep(only: Set(open.map(\.intent.attempt)))
        for record in open where schedule.due(record) <= services.clock.now && !isUnderWay(record.intent.attempt) {
            // Read anew inside: somebody may have decided it meanwhile.
            guard let after = try? await recover(record.intent.attempt) else { continue }
            schedule.tried(record.intent.attempt, at: services.clock.now)
            if after.state != record.state { await tell(after) }
        }
    }
}
