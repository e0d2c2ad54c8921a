internal import PaymentBase

/// One entry while the rules are asked about its parts, one after the other.
struct EntryWork {
    let slice: JournalSlice
    let now: JournalInstant
    var facts: AttemptFacts?
    private(set) var appended: [JournalFact] = []
    private var isNew = false
    private var others: [JournalDecision.Change] = []
    private var events: [PaymentEvent.Kind] = []
    private var applied: Set<String> = []
    private let announces: Bool
    /// The round whose process writes; nil for the newest.
    private var round: Int?
    private var before: AttemptFacts?

    init(_ slice: JournalSlice, _ entry: JournalEntry, _ now: JournalInstant) {
        (self.slice, self.now) = (slice, now)
        (announces, round) = (entry.announces, entry.round)
        take(slice.attempt)
    }

    /// Works on an attempt.
    mutating func take(_ held: AttemptFacts?) { (facts, before) = (held, held) }

    func decision(_ answer: JournalAnswer) -> JournalDecision {
        let events = self.events + (news.map { [$0] } ?? [])
        var decision = JournalDecision(answer: answer)
        decision.changes = others
        if let facts, !appended.isEmpty {
            decision.changes.append(.init(after: facts, facts: appended, isNew: isNew))
        }
        (decision.events, decision.applied) = (events, applied)
        return decision
    }

    /// How the attempt stands now, if that is to be told and is new.
    private var news: PaymentEvent.Kind? {
        guard announces, let facts else { return nil }
        let record = AttemptRecord(facts)
        return record.state == before.map({ AttemptRecord($0).state }) ? nil : record.news
    }

    mutating func append(_ fact: JournalFact) {
        facts?.append(fact)
        appended.append(fact)
    }

    mutating func raise(_ event: PaymentEvent.Kind) { events.append(event) }

    /// Somebody was handed that attempts moved, or are pending; what is said of the entry's own attempt counts for its parts.
    mutating func tell(_ keys: Set<AttemptKey>) {
        for told in slice.told where keys.contains(told.intent.key) && told.isUntold {
            if told.intent.key == facts?.intent.key {
                append(.told(at: now))
                continue
            }
            var after = told
            after.append(.told(at: now))
            others.append(.init(after: after, facts: [.told(at: now)], isNew: false))
        }
    }

    /// Keeps what names nothing yet.
    func keeping(
        _ provider: ProviderIdentity, _ name: String, _ operations: Set<PaymentOperation>, _ parts: [JournalEntry.Part]
    ) -> JournalDecision {
        var decision = decision(.kept)
        for case .word(let word) in parts {
            let notice = KeptNotice(provider, name, operations, word.written(at: now))
            let isThere = slice.kept.contains {
                ($0.word.isSame(as: word) || $0.word.isSameMessage(as: word)) && $0.operations == operations
            }
            if !isThere { decision.keeps = notice }
        }
        return decision
    }

    /// Tries one part; gives the answer when the entry ends with it.
    mutating func apply(_ part: JournalEntry.Part) -> JournalAnswer? {
        if case .begin(let intent, let terms) = part { return begin(intent, terms) }
        guard let held = facts else { return .unknownAttempt }
        switch part {
        case .begin, .byProvider: return nil
        case .open(let owner, let terms): return open(owner, terms, held)
        case .close(let send, let proof):
            close(send, proof, held)
            return nil
        case .end(let named, let cause):
            let number = named ?? round ?? held.newest.number
            if held.rounds.contains(where: { $0.number == number }), !held.isEnded(number) {
                append(.end(.init(round: number, by: cause, at: now)))
            }
            return nil
        case .word(var word):
            // What a process says of its own round is about that one, also where nothing was sent.
            if word.source == .reply, word.send == nil, word.round == nil { word.round = round }
            return hear(word.written(at: now)).map { .refused($0, facts) }
        case .silence(let silence): return hear(silence).map { .refused($0, facts) }
        case .likeness(let provider, let seen, let asked):
            return like(provider, seen, asked).map { .refused($0, facts) }
        case .names(let provider, let values):
            name(provider, values)
            return nil
        case .note(let name, let value):
            // A lookup goes by the newest note: one of a process that was taken over must not replace it.
            if let round, round != held.newest.number { return .refused(.fenced, held) }
            append(.note(.init(round: held.newest.number, name: name, value: value)))
            return nil
        }
    }

    /// A process closes the sends of its own round at any time, and none takes back what an answer has resolved.
    private mutating func close(_ number: Int?, _ proof: AttemptFacts.Close.Proof, _ held: AttemptFacts) {
        let own = held.sends.filter { round == nil || $0.round == round }
        let named = number.map { number in own.first { $0.number == number } } ?? own.last
        guard let send = named else { return }
        let known = held.proof(of: send)
        if known == nil || proof == .answered && known != .answered {
            append(.close(.init(send: send.number, proof: proof, at: now)))
        }
    }

