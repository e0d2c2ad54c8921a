internal import PaymentAbstraction

extension FirstAttempt {
    /// For how long bytes of a request can leave after it was begun, where nobody had set a limit: as long as the system
    /// repeats them, in milliseconds.
    private static let leavesMilliseconds: Int64 = 16 * 60_000

    /// What is known of it as facts; the quiet time of what is in doubt begins anew with the moment of the migration.
    func facts(names: [String], at now: JournalInstant) -> [JournalFact] {
        var facts: [JournalFact] = [.intent(intent), FactCodec.round(round, provider, owner: owner, at: then(begunAt))]
        facts += notes.sorted { $0.key < $1.key }.map { FactCodec.note(round: round, $0.key, $0.value) }
        let said = then(eventAt ?? submittedAt ?? begunAt)
        switch state {
        case .begun: facts.append(FactCodec.end(round, by: .takeOver, at: now))
        case .submitted, .inDoubt:
            facts += [sent(at: submittedAt ?? begunAt), FactCodec.close(1, .lost, at: now)]
            facts.append(FactCodec.end(round, by: .takeOver, at: now))
        case .notMoved:
            if let submittedAt { facts += [sent(at: submittedAt), FactCodec.close(1, .lost, at: said)] }
            facts.append(FactCodec.end(round, by: .owner, at: said))
            facts.append(.word(word(.neverArrived, said)))
        case .concluded(let verdict):
            let isImported = evidence == .imported
            if let submittedAt, !isImported {
                facts += [sent(at: submittedAt), FactCodec.close(1, .answered, at: said)]
            }
            facts.append(FactCodec.end(round, by: isImported ? .imported : .owner, at: said))
            facts.append(.word(word(.verdict(verdict), said)))
        }
        let send = hasSent ? 1 : nil
        facts += names.sorted().map { FactCodec.name($0, of: provider, send: send) }
        // Whoever was to hear of it has had the time since.
        if AttemptFacts(facts)?.hasMoved == true { facts.append(.told(at: now)) }
        return facts
    }

    private var hasSent: Bool {
        switch state {
        case .begun: false
        case .submitted, .inDoubt: true
        case .notMoved: submittedAt != nil
        case .concluded: submittedAt != nil && evidence != .imported
        }
    }

    /// Only the wall's time of it is known.
    private func then(_ wall: Int64) -> JournalInstant { JournalInstant(wall: wall, uptime: 0) }

    private func sent(at instant: Int64) -> JournalFact {
        FactCodec.send(round: round, number: 1, leavesWithin: Self.leavesMilliseconds, at: then(instant))
    }

    private func word(_ content: AttemptFacts.Word.Content, _ said: JournalInstant) -> AttemptFacts.Word {
        var word = AttemptFacts.Word(evidence ?? .lookup, content, at: said)
        (word.round, word.send) = (round, hasSent ? 1 : nil)
        // Of a webhook it was the provider's own time; of everything else it was ours.
        if evidence == .webhook { word.providerTime = eventAt }
        if evidence == .lookup { word.askedAt = said }
        return word
    }

    /// Whether facts say the same of it as the first edition did.
    func isSame(as facts: AttemptFacts) -> Bool {
        let record = AttemptRecord(facts)
        let isSameState =
            switch state {
            case .begun, .notMoved: record.state == .notMoved
            case .submitted, .inDoubt: record.state == .inDoubt
            case .concluded(let verdict): record.state == .concluded(verdict)
            }
        return isSameState && record.intent == intent && record.provider == provider && record.notes == notes
            && facts.isTold == facts.hasMoved
    }
}
