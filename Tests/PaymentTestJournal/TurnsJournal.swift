public import PaymentAbstraction

/// Several journals on one file, each of which gets a call in its turn.
public struct TurnsJournal: Journal {
    private let journals: [any Journal]
    private let counter = Counter()

    /// Takes journals that share their facts.
    public init(_ journals: [any Journal]) { self.journals = journals }

    private var next: any Journal { journals[counter.next() % journals.count] }

    public func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer { try await next.write(entry, id, at: instant) }

    public func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? { try await next.facts(key) }

    public func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        try await next.family(origin)
    }

    public func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try await next.holders(name, of: provider)
    }

    public func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await next.page(query, scope: scope, after: cursor, limit: limit)
    }

    public func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        try await next.due(scope: scope, limit: limit, at: instant)
    }

    public func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try await next.timeline(origin)
    }

    public func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant {
        try await next.time(ours)
    }

    public func changed(_ known: AttemptFacts) async throws(JournalFailure) { try await next.changed(known) }

    public func draw(_ count: Int64) async throws -> Int64 { try await next.draw(count) }
}
