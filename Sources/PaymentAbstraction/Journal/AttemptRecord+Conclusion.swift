extension AttemptRecord {
    /// What a conclusion makes of this record; nil when it changes nothing. Pure, and called inside a transaction.
    ///
    /// A conclusion of an earlier round is void. What is proven not to have moved stays so for this round, unless the
    /// provider itself sends word that it did: money that moved is never left out of the books.
    public func concluded(by conclusion: Conclusion, round: Int) -> AttemptRecord? {
        guard round == self.round else { return nil }
        switch conclusion.state {
        case .begun, .submitted: return nil
        case .inDoubt, .notMoved: return isOpen && state != conclusion.state ? applying(conclusion) : nil
        case .concluded(let verdict):
            // A person's word gives way to nothing but a person's word; a machine's later word is a contradiction.
            if evidence == .person, conclusion.evidence != .person, !isOpen { return nil }
            let isNews = conclusion.evidence == .webhook && OutcomeFlow.Phase(verdict) != .failed
            if state == .notMoved, !isNews { return nil }
            if isAboutAnother(verdict) {
                // Of two executions the one that moved money counts, whichever we hear of first.
                let counts = OutcomeFlow.Phase(state) == .failed && OutcomeFlow.Phase(verdict) == .succeeded
                return counts ? applying(conclusion) : nil
            }
            var flow = OutcomeFlow(.init(state), since: since(against: conclusion), operation: intent.operation)
            switch flow.handle(.init(verdict), at: conclusion.eventAt, isLate: verdict.isLateFailure) {
            case .write: return applying(conclusion, eventAt: flow.since)
            case .ignore, .contradiction: return nil
            }
        }
    }

    /// When the present state began, to be compared with what a conclusion says.
    ///
    /// A reply is written with our clock, a webhook with the provider's. What a webhook says of an operation came after
    /// the reply to it, whatever the two clocks show.
    private func since(against conclusion: Conclusion) -> Int64 {
        let since = eventAt ?? begunAt
        return evidence == .reply && conclusion.evidence == .webhook ? min(since, conclusion.eventAt - 1) : since
    }

    /// Whether a verdict can't be true beside what is written.
    func isContradicted(by verdict: Verdict, at instant: Int64) -> Bool {
        let (holds, heard) = (OutcomeFlow.Phase(state), OutcomeFlow.Phase(verdict))
        // What was proven not to have moved can't have been done, and a person's word gives way to no machine's.
        if state == .notMoved { return heard == .succeeded || heard == .pending }
        if evidence == .person, !isOpen, holds != heard, heard != .pending { return true }
        if isAboutAnother(verdict) { return holds == .succeeded && heard == .succeeded }
        var flow = OutcomeFlow(holds, since: eventAt ?? begunAt, operation: intent.operation)
        return flow.handle(heard, at: instant, isLate: verdict.isLateFailure) == .contradiction
    }

    /// Whether a verdict is about another execution of what is decided: the provider has given each a name of its own.
    /// A request that came twice on its way may be carried out once and refused once.
    private func isAboutAnother(_ verdict: Verdict) -> Bool {
        guard intent.operation.canTurn, let held = self.verdict, held.isFinal, verdict.isFinal,
            !held.isLateFailure, !verdict.isLateFailure
        else { return false }
        return verdict.references.contains { name, value in held.references[name].map { $0 != value } ?? false }
    }

    private func applying(_ conclusion: Conclusion, eventAt: Int64? = nil) -> AttemptRecord {
        var copy = self
        copy.state = conclusion.state
        copy.evidence = conclusion.evidence
        copy.eventAt = eventAt ?? conclusion.eventAt
        copy.claim = conclusion.claim ?? claim
        copy.notes.merge(conclusion.notes) { _, new in new }
        return copy
    }

    /// What a mark makes of this record.
    ///
    /// - Throws: ``JournalFailure/lostRound`` when this round or state does not allow it.
    public func marked(_ mark: Mark, round: Int) throws(JournalFailure) -> AttemptRecord {
        guard round == self.round else { throw .lostRound }
        var copy = self
        switch mark {
        case .submitted(let instant):
            guard state == .begun else { throw .lostRound }
            (copy.state, copy.submittedAt) = (.submitted, instant)
        case .note(let name, let value):
            guard isOpen else { throw .lostRound }
            copy.notes[name] = value
        }
        return copy
    }

    /// The references and the claim by which this attempt may be found.
    public var handles: Set<String> {
        var values = Set((verdict?.references ?? [:]).values)
        if let claim { values.insert(claim) }
        values.formUnion(notes.values)
        return values
    }
}

extension Verdict {
    /// Whether it says that something failed after it had been done.
    var isLateFailure: Bool {
        if case .declined(let decline) = self { return decline.reason == .failedLater }
        return false
    }
}
