import PaymentAbstraction

/// A store with one flaw, to see that the contract finds it.
struct FlawedJournal: Journal {
    /// What it does wrong.
    enum Flaw: CaseIterable, Sendable {
        case marksTwice, forgetsClaims, restartsPages, repeatsThePageEnd, reversesTimelines, mixesTimelines
        case forgetsNotes, ignoresRounds, losesLaterFailures, forgetsPending, ignoresTheAccount, rewritesTheEvidence
        case roundsAmounts, forgetsTheSubmission, listsRefundsAsPayments
    }

    let journal = MemoryJournal()
    let flaw: Flaw

    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await journal.begin(intent, terms, at: instant)
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        if flaw == .forgetsNotes, case .note = mark { return }
        do { try await journal.mark(attempt, round: round, mark) } catch JournalFailure.lostRound {
            if flaw != .marksTwice { throw JournalFailure.lostRound }
        }
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        var changed = conclusion
        var round = round
        if flaw == .forgetsClaims { changed.claim = nil }
        if flaw == .rewritesTheEvidence { changed = Conclusion(conclusion.state, by: .reply, at: conclusion.eventAt) }
        if let now = try await journal.records(.attempt(attempt)).first {
            if flaw == .ignoresRounds { round = now.round }
            if flaw == .losesLaterFailures, now.approval != nil { return now }
        }
        return try await journal.conclude(attempt, round: round, changed)
    }

    func append(_ events: [PaymentEvent]) async throws { try await journal.append(events) }

    func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        var found = try await journal.records(query)
        switch query {
        case .page(let after?, let limit):
            let last = try await journal.records(.attempt(after))
            if flaw == .restartsPages, last.isEmpty {
                return try await journal.records(.page(after: nil, limit: limit))
            }
            if flaw == .repeatsThePageEnd, !found.isEmpty { found = Array((last + found).prefix(max(0, limit))) }
        case .page: if flaw == .listsRefundsAsPayments { found += try await journal.records(.open) }
        case .open: if flaw == .forgetsPending { found.removeAll { !$0.isOpen } }
        case .holding(let provider, let values) where flaw == .ignoresTheAccount:
            let other = ProviderIdentity(
                provider.id, adapter: provider.adapter, environment: provider.environment,
                merchant: provider.merchant == "m-1" ? "m-2" : "m-1")
            found += try await journal.records(.holding(other, values))
        case .attempt where flaw == .forgetsTheSubmission: for place in found.indices { found[place].submittedAt = nil }
        case .attempt where flaw == .roundsAmounts:
            found = found.map { record in
                guard case .concluded(.approved(var approval)) = record.state, approval.isPartial else { return record }
                var copy = record
                approval.isPartial = false
                copy.state = .concluded(.approved(approval))
                return copy
            }
        case .attempt, .payment, .holding, .reference: break
        }
        return found
    }

    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        let events = try await journal.timeline(of: payment)
        if flaw == .mixesTimelines, events.isEmpty { return [PaymentEvent(.begun, at: 0)] }
        return flaw == .reversesTimelines ? events.reversed() : events
    }
}
