internal import PaymentBase

extension AttemptRun {
    /// How often an intent is offered to the journal again after something that stood in its way was decided.
    private static let offersMax = 4

    /// Remembers how the attempt stands after something was written.
    func heard(_ answer: JournalAnswer) {
        guard let facts = answer.facts else { return }
        let turned = state.withLock { state in
            let before = state.facts?.isContradicted ?? false
            if facts.intent.key == intent.key {
                state.facts = facts
                if state.round == nil { state.round = facts.lastRound(of: services.owner) }
            }
            return facts.isContradicted && !before
        }
        guard turned else { return }
        services.events.emit(
            .contradiction, at: services.clock.now, payment: intent.paymentID, attempt: attempt, provider: provider.id)
    }

    /// Writes the attempt down, unless that was done before.
    func beginOnce() async throws(PaymentError) {
        if state.withLock({ $0.facts }) == nil { try await begin([]) }
    }

    /// Writes the attempt down with what belongs to it, as one; what stands in the way is looked at first, if that helps.
    private func begin(_ parts: [JournalEntry.Part]) async throws(PaymentError) {
        var refusal: JournalRefusal?
        for _ in 0..<Self.offersMax {
            var entry = JournalEntry(intent.key, [.begin(intent, terms)] + parts)
            entry.events = takeEvents()
            let (key, owner) = (intent.key, services.owner)
            let answer = try await services.write(entry, of: intent.origin) { answer in
                guard case .accepted(let facts) = answer, let round = facts.lastRound(of: owner) else { return nil }
                var undoing = JournalEntry(key, [.close(send: nil, .notSent), .end(round: nil, .owner)])
                undoing.round = round
                return undoing
            }
            switch answer {
            case .accepted(let facts):
                let isOurs = state.withLock { state in
                    (state.facts, state.round) = (facts, facts.lastRound(of: owner))
                    return state.hasNewestRound
                }
                // The answer came so late that another process has taken the attempt over.
                if !isOurs { throw try await tooLate(facts) }
                return
            case .known(let facts):
                // What it came to is answered from the record.
                state.withLock { ($0.facts, $0.isFenced) = (facts, true) }
                throw elsewhere(facts)
            case .conflict(let facts): throw .conflict(AttemptRecord(facts))
            case .refused(let why, _):
                refusal = why
                // What stands in the way may only wait to be written.
                if await services.writeWaiting() { continue }
                let isCleared: Bool
                do { isCleared = try await clear(why) } catch { throw error as? PaymentError ?? .refused(why, intent) }
                guard isCleared, !Task.isCancelled else { throw .refused(why, intent) }
            case .kept, .unknownAttempt: throw .refused(.notAllowed("the journal has lost it"), intent)
            }
        }
        throw .refused(refusal ?? .notAllowed("something else keeps getting in the way"), intent)
    }

    /// Opens a send durably before its first byte, with the end of the one before; the first one with the attempt.
    func open(_ key: String?) async throws(PaymentError) {
        let driver = provider.driver
        let terms = SendTerms(
            key: key, keyLives: driver.keyLivesMilliseconds, leavesWithin: driver.bytesLeaveWithinMilliseconds)
        let opening = JournalEntry.Part.open(owner: services.owner, terms)
        if state.withLock({ $0.facts }) == nil {
            try await begin([opening])
        } else {
            var entry = entry(closing + [opening])
            entry.events = takeEvents()
            let undoing = self.entry([.close(send: nil, .notSent)])
            let answer = try await services.write(entry, of: intent.origin, outcome) { answer in
                if case .accepted = answer { undoing } else { nil }
            }
            heard(answer)
            if case .accepted(let facts) = answer, !state.withLock({ $0.hasNewestRound }) {
                throw try await tooLate(facts)
            }
            if case .refused = answer {
                state.withLock { $0.isFenced = true }
                throw PaymentError(
                    .conflict, outcome: outcome, attempt: attempt, retry: .afterStatusCheck,
                    detail: "somebody else has decided this attempt or taken it over; ask for its status")
            }
        }
        state.withLock { state in
            state.send = state.facts?.sends.last { $0.round == state.round }.map { ($0.number, nil) }
        }
        emit(.submitted)
    }

    /// An opening was written, and its answer came after another process had taken the attempt over: nothing is sent.
    private func tooLate(_ facts: AttemptFacts) async throws(PaymentError) -> PaymentError {
        state.withLock { $0.isFenced = true }
        heard(try await services.write(entry([.close(send: nil, .notSent)]), of: intent.origin, outcome))
        return elsewhere(facts)
    }

    /// An entry of this run's own round.
    func entry(_ parts: [JournalEntry.Part]) -> JournalEntry {
        var entry = JournalEntry(intent.key, parts)
        entry.round = state.withLock { $0.round }
        return entry
    }

    /// What is still to be written of the last send.
    var closing: [JournalEntry.Part] {
        guard let send = state.withLock({ $0.send }), let proof = send.proof else { return [] }
        return [.close(send: send.number, proof)]
    }

    /// Writes how the last send ended, and what else is known; kept for later when the journal can't take it.
    func record(_ parts: [JournalEntry.Part]) async -> JournalAnswer? {
        let isBegun = state.withLock { $0.facts != nil }
        var entry = entry((isBegun ? closing : [.begin(intent, terms)]) + parts)
        entry.events = takeEvents()
        let answer = await services.record(entry, of: intent.origin)
        if let answer { heard(answer) }
        return answer
    }

    private func takeEvents() -> [PaymentEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Writes what of the timeline no other write took along.
    func writeTimeline() async {
        guard state.withLock({ $0.facts != nil && !$0.events.isEmpty }) else { return }
        var entry = entry([])
        entry.events = takeEvents()
        _ = try? await services.write(entry, of: intent.origin)
    }

    /// Another process has begun it in the meantime.
    private func elsewhere(_ facts: AttemptFacts) -> PaymentError {
        PaymentError(
            .inDoubt, outcome: facts.isOpen ? .unknown : AttemptRecord(facts).outcome, attempt: attempt,
            detail: "another process works on it; ask for the attempt's status")
    }
}

extension AttemptFacts.Close.Proof {
    init(_ delivery: Delivery) {
        switch delivery {
        case .notSent: self = .notSent
        case .refused: self = .refused
        case .maybeSent: self = .lost
        }
    }
}

extension AttemptRun.State {
    /// Whether the run's own round is the newest and not over, so that it may send.
    var hasNewestRound: Bool { round != nil && facts?.newest.number == round && facts?.isEnded == false }
}

extension AttemptFacts {
    /// The last round that a process has begun.
    fileprivate func lastRound(of owner: String) -> Int? { rounds.last { $0.owner == owner }?.number }
}
