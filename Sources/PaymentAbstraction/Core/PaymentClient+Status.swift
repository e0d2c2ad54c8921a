internal import PaymentBase
public import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentRecord {
    /// The provider's names: those of the first attempt, and over them those that later operations brought.
    public var references: PaymentReferences { PaymentSnapshot(self)?.references ?? [:] }
}

extension PaymentClient {
    /// What became of an attempt: asks the provider once if it is not known yet.
    ///
    /// - Throws: `inDoubt`, unknown, if it is not known yet, with the reason; `notReceived`, nothing moved, if it is
    ///   proven that nothing was executed.
    public func status(_ attempt: AttemptID) async throws(PaymentError) -> PaymentResult {
        let end = try end(nil)
        if let run = underWay(attempt) { return try await answer(of: run, wantsMoney: false, until: end) }
        let looked = try await services.bounded(until: end, attempt) { [self] () async throws(PaymentError) in
            try await recover(attempt)
        }
        guard let held = looked.attempt else {
            throw PaymentError.unknown(.notFound, "There is no attempt \(attempt) in this journal.")
        }
        switch held.state {
        case .approved where held.mayReturnPart: throw PaymentError.stillOpen(held)
        case .approved, .declined, .reversed, .pending: return try await services.result(held)
        case .notExecuted:
            // A caller here may have begun it again since.
            if let run = underWay(attempt) { return try await answer(of: run, wantsMoney: false, until: end) }
            throw PaymentError(
                .notReceived, outcome: .notExecuted, attempt: attempt,
                detail: "Nothing was executed. It may be tried again.")
        case .running:
            throw PaymentError(
                .inDoubt, outcome: .unknown, attempt: attempt, detail: "A process works on it. Ask again later.")
        case .inDoubt: throw PaymentError.stillOpen(held, looked.reason, after: looked.failure)
        }
    }

    /// A payment as the journal has it, or the imported one that it turned out to be.
    public func payment(_ id: PaymentID) async throws(PaymentError) -> PaymentRecord {
        let record = try await own(id)
        guard let same = record.origin?.absorbedBy else { return record }
        guard let stored = try await services.payment(PaymentID(same)) else {
            throw services.failed(.pruned(id.attempt), id.attempt, .unknown)
        }
        return PaymentRecord(stored.attempts)
    }

    /// What the journal has under an id itself, whatever that turned out to be.
    private func own(_ id: PaymentID) async throws(PaymentError) -> PaymentRecord {
        guard let stored = try await services.payment(id) else { throw noPayment(id) }
        return PaymentRecord(stored.attempts)
    }

    /// An attempt as the journal has it, or the one that it turned out to be; nil if there is none of that id.
    public func attempt(_ id: AttemptID) async throws(PaymentError) -> Attempt? { try await services.attempt(id) }

