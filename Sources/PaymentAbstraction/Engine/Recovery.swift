internal import PaymentBase

/// Looks attempts up and writes down what that proves; the same code in a call, in recovery and for webhooks.
struct Recovery: Sendable {
    /// What a look brought.
    struct Looked: Sendable {
        /// The attempt as it stands.
        let record: AttemptRecord
        /// Why the look could not tell, when it could not.
        var reason: String?
        /// What kept the provider from being asked, if anything did.
        var failure: PaymentError?
    }

    let provider: OpenProvider
    let services: Services
    /// The run whose request the lookup is about; it knows what must not come back.
    var run: AttemptRun?

    /// One lookup of an attempt; how it stands afterwards.
    ///
    /// - Parameters:
    ///   - isHinted: Whether the provider hinted at news; then what can still turn is looked at again.
    ///   - verifies: Whether what is decided is to be seen with the provider's own eyes.
    func look(
        _ attempt: AttemptID, isHinted: Bool = false, verifies: Bool = false
    ) async throws(PaymentError) -> Looked {
        guard let record = try await services.attempt(attempt, .unknown) else {
            throw PaymentError(.notFound, outcome: .unknown, attempt: attempt, detail: "no such attempt")
        }
        let needsLook = record.facts.isOpen && record.facts.isEnded || record.facts.isOfflineStill
        guard needsLook || verifies || isHinted && record.mayTurn else { return Looked(record: record) }
        // Nobody else can tell: what another provider doesn't know of was no less done.
        guard record.provider == provider.identity else {
            let reason = "it is \(record.provider.id)'s, and \(provider.id) knows nothing of it"
            return Looked(record: record, reason: reason)
        }
        let asked = try await time(attempt)
        let sighting: LookupResult
        do { sighting = try await believableSighting(of: record) } catch {
            return Looked(
                record: record, reason: run == nil ? error.summary : error.explained, failure: error)
        }
        // A sale that was decided turns by nothing but its late failure: that it was voided is another attempt's news.
        if !needsLook, !verifies, record.turnsByLateFailure, !sighting.isLateFailure { return Looked(record: record) }
        return try await apply(sighting, to: record, askedAt: asked)
    }

    /// Whether the provider shows that an attempt was done, or may have been, which it has just refused: of two equal
    /// requests the first is carried out, and the second is refused because nothing is left for it. Nil when the
    /// provider doesn't answer.
    func showsDone(_ attempt: AttemptID) async throws(PaymentError) -> Bool? {
        guard let record = try await services.attempt(attempt, .unknown), record.mayHaveMoved else { return false }
        guard let sighting = try? await sighting(of: record) else { return nil }
        switch sighting {
        case .found(let verdict), .changed(let verdict): return !verdict.isRefusal
        case .repeated: return true
        case .candidates(let seen):
            let values = seen.filter { !$0.verdict.isRefusal }.map(\.reference)
            for value in values where try await !isTaken(value, record) { return true }
            return false
        case .notSeen, .notAmong, .cannotTell: return false
        }
    }

    /// Whether the provider shows nothing of an attempt whose request a gateway has refused. To be asked after the plan's
    /// quiet time, before which a list may lag.
    func leavesNoTrace(_ attempt: AttemptID) async -> Bool {
        guard let record = try? await services.attempt(attempt, .unknown) else { return false }
        return (try? await sighting(of: record)) == .notSeen
    }

    /// Whether another attempt is called so.
    private func isTaken(_ value: String, _ record: AttemptRecord) async throws(PaymentError) -> Bool {
        let holders = try await services.reading(record.intent.attempt, .unknown) { journal throws(JournalFailure) in
            try await journal.holders(value, of: record.provider)
        }
        return holders.contains { $0.intent.key != record.intent.key }
    }

