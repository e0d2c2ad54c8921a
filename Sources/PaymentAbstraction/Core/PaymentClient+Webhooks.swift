internal import PaymentBase
public import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentClient {
    /// Takes a webhook. One with a wrong signature is refused; one of a provider that does not sign is a hint. A verdict is
    /// recorded, a hint makes the client look the attempt up, duplicates change nothing, and a verdict that comes before its
    /// name is known is kept.
    ///
    /// The provider is answered with success as soon as everything is durable. A lookup never happens inside the answer.
    ///
    /// - Returns: What it said and what came of it, with the reply that the provider expects.
    /// - Throws: If it can't be verified, or if something of it could not be recorded: then it has to come again.
    @discardableResult
    public func receiveWebhook(
        _ body: [UInt8], headers: [String: String] = [:], from id: ProviderID
    ) async throws(PaymentError) -> WebhookResponse {
        try await receiveWebhook(body, headers: headers, from: id, for: [])
    }

    /// Takes a webhook in place of clients of other scopes. It is verified and recorded once; then the client in whose scope
    /// the attempt is learns of it as if it had taken the message itself, and no other one does.
    package func receiveWebhook(
        _ body: [UInt8], headers: [String: String], from id: ProviderID, for others: [PaymentClient]
    ) async throws(PaymentError) -> WebhookResponse {
        let provider = try open(id)
        guard let driver = provider.webhooks else { throw unsupported("webhooks", provider) }
        let message = WebhookMessage(headers: headers, body: body, at: services.clock.now)
        let notices: [ProviderNotice]
        do { notices = try driver.notices(in: message) } catch {
            throw PaymentError(wrapping: error, .notExecuted, nil, driver)
        }
        // A driver learns the steps of the payments that it follows, and of no others, by reading the message. It learns none of
        // what proves nothing and so has no id: strangers can send any number of such messages.
        if notices.contains(where: { $0.id != nil }) {
            for other in others where other.services !== services && other.running.withLock({ !$0.isEmpty }) {
                _ = try? other.providers[id]?.webhooks?.notices(in: message)
            }
        }
        var failure: PaymentError?
        var items: [WebhookResponse.Item] = []
        for notice in notices {
            // One bad item must not keep the others from being recorded.
            do { items.append(.init(notice: notice, effect: try await take(notice, provider, for: others))) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return WebhookResponse(items: items, status: driver.acknowledgement.status, body: driver.acknowledgement.body)
    }

    private func take(
        _ given: ProviderNotice, _ provider: ProviderRuntime, for others: [PaymentClient]
    ) async throws(PaymentError) -> WebhookResponse.Effect {
        if let other = given.otherAccount {
            services.events.emit(
                .otherAccount, at: services.clock.now, payment: nil, attempt: nil, provider: provider.id,
                attributes: ["kind": given.kind, "account": other])
            // A mark for `payctl doctor`, one for each such account; that it can't be kept is no reason to refuse the message.
            let mark = Notice.ofOtherAccount(other, at: provider.identity)
            _ = try? await services.write(JournalEntry(.notice(mark)))
            return .ignored(
                because: "It is about the account \(other), and \(provider.id) has \(provider.identity.merchant).")
        }
        // Strangers can send any number of what proves nothing and names nothing: it costs no transaction.
        if given.verdict == nil, case .reference("", let known) = given.subject, known == [.chargeback] {
            return try await chargebacks(given.kind, at: provider.identity)
        }
        let notice = Notice(given, provider)
        let event = services.events.emit(
            .webhook, at: services.clock.now, payment: nil, attempt: nil, provider: provider.id,
            attributes: ["kind": given.kind])
        return try await take(notice, timeline: [event], for: others)
    }

    private func take(
        _ notice: Notice, timeline: [PaymentEvent], for others: [PaymentClient]
    ) async throws(PaymentError) -> WebhookResponse.Effect {
        let entry = JournalEntry(.notice(notice), timeline: timeline)
        let answer: JournalAnswer
        do { answer = try await services.write(entry) } catch {
            if case .pruned(let id) = error { return try await ofPruned(id.text, error.words, notice) }
            // Another payment may be in the way, such as one under the same reference: then the message has to come again.
            if case .unreadable(let payment?) = error, await leads(notice, to: payment) {
                return try await ofUnreadable(payment, error.words, notice)
            }
            throw services.failed(error, nil, .unknown)
        }
        switch answer {
        case .written(let attempt, let receipt):
            owner(of: attempt, others).applied(attempt)
            if case .noProof(let why)? = receipt.refusal { return .ignored(because: why) }
            return .applied(attempt.intent.attempt)
        case .hint(let attempt, _):
            owner(of: attempt, others).wake(attempt)
            return .applied(attempt.intent.attempt)
        case .known(let attempt): return .applied(attempt.intent.attempt)
        case .kept: return .stored
        case .refused(.pruned(let name), _):
            return try await ofPruned(name, JournalRefusal.pruned(name).words, notice)
        case .refused(.noSuchAttempt, _):
            guard notice.operations == [.chargeback] else { return .ofUnknownHint }
            return try await chargebacks(notice.values.first ?? "", at: notice.account)
        case .refused(let why, _): return .ignored(because: why.words)
        }
    }

    /// The client in whose scope an attempt is; this one if it is in none of their scopes.
    private func owner(of held: Attempt, _ others: [PaymentClient]) -> PaymentClient {
        others.first { $0.services.scope == held.intent.scope } ?? self
    }

    /// What customers' banks took back, as a message says that proves nothing and names nothing of the journal: no lookup finds
    /// it, and a person has to look. One mark and one event a day say so for each account, however many messages come.
    private func chargebacks(
        _ name: String, at account: ProviderIdentity
    ) async throws(PaymentError) -> WebhookResponse.Effect {
        let day = services.clock.now / PersonMark.dayMilliseconds
        if services.chargebackDays.withLock({ $0[account] }) == day { return .ofUnknownHint }
        try await leave(.chargebacks(day: day), at: account)
        // Only a mark that is written lets another message pass: the provider sends its list once.
        let isFirst = services.chargebackDays.withLock { $0.updateValue(day, forKey: account) != day }
        guard isFirst else { return .ofUnknownHint }
        services.events.emit(
            .messagesDropped, at: services.clock.now, payment: nil, attempt: nil, provider: account.id,
            attributes: ["name": name, "proven": "no"])
        return .ofUnknownHint
    }

    /// A message about a payment that was pruned: the journal can no longer count it, and the client raises an event. A proven
    /// one leaves a mark for a person: this client may have no subscriber.
    private func ofPruned(
        _ name: String, _ why: String, _ notice: Notice
    ) async throws(PaymentError) -> WebhookResponse.Effect {
        if notice.verdict != nil { try await leave(.pruned(notice.marked(name)), at: notice.account) }
        services.events.emit(
            .messagesDropped, at: services.clock.now, payment: nil, attempt: nil, provider: nil,
            attributes: ["name": name, "pruned": "yes"])
        return .ignored(because: why)
    }

    /// A message about a payment that can't be read. A refusal would hold up what the provider says of every other payment, so that
    /// the client takes the message, and a proven one leaves a mark for a person.
    private func ofUnreadable(
        _ payment: PaymentID, _ why: String, _ notice: Notice
    ) async throws(PaymentError) -> WebhookResponse.Effect {
        guard notice.verdict != nil else { return .ignored(because: why) }
        let amount = notice.verdict?.approval?.amount ?? notice.amount
        let words = [notice.values.first { $0 != notice.original }, amount.map { "\($0)" }].compactMap(\.self)
        try await leave(.unbooked(payment, notice.marked(words.joined(separator: " "))), at: notice.account)
        services.events.emit(
            .messagesDropped, at: services.clock.now, payment: nil, attempt: nil, provider: nil,
            attributes: ["name": payment.attempt.text, "unreadable": "yes"])
        return .ignored(because: why)
    }

    /// Whether the id or a name of a message leads to a payment that can't be read.
    private func leads(_ notice: Notice, to payment: PaymentID) async -> Bool {
        var queries = notice.everyName.map { JournalQuery.named(ProviderName(notice.account, $0)) }
        if case .attempt(let id) = notice.subject { queries.append(.attempt(id)) }
        for query in queries {
            do {
                let page = try await services.journal.attempts(query, after: nil, limit: 1)
                if page.unreadable.contains(payment) { return true }
            } catch {
                if case .unreadable(payment) = error { return true }
            }
        }
        return false
    }

    /// Leaves a mark for a person. The journal keeps nothing else of the message: without its mark the message has to come again.
    private func leave(_ mark: PersonMark, at account: ProviderIdentity) async throws(PaymentError) {
        do { _ = try await services.write(JournalEntry(.notice(.of(mark, at: account)))) } catch {
            throw services.failed(error, nil, .unknown)
        }
    }

    /// Gives the outcome to a run of this process, or sends it to subscribers.
    private func applied(_ held: Attempt) {
        let id = held.intent.attempt
        guard let run = running.withLock({ $0[id] }) else {
            // The process that works on it may still give the part back, and says what became of it.
            if !held.mayReturnPart { tell(held) }
            return
        }
        // Of a part the run says whether it was taken: it may be offered still, or not yet.
        let (asked, moved) = (held.intent.amount, held.approval?.amount ?? held.intent.amount)
        let isPart = moved.currency == asked.currency && moved.minorUnits < asked.minorUnits
        guard held.isDecided, moved == asked || !isPart && run.hasOpenRequest && !run.isReturning else {
            return run.news(nil)
        }
        Task(executorPreference: services.executor) { [services] in
            run.news(try? await services.result(held))
        }
    }

    /// A hint: a run of this process is woken, or the attempt is looked up beside the answer.
    private func wake(_ held: Attempt) {
        let id = held.intent.attempt
        if let run = running.withLock({ $0[id] }) { return run.news(nil) }
        services.looks.start(id, services) { [self] in
            guard let after = try? await recover(id, isOwed: true).attempt, after.state != held.state else { return }
            tell(after)
        }
    }
}

extension Notice {
    fileprivate init(_ given: ProviderNotice, _ provider: ProviderRuntime) {
        let subject: Subject
        var operations: Set<PaymentOperation>
        switch given.subject {
        case .attempt(let id): (subject, operations) = (.attempt(id), given.operations ?? [])
        case .reference(let value, let known): (subject, operations) = (.name(value), known)
        }
        let verdict = given.verdict.map { SecretScrubber(provider.driver.secrets)($0).recordable }
        self.init(
            Self.name(of: given), provider.identity, subject, operations, verdict, at: given.at,
            names: verdict.map { provider.names(in: $0) } ?? [], original: given.original)
        (amount, capturesOnce) = (given.amount, provider.capabilities.captureRule == .single)
    }

    /// What makes two messages one: what they are about, and the message's own name. One message can say something of a refund
    /// and of its sale; that is two. One that has no name is known by its content.
    private static func name(of given: ProviderNotice) -> String {
        var operations = given.operations ?? []
        var subject: String
        switch given.subject {
        case .attempt(let id): subject = "attempt \(id)"
        case .reference(let value, let known):
            subject = "name \(value)"
            operations.formUnion(known)
        }
        if !operations.isEmpty { subject = "\(operations.map(\.rawValue).sorted().joined(separator: ",")) \(subject)" }
        // A hint under a message's id, such as a copy in which a stranger made the date unreadable, is not the message itself.
        if let id = given.id { return "\(given.kind) \(subject) \(id)\(given.verdict == nil ? " hint" : "")" }
        var content = RequestContent()
        content.add("time", given.at.map { String($0) } ?? "")
        if let verdict = given.verdict {
            content.add("verdict", "\(verdict.eventAttributes.sorted { $0.key < $1.key })")
            content.add("references", "\(verdict.references.sorted { $0.key < $1.key })")
        }
        return "\(given.kind) \(subject) of content \(content.displayText)"
    }
}

/// Lookups because of messages: at most one in five seconds for each attempt. One that comes too early is made later, once.
final class OwedLooks: Sendable {
    /// How often one attempt is looked up because of messages, in milliseconds.
    static let everyMilliseconds: Int64 = 5_000
    /// Of how many attempts the last look is remembered; recovery does those of the others.
    static let attemptsMax = 4_096

    private struct Last {
        var at: Int64
        var isWaiting: Bool
    }

    private let last = Locked([AttemptID: Last]())

    /// Looks in a task of its own.
    func start(_ id: AttemptID, _ services: Services, _ look: @escaping @Sendable () async -> Void) {
        // By the clock that no person sets.
        let now = services.clock.uptime
        let wait: Int64? = last.withLock { last in
            // The waiting one's time is still to come: by its time alone it would be none.
            if last[id]?.isWaiting == true { return nil }
            guard let before = last[id], (0..<Self.everyMilliseconds).contains(before.at.until(now)) else {
                if last.count >= Self.attemptsMax {
                    last = last.filter { $0.value.at.until(now) < Self.everyMilliseconds }
                }
                guard last.count < Self.attemptsMax else { return nil }
                last[id] = Last(at: now, isWaiting: false)
                return 0
            }
            let next = before.at.addingSaturating(Self.everyMilliseconds)
            last[id] = Last(at: next, isWaiting: true)
            return now.until(next)
        }
        guard let wait else { return }
        Task(executorPreference: services.executor) { [self] in
            if wait > 0 {
                try? await services.clock.sleep(until: services.clock.now + wait)
                last.withLock { $0[id]?.isWaiting = false }
            }
            await look()
        }
    }
}

extension WebhookResponse.Effect {
    /// A hint about nothing that this journal knows.
    fileprivate static let ofUnknownHint = Self.ignored(
        because: "No attempt of this journal has its name, and it proves nothing that could be kept.")
}

/// What came of a webhook, and what the provider wants to hear.
public struct WebhookResponse: Hashable, Sendable {
    /// What came of one thing that it said.
    public enum Effect: Hashable, Sendable {
        /// It is written down with that attempt, or was there before, or caused a look at it.
        case applied(AttemptID)
        /// It names something that no attempt is called yet, and waits for that.
        case stored
        /// It changes nothing, in words.
        case ignored(because: String)
    }

    /// One thing that it said.
    public struct Item: Hashable, Sendable {
        /// What it said.
        public let notice: ProviderNotice
        /// What came of it.
        public let effect: Effect
    }

    /// What it said, in its order.
    public let items: [Item]
    /// The status with which a server answers.
    public let status: Int
    /// The body with which a server answers.
    public let body: [UInt8]

    /// What it said, also about payments that are not ours.
    public var notices: [ProviderNotice] { items.map(\.notice) }
}
