internal import PaymentAbstraction
internal import PaymentBase

extension AttemptRecord {
    /// Under which name the journal remembers that the provider could not tell what became of a round.
    fileprivate static let vainLook = "cannotTell"

    /// Whether it may have moved money, and the provider hasn't said that it is at it.
    var isInDoubt: Bool { isOpen && !isPending }

    /// Whether the provider was asked what became of its newest round, answered, and could not tell.
    var wasLookedUpInVain: Bool { notes[Self.vainLook] != nil }
}

extension CommandSession {
    /// What became of an attempt: a lookup if that is not known yet. Where the provider answers and can't tell, the journal
    /// remembers it once a round: then a person has to decide.
    func status(_ attempt: AttemptID) async throws(PaymentError) -> PaymentResult {
        let before = call.watch.counts
        do { return try await client.status(attempt) } catch {
            let now = call.watch.counts
            // A look that failed tells nothing about the attempt, and is made again.
            let isAnswered = now.answered > before.answered && now.unanswered == before.unanswered
            if error.code == .inDoubt, isAnswered { await rememberVainLook(attempt) }
            throw error
        }
    }

    /// Looks once more at what stays in doubt, one after the other, so that it is known of which the provider can't tell.
    func lookInto(_ records: [AttemptRecord]) async {
        for record in records where record.isInDoubt && record.facts.isEnded && !record.wasLookedUpInVain {
            _ = try? await status(record.intent.attempt)
        }
    }

    /// Without the note a person is sent to ask once more, which harms nothing: so it may fail.
    private func rememberVainLook(_ attempt: AttemptID) async {
        guard let record = try? await client.attempt(attempt), record.isInDoubt, record.facts.isEnded,
            !record.wasLookedUpInVain
        else { return }
        let note = JournalEntry.Part.note(name: AttemptRecord.vainLook, value: clock.now.time)
        let now = JournalInstant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
        let id = WriteID("look-" + TimeOrderedID.make(now: clock.now, random: SystemRandom()))
        _ = try? await journal.write(JournalEntry(record.intent.key, [note]), id, at: now)
    }
}
