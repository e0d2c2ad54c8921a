internal import PaymentBase

extension PaymentClient {
    /// Takes a webhook: verified or refused; a verdict decides what it names, a hint causes a lookup, duplicates do no
    /// harm, and what comes before we know the name is kept until we do.
    ///
    /// - Returns: What it said and what came of it, with the answer that the provider expects.
    /// - Throws: When it can't be verified, or when something of it could not be written down: then it has to come again.
    @discardableResult
    public func receive(
        _ body: [UInt8], headers: [String: String] = [:], from id: ProviderID
    ) async throws(PaymentError) -> WebhookAnswer {
        let provider = try open(id)
        guard let driver = provider.webhooks else { throw unsupported("webhooks", provider) }
        let message = WebhookMessage(headers: headers, body: body, at: services.clock.now)
        let notices: [ProviderNotice]
        do { notices = try driver.notices(in: message) } catch {
            throw PaymentError(wrapping: error, .nothingMoved, nil, driver)
        }
        var failure: PaymentError?
        var items: [WebhookAnswer.Item] = []
        for notice in notices {
            // One bad item must not keep the others from being heard.
            do { items.append(.init(notice: notice, effect: try await hear(notice, provider))) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return WebhookAnswer(items: items, status: driver.acknowledgement.status, body: driver.acknowledgement.body)
    }

    private func hear(
        _ notice: ProviderNotice, _ provider: OpenProvider
    ) async throws(PaymentError) -> WebhookAnswer.Effect {
        let before = try await find(notice, provider)
        emit(notice, provider, before)
        guard let verdict = notice.verdict else {
            guard let before else { return .ignored(because: "it names nothing of ours") }
            return try await look(before)
        }
        // A kit or a terminal may show several cards in one request: the refusal of one of them does not end it.
        if let before, verdict.isRefusal, isSending(before) { return try await look(before) }
        // Another system on the account, or another journal, may have given its operation the same name.
        if let before, try await isAboutAnother(notice, before, provider) { return try await look(before) }
        let subject: JournalEntry.Subject
        switch (notice.subject, before) {
        case (_, let before?): subject = .attempt(before.intent.key)
        case (.attempt, nil): return .ignored(because: "it names no attempt in this journal")
        case (.reference(let value, let operations), nil): subject = .holder(provider.identity, value, operations)
        }
        var entry = entry(subject, verdict, notice, provider, before)
        if before == nil, let intent = try await adopted(notice, verdict, provider) {
            let names = provider.names(in: verdict)
            entry.parts = [.byProvider(intent, provider.identity), .names(provider.identity, names)] + entry.parts
        }
        let answer = try await services.write(entry, .unknown)
        switch answer {
        case .accepted(let facts): return await applied(AttemptRecord(facts), before)
        case .kept: return .kept
        case .refused(.noProof(let why), _):
            guard let before else { return .ignored(because: why) }
            return before.facts.hasMoved ? .ignored(because: why) : try await look(before)
        case .refused, .known, .conflict, .unknownAttempt: return .ignored(because: "it names nothing of ours")
        }
    }

    /// Whether a message names our attempt, and another payment than the one that the attempt belongs to.
    private func isAboutAnother(
        _ notice: ProviderNotice, _ record: AttemptRecord, _ provider: OpenProvider
    ) async throws(PaymentError) -> Bool {
        guard case .attempt = notice.subject, let original = notice.original else { return false }
        let origin = record.intent.isOrigin ? record : try await services.attempt(record.intent.paymentID.attempt)
        let known = origin?.verdict?.references[provider.driver.decisionReference]
        return known.map { $0 != original } ?? false
    }

    /// Whether a process works on an attempt, and a request of it has no reply yet.
    private func isSending(_ record: AttemptRecord) -> Bool {
        let facts = record.facts
        guard !facts.isEnded, let last = facts.sends.last, last.round == record.round, facts.proof(of: last) == nil
        else {
            return false
        }
        return running.withLock { $0[record.intent.attempt] } != nil || services.isElsewhere(record)
    }

    private func entry(
        _ subject: JournalEntry.Subject, _ verdict: Verdict, _ notice: ProviderNotice, _ provider: OpenProvider,
        _ before: AttemptRecord?
    ) -> JournalEntry {
        var word = AttemptFacts.Word(.webhook, .verdict(verdict.recordable), at: services.instant)
        (word.providerTime, word.id) = (notice.at, notice.id.map { "\(notice.kind) \($0)" })
        if case .reference(let value, _) = notice.subject, let before {
            word.send = before.facts.names.last { $0.value == value }?.send
        }
        // Of an attempt that was tried at several providers each speaks of its own part.
        let rounds = before?.facts.rounds ?? []
        if word.send == nil, rounds.contains(where: { $0.provider != provider.identity }) {
            word.round = rounds.last { $0.provider == provider.identity }?.number
        }
        let names = before == nil ? [] : provider.names(in: verdict)
        var entry = JournalEntry(subject, (names.isEmpty ? [] : [.names(provider.identity, names)]) + [.word(word)])
        entry.announces = before.map { !isUnderWay($0.intent.attempt) } ?? true
        return entry
    }

    /// What the provider has done by itself on a payment of ours, as an attempt; nil where it says nothing of the kind.
    private func adopted(
        _ notice: ProviderNotice, _ verdict: Verdict, _ provider: OpenProvider
    ) async throws(PaymentError) -> AttemptIntent? {
        guard let original = notice.original, case .reference(_, let operations) = notice.subject,
            case .approved(let approval) = verdict, operations.count == 1, let operation = operations.first,
            !operation.isOrigin
        else { return nil }
        let holders = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.holders(original, of: provider.identity)
        }
        guard let origin = holders.first(where: \.intent.isOrigin) else { return nil }
        var intent = AttemptIntent(
            AttemptID(now: services.clock.now, random: services.random), operation, approval.amount,
            reference: origin.intent.reference, payment: origin.intent.paymentID)
        intent.scope = origin.intent.scope
        return intent
    }

    /// Tells whoever waits, or the timeline where nobody does.
    private func applied(_ held: AttemptRecord, _ before: AttemptRecord?) async -> WebhookAnswer.Effect {
        let attempt = held.intent.attempt
        if held.facts.isContradicted, before?.facts.isContradicted == false {
            services.events.emit(
                .contradiction, at: services.clock.now, payment: held.intent.paymentID, attempt: attempt,
                provider: held.provider.id)
        }
        if let run = running.withLock({ $0[attempt] }) {
            let result = held.verdict?.isFinal == true ? try? await services.result(held) : nil
            run.news(result)
        } else if held.state != before?.state {
            await tell(held)
        }
        return .applied(attempt)
    }

    /// A hint: whoever runs it is woken, else it is looked at.
    private func look(_ record: AttemptRecord) async throws(PaymentError) -> WebhookAnswer.Effect {
        let attempt = record.intent.attempt
        if let run = running.withLock({ $0[attempt] }) {
            run.news(nil)
            return .applied(attempt)
        }
        switch hinted.turn(attempt, at: services.clock.now) {
        case .now: break
        case .taken: return .applied(attempt)
        case .at(let instant):
            defer { hinted.begin(attempt, at: services.clock.now) }
            do { try await services.clock.sleep(until: instant) } catch {
                throw PaymentError(
                    .cancelled, outcome: .unknown, attempt: attempt, detail: "cancelled before the lookup")
            }
        }
        let looked = try await recover(attempt, isHinted: true)
        let held = looked.record
        // Of what is decided nobody looks again by himself: the message has to come once more.
        if let failure = looked.failure, !held.facts.isOpen { throw failure }
        if held.state != record.state { await tell(held) }
        return .applied(attempt)
    }

    private func emit(_ notice: ProviderNotice, _ provider: OpenProvider, _ record: AttemptRecord?) {
        services.events.emit(
            .webhook, at: services.clock.now, payment: record?.intent.paymentID, attempt: record?.intent.attempt,
            provider: provider.id, attributes: ["kind": notice.kind])
    }

    private func find(
        _ notice: ProviderNotice, _ provider: OpenProvider
    ) async throws(PaymentError) -> AttemptRecord? {
        switch notice.subject {
        case .attempt(let attempt):
            let record = try await services.attempt(attempt)
            guard let record, record.facts.rounds.contains(where: { $0.provider == provider.identity }) else {
                return nil
            }
            return notice.operations?.contains(record.intent.operation) ?? true ? record : nil
        case .reference(let value, let operations):
            let holders = try await services.reading(nil) { journal throws(JournalFailure) in
                try await journal.holders(value, of: provider.identity)
            }
            let fitting = holders.filter { operations.isEmpty || operations.contains($0.intent.operation) }
            return fitting.count == 1 ? fitting.first.map(AttemptRecord.init) : nil
        }
    }
}
