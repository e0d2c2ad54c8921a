internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentTesting

/// What one process sees of the common store: it fails, is slow or leaves open whether it has written, and a process
/// that is gone reaches it no more.
struct FaultyJournal: JournalWrapper {
    let inner: any Journal
    let process: Process
    /// This process's name, and which processes of the world are alive.
    let processes: any ProcessRegistry
    /// The store's own clock, where processes have machines of their own; nil where they share one.
    let storeClock: SimulatedMachine?
    /// Receives what went wrong, with the attempt that it went wrong with.
    let heard: @Sendable (JournalFault, AttemptID?) -> Void
    /// Receives what the process wants to write, before anything goes wrong with it.
    let writes: @Sendable (JournalEntry) -> Void
    /// Receives what was written.
    let wrote: @Sendable (JournalEntry, JournalAnswer) -> Void

    private static let gone = JournalFailure.notWritten("the process is gone")

    func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if process.isGone { throw Self.gone }
        return try await inner.preview(entry, at: stamp(instant))
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if process.passes() { throw Self.gone }
        writes(entry)
        if process.isUnwritable(entry) { throw .unwritable("the simulation can't store this content") }
        let fault = process.nextJournalFault(entry)
        if let fault { heard(fault, entry.command.attempt) }
        if fault == .unwritable { throw .unwritable("the simulation can't store this content") }
        var wait: Int64 = 0
        switch fault {
        case .notWritten: throw .notWritten("the simulation makes this write fail")
        case .lostUnknown, .away: throw .writeUnconfirmed("the simulation loses this write")
        case .slow(let milliseconds): wait = milliseconds / 2
        case .keptUnknown, .unwritable, nil: break
        }
        await pause(wait)
        if process.isGone { throw Self.gone }
        let answer = try await inner.write(entry, id, at: stamp(instant))
        wrote(entry, answer)
        await pause(wait)
        if process.passes() { throw Self.gone }
        if case .keptUnknown = fault { throw .writeUnconfirmed("the simulation keeps this write to itself") }
        return answer
    }

    private func pause(_ milliseconds: Int64) async {
        guard milliseconds > 0 else { return }
        try? await process.clock.sleep(until: process.clock.now + milliseconds)
    }

    private func stamp(_ ours: Attempt.Instant) -> Attempt.Instant {
        guard let storeClock else { return ours }
        return Attempt.Instant(wall: storeClock.now, uptime: storeClock.uptime, boot: storeClock.boot)
    }

    func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant {
        if process.isGone { throw Self.gone }
        return try await inner.time(stamp(ours))
    }

    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        if process.isGone { throw Self.gone }
        return try await inner.payment(id)
    }

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        if process.isGone { throw Self.gone }
        return try await inner.attempts(query, after: cursor, limit: limit)
    }

    func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        if process.isGone { throw Self.gone }
        try await inner.changed(attempt, after: entry)
    }

    func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        if process.isGone { throw Self.gone }
        return try await inner.takeDue(terms, at: stamp(instant))
    }

    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        if process.passes() { throw Self.gone }
        return try await inner.draw(count)
    }
}
