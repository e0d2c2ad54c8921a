internal import PaymentBase

extension PaymentClient {
    /// What became of an attempt: looks it up once if nobody knows yet.
    ///
    /// - Throws: `inDoubt`, unknown, when nobody can tell yet, with the reason; `neverArrived`, nothing moved, when it is
    ///   proven that nothing was done.
    public func status(_ attempt: AttemptID) async throws(PaymentError) -> PaymentResult {
        let end = services.clock.now + services.deadline.wholeMilliseconds
        if let run = running.withLock({ $0[attempt] }) { return try await run.answer(until: end, asCaller: false) }
        let looked = try await services.bounded(until: end, attempt) { [self] () async throws(PaymentError) in
            try await recover(attempt)
        }
        let record = looked.record
        switch record.state {
        case .concluded: return try await services.result(record)
        case .notMoved:
            // Somebody here may have begun it anew meanwhile.
            if let run = running.withLock({ $0[attempt] }) { return try await run.answer(until: end, asCaller: false) }
            throw PaymentError(
                .neverArrived, outcome: .nothingMoved, attempt: attempt,
                detail: "nothing was done; it may be tried again")
        case .begun, .submitted:
            throw PaymentError(
                .inDoubt, outcome: .unknown, attempt: attempt, detail: "it is under way; ask again later")
        case .inDoubt: throw PaymentError.stillOpen(record, looked.reason)
        }
    }

    /// A payment as the journal has it.
    public func payment(_ id: PaymentID) async throws(PaymentError) -> PaymentRecord {
        let family = try await services.family(id)
        guard let record = record(family) else {
            throw PaymentError.nothingMoved(.notFound, "there is no payment \(id) in this journal")
        }
        return record
    }

    private func record(_ family: [AttemptRecord]) -> PaymentRecord? {
        let captures = family.first.flatMap { services.captures[$0.provider.id] } ?? .several
        return PaymentRecord(family, captures: captures)
    }

    /// An attempt as the journal has it; nil when there is none of that name.
    public func attempt(_ id: AttemptID) async throws(PaymentError) -> AttemptRecord? { try await services.attempt(id) }

