extension JournalAnswer {
    /// The same answer to the same entry again: with the attempts that it names as they stand now.
    func again(_ load: (AttemptKey) -> AttemptFacts?) -> JournalAnswer {
        func now(_ facts: AttemptFacts) -> AttemptFacts { load(facts.intent.key) ?? facts }
        switch self {
        case .accepted(let facts): return .accepted(now(facts))
        case .known(let facts): return .known(now(facts))
        case .conflict(let facts): return .conflict(now(facts))
        case .refused(.blocked(let records), let facts):
            return .refused(.blocked(by: records.map { AttemptRecord(now($0.facts)) }), facts.map { now($0) })
        case .refused(let refusal, let facts): return .refused(refusal, facts.map { now($0) })
        case .kept, .unknownAttempt: return self
        }
    }
}
