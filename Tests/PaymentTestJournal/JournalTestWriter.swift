internal import PaymentBase
package import PaymentDriverKit
package import PaymentJournalKit

/// What a store did that the journal's contract does not allow.
package struct JournalViolation: Error, CustomStringConvertible {
    package let description: String

    /// Says what was done.
    package init(_ description: String) { self.description = description }
}

/// Writes to a journal what a till would write.
package struct JournalTestWriter: Sendable {
    package let journal: any Journal
    private let prefix: String
    private let count = Locked(0)

    /// A desk; two at one journal need different names.
    package init(_ journal: any Journal, name: String = "desk") { (self.journal, prefix) = (journal, name) }

    package static let one = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-1")
    package static let two = ProviderIdentity("two", adapter: "memory", environment: "sandbox", merchant: "m-2")
    /// The process that runs what begins here.
    package static let owner = "till"

    /// A moment, so many milliseconds after the beginning of all.
    package static func at(_ milliseconds: Int64) -> Attempt.Instant {
        Attempt.Instant(wall: 1_700_000_000_000 + milliseconds, uptime: 1_000_000 + milliseconds, boot: "b")
    }

    // MARK: - Writing

    /// A write id that no write had.
    package func fresh() -> WriteID {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return WriteID("\(prefix)-\(number)")
    }

    @discardableResult
    package func write(
        _ command: JournalCommand, at milliseconds: Int64 = 0, timeline: [PaymentEvent] = []
    ) async throws -> JournalAnswer {
        try await journal.write(JournalEntry(command, timeline: timeline), fresh(), at: Self.at(milliseconds))
    }

    /// A person says that what a restoration lost is imported.
    package func closeGap() async throws { _ = try await write(.closeGap(by: "Ann")) }

    /// Writes what must be written.
    @discardableResult
    package func accept(
        _ command: JournalCommand, at milliseconds: Int64 = 0, timeline: [PaymentEvent] = [], line: Int = #line
    ) async throws -> Attempt {
        let answer = try await write(command, at: milliseconds, timeline: timeline)
        guard case .written(let attempt, let receipt) = answer, receipt.refusal == nil else {
            throw JournalViolation("line \(line): \(command) gave \(answer)")
        }
        return attempt
    }

    /// Begins an attempt with its first request.
    @discardableResult
    package func send(
        _ intent: Attempt.Intent, _ account: ProviderIdentity = Self.one, owner: String = Self.owner,
        at milliseconds: Int64 = 0, line: Int = #line
    ) async throws -> Attempt {
        try await accept(Self.request(intent, account, owner: owner), at: milliseconds, line: line)
    }

    /// Begins an attempt and writes its end, in two entries.
    @discardableResult
    package func done(
        _ intent: Attempt.Intent, _ verdict: Verdict, names: [String] = [], _ account: ProviderIdentity = Self.one,
        owner: String = Self.owner, at milliseconds: Int64 = 0, line: Int = #line
    ) async throws -> Attempt {
        try await send(intent, account, owner: owner, at: milliseconds, line: line)
        return try await accept(
            Self.finish(intent.attempt, verdict, names: names, account, owner: owner), at: milliseconds + 1, line: line)
    }

    // MARK: - Commands

    package static func request(
        _ intent: Attempt.Intent, _ account: ProviderIdentity = one, owner: String = owner
    ) -> JournalCommand {
        .request(OpenRequest(Begin(intent, account), owner: owner, sendLimit: 100))
    }

    /// The end of a run with one request; without a verdict its outcome is not known.
    package static func finish(
        _ attempt: AttemptID, _ verdict: Verdict?, names: [String] = [], _ account: ProviderIdentity = one,
        owner: String = owner, run: Int = 1, request: Int = 1
    ) -> JournalCommand {
        var finish = Finish(attempt, owner: owner, account: account)
        finish.closing = Closing(request, verdict == nil ? .lost : .answered, names: names)
        (finish.run, finish.verdict) = (run, verdict)
        return .finish(finish)
    }

    /// A note in a run that continues.
    package static func note(
        _ attempt: AttemptID, _ name: String, _ value: String, _ account: ProviderIdentity = one, owner: String = owner
    ) -> JournalCommand {
        var finish = Finish(attempt, owner: owner, account: account)
        (finish.run, finish.notes, finish.endsRun) = (1, [name: value], false)
        return .finish(finish)
    }

    /// What the provider shows when it is asked about an attempt; nil if it does not show it.
    package static func lookup(
        _ held: Attempt, known: Int, _ verdict: Verdict?, at milliseconds: Int64, quietPeriod: Int64 = 1_000
    ) -> JournalCommand {
        let account = held.newest?.account ?? one
        let basis = Finding.Basis(held, known: known, account: account, askedAt: at(milliseconds))
        let result = verdict.map { LookupResult.found($0) } ?? .notFound(seesBack: nil)
        return .report(
            held.intent.attempt,
            .lookup(
                result, basis, LookupTerms(quietPeriod: quietPeriod), names: verdict?.references.values.sorted() ?? []))
    }

    package static func notice(
        _ id: String, _ name: String, _ verdict: Verdict?, _ operations: Set<PaymentOperation> = [.sale],
        _ account: ProviderIdentity = one, original: String? = nil
    ) -> JournalCommand {
        .notice(Notice(id, account, .name(name), operations, verdict, at: nil, names: [name], original: original))
    }

    // MARK: - Contents

    package static func id(_ name: String) throws -> AttemptID { try AttemptID(name) }

    package static func intent(
        _ name: String, _ operation: PaymentOperation = .sale, _ cents: Int64 = 100, reference: String? = nil,
        of payment: String? = nil, scope: String = ""
    ) throws -> Attempt.Intent {
        var intent = Attempt.Intent(
            try AttemptID(name), operation, .cents(cents), reference: reference ?? "order-\(name)",
            payment: try payment.map { PaymentID(try AttemptID($0)) }, scope: scope, digest: "digest")
        if payment == nil { (intent.source, intent.last4) = (.card, "1111") }
        return intent
    }

    package static func approved(_ cents: Int64 = 100, _ references: PaymentReferences = [:]) -> Verdict {
        .approved(Approval(.cents(cents), references: references))
    }

    package static let declined = Verdict.declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))

    package static func event(_ kind: String, of payment: String, at instant: Int64 = 1) throws -> PaymentEvent {
        PaymentEvent(
            PaymentEvent.Kind(rawValue: kind), at: instant, payment: PaymentID(try AttemptID(payment)),
            attributes: ["ü": "\"'\n💶", "": ""])
    }

    // MARK: - Reading

    package func attempt(_ name: String) async throws -> Attempt? {
        try await journal.attempts(.attempt(try AttemptID(name)), after: nil, limit: 1).attempts.first
    }

    package func held(_ name: String, line: Int = #line) async throws -> Attempt {
        guard let attempt = try await attempt(name) else {
            throw JournalViolation("line \(line): \(name) is not there")
        }
        return attempt
    }

    /// A payment with everything that followed, in order.
    package func family(_ name: String) async throws -> [Attempt] {
        try await journal.payment(PaymentID(try AttemptID(name)))?.attempts ?? []
    }

    /// All attempts of a query, page by page.
    package func all(_ query: JournalQuery, limit: Int = 100) async throws -> [Attempt] {
        var found: [Attempt] = []
        var cursor: JournalCursor?
        repeat {
            let page = try await journal.attempts(query, after: cursor, limit: limit)
            if let lost = page.unreadable.first { throw JournalViolation("\(lost) can't be read") }
            found += page.attempts
            cursor = page.next
        } while cursor != nil
        return found
    }

    package func names(_ query: JournalQuery, limit: Int = 100) async throws -> [String] {
        try await all(query, limit: limit).map(\.intent.attempt.text)
    }

    package func holders(_ name: String, _ account: ProviderIdentity = Self.one) async throws -> [String] {
        try await names(.named(ProviderName(account, name)))
    }

    package func timeline(_ name: String) async throws -> [PaymentEvent] {
        try await journal.timeline(PaymentID(try AttemptID(name)))
    }

    /// Does something many times at once.
    package func atOnce<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension Money {
    static func cents(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }
}

extension Journal {
    /// Takes what is due in every scope and at every account.
    package func takeDue(limit: Int, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        try await takeDue(DueTerms(limit: limit), at: instant)
    }
}