    private mutating func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms) -> JournalAnswer? {
        if let held = facts {
            if !held.intent.isSame(as: intent) { return .conflict(held) }
            if held.standing != .notMoved { return .known(held) }
        }
        if facts == nil, let restored = slice.restoredAt, let made = TimeOrderedID.instant(of: intent.attempt.text),
            made < restored
        {
            return .refused(.mayBeLost, nil)
        }
        var loaded = slice
        // What this entry has just told is heard.
        for change in others {
            loaded.family = loaded.family.map { $0.intent.key == change.after.intent.key ? change.after : $0 }
            loaded.underReference.removeAll { $0.intent.key == change.after.intent.key && !change.after.isOpen }
        }
        if let refusal = Admission.refusal(intent, terms, loaded) { return .refused(refusal, facts) }
        let number = (facts?.newest.number ?? 0) + 1
        let begun = AttemptFacts.Round(number: number, provider: terms.provider, owner: terms.owner, begunAt: now)
        if facts != nil {
            append(.round(begun))
        } else {
            (facts, isNew) = (AttemptFacts(intent, begun), true)
            appended += [.intent(intent), .round(begun)]
        }
        round = number
        return nil
    }

    /// Begins what the provider has done by itself on a payment of ours; not where something of ours that is open and
    /// unnamed or unanswered may be what it speaks of.
    mutating func adopt(_ intent: AttemptIntent, _ provider: ProviderIdentity) -> Bool {
        let origin = slice.family.first(where: \.intent.isOrigin)
        guard let origin, origin.newest.provider == provider, origin.hasMoved else { return false }
        // A sale is charged with its approval: that it was captured is no further money.
        if intent.operation == .capture, origin.intent.operation != .authorize { return false }
        let mayBeOurs = slice.family.contains { facts in
            facts.intent.operation == intent.operation && facts.isOpen
                && (facts.names.isEmpty || facts.isUnresolved(facts.newest.number))
        }
        if mayBeOurs { return false }
        let round = AttemptFacts.Round(
            number: 1, provider: provider, owner: AttemptFacts.Round.providers, begunAt: now)
        (facts, isNew) = (AttemptFacts(intent, round), true)
        appended += [.intent(intent), .round(round)]
        append(.end(.init(round: 1, by: .provider, at: now)))
        // Nobody waits for it, so that nobody has to hear of it.
        append(.told(at: now))
        let isReleased = slice.family.contains { $0.intent.operation == .void && $0.hasMoved }
        if intent.operation == .capture, isReleased { contradict() }
        return true
    }

    /// Opens a send: by the owner of the newest round, while it isn't over, nothing was decided and nothing is
    /// unresolved but the same under a key that lives until it is executed.
    private mutating func open(_ owner: String, _ terms: SendTerms, _ held: AttemptFacts) -> JournalAnswer? {
        let round = held.newest
        guard round.owner == owner, !held.isEnded, held.standing == .underWay else { return .refused(.fenced, held) }
        if held.isUnresolved(round.number) {
            let earlier = held.sends.filter { $0.round == round.number && held.proof(of: $0) != .notSent }
            let unanswered = earlier.filter { held.isUnresolved(send: $0) }
            let isSame = terms.key.map { key in
                unanswered.allSatisfy { $0.key == key && held.proof(of: $0) == .lost }
            }
            guard isSame == true, let first = earlier.first(where: { $0.key == terms.key }), lives(first, terms) else {
                return .refused(.unansweredSend, held)
            }
        }
        append(
            .send(
                .init(
                    round: round.number, number: held.sends.count + 1, key: terms.key,
                    leavesWithin: terms.leavesWithin, openedAt: now)))
        return nil
    }

    /// Whether a key that was first used with a send still lives when another one under it is executed.
    private func lives(_ first: AttemptFacts.Send, _ terms: SendTerms) -> Bool {
        guard let life = terms.keyLives else { return true }
        guard let leaves = terms.leavesWithin else { return false }
        return max(now.wall - first.openedAt.wall, first.openedAt.passed(until: now)) + leaves < life
    }

    /// Writes down what the provider calls it, and applies what waited for that.
    mutating func name(_ provider: ProviderIdentity, _ values: [String]) {
        for value in values where !value.isEmpty && value.utf8.count <= JournalRules.nameBytesMax {
            guard let held = facts, !held.names.contains(where: { $0.value == value && $0.provider == provider }) else {
                continue
            }
            // A provider may call what follows like the payment itself; a stranger must not be called so.
            let strangers = (slice.holders[value] ?? []).filter { $0.intent.origin != held.intent.origin }
            if !strangers.isEmpty {
                raise(.nameTaken)
                continue
            }
            let last = held.sends.last { round == nil || $0.round == round }
            append(.name(.init(provider: provider, value: value, send: last?.number)))
            for notice in slice.kept where notice.name == value && notice.provider == provider {
                guard notice.operations.isEmpty || notice.operations.contains(held.intent.operation) else { continue }
                // It is about the request whose reply gave the name.
                var word = notice.word
                if word.send == nil { word.send = last?.number }
                let isHeard = hear(word) == nil
                if isHeard || facts?.isOpen == false { applied.insert(value) }
            }
        }
    }
}
