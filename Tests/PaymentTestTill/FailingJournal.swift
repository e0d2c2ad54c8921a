package import PaymentAbstraction
internal import PaymentBase
internal import PaymentTesting

/// A journal whose n-th write fails, before or after it was written.
package final class FailingJournal: JournalWrapper {
    /// How the write fails.
    package enum Kind: String, Sendable, CaseIterable {
        /// It is not written, and the store says so.
        case before
        /// It is written, and nobody knows.
        case after
        /// It is not written, and nobody knows.
        case unknown
    }

    package let inner: any Journal
    private let failing: ClosedRange<Int>
    private let kind: Kind
    private let count = Locked(0)

    /// Fails one write; or, with `lasting`, that one and so many after it.
    package init(_ inner: any Journal, failing: Int, lasting: Int = 0, _ kind: Kind) {
        self.inner = inner
        (self.failing, self.kind) = (failing...(failing + lasting), kind)
    }

    /// How many writes there were.
    package var writes: Int { count.withLock { $0 } }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard failing.contains(number) else { return try await inner.write(entry, id, at: instant) }
        if kind == .after { _ = try await inner.write(entry, id, at: instant) }
        let words = "the test makes write \(number) fail"
        throw kind == .before ? .notWritten(words) : .writeUnconfirmed(words)
    }
}
