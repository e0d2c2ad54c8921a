internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// Looks attempts up and writes what that proves: the same code in a call, in recovery and for hints.
struct Looker: Sendable {
    /// What a look brought.
    struct LookupOutcome: Sendable {
        /// The attempt as it is now.
        var attempt: Attempt?
        /// Why the look could not tell, if it could not.
        var reason: String?
        /// What kept the provider from being asked, if anything did.
        var failure: PaymentError?
        /// What the provider shows that could be the attempt.
        var couldBe: [JournalRefusal.Candidate] = []
        /// When the provider was asked, if it told what it knows.
        var answeredAt: Attempt.Instant?
        /// The provider's names for what it shows and can't tell from the attempt; some may be other attempts'.
        var shown: [String] = []
    }

    /// A run about which its provider has told what it knows.
    struct AnsweredRun {
        let run: Int
        let askedAt: Attempt.Instant
    }

    let provider: ProviderRuntime
    let services: Services
    /// The run whose request the lookup is about; it knows what must not come back.
    var run: AttemptRun?

    /// Looks again and again as the driver's plan says, until the attempt is decided or the plan's time is over.
    func lookUntilDecided(_ id: AttemptID) async -> LookupOutcome {
        guard let operation = run?.intent.operation, let plan = provider.driver.lookupPlan(for: operation) else {
            return LookupOutcome(attempt: try? await services.attempt(id, .unknown))
        }
        // By the clock that no person sets: a clock that is set back must not keep the terminal for hours.
        let end = services.clock.uptime + plan.giveUpAfter
        var last = LookupOutcome()
        while true {
            run?.emit(.lookedUp)
            do {
                let looked = try await look(id)
                last = LookupOutcome(
                    attempt: looked.attempt, reason: looked.reason ?? last.reason, failure: looked.failure)
                if let attempt = looked.attempt, attempt.isDecided || attempt.state == .pending && looked.reason == nil
                {
                    return last
                }
            } catch { last.reason = error.detail }
            if services.clock.uptime + plan.every > end || Task.isCancelled { break }
            await wait(until: services.clock.now + plan.every)
        }
        // Another process may have found out since.
        if let attempt = try? await services.attempt(id, .unknown) { last.attempt = attempt }
        return last
    }

    private func wait(until instant: Int64) async {
        if let run { _ = await run.pause(until: instant) } else { try? await services.clock.sleep(until: instant) }
    }

    /// Another amount than was asked for is looked at once more; a look that fails is repeated once.
    func verified(_ held: Attempt) async -> Attempt {
        for _ in 1...2 {
            guard let looked = try? await look(held.intent.attempt, verifies: true), let attempt = looked.attempt else {
                continue
            }
            if looked.reason == nil { return attempt }
        }
        return held
    }

