internal import PaymentBase

/// Looks attempts up and writes down what that proves; the same code in a call, in recovery and for webhooks.
struct Recovery: Sendable {
    let provider: OpenProvider
    let services: Services
    /// The run whose request the lookup is about; it knows what must not come back.
    var run: AttemptRun?

    /// One lookup of an attempt; the record that holds afterwards.
    ///
    /// - Parameter isHinted: Whether the provider hinted at news; then what can still turn is looked at again.
    func look(_ attempt: AttemptID, isHinted: Bool = false) async throws(PaymentError) -> AttemptRecord {
        guard let record = try await services.record(attempt, .unknown) else {
            throw PaymentError(.notFound, outcome: .unknown, attempt: attempt, detail: "no such attempt")
        }
        guard record.mayHaveMoved || record.isPending || (isHinted && record.mayTurn) else { return record }
        if let known = services.unwritten.conclusion(of: attempt) {
            return try await write(record, known)
        }
        guard let sighting = try await sighting(of: record) else { return record }
        // A sale that was decided turns by nothing but its late failure: that it was voided is another attempt's news.
        if !record.mayHaveMoved, !record.isPending, record.turnsByLateFailure, !sighting.isLateFailure { return record }
        return try await apply(sighting, to: record, by: .lookup, at: services.clock.now)
    }

    /// Whether the provider shows that an attempt was done, or may have been, which it has just refused: of two equal
    /// requests the first is carried out, and the second is refused because nothing is left for it. Nil when the
    /// provider doesn't answer.
    func showsDone(_ attempt: AttemptID) async throws(PaymentError) -> Bool? {
        guard let record = try await services.record(attempt, .unknown), record.mayHaveMoved else { return false }
        guard let sighting = try await sighting(of: record) else { return nil }
        switch try await proof(of: sighting.withoutRefusals, record) {
        case .verdict, .something, .mismatch: return true
        case .nothing, .notMoved: return false
        }
    }

    /// What the provider shows of an attempt, without what must not come back; nil when it doesn't answer.
    private func sighting(of record: AttemptRecord) async throws(PaymentError) -> LookupResult? {
        let inquiry = Inquiry(record: record, payment: try await snapshot(of: record))
        let context = LookupContext(provider: provider, services: services, run: run)
        guard let sighting = try? await provider.driver.lookup(inquiry, context) else { return nil }
        let scrub = run?.scrub ?? Scrubber(provider.driver.secrets)
        return scrub(sighting)
    }

    /// Judges what was seen and writes what it proves.
    func apply(
        _ sighting: LookupResult, to record: AttemptRecord, by evidence: AttemptRecord.Evidence, at instant: Int64
    ) async throws(PaymentError) -> AttemptRecord {
        switch try await proof(of: sighting, record) {
        case .nothing, .something, .mismatch: return record
        case .notMoved:
            return try await write(record, Conclusion(.notMoved, by: evidence, at: instant))
        case .verdict(let verdict, let claim):
            // Somebody should know; whether it changes what is written, the record itself decides.
            if record.isContradicted(by: verdict, at: instant) {
                services.events.emit(
                    .contradiction, at: services.clock.now, payment: record.intent.paymentID,
                    attempt: record.intent.attempt, provider: provider.id)
            }
            var conclusion = Conclusion(.concluded(verdict.recordable), by: evidence, at: instant)
            conclusion.claim = claim
            return try await write(record, conclusion)
        }
    }

    /// What was seen, judged beside everything else that could be it.
    private func proof(of sighting: LookupResult, _ record: AttemptRecord) async throws(PaymentError) -> Proof {
        let attempt = record.intent.attempt
        var holders: [AttemptRecord] = []
        var rivals: [AttemptRecord] = []
        if case .candidates(let seen) = sighting {
            holders = try await services.writing(attempt, .unknown) { journal in
                try await journal.records(.holding(record.provider, seen.map(\.reference)))
            }
            rivals = try await services.writing(attempt, .unknown) { try await $0.records(.open) }
        }
        let plan = provider.driver.lookupPlan(for: record.intent.operation)
        return Proof.of(sighting, record, plan, now: services.clock.now, holders: holders, rivals: rivals)
    }

    func write(_ record: AttemptRecord, _ conclusion: Conclusion) async throws(PaymentError) -> AttemptRecord {
        let attempt = record.intent.attempt
        return try await services.writing(attempt, .unknown) { journal in
            try await journal.conclude(attempt, round: record.round, conclusion)
        }
    }

    /// The payment that an attempt acts on, without the attempt itself.
    private func snapshot(of record: AttemptRecord) async throws(PaymentError) -> PaymentSnapshot? {
        guard let payment = record.intent.payment else { return nil }
        let family = try await services.family(payment, .unknown)
        return PaymentSnapshot(
            family.filter { $0.intent.attempt != record.intent.attempt },
            captures: provider.driver.capabilities.captures)
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

    /// Whether it was accepted and is not final.
    var isPending: Bool {
        if case .concluded(.pending) = state { return true }
        return false
    }
}

extension LookupResult {
    /// The same without whatever moved nothing.
    fileprivate var withoutRefusals: LookupResult {
        switch self {
        case .found(let verdict): OutcomeFlow.Phase(verdict) == .failed ? .cannotTell : self
        case .candidates(let seen): .candidates(seen.filter { OutcomeFlow.Phase($0.verdict) != .failed })
        case .notSeen, .cannotTell: self
        }
    }

    /// Whether what was found failed after it had been done.
    fileprivate var isLateFailure: Bool {
        if case .found(let verdict) = self { return verdict.isLateFailure }
        return false
    }
}