    /// A page of the journal's payments, newest first.
    public func payments(after cursor: JournalCursor? = nil, limit: Int = 20) async throws(PaymentError) -> PaymentPage
    {
        let (scope, limit) = (services.scope, max(0, min(limit, ListQuery.limitMax)))
        let page = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.page(.origins, scope: scope, after: cursor, limit: limit)
        }
        return try await paymentPage(page)
    }

    /// All of the journal's payments, newest first, read a page at a time.
    public func everyPayment(pageSize: Int = 100) -> PagedSequence<PaymentRecord> {
        PagedSequence(first: page(after: nil, max(1, min(pageSize, ListQuery.limitMax))))
    }

    private func page(after cursor: JournalCursor?, _ size: Int) -> PagedSequence<PaymentRecord>.Fetch {
        { () async throws(PaymentError) in
            let page = try await payments(after: cursor, limit: size)
            return .init(elements: page.payments, next: page.next.map { self.page(after: $0, size) })
        }
    }

    /// The payments of a page, each with what followed; one whose family can't be read is named.
    private func paymentPage(_ page: JournalPage) async throws(PaymentError) -> PaymentPage {
        var (records, unreadable) = ([PaymentRecord](), page.unreadable.map(\.attempt))
        for facts in page.rows {
            let family = try? await services.family(facts.intent.paymentID)
            if let record = family.flatMap({ record($0) }) {
                records.append(record)
            } else {
                unreadable.append(facts.intent.attempt)
            }
        }
        return PaymentPage(payments: records, unreadable: unreadable, next: page.next)
    }

    /// The payments under a reference of the application's, oldest first.
    public func payments(reference: String) async throws(PaymentError) -> [PaymentRecord] {
        let scope = services.scope
        let page = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.page(.reference(reference), scope: scope, after: nil, limit: ListQuery.limitMax)
        }
        return try await paymentPage(page).payments
    }

    /// The timeline of a payment, in order.
    public func timeline(of payment: PaymentID) async throws(PaymentError) -> [PaymentEvent] {
        let key = services.key(payment.attempt)
        let events = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.timeline(key)
        }
        // Several processes number what they write each for itself; its place is where the journal has it.
        return events.enumerated().map { $1.numbered($0 + 1) }
    }

    /// Adds an event of the application's own to a payment's timeline.
    public func add(
        _ kind: PaymentEvent.Kind, to payment: PaymentID, _ attributes: [String: String] = [:]
    ) async throws(PaymentError) {
        let written = try await timeline(of: payment).last?.sequence ?? 0
        let event = services.events.emit(
            kind, at: services.clock.now, payment: payment, attempt: nil, provider: nil,
            attributes: attributes.mapValues { Masking.cardNumbers(in: $0) }, written: written)
        var entry = JournalEntry(services.key(payment.attempt), [])
        entry.events = [event]
        if case .unknownAttempt = try await services.write(entry) {
            throw PaymentError.nothingMoved(.notFound, "there is no payment \(payment) in this journal")
        }
    }

    /// A person decides what nobody else can tell, also about what is pending; the reason is kept in the journal.
    ///
    /// What a provider says later still counts: money that moved is never left out, whatever was decided.
    ///
    /// - Throws: `conflict` when the attempt is decided or under way, or may still change by itself for a while.
    @discardableResult
    public func resolve(
        _ attempt: AttemptID, _ decision: Decision, because reason: String
    ) async throws(PaymentError) -> AttemptRecord {
        guard !reason.isEmpty else {
            throw PaymentError(
                .invalidRequest, outcome: .nothingMoved, attempt: attempt, detail: "a decision needs a reason")
        }
        if case .moved(let name, _) = decision, !Self.isName(name) {
            throw PaymentError(
                .invalidRequest, outcome: .nothingMoved, attempt: attempt,
                detail: "the provider's name for it has 1 to \(Self.nameBytesMax) printable signs")
        }
        if case .moved(_, let amount?) = decision, !amount.isBelievable {
            throw PaymentError(
                .invalidRequest, outcome: .nothingMoved, attempt: attempt,
                detail: "The amount must be zero or more, and at most "
                    + "\(Money(minorUnits: Money.believableMinorUnitsMax, amount.currency)) (got \(amount)).")
        }
        guard let record = try await services.attempt(attempt, .unknown) else {
            throw PaymentError.nothingMoved(.notFound, "there is no attempt \(attempt) in this journal")
        }
        let run = running.withLock { $0[attempt] }
        guard run?.isAwaited != true, !services.isElsewhere(record) else {
            throw undecidable(record, "it is under way")
        }
        // The caller has left, and the provider may still work on the request.
        guard run?.hasOpenSend != true else {
            throw undecidable(record, "its request has no reply yet; it is decided when the reply is there")
        }
        if case .moved(_, let amount?) = decision,
            amount.currency != record.intent.amount.currency || amount.minorUnits <= 0
        {
            throw PaymentError(
                .invalidRequest, outcome: .nothingMoved, attempt: attempt,
                detail:
                    "what moved is more than zero, in the currency of the payment (\(record.intent.amount.currency.code), "
                    + "got \(amount))")
        }
        var parts: [JournalEntry.Part] = []
        if !record.facts.isEnded { parts.append(.end(round: record.round, run == nil ? .takeOver : .person)) }
        // The only clock that facts carry: of two machines none is asked for its own.
        let now = try await services.reading(attempt, .unknown) { journal throws(JournalFailure) in
            try await journal.time(services.instant)
        }
        parts.append(decided(decision, record, at: now))
        parts.append(.note(name: "resolved", value: Masking.cardNumbers(in: reason)))
        if case .moved(let reference, _) = decision { parts.append(.names(record.provider, [reference])) }
        var entry = JournalEntry(record.intent.key, parts)
        entry.events = [resolved(record, decision)]
        let answer = try await services.write(entry, .unknown)
        guard case .accepted(let facts) = answer else {
            if case .refused(.noProof(let why), let facts) = answer {
                throw undecidable(facts.map(AttemptRecord.init) ?? record, why)
            }
            throw undecidable(record, "it was decided meanwhile")
        }
        return AttemptRecord(facts)
    }

    /// How long a provider's name for a payment is that a person may give.
    private static let nameBytesMax = 200

    /// Whether a provider may call a payment so; what can't stand in a request would never be given back.
    private static func isName(_ text: String) -> Bool {
        (1...nameBytesMax).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    private func decided(
        _ decision: Decision, _ record: AttemptRecord, at now: JournalInstant
    ) -> JournalEntry.Part {
        let driver = providers[record.provider.id].flatMap { $0.identity == record.provider ? $0.driver : nil }
        switch decision {
        case .moved(let reference, let amount):
            let name = driver?.decisionReference ?? "payment"
            let approval = Approval(amount ?? record.intent.amount, references: [name: reference])
            var word = AttemptFacts.Word(.person, .verdict(.approved(approval)), at: now)
            word.round = record.round
            return .word(word)
        case .nothingMoved:
            let quiet = driver?.lookupPlan(for: record.intent.operation).quietTime
            // Its round may be ended by this very entry; what it says is judged as of now.
            var silence = Silence(nil, of: record.facts, askedAt: now, quiet: quiet ?? 0)
            silence.source = .person
            return .silence(silence)
        case .withdrawn: return .word(AttemptFacts.Word(.person, .withdrawn, at: now))
        }
    }

    private func resolved(_ record: AttemptRecord, _ decision: Decision) -> PaymentEvent {
        let moved: String
        switch decision {
        case .moved: moved = "yes"
        case .nothingMoved: moved = "no"
        case .withdrawn: moved = "withdrawn"
        }
        return services.events.emit(
            .resolved, at: services.clock.now, payment: record.intent.paymentID, attempt: record.intent.attempt,
            provider: record.provider.id, attributes: ["moved": moved])
    }

    private func undecidable(_ record: AttemptRecord, _ why: String) -> PaymentError {
        PaymentError(
            .conflict, outcome: record.outcome, attempt: record.intent.attempt, retry: .never,
            detail: "a person decides only what is in doubt or pending and not under way: \(why)")
    }

    /// Tells subscribers of an outcome that no call was waiting for; the timeline has it already.
    func tell(_ record: AttemptRecord) async {
        let (payment, kind) = (record.intent.paymentID, record.news)
        services.events.emit(
            kind, at: services.clock.now, payment: payment, attempt: record.intent.attempt,
            provider: record.provider.id, attributes: record.attributes(of: kind),
            written: max(0, await services.lastSequence(payment) - 1))
    }
}