    /// A page of the journal's payments, newest first.
    public func payments(after cursor: PaymentPage.Cursor? = nil, limit: Int = 20) async throws(PaymentError)
        -> PaymentPage
    {
        let (scope, limit) = (services.scope, max(0, min(limit, ListQuery.limitMax)))
        let page = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.attempts(.origins(scope: scope), after: cursor?.place, limit: limit)
        }
        // What turned out to be an imported payment is in the list in that one's place.
        return await paymentPage(page, follows: false) { $0.absorbedBy == nil }
    }

    /// All of the journal's payments, newest first, read a page at a time.
    ///
    /// If some can't be read, the list throws `journal` after all others and names them. ``payments(after:limit:)`` passes
    /// them over.
    public func allPayments(pageSize: Int = 100) -> PagedSequence<PaymentRecord> {
        PagedSequence(first: page(after: nil, max(1, min(pageSize, ListQuery.limitMax)), unreadable: []))
    }

    private func page(
        after cursor: PaymentPage.Cursor?, _ size: Int, unreadable: [AttemptID]
    ) -> PagedSequence<PaymentRecord>.Fetch {
        { () async throws(PaymentError) in
            let page = try await payments(after: cursor, limit: size)
            let hidden = unreadable + page.unreadable
            if let next = page.next {
                return .init(elements: page.payments, next: self.page(after: next, size, unreadable: hidden))
            }
            if hidden.isEmpty { return .init(elements: page.payments, next: nil) }
            return .init(elements: page.payments) { () async throws(PaymentError) in throw self.incomplete(hidden) }
        }
    }

    /// Makes the error that ends a list with unreadable payments. Without it, a sum over the list would be wrong.
    private func incomplete(_ hidden: [AttemptID]) -> PaymentError {
        let names = hidden.prefix(Self.namedMax).map(\.text).joined(separator: ", ")
        let more = hidden.count > Self.namedMax ? " and \(hidden.count - Self.namedMax) more" : ""
        return PaymentError(
            .journal, outcome: .unknown, attempt: hidden.first,
            detail: "The list is not complete: \(names)\(more) can't be read. Run a check of the journal.")
    }

    /// How many payments that can't be read an error names.
    private static let namedMax = 10

    /// The payments that some attempts of a page began, each with what followed; one that can't be read is named.
    private func paymentPage(
        _ page: JournalPage, follows: Bool, _ isWanted: @Sendable (Attempt) -> Bool
    ) async -> PaymentPage {
        var (records, unreadable) = ([PaymentRecord](), page.unreadable.map(\.attempt))
        for origin in page.attempts.filter(isWanted) {
            let id = origin.intent.paymentID
            do throws(PaymentError) {
                records.append(try await follows ? payment(id) : own(id))
            } catch {
                unreadable.append(origin.intent.attempt)
            }
        }
        return PaymentPage(payments: records, unreadable: unreadable, next: page.next.map { .init($0) })
    }

    /// All payments under a reference of the application's, oldest first. One that turned out to be an imported payment is
    /// that one, whatever its reference is.
    ///
    /// - Throws: `journal`, unknown, if one of them can't be read, naming it.
    public func payments(reference: String) async throws(PaymentError) -> [PaymentRecord] {
        try await payments(reference: reference) { _ in true }
    }

    /// The same of those that were asked for as is wanted; as the journal has them under their own ids, if none is followed.
    package func payments(
        reference: String, follows: Bool = true, _ isWanted: @Sendable (Attempt) -> Bool
    ) async throws(PaymentError) -> [PaymentRecord] {
        let scope = services.scope
        var (found, cursor) = ([PaymentRecord](), JournalCursor?.none)
        // An import may be under the reference itself.
        var seen: Set<PaymentID> = []
        repeat {
            let after = cursor
            let page = try await services.reading(nil) { journal throws(JournalFailure) in
                try await journal.attempts(.reference(scope: scope, reference), after: after, limit: ListQuery.limitMax)
            }
            let part = await paymentPage(page, follows: follows, isWanted)
            guard part.unreadable.isEmpty else { throw incomplete(part.unreadable) }
            found += part.payments.filter { seen.insert($0.id).inserted }
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// Other payments that are active under this one's reference and part: the same goods may be paid twice. Not for a label
    /// that is kept for a time, such as a table's number: it has more payments each day, and all would be read.
    package func activeBeside(_ record: PaymentRecord) async throws(PaymentError) -> [PaymentID] {
        guard let (row, reference) = record.keptReference else { return [] }
        return besides(record, row, try await payments(reference: reference, follows: false) { _ in true })
    }

    /// The same for several payments; each reference is read once. What can't be read has none.
    package func activeBeside(_ records: [PaymentRecord]) async -> [PaymentID: [PaymentID]] {
        var (found, under) = ([PaymentID: [PaymentID]](), [String: [PaymentRecord]]())
        for record in records {
            guard let (row, reference) = record.keptReference else { continue }
            if under[reference] == nil {
                under[reference] = (try? await payments(reference: reference, follows: false) { _ in true }) ?? []
            }
            found[record.id] = besides(record, row, under[reference] ?? [])
        }
        return found
    }

    /// The payments under a reference that are active beside one of them.
    private func besides(
        _ record: PaymentRecord, _ row: PaymentRecord.ReferenceRow, _ under: [PaymentRecord]
    ) -> [PaymentID] {
        under.filter { other in
            guard let beside = other.referenceRow, other.id != record.id else { return false }
            if other.origin?.absorbedBy == record.id.attempt { return false }
            return beside.blocks(row, at: services.instant)
        }.map(\.id)
    }

    /// The timeline of a payment, in order.
    public func timeline(of payment: PaymentID) async throws(PaymentError) -> [PaymentEvent] {
        let events = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.timeline(payment)
        }
        // Several processes number what they write each for itself; its place is where the journal has it.
        return events.enumerated().map { $1.numbered($0 + 1) }
    }

    /// Adds an event of the application's own to a payment's timeline.
    public func addEvent(
        _ kind: PaymentEvent.Kind, to payment: PaymentID, attributes: [String: String] = [:]
    ) async throws(PaymentError) {
        guard try await services.payment(payment) != nil else { throw noPayment(payment) }
        let event = services.events.emit(
            kind, at: services.clock.now, payment: payment, attempt: nil, provider: nil,
            attributes: attributes.mapValues { Masking.cardNumbers(in: $0) })
        try await services.reading(nil) { journal throws(JournalFailure) in try await journal.add([event], to: payment)
        }
    }

    // MARK: - Persons

    /// A person decides what the provider can't tell; who it was and the reason are kept in the journal.
    ///
    /// Before *not executed* is recorded, the provider is asked once more, if it can be. What a provider says later still counts:
    /// money that moved is never left out, whatever was decided.
    ///
    /// - Throws: `conflict` if the attempt is decided, if a process works on it, if the request may still arrive, if a movement
    ///   of the provider's could be it, or if the caller leaves while the provider is asked. Then nothing is recorded.
    @discardableResult
    public func resolve(
        _ attempt: AttemptID, as resolution: ManualResolution, by person: String = "", reason: String
    ) async throws(PaymentError) -> Attempt {
        try await resolve(attempt, as: resolution, by: person, reason: reason, ifVersion: nil)
    }

    /// The same, if the attempt has the version that the person saw until the decision is written.
    ///
    /// - Throws: An error that `isChange` if it has another one: nothing is recorded.
    package func resolve(
        _ attempt: AttemptID, as resolution: ManualResolution, by person: String, reason: String, ifVersion seen: Int?
    ) async throws(PaymentError) -> Attempt {
        try Self.check(resolution, attempt, reason)
        // What a person withdraws is said of the attempt itself, whatever it is taken for.
        guard let held = try await services.attempt(attempt, .unknown, follows: resolution != .withdrawn) else {
            throw PaymentError.notExecuted(.notFound, "There is no attempt \(attempt) in this journal.")
        }
        let run = running.withLock { $0[attempt] }
        let isElsewhere = await services.isElsewhere(held)
        // While a call works on it, or may begin it over, that its last run was not executed decides nothing.
        guard run?.isAwaited != true, run != nil || !isLed(attempt) else {
            throw undecidable(held, "A process works on it.", held.outcome == .executed ? .executed : .unknown)
        }
        guard !isElsewhere else { throw undecidable(held, "A process works on it.") }
        // The caller has left, and the provider may still work on the request.
        guard run?.hasOpenRequest != true else { throw undecidable(held, "Its request has no reply yet.") }
        if let newest = held.newest, newest.end == nil {
            let why: TakeOver = run == nil ? services.takeOver(newest, attempt) : .idle(by: person)
            // That the run is ended counts for no version: what else came is news for the person.
            _ = try await write(.takeOver(attempt, run: newest.number, why), held)
        }
        if case .notExecuted(let besides) = resolution {
            let seen = await shown(held).filter { !besides.contains($0.name) }
            // A caller that left while the provider was asked does not know what it shows.
            if Task.isCancelled { throw undecidable(held, "The call was cancelled while the provider was asked.") }
            if !seen.isEmpty { throw undecidable(held, JournalRefusal.couldMatch(seen).words) }
        }
        guard let stored = try await services.payment(held.intent.paymentID, .unknown),
            let now = stored.attempts.first(where: { $0.intent.attempt == attempt })
        else { throw undecidable(held, "It has been decided since.") }
        // The provider's answer, or a message while it was asked, may be news for the person.
        if let seen, seen != now.version { throw changed(now, seen) }
        let account = now.runs.first { $0.number == now.runInQuestion }?.account ?? now.newest?.account
        guard let account else { throw undecidable(now, "It never ran.") }
        let instant = try await services.time(attempt, .unknown)
        let basis = Finding.Basis(now, known: stored.entry, account: account, askedAt: instant)
        let text = Masking.cardNumbers(in: reason)
        let finding = Finding.person(
            resolution, basis, quietPeriod: quiet(now, account), by: person, reason: text)
        switch try await write(.report(attempt, finding), now, [resolved(now, resolution)]) {
        case .written(let after, let receipt):
            if let why = receipt.refusal { throw undecidable(after, why.words) }
            return after
        case .refused(let why, let after): throw undecidable(after ?? now, why.words)
        case .known(let after), .hint(let after, _): return after
        case .kept: throw undecidable(now, "It has been decided since.")
        }
    }

    /// How much a person has to name at most; what is less likely is left out.
    private static let shownMax = 100

    /// What the provider shows now that could be an attempt; nothing where it can't be asked.
    private func shown(_ held: Attempt) async -> [JournalRefusal.Candidate] {
        let (id, number) = (held.intent.attempt, held.runInQuestion)
        guard let account = held.runs.first(where: { $0.number == number })?.account,
            let provider = try? open(account)
        else { return [] }
        // Also where a call that no caller waits for still looks: its last look may be older than what is shown now.
        let looker = Looker(provider: provider, services: services)
        let looked = try? await services.bounded(until: end(nil), id) { () async throws(PaymentError) in
            if held.runs.count > 1 { _ = try? await lookUpOlderRuns(of: held) }
            return try await looker.look(id)
        }
        // What is shown beside has a time of its own, so that what the look has found is not lost with it.
        let alike = try? await services.bounded(until: end(nil), id) { () async throws(PaymentError) in
            try await looker.lookAlikes(of: held)
        }
        var seen = looked?.couldBe ?? []
        for name in (looked?.shown ?? []) + (alike ?? []) where seen.count < Self.shownMax {
            if seen.contains(where: { $0.name == name }) { continue }
            if await isOfAnother(name, than: id, at: account) { continue }
            seen.append(.init(name, nil))
        }
        return seen
    }

    /// Whether another attempt has a name of the provider's.
    private func isOfAnother(_ name: String, than id: AttemptID, at account: ProviderIdentity) async -> Bool {
        let page = try? await services.reading(id, .unknown) { journal throws(JournalFailure) in
            try await journal.attempts(.named(ProviderName(account, name)), after: nil, limit: ListQuery.limitMax)
        }
        return page?.attempts.contains { $0.intent.attempt != id } ?? false
    }

    private func write(
        _ command: JournalCommand, _ held: Attempt, _ events: [PaymentEvent] = []
    ) async throws(PaymentError) -> JournalAnswer {
        do { return try await services.write(JournalEntry(command, timeline: events), of: held.intent.paymentID) } catch
        {
            throw services.failed(error, held.intent.attempt, .unknown)
        }
    }

    /// How long nothing may have happened before a person can say that nothing was executed, in milliseconds: as long as for the
    /// provider's own word, and never no time at all.
    private func quiet(_ held: Attempt, _ account: ProviderIdentity) -> Int64 {
        let driver = providers[account.id].flatMap { $0.identity == account ? $0.driver : nil }
        return driver?.lookupPlan(for: held.intent.operation)?.quiet ?? Self.quietOfPersonsMilliseconds
    }

    /// The quiet period of a person's word where the provider has none, in milliseconds: a minute for the way, and two in which a
    /// phone may wait for a card although its call has failed.
    private static let quietOfPersonsMilliseconds: Int64 = 180_000

    private static func check(
        _ resolution: ManualResolution, _ attempt: AttemptID, _ reason: String
    ) throws(PaymentError) {
        func refuse(_ detail: String) -> PaymentError {
            PaymentError(.invalidRequest, outcome: .unknown, attempt: attempt, detail: detail)
        }
        if reason.isEmpty { throw refuse("A manual resolution needs a reason.") }
        guard case .executed(let name, let amount) = resolution else { return }
        // What can't stand in a request would never be refunded.
        guard name.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), name.utf8.count <= Attempt.Name.bytesMax else {
            throw refuse("A provider's name has at most \(Attempt.Name.bytesMax) printable characters.")
        }
        // With a blank at an end it would be another name than the one that a second attempt has.
        if name.hasPrefix(" ") || name.hasSuffix(" ") {
            throw refuse("A provider's name has no blank at its beginning or end.")
        }
        if let amount, !amount.isBelievable || amount.isZero {
            throw refuse("The amount must be greater than zero and one that a payment can have (got \(amount)).")
        }
    }

    private func resolved(_ held: Attempt, _ resolution: ManualResolution) -> PaymentEvent {
        let word: String
        switch resolution {
        case .executed: word = "executed"
        case .notExecuted: word = "notExecuted"
        case .withdrawn: word = "withdrawn"
        case .isTheSame: word = "isTheSame"
        case .acknowledge: word = "acknowledged"
        }
        return services.events.emit(
            .resolved, at: services.clock.now, payment: held.intent.paymentID, attempt: held.intent.attempt,
            provider: held.newest?.account.id, attributes: ["resolution": word])
    }

    private func changed(_ held: Attempt, _ version: Int) -> PaymentError {
        var error = undecidable(held, "The attempt has version \(held.version), not \(version). Read it, then decide.")
        error.isChange = true
        return error
    }

    private func undecidable(
        _ held: Attempt, _ why: String, _ outcome: PaymentError.Outcome? = nil
    ) -> PaymentError {
        PaymentError(
            .conflict, outcome: outcome ?? held.outcome, attempt: held.intent.attempt, retry: .never,
            detail: "The statement was not recorded. \(why)")
    }

    /// Sends subscribers an outcome for which no call waited; the timeline has it already.
    func tell(_ held: Attempt) {
        let kind = held.news
        services.events.emit(
            kind, at: services.clock.now, payment: held.intent.paymentID, attempt: held.intent.attempt,
            provider: held.newest?.account.id, attributes: held.attributes(of: kind))
    }
}

