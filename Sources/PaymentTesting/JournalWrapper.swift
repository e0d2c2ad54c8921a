internal import PaymentBase
package import PaymentJournalKit
package import PaymentModel

/// A journal in front of another one that changes some of its answers; everything that it does not implement itself goes
/// through.
package protocol JournalWrapper: Journal {
    /// The journal behind it.
    var inner: any Journal { get }
}

extension JournalWrapper {
    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await inner.write(entry, id, at: instant)
    }

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await inner.preview(entry, at: instant)
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await inner.attempts(query, after: cursor, limit: limit)
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? { try await inner.payment(id) }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        try await inner.takeDue(terms, at: instant)
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        try await inner.timeline(payment)
    }

    package func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        try await inner.feed(after: position, limit: limit)
    }

    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value { try await inner.changeDeliveries(body) }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        try await inner.add(events, to: payment)
    }

    package func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant {
        try await inner.time(ours)
    }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        try await inner.changed(attempt, after: entry)
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration { try await inner.generation() }

    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 { try await inner.draw(count) }

    package var processes: any ProcessRegistry { inner.processes }
    package var place: String { inner.place }
}

/// A journal as one process among several sees it.
package struct ProcessJournal: JournalWrapper {
    package let inner: any Journal
    package let processes: any ProcessRegistry

    package init(_ inner: any Journal, _ processes: any ProcessRegistry) {
        (self.inner, self.processes) = (inner, processes)
    }
}

/// A journal that works on threads of its own, in a world whose clock moves on its own: it does not move while the
/// journal works.
package final class ClockPausingJournal: JournalWrapper {
    package let inner: any Journal
    private let scheduler: TestScheduler
    private let waiting = Locked((last: 0, promises: [Int: Promise<Bool>]()))

    /// Each process of that world writes through this one.
    package init(_ inner: any Journal, _ scheduler: TestScheduler) { (self.inner, self.scheduler) = (inner, scheduler) }

    private func holding<Value>(
        _ body: () async throws(JournalFailure) -> Value
    ) async throws(JournalFailure) -> Value {
        scheduler.hold()
        defer { scheduler.release() }
        return try await body()
    }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let answer = try await holding { () async throws(JournalFailure) in
            try await inner.write(entry, id, at: instant)
        }
        for promise in waiting.withLock({ Array($0.promises.values) }) { promise.fulfill(true) }
        return answer
    }

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await holding { () async throws(JournalFailure) in try await inner.preview(entry, at: instant) }
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await holding { () async throws(JournalFailure) in
            try await inner.attempts(query, after: cursor, limit: limit)
        }
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        try await holding { () async throws(JournalFailure) in try await inner.payment(id) }
    }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        try await holding { () async throws(JournalFailure) in try await inner.takeDue(terms, at: instant) }
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        try await holding { () async throws(JournalFailure) in try await inner.timeline(payment) }
    }

    package func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        try await holding { () async throws(JournalFailure) in try await inner.feed(after: position, limit: limit) }
    }

    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        try await holding { () async throws(JournalFailure) in try await inner.changeDeliveries(body) }
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        try await holding { () async throws(JournalFailure) in try await inner.add(events, to: payment) }
    }

    package func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant {
        try await holding { () async throws(JournalFailure) in try await inner.time(ours) }
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration {
        try await holding { () async throws(JournalFailure) in try await inner.generation() }
    }

    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        try await holding { () async throws(JournalFailure) in try await inner.draw(count) }
    }

    /// The signs of the journal itself come by real time, in which a world's year may pass: each write wakes.
    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        let promise = Promise<Bool>()
        let number = waiting.withLock { waiting in
            waiting.last += 1
            waiting.promises[waiting.last] = promise
            return waiting.last
        }
        defer { waiting.withLock { $0.promises[number] = nil } }
        let found = try await attempts(.attempt(attempt), after: nil, limit: 1).attempts.first
        guard let id = found?.intent.paymentID, try await payment(id)?.entry == entry, !Task.isCancelled else { return }
        _ = await promise.value(orWhenCancelled: false)
    }
}

/// The processes of one test: each start has a name of its own, and a restart kills those before it.
package final class ProcessTable: ProcessRegistry {
    private let state = Locked((count: 0, alive: Set<String>()))

    package init() {}

    /// The table itself is no process.
    package var own: String { "table" }
    package func isAlive(_ owner: String) -> Bool { state.withLock { $0.alive.contains(owner) } }

    /// Starts a process; unless it starts beside the others, those are dead.
    package func start(beside: Bool = false) -> Started {
        let name = state.withLock { state in
            state.count += 1
            let name = "process-\(state.count)"
            if beside { state.alive.insert(name) } else { state.alive = [name] }
            return name
        }
        return Started(own: name, table: self)
    }

    /// Kills a process.
    package func kill(_ name: String) { state.withLock { _ = $0.alive.remove(name) } }

    /// One process of the table.
    package struct Started: ProcessRegistry {
        package let own: String
        fileprivate let table: ProcessTable
        package func isAlive(_ owner: String) -> Bool { table.isAlive(owner) }
    }
}