    /// One lookup of an attempt.
    ///
    /// - Parameters:
    ///   - isOwed: Whether a message hinted at news; then a decided attempt is looked at, too.
    ///   - verifies: Whether to ask the provider about a decided attempt, too.
    ///   - other: The run to ask about, if that is not the run in question.
    ///   - answered: The other runs about which their provider has told already what it knows, the first one first.
    func look(
        _ id: AttemptID, isOwed: Bool = false, verifies: Bool = false, run other: Int? = nil,
        answered: [AnsweredRun] = []
    ) async throws(PaymentError) -> LookupOutcome {
        guard let attempt = try await services.attempt(id, .unknown) else {
            throw PaymentError.unknown(.notFound, "There is no attempt \(id) in this journal.")
        }
        guard let stored = try await services.payment(attempt.intent.paymentID, .unknown) else {
            throw PaymentError.unknown(.notFound, "There is no payment \(attempt.intent.paymentID) in this journal.")
        }
        let needsLook = other == nil && attempt.isUnsettled && (attempt.isEnded || !attempt.isOpen)
        guard needsLook || verifies || isOwed else { return LookupOutcome(attempt: attempt) }
        guard let plan = provider.driver.lookupPlan(for: attempt.intent.operation) else {
            return LookupOutcome(
                attempt: attempt, reason: "\(provider.id) can't be asked about it; its message decides.")
        }
        let number = other ?? attempt.runInQuestion
        guard let asked = attempt.runs.first(where: { $0.number == number }),
            asked.account.isExactly(provider.identity)
        else {
            // What another provider does not know was no less executed, even if it serves the same account.
            let account = attempt.newest?.account.id.rawValue ?? ""
            return LookupOutcome(
                attempt: attempt, reason: "The attempt belongs to \(account), and \(provider.id) knows nothing of it.")
        }
        let now = try await services.time(id, .unknown)
        var basis = Finding.Basis(attempt, run: number, known: stored.entry, account: provider.identity, askedAt: now)
        (basis.isByName, basis.isByTerminal) = (plan.asksTerminal, plan.asksTerminal)
        let isOfAll = attempt.runsToAsk.allSatisfy { run in
            run == number || answered.contains { $0.run == run }
        }
        basis.allAskedSince = isOfAll ? answered.first?.askedAt ?? now : nil
        var result: LookupResult
        let (observation, counter) = (RequestInFlight.current?.observation, ObservedCount.Counter.lookups)
        let span = observation?.begin(.lookup)
        do throws(PaymentError) {
            result = try await believable(attempt, number, stored, now)
            if let span { observation?.end(span, [ObservedAttribute(.outcome, result.observed)], counting: counter) }
        } catch {
            if let span { observation?.end(span, error, counting: counter) }
            return LookupOutcome(attempt: attempt, reason: run == nil ? error.summary : error.explained, failure: error)
        }
        // What can't be known changes nothing, so that nothing is written. A lookup that a message owes stays owed: only an
        // answer settles it.
        if case .cannotTell(let why, let shown) = result {
            return LookupOutcome(attempt: attempt, reason: why, shown: shown)
        }
        // What is decided turns by nothing but a late failure, unless the operation can turn; what contradicts it counts.
        // A change of the payment's sums does not tell which run made it.
        if other != nil, case .changed = result { result = .notFound(seesBack: nil) }
        let isNews = result.verdict.map { verdict in
            attempt.isNews(verdict, basis, names: provider.names(in: verdict), isAlone: stored.attempts.count == 1)
        }
        let canTurn = attempt.intent.operation.canTurn && other == nil
        if !needsLook, !verifies, !canTurn, isNews != true {
            if other != nil { return LookupOutcome(attempt: attempt, answeredAt: now) }
            result = .cannotTell("Nothing has changed.")
        }
        return try await write(result, attempt, basis, plan)
    }

    private func write(
        _ result: LookupResult, _ attempt: Attempt, _ basis: Finding.Basis, _ plan: LookupPlan
    ) async throws(PaymentError) -> LookupOutcome {
        var terms = LookupTerms(quietPeriod: plan.quiet, isExclusive: provider.capabilities.isExclusive)
        (terms.clockMargin, terms.takesIDOnce) = (plan.clockMarginMilliseconds, plan.takesIDOnce)
        let result = result.recordable
        let names = result.verdict.map { provider.names(in: $0) } ?? []
        if case .found(.pending(let pending)) = result, pending.shouldPoll {
            return LookupOutcome(attempt: attempt, shown: names)
        }
        // The steps that led to it stand before what it says.
        let steps = run?.takeEvents() ?? []
        let finding = Finding.lookup(result, basis, terms, names: names)
        let entry = JournalEntry(.report(attempt.intent.attempt, finding), timeline: steps)
        let answer: JournalAnswer
        let observation = RequestInFlight.current?.observation
        let span = observation?.begin(.decision)
        do {
            answer = try await services.write(entry, of: attempt.intent.paymentID)
            if let span { observation?.end(span, answer) }
        } catch {
            if let span { observation?.end(span, nil) }
            run?.keepEvents(steps)
            throw services.failed(error, attempt.intent.attempt, .unknown)
        }
        if answer.receipt?.isEmpty != false { run?.keepEvents(steps) }
        let refusal: JournalRefusal? =
            switch answer {
            case .refused(let refusal, _): refusal
            case .written(_, let receipt): receipt.refusal
            case .known, .kept, .hint: nil
            }
        var outcome = LookupOutcome(
            attempt: answer.attempt ?? attempt, reason: refusal?.words, answeredAt: basis.askedAt)
        if case .couldMatch(let seen) = refusal { outcome.couldBe = seen }
        // What the provider has accepted may still be executed.
        if case .found(.pending) = result { outcome.shown = names }
        return outcome
    }

