internal import PaymentBase

extension AttemptRun {
    /// How often an intent is offered to the journal again after something that stood in its way was decided.
    private static let offersMax = 4

    /// Remembers how the attempt stands after something was written.
    func heard(_ answer: JournalAnswer) {
        guard let facts = answer.facts else { return }
        let turned = state.withLock { state in
            let before = state.facts?.isContradicted ?? false
            if facts.intent.key == intent.key { state.facts = facts }
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
            let undoing = JournalEntry(intent.key, [.close(send: nil, .notSent), .end(round: nil, .owner)])
            let answer = try await services.write(entry, undoing: undoing)
            switch answer {
            case .accepted(let facts):
                state.withLock { $0.facts = facts }
                return
            case .known(let facts):
                // What it came to is answered from the record.
                state.withLock { ($0.facts, $0.isFenced) = (facts, true) }
                throw elsewhere(facts)
            case .conflict(let facts): throw .conflict(AttemptRecord(facts))
            case .refused(let why, _):
                refusal = why
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
            var entry = JournalEntry(intent.key, closing + [opening])
            entry.events = takeEvents()
            let undoing = JournalEntry(intent.key, [.close(send: nil, .notSent)])
            let answer = try await services.write(entry, outcome, undoing: undoing)
            heard(answer)
            if case .refused = answer {
                state.withLock { $0.isFenced = true }
                throw PaymentError(
                    .conflict, outcome: outcome, attempt: attempt, retry: .afterStatusCheck,
                    detail: "somebody else has decided this attempt or taken it over; ask for its status")
            }
        }
        state.withLock { state in state.send = state.facts?.sends.last.map { ($0.number, nil) } }
        emit(.submitted)
    }

    /// What is still to be written of the last send.
    var closing: [JournalEntry.Part] {
        guard let send = state.withLock({ $0.send }), let proof = send.proof else { return [] }
        return [.close(send: send.number, proof)]
    }

    /// Writes how the last send ended, and what else is known; kept for later when the journal can't take it.
    func record(_ parts: [JournalEntry.Part]) async -> JournalAnswer? {
        let isBegun = state.withLock { $0.facts != nil }
        var entry = JournalEntry(intent.key, (isBegun ? closing : [.begin(intent, terms)]) + parts)
        entry.events = takeEvents()
        let answer = await services.record(entry)
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
        var entry = JournalEntry(intent.key, [])
        entry.events = takeEvents()
        _ = try? await services.write(entry)
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