    /// What the provider shows of an attempt; another amount than was asked for is looked at twice.
    private func believableSighting(of record: AttemptRecord) async throws(PaymentError) -> LookupResult {
        let first = try await sighting(of: record)
        guard first.verdict?.isOverAnother(record.intent.amount) == true else { return first }
        return try await sighting(of: record)
    }

    /// What the provider shows of an attempt, without what must not come back.
    private func sighting(of record: AttemptRecord) async throws(PaymentError) -> LookupResult {
        let submitted = record.facts.sends.first { $0.round == record.round }?.openedAt
        let now = try await time(record.intent.attempt)
        let inquiry = Inquiry(
            record: record, payment: try await snapshot(of: record), sinceSubmitted: submitted?.passed(until: now))
        let context = LookupContext(provider: provider, services: services, run: run)
        let scrub = run?.scrub ?? Scrubber(provider.driver.secrets)
        do { return scrub(try await provider.driver.lookup(inquiry, context)) } catch {
            throw PaymentError(wrapping: error, .unknown, record.intent.attempt, provider.driver, scrub: scrub)
        }
    }

    /// Writes what was seen, as far as it proves something.
    private func apply(
        _ sighting: LookupResult, to record: AttemptRecord, askedAt asked: JournalInstant
    ) async throws(PaymentError) -> Looked {
        let quiet = provider.driver.lookupPlan(for: record.intent.operation).quietTime
        let parts: [JournalEntry.Part]
        switch sighting {
        case .found(let verdict):
            parts = found(verdict, record, asked, quiet)
        case .repeated(let approval):
            parts = repeated(.approved(approval), record)
        case .changed(let verdict):
            guard provider.driver.isSoleUser else { return Looked(record: record, reason: Self.others) }
            parts = found(verdict, record, asked, quiet)
        case .candidates(let seen):
            if seen.isEmpty { return Looked(record: record) }
            guard provider.driver.isSoleUser else { return Looked(record: record, reason: Self.others) }
            parts = [.likeness(provider.identity, seen.map(\.recordable), askedAt: asked)]
        case .notSeen:
            var silence = Silence(nil, of: record.facts, askedAt: asked, quiet: quiet)
            silence.provider = provider.identity
            parts = [.silence(silence)]
        case .notAmong(let shown):
            var silence = Silence(nil, of: record.facts, askedAt: asked, quiet: quiet)
            (silence.isDocumented, silence.witnesses, silence.provider) = (false, shown, provider.identity)
            parts = [.silence(silence)]
        case .cannotTell: return Looked(record: record)
        }
        return try await write(record, parts)
    }

    /// Why what was seen need not be ours.
    private static let others =
        "something like it is there, but nothing says that nobody else works on the account, so it need not be ours"

    /// What was answered then, as if it were answered now.
    private func repeated(_ verdict: Verdict, _ record: AttemptRecord) -> [JournalEntry.Part] {
        var word = AttemptFacts.Word(.reply, .verdict(verdict.recordable), at: services.instant)
        word.round = record.round
        let names = provider.names(in: verdict)
        return (names.isEmpty ? [] : [.names(provider.identity, names)]) + [.word(word)]
    }

    private func found(
        _ verdict: Verdict, _ record: AttemptRecord, _ asked: JournalInstant, _ quiet: Int64?
    ) -> [JournalEntry.Part] {
        var word = AttemptFacts.Word(.lookup, .verdict(verdict.recordable), at: asked)
        (word.round, word.askedAt, word.knownCount) = (record.round, asked, record.facts.words.count)
        let names = provider.names(in: verdict)
        let named: [JournalEntry.Part] = names.isEmpty ? [] : [.names(provider.identity, names)]
        switch verdict {
        case .approved: return named + [.word(word)]
        case .pending(let pending): return pending.lookAgain ? [] : named + [.word(word)]
        case .declined, .cancelled:
            let settled = quiet ?? LookupPlan.refusalQuietMilliseconds
            var silence = Silence(verdict.recordable, of: record.facts, askedAt: asked, quiet: settled)
            silence.provider = provider.identity
            return [.silence(silence)] + named
        }
    }

