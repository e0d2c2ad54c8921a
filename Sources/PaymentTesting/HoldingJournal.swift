package import PaymentAbstraction
internal import PaymentBase

/// A journal that works on threads of its own, in a world whose clock moves by itself: it stands still while the journal
/// works.
package final class HoldingJournal: WrappingJournal {
    package let inner: any Journal
    private let scheduler: TestScheduler
    private let waiting = Locked((last: 0, promises: [Int: Promise<Bool>]()))

    /// Everybody in that world writes through this one.
    package init(_ inner: any Journal, _ scheduler: TestScheduler) { (self.inner, self.scheduler) = (inner, scheduler) }

    private func holding<Value>(
        _ body: () async throws(JournalFailure) -> Value
    ) async throws(JournalFailure) -> Value {
        scheduler.hold()
        defer { scheduler.release() }
        return try await body()
    }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let answer = try await holding { () async throws(JournalFailure) in
            try await inner.write(entry, id, at: instant)
        }
        for promise in waiting.withLock({ Array($0.promises.values) }) { promise.fulfil(true) }
        return answer
    }

    package func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? {
        try await holding { () async throws(JournalFailure) in try await inner.facts(key) }
    }

    package func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        try await holding { () async throws(JournalFailure) in try await inner.family(origin) }
    }

    package func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try await holding { () async throws(JournalFailure) in try await inner.holders(name, of: provider) }
    }

    package func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await holding { () async throws(JournalFailure) in
            try await inner.page(query, scope: scope, after: cursor, limit: limit)
        }
    }

    package func due(
        scope: String, limit: Int, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalPage {
        try await holding { () async throws(JournalFailure) in
            try await inner.due(scope: scope, limit: limit, at: instant)
        }
    }

    package func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try await holding { () async throws(JournalFailure) in try await inner.timeline(origin) }
    }

    package func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant {
        try await holding { () async throws(JournalFailure) in try await inner.time(ours) }
    }

    package func draw(_ count: Int64) async throws -> Int64 {
        scheduler.hold()
        defer { scheduler.release() }
        return try await inner.draw(count)
    }

    /// The signs of the journal itself come by real time, in which a world's year may pass: whoever writes wakes.
    package func changed(_ known: AttemptFacts) async throws(JournalFailure) {
        let promise = Promise<Bool>()
        let number = waiting.withLock { waiting in
            waiting.last += 1
            waiting.promises[waiting.last] = promise
            return waiting.last
        }
        defer { waiting.withLock { $0.promises[number] = nil } }
        guard try await facts(known.intent.key) == known, !Task.isCancelled else { return }
        _ = await promise.value(orWhenCancelled: false)
    }
}
