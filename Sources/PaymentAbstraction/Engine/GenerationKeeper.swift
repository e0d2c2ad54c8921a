internal import PaymentBase

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
