extension EntryWork {
    /// Writes down what was said, if it counts; gives the reason when it doesn't.
    mutating func hear(_ given: AttemptFacts.Word) -> JournalRefusal? {
        guard let held = facts else { return .noProof("there is no such attempt") }
        var word = given
        // What was said once is not said otherwise by a copy of the message.
        if let first = held.words.first(where: { $0.isSameMessage(as: given) }) { word = first.repeated(by: given) }
        if word.round == nil, let send = word.send { word.round = held.sends.first { $0.number == send }?.round }
        if held.hasHeard(word) { return nil }
        switch word.content {
        case .withdrawn:
            guard word.source == .person, held.hasMoved, held.movedWords.allSatisfy({ $0.source == .person }) else {
                return .noProof("only a person's own word can be taken back")
            }
            append(.word(word))
            return nil
        case .neverArrived: return .noProof("that it never arrived is a question's answer")
        case .verdict(.approved): return hearApproval(word, held)
        case .verdict(.pending):
            // An answer is kept whatever is known; a question that shows what is known already is none.
            guard held.isOpen || word.source != .lookup else { return .noProof("it is decided") }
            append(.word(word))
            return nil
        case .verdict(.declined), .verdict(.cancelled): return hearRefusal(word, held)
        }
    }

    private mutating func hearApproval(_ word: AttemptFacts.Word, _ held: AttemptFacts) -> JournalRefusal? {
        if word.source == .person, !held.isEnded || !held.isOpen {
            return .noProof("a person decides only what is over and not decided")
        }
        if word.source == .person, let other = stranger(of: word.approval, held) {
            return .noProof("the provider calls another payment of ours so: \(other)")
        }
        if let approval = word.approval, word.source != .person, !held.explains(approval) {
            switch approval.amount.standing(beside: held.intent.amount) {
            case .same: break
            // What says itself that it is a part, or why, is believed.
            case .unbelievable where !(approval.isPartial && approval.amount.isPart(of: held.intent.amount)):
                raise(.otherAmount)
                return .noProof("the answer is over \(approval.amount), asked was \(held.intent.amount)")
            case .other, .unbelievable: if !approval.isPartial { raise(.otherAmount) }
            }
        }
        if held.isContradicted(by: word) { contradict() }
        append(.word(word))
        return nil
    }

    /// The payment that is called already by a name that a person gives to this one: money counts once.
    private func stranger(of approval: Approval?, _ held: AttemptFacts) -> AttemptID? {
        let holders = (approval?.references.values).map(Array.init)?.flatMap { slice.holders[$0] ?? [] } ?? []
        return holders.first { $0.intent.origin != held.intent.origin }?.intent.attempt
    }

    private mutating func hearRefusal(_ given: AttemptFacts.Word, _ held: AttemptFacts) -> JournalRefusal? {
        var word = given
        if held.hasMoved {
            if held.isContradicted(by: word) {
                // Of something that failed later it is known now that it was done, too.
                if word.verdict?.isLateFailure == true { contradict() } else { raise(.contradiction) }
            }
            // Beside what moved it changes nothing, and is kept to be seen.
            append(.word(word))
            return nil
        }
        switch word.source {
        case .reply, .imported: break
        case .lookup, .person: return .noProof("a refusal that was found is a question's answer")
        case .webhook:
            // It concludes only what it names; else it is a reason to ask.
            guard let last = held.sends.last, last.round == held.newest.number else {
                return .noProof("nothing was sent")
            }
            let isOnly = word.send == nil && held.sends.count == 1 && held.rounds.count == 1
            guard word.send == last.number || isOnly else { return .noProof("it doesn't name the last send") }
            (word.send, word.round) = (last.number, last.round)
            if held.hasHeard(word) { return nil }
        }
        append(.word(word))
        return nil
    }

    /// It moved although something else is or was believed: somebody should know, and it stays visible.
    mutating func contradict() {
        raise(.contradiction)
        if facts?.isContradicted == false { append(.contradiction(at: now)) }
    }

    /// Writes down that nothing of it was found, or that it was found refused, if that proves something.
    mutating func hear(_ silence: Silence) -> JournalRefusal? {
        guard let held = facts else { return .noProof("there is no such attempt") }
        var word = AttemptFacts.Word(
            silence.source, silence.found.map { .verdict($0) } ?? .neverArrived, at: now)
        (word.round, word.askedAt, word.knownCount) = (silence.round, silence.askedAt, silence.knownCount)
        let maker = held.rounds.first { $0.number == silence.round }?.provider
        if let asked = silence.provider, asked != maker { return .noProof("another provider was asked") }
        if held.hasMoved {
            guard let found = silence.found, held.intent.operation.canTurn || found.isLateFailure else {
                if silence.found != nil { raise(.contradiction) }
                return .noProof("money that moved is never unsaid")
            }
            if held.hasHeard(word) { return nil }
            append(.word(word))
            return nil
        }
        if let reason = held.whyNotProven(silence) { return .noProof(reason) }
        if silence.found == nil, silence.source == .lookup,
            held.words(about: silence.round).contains(where: \.isPending)
        {
            return .noProof("it isn't shown, and the provider had accepted it")
        }
        if silence.found == nil, silence.source == .lookup, !silence.isDocumented, !isWitnessed(silence, held) {
            return .noProof("that it isn't shown proves nothing without a witness")
        }
        append(.word(word))
        return nil
    }

