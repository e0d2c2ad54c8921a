internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentClient {
    /// One lookup of an attempt on which no process works.
    @discardableResult
    func recover(_ id: AttemptID, isOwed: Bool = false) async throws(PaymentError) -> Looker.LookupOutcome {
        guard await recovering.enter(id) else {
            throw PaymentError(
                .cancelled, outcome: .unknown, attempt: id, detail: "It was cancelled while another caller asked.")
        }
        defer { recovering.leave(id) }
        guard let attempt = try await services.attempt(id, .unknown) else {
            // What another process is about to begin is not written yet: nothing is said about money.
            throw PaymentError.unknown(.notFound, "There is no attempt \(id) in this journal.")
        }
        if isUnderWay(id) { return .init(attempt: attempt) }
        if await services.isElsewhere(attempt) { return .init(attempt: attempt) }
        guard attempt.newest?.end == nil || attempt.isUnsettled || isOwed else { return .init(attempt: attempt) }
        let account = attempt.newest?.account.id
        return try await services.observed(.recovery, attempt.intent, account, secrets(of: attempt)) {
            () async throws(PaymentError) in
            try await recovered(attempt, isOwed)
        }
    }

    /// What comes back must not hold the secrets of the provider that is asked.
    private func secrets(of attempt: Attempt) -> [Secret] {
        attempt.newest.flatMap { providers[$0.account.id] }?.driver.secrets ?? []
    }

    private func recovered(_ held: Attempt, _ isOwed: Bool) async throws(PaymentError) -> Looker.LookupOutcome {
        var (attempt, id) = (held, held.intent.attempt)
        if let run = attempt.newest, run.end == nil {
            // The process that ran it is dead, or none of its clients is left that does: nothing more is opened.
            let entry = JournalEntry(.takeOver(id, run: run.number, services.takeOver(run, id)))
            let observation = RequestInFlight.current?.observation
            let span = observation?.begin(.takeOver)
            do {
                let answer = try await services.write(entry, of: attempt.intent.paymentID)
                if let span { observation?.end(span, answer, counting: .takeOvers) }
                attempt = answer.attempt ?? attempt
            } catch {
                if let span { observation?.end(span, nil, counting: .takeOvers) }
                throw services.failed(error, id, .unknown)
            }
        }
        guard attempt.isUnsettled || isOwed, attempt.isEnded else {
            return .init(attempt: attempt)
        }
        let answered = isOwed ? try await lookUpOlderRuns(of: attempt) : []
        return try await lookup(attempt, attempt.runInQuestion) { looker throws(PaymentError) in
            try await looker.look(id, isOwed: isOwed, answered: answered)
        }
    }

    /// A message names the attempt, and not its run: each run that sent something is asked, the one in question last.
    func lookUpOlderRuns(of attempt: Attempt) async throws(PaymentError) -> [Looker.AnsweredRun] {
        var answered: [Looker.AnsweredRun] = []
        for run in attempt.runsToAsk where run != attempt.runInQuestion {
            let looked = try await lookup(attempt, run) { looker throws(PaymentError) in
                try await looker.look(attempt.intent.attempt, isOwed: true, run: run)
            }
            if let askedAt = looked.answeredAt { answered.append(.init(run: run, askedAt: askedAt)) }
        }
        return answered
    }

    /// Asks the account at which a run was made.
    private func lookup(
        _ attempt: Attempt, _ run: Int, _ look: (Looker) async throws(PaymentError) -> Looker.LookupOutcome
    ) async throws(PaymentError) -> Looker.LookupOutcome {
        guard let account = attempt.runs.first(where: { $0.number == run })?.account else {
            return .init(attempt: attempt)
        }
        let looker: Looker
        do { looker = Looker(provider: try open(account), services: services) } catch {
            return .init(attempt: attempt, reason: error.detail, failure: error)
        }
        return try await look(looker)
    }
}
