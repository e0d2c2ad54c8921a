extension FactCodec {
    /// Stands for an attempt that was forgotten and whose names stay taken: it is never open, moved nothing, and bears
    /// witness to nothing.
    public static func forgotten(_ key: AttemptKey, at provider: ProviderIdentity) -> AttemptFacts {
        var intent = AttemptIntent(key.attempt, .verify, .zero(.eur), reference: "")
        intent.scope = key.scope
        let never = JournalInstant(wall: .max, uptime: 0)
        var facts = AttemptFacts(
            intent, AttemptFacts.Round(number: 1, provider: provider, owner: "", begunAt: never))
        facts.append(.end(AttemptFacts.End(round: 1, by: .person, at: never)))
        return facts
    }

    /// A beginning that no rule was asked about: of what comes from elsewhere.
    package static func round(
        _ number: Int, _ provider: ProviderIdentity, owner: String, at instant: JournalInstant
    ) -> JournalFact {
        .round(AttemptFacts.Round(number: number, provider: provider, owner: owner, begunAt: instant))
    }

    /// The end of a round that no rule was asked about.
    package static func end(
        _ round: Int, by cause: AttemptFacts.End.Cause, at instant: JournalInstant
    ) -> JournalFact { .end(AttemptFacts.End(round: round, by: cause, at: instant)) }

    /// A send that no rule was asked about.
    package static func send(
        round: Int, number: Int, leavesWithin: Int64?, at instant: JournalInstant
    ) -> JournalFact {
        .send(
            AttemptFacts.Send(
                round: round, number: number, key: nil, leavesWithin: leavesWithin, openedAt: instant))
    }

    /// How such a send ended.
    package static func close(
        _ send: Int, _ proof: AttemptFacts.Close.Proof, at instant: JournalInstant
    ) -> JournalFact { .close(AttemptFacts.Close(send: send, proof: proof, at: instant)) }

    /// What the provider calls such an attempt.
    package static func name(_ value: String, of provider: ProviderIdentity, send: Int?) -> JournalFact {
        .name(AttemptFacts.Name(provider: provider, value: value, send: send))
    }

    /// What was remembered of such an attempt.
    package static func note(round: Int, _ name: String, _ value: String) -> JournalFact {
        .note(AttemptFacts.Note(round: round, name: name, value: value))
    }
}