    /// Whether what the question showed proves that it would have shown the attempt, too: one of ours from before its
    /// round, and one that was begun after its silence.
    private func isWitnessed(_ silence: Silence, _ held: AttemptFacts) -> Bool {
        let shown = silence.witnesses.flatMap { slice.holders[$0] ?? [] }.filter { $0.intent.key != held.intent.key }
        let isEarlier = shown.contains { facts in
            facts.rounds.contains { $0.begunAt.isBefore(held.newest.begunAt) }
        }
        let isLater = shown.contains { facts in
            facts.rounds.contains { held.isSilent(until: $0.begunAt, quiet: silence.quiet, silence.source) }
        }
        return isEarlier && isLater
    }

    /// Takes a look-alike for the attempt, if it is the only one left and nothing else can be it.
    mutating func like(
        _ provider: ProviderIdentity, _ seen: [LookupResult.Candidate], _ asked: JournalInstant
    ) -> JournalRefusal? {
        guard let held = facts else { return .noProof("there is no such attempt") }
        guard held.isOpen, held.isEnded else { return .noProof("it is not open") }
        guard held.newest.provider == provider else { return .noProof("another provider was asked") }
        let free = seen.filter { candidate in
            (slice.holders[candidate.reference] ?? []).allSatisfy { $0.intent.key == held.intent.key }
        }
        guard let only = free.first, free.count == 1 else { return .noProof("not exactly one looks like it") }
        // A request that reached the provider twice leaves a payment that nobody has a name for.
        let mayBeTwin = seen.contains { other in
            (slice.holders[other.reference] ?? []).contains { facts in
                facts.intent.key != held.intent.key
                    && !(facts.wasOver(before: held) && only.isTooLate(for: facts, done: other.at))
            }
        }
        if mayBeTwin { return .noProof("another one is like it, and may have been made twice") }
        let rivals = slice.rivals.filter { $0.intent.key != held.intent.key && $0.newest.provider == provider }
        guard !rivals.contains(where: { $0.couldBe(only.verdict, insteadOf: held.intent) }) else {
            return .noProof("another attempt could be what was seen")
        }
        var word = AttemptFacts.Word(.lookup, .verdict(only.verdict), at: now)
        (word.round, word.askedAt) = (held.newest.number, asked)
        let refusal: JournalRefusal?
        switch only.verdict {
        case .approved, .pending: refusal = hear(word)
        case .declined, .cancelled: refusal = hear(Silence(only.verdict, of: held, askedAt: asked, quiet: nil))
        }
        if refusal == nil { name(provider, [only.reference]) }
        return refusal
    }
}

extension AttemptFacts {
    /// Whether the amount of an approval was said before together with its reason: it needs none once more.
    fileprivate func explains(_ approval: Approval) -> Bool {
        movedWords.contains { word in
            word.source != .person && word.approval?.isPartial == true && word.approval?.amount == approval.amount
        }
    }

    /// Whether a word is there already. What a question shows is news again once something else was heard.
    fileprivate func hasHeard(_ word: Word) -> Bool {
        if word.source == .lookup { return words.last?.isSame(as: word) == true }
        return words.contains { $0.isSame(as: word) }
    }

    /// Why a question that found nothing of it, or found it refused, proves nothing; nil when it proves that.
    func whyNotProven(_ silence: Silence) -> String? {
        guard isOpen else { return "it is decided" }
        guard silence.round == newest.number, silence.lastSend == (sends.last?.number ?? 0) else {
            return "it was asked about another round or send"
        }
        guard let end = ends.first(where: { $0.round == silence.round }) else { return "it is still under way" }
        guard !silence.askedAt.isBefore(end.at) else { return "it was asked before the round was over" }
        // The provider's own refusal leaves nothing to wait for where there was one request alone, or all were answered.
        let isLost = sends.contains {
            $0.round == silence.round && proof(of: $0) != .answered && isUnresolved(send: $0)
        }
        if silence.found != nil, sends.count == 1 || !isLost, silence.source == .lookup { return nil }
        // What was undone was done: nothing of it is still to come.
        if silence.found?.wasUndone == true { return nil }
        return isSilent(until: silence.askedAt, quiet: silence.quiet, silence.source)
            ? nil : "it was asked before it can have been silent for long enough"
    }

