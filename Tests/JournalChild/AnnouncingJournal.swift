import PaymentAbstraction
import PaymentBase
import PaymentTestPipes

/// A journal that announces every write, before and after, and waits until the parent lets it happen.
struct AnnouncingJournal: Journal {
    let inner: any Journal
    let channel: Channel

    private func step(_ name: String) throws(JournalFailure) {
        do {
            try channel.send(.step(name, at: 0))
            if case .proceed? = try channel.receive() { return }
        } catch {}
        throw .notWritten("the parent is gone")
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try step("write, before")
        let answer = try await inner.write(entry, id, at: instant)
        try step("write, after")
        return answer
    }

    func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? { try await inner.facts(key) }

    func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] { try await inner.family(origin) }

    func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try await inner.holders(name, of: provider)
    }

    func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await inner.page(query, scope: scope, after: cursor, limit: limit)
    }

    func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        try await inner.due(scope: scope, limit: limit, at: instant)
    }

    func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try await inner.timeline(origin)
    }

    func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { try await inner.time(ours) }

    func changed(_ known: AttemptFacts) async throws(JournalFailure) { try await inner.changed(known) }

    func draw(_ count: Int64) async throws -> Int64 { try await inner.draw(count) }
}
