internal import PaymentBase

extension Services {
    /// How often an entry is written again under its id when nobody knows whether it was.
    private static let writesMax = 3

    /// This moment, as facts carry it.
    var instant: JournalInstant { JournalInstant(wall: clock.now, uptime: clock.uptime, boot: clock.boot) }

    /// An attempt's name in the journal.
    func key(_ attempt: AttemptID) -> AttemptKey { AttemptKey(attempt, scope: scope) }

    /// Writes an entry, after everything of its payment that could not be written before.
    ///
    /// What fails is not written, or its fate is unknown: then it is written again before anything else of its payment,
    /// followed by what makes it harmless.
    func write(
        _ entry: JournalEntry, of payment: AttemptKey? = nil, _ outcome: PaymentError.Outcome = .nothingMoved,
        undoing: Unwritten.Undoing? = nil
    ) async throws(PaymentError) -> JournalAnswer {
        let id = freshWrite()
        let payment = payment ?? entry.key
        do { return try await offer(entry, of: payment, id) } catch {
            if case .fateUnknown = error {
                unwritten.add(.init(entry: entry, id: id, payment: payment, undoing: undoing))
            }
            throw failed(error, entry.key?.attempt, error.hidesOutcome ? .unknown : outcome)
        }
    }

    /// Writes what is known and must not be lost: what the journal can't take now is written later. Nil then.
    func record(_ entry: JournalEntry, of payment: AttemptKey) async -> JournalAnswer? {
        let id = freshWrite()
        do { return try await offer(entry, of: payment, id) } catch {
            unwritten.add(.init(entry: entry, id: id, payment: payment))
            return nil
        }
    }

    private func offer(
        _ given: JournalEntry, of payment: AttemptKey?, _ id: WriteID
    ) async throws(JournalFailure) -> JournalAnswer {
        if !unwritten.isEmpty { try await unwritten.flush(of: payment, journal, at: instant, freshWrite) }
        var entry = given
        let told = tellings.take(for: given)
        entry.told.formUnion(told)
        defer { tellings.giveBack(told) }
        var tries = 0
        while true {
            tries += 1
            do {
                let answer = try await journal.write(entry, id, at: instant)
                tellings.remove(told)
                if unwritten.isDue(at: clock.now) { await writeWaiting() }
                return answer
            } catch {
                guard case .fateUnknown = error, tries < Self.writesMax else { throw error }
            }
        }
    }

    /// Tries once more to write what waits; says whether less waits now.
    @discardableResult
    func writeWaiting() async -> Bool {
        let before = unwritten.count
        if before == 0 { return false }
        try? await unwritten.flush(journal, at: instant, freshWrite)
        return unwritten.count < before
    }

    private func freshWrite() -> WriteID { WriteID("\(writePrefix)-\(writeCount.withLock { $0 += 1; return $0 })") }

    /// Whoever asked for an attempt was handed that it moved, or that a follow-up is pending; written with the next entry.
    func told(_ result: PaymentResult, _ intent: AttemptIntent) {
        switch result {
        case .approved(let payment) where payment.isRecorded: break
        case .pending where intent.payment != nil: break
        case .approved, .pending, .declined, .cancelled: return
        }
        tellings.add(intent)
    }

    /// Writes what waits for an entry of its own: what could not be written, and who was told.
    func finish() async throws(PaymentError) {
        do { try await unwritten.flush(journal, at: instant, freshWrite) } catch { throw failed(error, nil, .unknown) }
        if let first = tellings.first { _ = try await write(JournalEntry(first, []), .unknown) }
    }

    /// One journal call; what it throws becomes an error of ours, and the caller says what that means for the money.
    func reading<Value: Sendable>(
        _ attempt: AttemptID?, _ outcome: PaymentError.Outcome = .nothingMoved,
        _ body: (any Journal) async throws(JournalFailure) -> Value
    ) async throws(PaymentError) -> Value {
        do { return try await body(journal) } catch {
            throw failed(error, attempt, error.hidesOutcome ? .unknown : outcome)
        }
    }

    /// An error about a call that never reached the journal names no attempt: another process may have moved its money.
    func failed(_ failure: JournalFailure, _ attempt: AttemptID?, _ outcome: PaymentError.Outcome) -> PaymentError {
        if case .forgotten(let key) = failure {
            return PaymentError(.conflict, outcome: .unknown, attempt: key.attempt, detail: failure.words)
        }
        return PaymentError(
            .journal, outcome: outcome, attempt: outcome == .nothingMoved ? nil : attempt,
            detail: "the journal failed (\(failure.words)); put it in order before trying again")
    }

    /// One attempt as the journal has it.
    func attempt(
        _ attempt: AttemptID, _ outcome: PaymentError.Outcome = .nothingMoved
    ) async throws(PaymentError) -> AttemptRecord? {
        let key = key(attempt)
        return try await reading(attempt, outcome) { journal throws(JournalFailure) in
            try await journal.facts(key).map(AttemptRecord.init)
        }
    }

    /// A payment's attempts, the origin first.
    func family(
        _ payment: PaymentID, _ outcome: PaymentError.Outcome = .nothingMoved
    ) async throws(PaymentError) -> [AttemptRecord] {
        let key = key(payment.attempt)
        return try await reading(payment.attempt, outcome) { journal throws(JournalFailure) in
            try await journal.family(key).map(AttemptRecord.init)
        }
    }

    /// The number of the last event of a payment's timeline.
    func lastSequence(_ payment: PaymentID) async -> Int {
        (try? await journal.timeline(key(payment.attempt)))?.count ?? 0
    }

    /// Whether another process works on an attempt now.
    func isElsewhere(_ record: AttemptRecord) -> Bool {
        record.owner != owner && !record.facts.isEnded && owners.isAlive(record.owner)
    }
}

extension JournalFailure {
    /// Whether there is, or was, something that nobody can read; what it came to isn't known.
    var hidesOutcome: Bool {
        switch self {
        case .unreadable, .forgotten: true
        case .notWritten, .fateUnknown: false
        }
    }

    var words: String {
        switch self {
        case .notWritten(let words): words
        case .fateUnknown(let words): "\(words); nobody knows whether it was written"
        case .unreadable(let key): "what it holds of \(key?.attempt.text ?? "an attempt") can't be read; run a check"
        case .forgotten(let key):
            "\(key.attempt) is over and was pruned from the journal, and its id stays taken: ask the provider about it by "
                + "its reference, and give what is new a name of its own"
        }
    }
}