    /// What the provider shows of an attempt; another amount than was asked for is looked at twice.
    private func believable(
        _ attempt: Attempt, _ number: Int, _ stored: StoredPayment, _ now: Attempt.Instant
    ) async throws(PaymentError) -> LookupResult {
        let first = try await sighting(attempt, number, stored, now)
        guard first.verdict?.isOverAnother(attempt.intent.amount) == true else { return first }
        return try await sighting(attempt, number, stored, now)
    }

    /// What the provider shows of an attempt, without what must not come back.
    private func sighting(
        _ attempt: Attempt, _ number: Int, _ stored: StoredPayment, _ now: Attempt.Instant
    ) async throws(PaymentError) -> LookupResult {
        let inquiry = inquiry(attempt, number, stored, now)
        let scrub = run?.scrub ?? SecretScrubber(provider.driver.secrets)
        do { return scrub(try await provider.driver.lookup(inquiry, context)) } catch {
            throw PaymentError(wrapping: error, .unknown, attempt.intent.attempt, provider.driver, scrub: scrub)
        }
    }

    /// What the provider shows that could be an attempt and that no lookup matches with it, by the provider's names.
    func lookAlikes(of attempt: Attempt) async throws(PaymentError) -> [String] {
        let id = attempt.intent.attempt
        guard let stored = try await services.payment(attempt.intent.paymentID, .unknown) else { return [] }
        let inquiry = inquiry(attempt, attempt.runInQuestion, stored, try await services.time(id, .unknown))
        do { return try await provider.driver.lookAlikes(of: inquiry, context) } catch {
            throw PaymentError(
                wrapping: error, .unknown, id, provider.driver, scrub: SecretScrubber(provider.driver.secrets))
        }
    }

    private var context: LookupContext {
        LookupContext(ProviderCalls(provider: provider, services: services, run: run))
    }

    private func inquiry(
        _ attempt: Attempt, _ number: Int, _ stored: StoredPayment, _ now: Attempt.Instant
    ) -> LookupRequest {
        let submitted = attempt.requests.first { $0.run == number }?.openedAt
        let others = stored.attempts.filter { $0.intent.attempt != attempt.intent.attempt }
        let account = attempt.runs.first { $0.number == number }?.account
        let kind = provider.capabilities.manualName
        let snapshot = PaymentSnapshot(PaymentRecord(others), at: account, manualName: { _ in kind })
        let payment = attempt.intent.payment == nil ? nil : snapshot
        let since = submitted.map { JournalClock().atLeast($0, now, [:]) }
        return LookupRequest(
            record: attempt, run: number, payment: payment, millisecondsSinceSent: since, manualName: kind,
            isSameClock: submitted.map { JournalClock.isSame($0, now) } ?? false)
    }
}

extension LookupResult {
    /// What is said of the attempt itself.
    var verdict: Verdict? {
        switch self {
        case .found(let verdict), .changed(let verdict): verdict
        case .repeated(let approval): .approved(approval)
        case .candidates, .notFound, .cannotTell: nil
        }
    }

    /// The same without what a journal must not hold.
    fileprivate var recordable: LookupResult {
        switch self {
        case .found(let verdict): .found(verdict.recordable)
        case .changed(let verdict): .changed(verdict.recordable)
        case .repeated(let approval): .repeated(approval.recordable)
        case .candidates(let seen):
            .candidates(seen.map { Candidate($0.name, $0.verdict.recordable, at: $0.at) })
        case .notFound, .cannotTell: self
        }
    }
}

extension PaymentError {
    /// What a person may know of a look that failed, if no run knows what must not come back: the code, and the status of a
    /// reply.
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
