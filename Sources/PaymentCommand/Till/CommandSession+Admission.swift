internal import PaymentAbstraction
internal import PaymentBase

extension CommandSession {
    /// How many of the newest payments are looked through for one of which nobody has heard.
    private static let newestMax = 1_000
    /// How long another till has to tell what it just took, in milliseconds.
    private static let tellingMilliseconds: Int64 = 500

    /// Asks the journal whether a payment may begin, before anybody is asked for a card; gives whether it is a new one.
    ///
    /// - Throws: `inDoubt` or `conflict`, when an earlier one stands in the way, with the commands that help.
    func admits(_ asked: AskedPayment, _ attempt: AttemptID) async throws -> Bool {
        if let record = try await client.attempt(attempt) { return record.state == .notMoved }
        var earlier = try await standing(before: asked)
        for record in earlier where record.facts.isOpen { _ = try? await client.status(record.intent.attempt) }
        if !earlier.isEmpty {
            // Another till may be about to tell what it took.
            let clock = SystemClock()
            if asked.isUnnamed { try await clock.sleep(until: clock.now + Self.tellingMilliseconds) }
            // What another till is at now is another customer's, unless it has the same name.
            earlier = try await standing(before: asked).filter { record in
                record.intent.reference == asked.reference || !record.isUnderWay
            }
        }
        guard let first = earlier.first(where: { $0.facts.isOpen }) ?? earlier.first else { return true }
        throw refusal(asked, first, earlier)
    }

    /// What is open or unheard under the reference; where nothing was named, what can't be told from the new one.
    private func standing(before asked: AskedPayment) async throws -> [AttemptRecord] {
        var records = try await client.payments(reference: asked.reference).flatMap(\.attempts)
        if asked.isUnnamed {
            for query in [JournalQuery.open, .origins] {
                let rows = try await journal.page(query, scope: "", after: nil, limit: Self.newestMax).rows
                records += rows.map { AttemptRecord($0) }.filter(asked.isLike)
            }
        }
        var seen: Set<AttemptID> = []
        return records.filter { record in
            let id = record.intent.attempt
            guard record.intent.isOrigin, record.facts.blocks, seen.insert(id).inserted else { return false }
            guard asked.after.contains(id) else { return true }
            // What is open under the same reference stays in the way, whatever the caller knows.
            return record.facts.isOpen && record.intent.reference == asked.reference
        }
    }

    private func refusal(
        _ asked: AskedPayment, _ first: AttemptRecord, _ earlier: [AttemptRecord]
    ) -> AdvisedError {
        let (id, isOpen) = (first.intent.attempt, first.facts.isOpen)
        let status = call.command("status --attempt \(id)")
        let again = asked.repeats(first) ? call.again(id) : nil
        guard asked.isUnnamed, first.intent.reference != asked.reference else {
            return AdvisedError(.blocked(earlier), next: isOpen ? nil : again ?? status)
        }
        let (operation, reference) = (first.intent.operation.rawValue, first.intent.reference)
        let what =
            isOpen ? "is still open, and may have moved money" : "moved money, and nobody has heard so"
        let words =
            "an earlier \(operation) of \(first.intent.amount) at \(first.provider.id) \(what): the attempt \(id) "
            + "under the reference \(reference). If this is the same one, ask for it by --attempt \(id); if it is "
            + "another one, name it with --reference TEXT, or say --after \(id)"
        let error = PaymentError(
            isOpen ? .inDoubt : .conflict, outcome: isOpen ? .nothingMoved : .moved, attempt: isOpen ? nil : id,
            retry: .never, detail: words)
        return AdvisedError(error, next: again ?? status)
    }

    /// An error with the command that gives the result of the earlier attempt it names, where this very line would.
    func advised(_ error: PaymentError) async -> any Error {
        guard error.code == .conflict, error.outcome == .moved, let id = error.attempt, call.takesAttempt,
            !call.given.has("attempt"), let record = try? await client.attempt(id),
            record.intent.operation.rawValue == call.words.first
        else { return error }
        let typed = call.operand(record.intent.isOrigin ? 0 : 1)
        let isSame = typed.map { (try? call.money($0, record.intent.amount.currency)) == record.intent.amount } ?? true
        return isSame && !record.intent.isOrigin ? AdvisedError(error, next: call.again(id)) : error
    }
}

extension AttemptRecord {
    /// Whether somebody who lives works on it, once it was asked for: of what the dead have left it is in doubt.
    fileprivate var isUnderWay: Bool { state == .begun || state == .submitted }
}
