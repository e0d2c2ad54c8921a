/// What survives a crash. Applications use ``PaymentClient``; a store implements this.
///
/// Every call is durable when it returns. Rules that span several attempts are decided by ``Admission``, and what follows
/// from news by ``AttemptRecord/concluded(by:round:)``, inside the store's own transaction, so that two tills can't both
/// take the last euro; an implementation loads the rows and asks them:
///
/// ```swift
/// func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
///     transaction {
///         let answer = Admission.decide(intent, terms, existing: …, family: …, rivals: …, at: instant)
///         if case .fresh(let record) = answer { write(record) }
///         return answer
///     }
/// }
/// ```
public protocol Journal: Sendable {
    /// Checks, reserves and writes the intent in one transaction.
    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning
    /// Writes a mark, if the attempt is still in this round and in a state that allows it; throws otherwise.
    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws
    /// Writes what became of an attempt, if this round still holds and no other attempt of the provider holds the claim
    /// as a reference, a note or a claim of its own; returns what holds now.
    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord
    /// Adds to timelines.
    func append(_ events: [PaymentEvent]) async throws
    /// Reads attempts.
    func records(_ query: JournalQuery) async throws -> [AttemptRecord]
    /// Reads a payment's timeline, in order.
    func timeline(of payment: PaymentID) async throws -> [PaymentEvent]
}