extension PaymentClient {
    /// How often the recovery in the background looks at what is open.
    public static let recoveryInterval: Duration = .seconds(60)
    /// How many attempts are taken at a time.
    private static let recoveredMax = 64

    /// Asks about what is open, again and again, until the task is cancelled. Any number of processes may do so at once: each
    /// look is taken by one of them. It never guesses and never decides by age.
    public func runRecovery() async {
        while !Task.isCancelled {
            _ = try? await services.finish()
            await recoverDue()
            let next = services.clock.now + Self.recoveryInterval.wholeMilliseconds
            do { try await services.clock.sleep(until: next) } catch { return }
        }
    }

    /// Looks at what is due now; only at what is decided and of which a message promised news, if asked so.
    private func recoverDue(onlyDecided: Bool = false) async {
        let terms = DueTerms(
            limit: Self.recoveredMax, scope: services.scope, accounts: providers.values.map(\.identity))
        // What becomes due again during it, as by messages without end, waits for the next pass.
        var (seen, pagesSeen): (Set<AttemptID>, Int) = ([], 0)
        var silent = SilentAccounts()
        while !Task.isCancelled, pagesSeen <= seen.count / Self.recoveredMax + 1 {
            let due = try? await services.journal.takeDue(terms, at: services.instant)
            guard let due, !due.attempts.isEmpty else { return }
            let fresh = due.attempts.filter { seen.insert($0.intent.attempt).inserted }
            if fresh.isEmpty { pagesSeen += 1 }
            for attempt in fresh where !onlyDecided || attempt.isDecided { await recoverNow(attempt, &silent) }
        }
    }

