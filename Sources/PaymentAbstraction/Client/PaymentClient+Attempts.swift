internal import PaymentBase

extension PaymentClient {
    /// How often an intent is offered to the journal again after something that stood in its way was decided.
    private static let offersMax = 4
    /// How often the journal is asked about an attempt that another process works on, in milliseconds.
    private static let elsewhereEveryMilliseconds: Int64 = 250

    /// Begins, replays, joins or recovers; the work runs in a task that no caller can cancel once money may move.
    func perform(
        _ intent: AttemptIntent, _ provider: OpenProvider, secrets: [Secret] = [], isDryRun: Bool = false,
        within limit: Duration? = nil, _ work: @escaping AttemptRun.Body
    ) async throws(PaymentError) -> PaymentResult {
        let services = isDryRun ? services.rehearsing() : services
        let milliseconds = try Deadline(limit, otherwise: services.deadline).milliseconds
        if let run = running.withLock({ $0[intent.attempt] }), run.record.intent == intent {
            return try await run.answer(within: milliseconds)
        }
        guard await lanes.enter(intent.paymentID) else {
            throw PaymentError(
                .cancelled, outcome: .nothingMoved, attempt: intent.attempt,
                detail: "cancelled while another operation on the payment was under way")
        }
        starting.withLock { _ = $0.insert(intent.attempt) }
        let admitted: Admitted
        do { admitted = try await admit(intent, provider, services, secrets, within: milliseconds) } catch {
            giveUp(intent)
            throw error
        }
        let run: AttemptRun
        switch admitted {
        case .result(let result):
            giveUp(intent)
            return result
        case .join(let other):
            giveUp(intent)
            return try await other.answer(within: milliseconds)
        case .run(let fresh):
            run = fresh
            running.withLock { $0[intent.attempt] = fresh }
            starting.withLock { _ = $0.remove(intent.attempt) }
        }
        run.start(work) { [running, lanes] in
            running.withLock { $0[intent.attempt] = nil }
            lanes.leave(intent.paymentID)
        }
        do { return try await run.answer(within: milliseconds) } catch {
            var failure = error
            failure.allowsFallback = error.outcome == .nothingMoved && !run.hasActed && error.code.isAboutReaching
            throw failure
        }
    }

    /// Nothing of ours runs under the intent: others may go on.
    private func giveUp(_ intent: AttemptIntent) {
        starting.withLock { _ = $0.remove(intent.attempt) }
        lanes.leave(intent.paymentID)
    }

    private enum Admitted {
        case result(PaymentResult), join(AttemptRun), run(AttemptRun)
    }

    private func admit(
        _ intent: AttemptIntent, _ provider: OpenProvider, _ services: Services, _ secrets: [Secret],
        within milliseconds: Int64
    ) async throws(PaymentError) -> Admitted {
        let attempt = intent.attempt
        let end = services.clock.now + milliseconds
        let terms = AdmissionTerms(
            provider.identity, captures: provider.driver.capabilities.captures, owner: services.owner)
        var refusal: Beginning.Refusal?
        for _ in 0..<Self.offersMax {
            let beginning = try await services.writing(attempt) { journal in
                try await services.unwritten.flush(journal)
                return try await journal.begin(intent, terms, at: services.clock.now)
            }
            switch beginning {
            case .fresh(let record):
                let sequences = try await sequences(of: intent, services)
                return .run(AttemptRun(record, provider, services, secrets: secrets, sequences: sequences))
            case .recorded(let record): return .result(try await services.result(record))
            case .open:
                if let run = running.withLock({ $0[attempt] }) { return .join(run) }
                try await waitElsewhere(attempt, until: end)
                let record = try await recover(attempt, isOurs: true)
                if record.isOpen { throw Self.stillOpen(record) }
            case .conflict(let record): throw Self.conflict(record)
            case .refused(let why):
                refusal = why
                guard try await clear(why, for: intent) else { throw Self.refused(why, intent) }
            }
        }
        throw Self.refused(refusal ?? .notAllowed("something else keeps getting in the way"), intent)
    }

    /// An attempt that another process works on: wait for its outcome, no longer than the deadline.
    private func waitElsewhere(_ attempt: AttemptID, until end: Int64) async throws(PaymentError) {
        while let record = try await services.record(attempt), services.isElsewhere(record) {
            guard services.clock.now < end, !Task.isCancelled else {
                throw PaymentError(
                    Task.isCancelled ? .cancelled : .timedOut, outcome: .unknown, attempt: attempt,
                    detail: "another process works on it; ask for the attempt's status")
            }
            let next = min(end, services.clock.now + Self.elsewhereEveryMilliseconds)
            try? await services.clock.sleep(until: next)
        }
    }

