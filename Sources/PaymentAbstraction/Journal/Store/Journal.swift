/// What survives a crash. Applications use ``PaymentClient``; a store implements this.
///
/// A store holds facts and no rule. To write, it loads in one transaction what ``JournalRules/reads(_:)`` names, asks
/// ``JournalRules/decide(_:_:at:)``, and appends what comes back, with what ``JournalRules`` computes for its indexes; it
/// is durable when the call returns. `JournalContract` in `PaymentConformance` proves a store.
public protocol Journal: NumberSource {
    /// One transaction. The same id again gives the answer of the first time and writes nothing.
    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer

    /// All facts of one attempt; nil when there is none of that name.
    func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts?

    /// A payment's origin and everything that followed, oldest first.
    func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts]

    /// Attempts that a provider calls so.
    func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts]

    /// A page of a scope's attempts.
    func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage

    /// Takes attempts whose look is due, by moving their next look forward in the same write: no two get one.
    func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage

    /// A payment's timeline, in order.
    func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent]

    /// The journal's own time, given ours; the only clock that facts carry.
    func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant

    /// Returns when more was written about an attempt than the facts that are known, or when the task is cancelled.
    func changed(_ known: AttemptFacts) async throws(JournalFailure)
}
