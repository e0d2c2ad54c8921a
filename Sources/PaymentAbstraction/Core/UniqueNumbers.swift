internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// Hands out numbers one by one from blocks, so that not every number costs a write.
final class UniqueNumbers: Sendable {
    /// How many numbers are taken out at a time; those that a process leaves behind are never used.
    static let blockCount: Int64 = 32

    private let source: any Journal
    private let free = Locked([Range<Int64>]())

    init(_ source: any Journal) { self.source = source }

    func next() async throws(PaymentError) -> Int64 {
        if let number = take() { return number }
        let first: Int64
        do { first = try await source.draw(Self.blockCount) } catch {
            throw PaymentError.notExecuted(.journal, "the journal could give out no number; put it in order")
        }
        free.withLock { $0.append((first + 1)..<(first + Self.blockCount)) }
        return first
    }

    private func take() -> Int64? {
        free.withLock { free in
            guard let range = free.first else { return nil }
            let rest = (range.lowerBound + 1)..<range.upperBound
            if rest.isEmpty { free.removeFirst() } else { free[0] = rest }
            return range.lowerBound
        }
    }
}

extension Services {
    /// A number that no other process that shares the journal has had or will have.
    func number(_ outcome: PaymentError.Outcome) async throws(PaymentError) -> Int64 {
        do { return try await numbers.next() } catch {
            throw PaymentError(error.code, outcome: outcome, detail: error.detail, diagnosis: error.diagnosis)
        }
    }
}

extension PaymentClient {
    /// Writes to the journal: draws a number, which nothing uses.
    ///
    /// - Throws: `journal`, nothing moved, when the journal takes no entry.
    package func probeJournal() async throws(PaymentError) {
        do { _ = try await services.journal.draw(1) } catch {
            throw PaymentError.notExecuted(.journal, "The journal takes no entry. Put it in order.")
        }
    }
}

/// Remembers the journal's present generation, so that not every new id costs a read.
final class GenerationKeeper: Sendable {
    private let source: any Journal
    private let known = Locked<JournalGeneration?>(nil)

    init(_ source: any Journal) { self.source = source }

    func current() async throws(PaymentError) -> JournalGeneration {
        if let known = known.withLock({ $0 }) { return known }
        let read: JournalGeneration
        do { read = try await source.generation() } catch {
            throw PaymentError.notExecuted(
                .journal, "the journal could not be read for a new attempt id; put it in order")
        }
        known.withLock { $0 = read }
        return read
    }

    /// The journal has another generation by now.
    func forget() { known.withLock { $0 = nil } }
}