    /// The numbers of a payment's timeline go on where the written ones end.
    private func sequences(of intent: AttemptIntent, _ services: Services) async throws(PaymentError) -> Int {
        guard let payment = intent.payment else { return 0 }
        let written = try? await services.journal.timeline(of: payment)
        return written?.last?.sequence ?? 0
    }

    /// Recovers what stands in the way, if it is not under way; says whether that changed anything.
    private func clear(_ refusal: Beginning.Refusal, for intent: AttemptIntent) async throws(PaymentError) -> Bool {
        let blockers: [AttemptID]
        switch refusal {
        case .blocked(let by): blockers = by
        case .exceeds(_, let open): blockers = open
        case .notAllowed, .noSuchPayment, .otherProvider: return false
        }
        var hasChanged = false
        for attempt in blockers where !isUnderWay(attempt) {
            guard let before = try await services.record(attempt) else { continue }
            let after = try await recover(attempt)
            if after != before { hasChanged = true }
        }
        return hasChanged
    }

    /// One lookup of an attempt that nobody works on; what holds afterwards.
    @discardableResult
    func recover(_ attempt: AttemptID, isOurs: Bool = false) async throws(PaymentError) -> AttemptRecord {
        _ = await recovering.enter(attempt)
        defer { recovering.leave(attempt) }
        guard let record = try await services.record(attempt, .unknown) else {
            throw PaymentError(
                .notFound, outcome: .nothingMoved, attempt: attempt, detail: "there is no such attempt in this journal")
        }
        if isOurs ? running.withLock({ $0[attempt] != nil }) : isUnderWay(attempt) { return record }
        if services.isElsewhere(record) { return record }
        let recovery = Recovery(provider: try open(record.provider), services: services)
        switch record.state {
        case .notMoved: return record
        case .concluded: return record.isPending ? try await recovery.look(attempt) : record
        case .begun:
            return try await recovery.write(record, Conclusion(.notMoved, by: .lookup, at: services.clock.now))
        case .submitted, .inDoubt:
            var doubtful = record
            if record.state == .submitted {
                doubtful = try await recovery.write(record, Conclusion(.inDoubt, by: .lookup, at: services.clock.now))
            }
            return try await recovery.look(doubtful.intent.attempt)
        }
    }

    private static func stillOpen(_ record: AttemptRecord) -> PaymentError {
        PaymentError(
            .inDoubt, outcome: record.outcome, attempt: record.intent.attempt,
            detail: "nobody can tell yet what became of it; ask again later, or decide with `resolve`")
    }

    private static func conflict(_ record: AttemptRecord) -> PaymentError {
        var error = PaymentError(
            .conflict, outcome: record.outcome, attempt: record.intent.attempt, retry: .never,
            detail: "the attempt id was used before for a \(record.intent.operation.rawValue) of "
                + "\(record.intent.amount) under \(record.intent.reference); use a fresh one for something else")
        error.recorded = record.state
        return error
    }

    private static func refused(_ refusal: Beginning.Refusal, _ intent: AttemptIntent) -> PaymentError {
        switch refusal {
        case .blocked(let by):
            let names = by.map(\.text).joined(separator: ", ")
            return PaymentError(
                .inDoubt, outcome: .nothingMoved, attempt: intent.attempt,
                detail: "an earlier attempt is still open (\(names)); ask for its status or decide with `resolve`")
        case .exceeds(let left, _):
            return PaymentError(
                .exceeds, outcome: .nothingMoved, attempt: intent.attempt,
                detail: "\(intent.amount) was asked for, and \(left) is left")
        case .notAllowed(let why):
            return PaymentError(.conflict, outcome: .nothingMoved, attempt: intent.attempt, retry: .never, detail: why)
        case .noSuchPayment:
            return PaymentError(
                .notFound, outcome: .nothingMoved, attempt: intent.attempt,
                detail: "there is no payment \(intent.paymentID) in this journal")
        case .otherProvider(let provider):
            return PaymentError(
                .configuration, outcome: .nothingMoved, attempt: intent.attempt,
                detail: "the payment was taken by \(provider); it can't go through another account")
        }
    }
}

extension PaymentError.Code {
    /// Whether it says that the provider was not reached at all.
    var isAboutReaching: Bool { self == .network || self == .unavailable || self == .rateLimited }
}