    /// Whether at a moment nothing of the newest round can have happened for a while: it was over, and all its sends
    /// were closed or can't leave any more.
    func isSilent(until instant: JournalInstant, quiet: Int64?, _ source: Word.Source) -> Bool {
        guard let quiet = quiet ?? (source == .person ? 0 : nil) else { return false }
        guard let end = ends.first(where: { $0.round == newest.number }) else { return false }
        return sends.filter { $0.round == newest.number }.allSatisfy { send in
            let proof = proof(of: send)
            if proof == .notSent || proof == .refused { return true }
            guard let leaves = send.leavesWithin ?? (source == .person ? 0 : nil) else { return false }
            let since = closes.first { $0.send == send.number }?.at ?? end.at
            return since.passed(until: instant) >= quiet && send.openedAt.passed(until: instant) >= quiet + leaves
        }
    }

    /// Whether its last round was over when another attempt was begun.
    func wasOver(before other: AttemptFacts) -> Bool {
        guard let end = ends.first(where: { $0.round == newest.number }), let begun = other.rounds.first?.begunAt else {
            return false
        }
        return !begun.isBefore(end.at)
    }

    /// Whether what was seen could be this attempt as well as the one that was looked for: it is open, or it moved
    /// under a name that nobody knows.
    func couldBe(_ verdict: Verdict, insteadOf other: AttemptIntent) -> Bool {
        guard intent.operation == other.operation else { return false }
        let mayStand = isOpen && !sends.isEmpty || hasMoved && names.isEmpty
        guard mayStand else { return false }
        if intent.amount == other.amount { return true }
        // A part of a larger amount looks like the whole of a smaller one.
        guard case .approved(let approval) = verdict, approval.isPartial else { return false }
        return approval.amount.currency == intent.amount.currency
            && approval.amount.minorUnits < intent.amount.minorUnits
    }
}

extension LookupResult.Candidate {
    /// Whether it was done too long after another attempt to be a second copy of that one's request: both by the
    /// provider's clock, and with as long as a request may take on its way.
    fileprivate func isTooLate(for other: AttemptFacts, done: Int64?) -> Bool {
        guard let at, let done else { return false }
        let quiet = LookupPlan.refusalQuietMilliseconds
        let (apart, overflow) = at.subtractingReportingOverflow(done)
        guard !overflow, apart > quiet else { return false }
        return other.sends.allSatisfy { send in send.leavesWithin.map { apart - quiet > $0 } ?? false }
    }
}

extension Money {
    /// Whether it is less of the same.
    func isPart(of whole: Money) -> Bool {
        currency == whole.currency && !isNegative && minorUnits <= whole.minorUnits
    }

    /// How an amount that was answered stands to the one that was asked for.
    enum Comparison { case same, other, unbelievable }

    /// Another currency, a factor of ten, a hundred or a thousand, and an amount that no payment has are mistakes and no
    /// amounts.
    func standing(beside asked: Money) -> Comparison {
        guard currency == asked.currency, !isNegative else { return .unbelievable }
        if minorUnits == asked.minorUnits { return .same }
        // Of an approval over nothing, and of an amount that no payment has, nothing is known.
        guard isBelievable, !isZero else { return .unbelievable }
        let isOff = [10, 100, 1_000].contains { (factor: Int64) in
            let mine = minorUnits.multipliedReportingOverflow(by: factor)
            let theirs = asked.minorUnits.multipliedReportingOverflow(by: factor)
            return !mine.overflow && mine.partialValue == asked.minorUnits
                || !theirs.overflow && theirs.partialValue == minorUnits
        }
        return isOff ? .unbelievable : .other
    }
}

extension AttemptFacts.Word {
    /// The approval, if it is one.
    var approval: Approval? {
        if case .approved(let approval)? = verdict { return approval }
        return nil
    }

    /// The same, as it is written down at a moment.
    func written(at instant: JournalInstant) -> Self {
        var copy = self
        copy.at = instant
        return copy
    }

    /// Whether both are of one message, which its sender or its signature tells.
    func isSameMessage(as other: Self) -> Bool {
        source == .webhook && other.source == .webhook && id != nil && id == other.id
    }

    /// The same once more, with the request that a copy of its message names.
    func repeated(by copy: Self) -> Self {
        guard let verdict, let send = copy.send else { return self }
        var word = saying(verdict)
        (word.send, word.round, word.at) = (send, copy.round, copy.at)
        return word
    }

    /// Whether it says what another one says, from the same source about the same.
    func isSame(as other: Self) -> Bool {
        source == other.source && content == other.content && round == other.round && send == other.send
            && providerTime == other.providerTime && id == other.id
    }
}