    /// Writes parts about an attempt; how it stands then, and why they don't count if they don't.
    func write(_ record: AttemptRecord, _ parts: [JournalEntry.Part]) async throws(PaymentError) -> Looked {
        guard !parts.isEmpty else { return Looked(record: record) }
        var entry = JournalEntry(record.intent.key, parts)
        // A run tells what became of it by itself.
        entry.announces = run == nil
        let answer = try await services.write(entry, .unknown)
        let held = answer.facts.map(AttemptRecord.init) ?? record
        announce(record, held)
        guard case .refused(.noProof(let reason), _) = answer else { return Looked(record: held) }
        return Looked(record: held, reason: reason)
    }

    /// Tells of a contradiction as it is found.
    private func announce(_ before: AttemptRecord, _ after: AttemptRecord) {
        guard after.facts.isContradicted, !before.facts.isContradicted else { return }
        services.events.emit(
            .contradiction, at: services.clock.now, payment: after.intent.paymentID, attempt: after.intent.attempt,
            provider: after.provider.id)
    }

    private func time(_ attempt: AttemptID) async throws(PaymentError) -> JournalInstant {
        try await services.reading(attempt, .unknown) { journal throws(JournalFailure) in
            try await journal.time(services.instant)
        }
    }

    /// The payment that an attempt acts on, without the attempt itself.
    private func snapshot(of record: AttemptRecord) async throws(PaymentError) -> PaymentSnapshot? {
        guard let payment = record.intent.payment else { return nil }
        let family = try await services.family(payment, .unknown)
        return PaymentSnapshot(
            family.filter { $0.intent.attempt != record.intent.attempt },
            captures: provider.capabilities.captures)
    }
}

extension AttemptRecord {
    /// Whether it was decided by a provider and may still turn: a refund that comes back, a capture that fails, a sale
    /// that the customer's bank returns.
    var mayTurn: Bool {
        guard verdict?.isFinal == true, evidence != .person else { return false }
        return switch intent.operation {
        case .refund, .unlinkedRefund, .capture: true
        case .sale, .debit: turnsByLateFailure
        case .authorize, .adjust, .void, .tipAdjustment, .verify, .tokenize: false
        }
    }

    /// Whether it is an approved sale, which nothing but a late failure makes another one.
    var turnsByLateFailure: Bool {
        guard intent.operation == .sale || intent.operation == .debit else { return false }
        if case .approved = verdict { return true }
        return false
    }
}

extension PaymentError {
    /// What a person may know of a look that failed, where nobody remembers what must not come back: our own word, and
    /// the status of an answer.
    fileprivate var summary: String {
        let status = provider.flatMap { Int($0.code) }.flatMap { (400..<600).contains($0) ? " \($0)" : nil } ?? ""
        return code.rawValue + status
    }

    /// What a person has to know of a look that failed.
    fileprivate var explained: String {
        let said = provider.map { " [provider \($0)]" } ?? ""
        return "\(code.rawValue)\(detail.isEmpty ? "" : ", \(detail)")\(said)"
    }
}

extension Verdict {
    /// Whether it says that nothing was done.
    var isRefusal: Bool {
        switch self {
        case .declined, .cancelled: true
        case .approved, .pending: false
        }
    }
}

extension LookupResult.Candidate {
    fileprivate var recordable: Self { Self(reference, verdict.recordable, at: at) }
}

extension LookupResult {
    /// What is said of the attempt itself.
    fileprivate var verdict: Verdict? {
        switch self {
        case .found(let verdict): verdict
        case .repeated(let approval): .approved(approval)
        case .candidates, .changed, .notSeen, .notAmong, .cannotTell: nil
        }
    }

    /// Whether what was found failed after it had been done.
    fileprivate var isLateFailure: Bool {
        if case .found(let verdict) = self { return verdict.isLateFailure }
        return false
    }
}
