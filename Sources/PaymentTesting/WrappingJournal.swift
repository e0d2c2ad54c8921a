public import PaymentAbstraction

/// A journal that stands before another one and changes some of its answers; everything that it doesn't implement itself
/// goes through.
public protocol WrappingJournal: Journal {
    /// The journal behind it.
    var inner: any Journal { get }
}

extension WrappingJournal {
    public func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await inner.write(entry, id, at: instant)
    }

    public func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? { try await inner.facts(key) }

    public func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        try await inner.family(origin)
    }

    public func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try await inner.holders(name, of: provider)
    }

    public func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await inner.page(query, scope: scope, after: cursor, limit: limit)
    }

    public func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        try await inner.due(scope: scope, limit: limit, at: instant)
    }

    public func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try await inner.timeline(origin)
    }

    public func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant {
        try await inner.time(ours)
    }

    public func changed(_ known: AttemptFacts) async throws(JournalFailure) { try await inner.changed(known) }

    public func draw(_ count: Int64) async throws -> Int64 { try await inner.draw(count) }
}