    /// One look at what was left open; what can't be asked stays as it is, and holds up no other.
    @discardableResult
    private func recoverNow(_ held: Attempt, _ silent: inout SilentAccounts) async -> Attempt? {
        let id = held.intent.attempt
        // A message may have been about an older run while the newest one is open.
        let isOwed = held.isDecided || held.runs.count > 1
        guard !isUnderWay(id), !silent.contains(held.newest?.account),
            let looked = try? await recover(id, isOwed: isOwed)
        else { return nil }
        silent.note(held.newest?.account, looked.failure)
        guard let after = looked.attempt else { return nil }
        if after.state != held.state || held.mayReturnPart && !after.mayReturnPart { tell(after) }
        return after
    }

    /// Looks at everything that is open, as after a restart, and at what is decided and of which a message promised news.
    ///
    /// - Returns: The attempts of which it is still not known what became of them, also those that can't be asked about or read.
    @discardableResult
    public func recover() async throws(PaymentError) -> [AttemptID] {
        try await services.finish()
        // Takes nothing, and fails if nothing may be taken: of a journal that was moved, the one in use asks the providers.
        _ = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.takeDue(DueTerms(limit: 0), at: services.instant)
        }
        var left: [AttemptID] = []
        var cursor: JournalCursor?
        var silent = SilentAccounts()
        repeat {
            let (scope, after) = (services.scope, cursor)
            let page = try await services.reading(nil) { journal throws(JournalFailure) in
                try await journal.attempts(.open(scope: scope), after: after, limit: Self.recoveredMax)
            }
            left += page.unreadable.map(\.attempt)
            for attempt in page.attempts where !isUnderWay(attempt.intent.attempt) {
                let held = await recoverNow(attempt, &silent) ?? attempt
                if held.isOpen { left.append(attempt.intent.attempt) }
            }
            cursor = page.next
        } while cursor != nil
        await recoverDue(onlyDecided: true)
        return left
    }
}

/// The accounts that can't be reached in one pass of recovery: each further question would wait for its time-out, and hold up
/// those at other accounts.
private struct SilentAccounts {
    /// After how many failures in a row an account is not asked any more.
    private static let failuresMax = 3

    private var failures: [ProviderIdentity: Int] = [:]

    func contains(_ account: ProviderIdentity?) -> Bool {
        account.map { failures[$0, default: 0] >= Self.failuresMax } ?? false
    }

    mutating func note(_ account: ProviderIdentity?, _ failure: PaymentError?) {
        guard let account else { return }
        failures[account] = failure?.code == .network ? failures[account, default: 0] + 1 : 0
    }
}

extension PaymentRecord {
    /// The row of the reference that it keeps for ever; nil if it has none, or only a label for a time.
    fileprivate var keptReference: (row: ReferenceRow, reference: String)? {
        guard let row = referenceRow, row.until == .max, let reference = origin?.intent.reference else { return nil }
        return (row, reference)
    }
}
