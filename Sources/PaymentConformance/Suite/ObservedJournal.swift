internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTesting

/// The journal of a check, which notices when a client is about to send the first byte that may move money.
///
/// What a driver reads beforehand (settings, how a payment stands) is thereby told apart from the exchange that a check
/// is about. It can also make one write fail.
final class ObservedJournal: JournalWrapper {
    let inner: any Journal
    private let waiting = Locked<[@Sendable () -> Void]>([])
    private let each = Locked<[@Sendable () -> Void]>([])
    private let fault = Locked<(left: Int, isKept: Bool)?>(nil)
    private let count = Locked(0)

    init(_ inner: any Journal = InMemoryJournal()) { self.inner = inner }

    /// How many writes there were.
    var writes: Int { count.withLock { $0 } }

    /// Makes one write fail, after so many others: it is lost, or it is kept and only the word that it is comes to
    /// nothing.
    func failWrite(after skipped: Int, isKept: Bool) { fault.withLock { $0 = (skipped, isKept) } }

    private func writing<Value>(
        _ work: () async throws(JournalFailure) -> Value
    ) async throws(JournalFailure) -> Value {
        count.withLock { $0 += 1 }
        let failing: Bool? = fault.withLock { fault in
            guard let now = fault else { return nil }
            fault = now.left == 0 ? nil : (now.left - 1, now.isKept)
            return now.left == 0 ? now.isKept : nil
        }
        guard let isKept = failing else { return try await work() }
        guard isKept else { throw .notWritten("the walk makes this write fail") }
        _ = try await work()
        throw .writeUnconfirmed("the walk makes this write fail")
    }

    /// Runs something once, just before the next first exchange that may move money.
    func beforeMoney(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    /// Runs something before every exchange that may move money.
    func beforeEachMoney(_ work: @escaping @Sendable () -> Void) { each.withLock { $0.append(work) } }

    /// Whether something still waits for an exchange that may move money.
    var isWaiting: Bool { waiting.withLock { !$0.isEmpty } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let answer = try await writing { () async throws(JournalFailure) in
            try await inner.write(entry, id, at: instant)
        }
        guard case .request = entry.command, answer.receipt?.request != nil else { return answer }
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for step in work + each.withLock({ $0 }) { step() }
        return answer
    }

    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        try await writing { () async throws(JournalFailure) in try await inner.draw(count) }
    }
}
