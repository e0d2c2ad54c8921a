internal import PaymentBase

extension PaymentClient {
    /// What became of an attempt: looks it up once if nobody knows yet.
    ///
    /// - Throws: `inDoubt`, unknown, when nobody can tell yet; `neverArrived`, nothing moved, when it is proven that
    ///   nothing was done.
    public func status(_ attempt: AttemptID) async throws(PaymentError) -> PaymentResult {
        if let run = running.withLock({ $0[attempt] }) {
            return try await run.answer(within: services.deadline.wholeMilliseconds)
        }
        let record = try await recover(attempt)
        switch record.state {
        case .concluded: return try await services.result(record)
        case .notMoved:
            throw PaymentError(
                .neverArrived, outcome: .nothingMoved, attempt: attempt,
                detail: "nothing was done; it may be tried again")
        case .begun, .submitted, .inDoubt:
            throw PaymentError(
                .inDoubt, outcome: record.outcome, attempt: attempt,
                detail: "nobody can tell yet what became of it; ask again later, or decide with `resolve`")
        }
    }

    /// A payment as the journal has it.
    public func payment(_ id: PaymentID) async throws(PaymentError) -> PaymentSnapshot {
        let family = try await services.family(id)
        let captures = family.first.flatMap { services.captures[$0.provider.id] } ?? .several
        guard let snapshot = PaymentSnapshot(family, captures: captures) else {
            throw PaymentError(
                .notFound, outcome: .nothingMoved, detail: "there is no payment \(id) in this journal")
        }
        return snapshot
    }

    /// The attempts of a payment, oldest first.
    public func attempts(of payment: PaymentID) async throws(PaymentError) -> [AttemptRecord] {
        try await services.family(payment)
    }

    /// The journal's payments, newest first.
    public func payments(after last: PaymentID? = nil, limit: Int = 20) async throws(PaymentError) -> [AttemptRecord] {
        try await services.writing(nil) { journal in
            try await journal.records(.page(after: last?.attempt, limit: max(0, min(limit, ListQuery.limitMax))))
        }
    }

    /// All of the journal's payments, newest first, a page at a time.
    public func everyPayment(pageSize: Int = 100) -> PagedSequence<AttemptRecord> {
        PagedSequence(first: page(after: nil, max(1, min(pageSize, ListQuery.limitMax))))
    }

    private func page(after last: PaymentID?, _ size: Int) -> PagedSequence<AttemptRecord>.Fetch {
        { () async throws(PaymentError) in
            let records = try await payments(after: last, limit: size)
            let end = records.count < size ? nil : records.last?.intent.paymentID
            return .init(elements: records, next: end.map { page(after: $0, size) })
        }
    }

    /// The timeline of a payment, in order.
    public func timeline(of payment: PaymentID) async throws(PaymentError) -> [PaymentEvent] {
        try await services.writing(nil) { try await $0.timeline(of: payment) }
    }

    /// Adds an event of the application's own to a payment's timeline.
    public func add(
        _ kind: PaymentEvent.Kind, to payment: PaymentID, _ attributes: [String: String] = [:]
    ) async throws(PaymentError) {
        let written = try await timeline(of: payment).last?.sequence ?? 0
        let event = services.events.emit(
            kind, at: services.clock.now, payment: payment, attempt: nil, provider: nil,
            attributes: attributes.mapValues { Masking.cardNumbers(in: $0) }, written: written)
        try await services.writing(nil) { try await $0.append([event]) }
    }

    /// After a restart: what was only begun moved nothing, what was submitted is looked up; what stays open is named.
    ///
    /// - Returns: The attempts that nobody can tell about yet.
    @discardableResult
    public func recover() async throws(PaymentError) -> [AttemptID] {
        let open = try await services.writing(nil) { journal in
            try await services.unwritten.flush(journal)
            return try await journal.records(.open)
        }
        var left: [AttemptID] = []
        for record in open where !isUnderWay(record.intent.attempt) {
            let after = try await recover(record.intent.attempt)
            if after.isOpen || after.isPending { left.append(record.intent.attempt) }
            if after.state != record.state { await tell(after) }
        }
        return left
    }

    /// A person decides what nobody else can tell: `moved` is the provider's reference when the money moved, and nil
    /// when it did not; the reason is kept in the journal.
    @discardableResult
    public func resolve(
        _ attempt: AttemptID, moved reference: String?, because reason: String
    ) async throws(PaymentError) -> AttemptRecord {
        guard !reason.isEmpty else {
            throw PaymentError(
                .invalidRequest, outcome: .nothingMoved, attempt: attempt, detail: "a decision needs a reason")
        }
        guard let record = try await services.record(attempt, .unknown) else {
            throw PaymentError(
                .notFound, outcome: .nothingMoved, attempt: attempt, detail: "there is no such attempt in this journal")
        }
        guard record.mayHaveMoved, !isUnderWay(attempt), !services.isElsewhere(record) else {
            throw PaymentError(
                .conflict, outcome: record.outcome, attempt: attempt, retry: .never,
                detail: "only an attempt that is in doubt and not under way can be decided by a person")
        }
        let state: AttemptRecord.State =
            reference.map { reference in
                .concluded(.approved(Approval(record.intent.amount, references: ["person": reference])))
            } ?? .notMoved
        var conclusion = Conclusion(state, by: .person, at: services.clock.now)
        conclusion.notes = ["resolved": Masking.cardNumbers(in: reason)]
        let recovery = Recovery(provider: try open(record.provider), services: services)
        let held = try await recovery.write(record, conclusion)
        services.events.emit(
            .resolved, at: services.clock.now, payment: record.intent.paymentID, attempt: attempt,
            provider: record.provider.id, attributes: ["moved": reference == nil ? "no" : "yes"])
        return held
    }

    /// Writes an outcome that no call was waiting for into the timeline.
    func tell(_ record: AttemptRecord) async {
        let kind: PaymentEvent.Kind
        switch record.state {
        case .concluded(let verdict): kind = .of(verdict)
        case .notMoved: kind = .failed
        case .begun, .submitted, .inDoubt: kind = .inDoubt
        }
        let payment = record.intent.paymentID
        let written = (try? await services.journal.timeline(of: payment))?.last?.sequence ?? 0
        let event = services.events.emit(
            kind, at: services.clock.now, payment: payment, attempt: record.intent.attempt,
            provider: record.provider.id, attributes: ["by": record.evidence?.rawValue ?? ""], written: written)
        try? await services.journal.append([event])
    }
}
