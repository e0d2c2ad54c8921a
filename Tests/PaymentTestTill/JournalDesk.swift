public import PaymentAbstraction

/// Short words for what checks and tests do with a journal.
public struct JournalDesk: Sendable {
    public let journal: any Journal

    public init(journal: any Journal) { self.journal = journal }

    public static let one = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-1")
    public static let two = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-2")

    public static func intent(
        _ name: String, _ operation: PaymentOperation = .sale, _ cents: Int64 = 100, reference: String? = nil,
        of payment: String? = nil
    ) throws -> AttemptIntent {
        AttemptIntent(
            try AttemptID(name), operation, .cents(cents), reference: reference ?? "order-\(name)",
            payment: try payment.map { try PaymentID($0) }, source: payment == nil ? .card : nil,
            last4: payment == nil ? "1111" : nil)
    }

    public static func approved(_ cents: Int64 = 100, _ references: PaymentReferences = [:]) -> AttemptRecord.State {
        .concluded(.approved(Approval(.cents(cents), references: references)))
    }
    public static let declined = AttemptRecord.State.concluded(
        .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05", message: "no"))))
    public static let pending = AttemptRecord.State.concluded(.pending(Pending(lookAgain: false)))

    public func begin(
        _ intent: AttemptIntent, _ provider: ProviderIdentity = one, captures: CaptureRule = .several,
        at instant: Int64 = 1
    ) async throws -> Beginning {
        try await journal.begin(intent, AdmissionTerms(provider, captures: captures, owner: "till"), at: instant)
    }

    /// Begins what must be allowed to begin.
    @discardableResult
    public func fresh(
        _ intent: AttemptIntent, _ provider: ProviderIdentity = one, at instant: Int64 = 1, line: Int = #line
    ) async throws -> AttemptRecord {
        let answer = try await begin(intent, provider, at: instant)
        guard case .fresh(let record) = answer else { throw JournalBreach("line \(line): \(answer), not fresh") }
        return record
    }

    /// Begins, marks and concludes.
    @discardableResult
    public func done(
        _ intent: AttemptIntent, _ state: AttemptRecord.State, _ provider: ProviderIdentity = one, at instant: Int64 = 1
    ) async throws -> AttemptRecord {
        let record = try await fresh(intent, provider, at: instant)
        try await journal.mark(intent.attempt, round: record.round, .submitted(at: instant))
        return try await conclude(intent.attempt.text, state, round: record.round, at: instant)
    }

    @discardableResult
    public func conclude(
        _ name: String, _ state: AttemptRecord.State, round: Int = 1, by evidence: AttemptRecord.Evidence = .reply,
        at instant: Int64 = 5, claim: String? = nil
    ) async throws -> AttemptRecord {
        var conclusion = Conclusion(state, by: evidence, at: instant)
        conclusion.claim = claim
        return try await journal.conclude(try AttemptID(name), round: round, conclusion)
    }

    public func record(_ name: String, line: Int = #line) async throws -> AttemptRecord {
        let records = try await journal.records(.attempt(try AttemptID(name)))
        guard records.count == 1 else { throw JournalBreach("line \(line): \(records.count) records of \(name)") }
        return records[0]
    }

    public func names(_ query: JournalQuery) async throws -> [String] {
        try await journal.records(query).map(\.intent.attempt.text)
    }

    /// The failure of a call that must fail.
    func failure(_ words: String, _ body: () async throws -> Void) async throws -> JournalFailure {
        do { try await body() } catch let failure as JournalFailure { return failure }
        throw JournalBreach("\(words) was allowed")
    }
}
