internal import PaymentAbstraction
internal import PaymentBase

/// A statement as the witness of absence: concludes what it proves never arrived, and nothing else.
///
/// The journal's own rule judges each attempt: the statement has to show one of ours from before the attempt's round, and
/// one begun after its silence. When the statement was made nobody has to say: after the latest attempt of ours that it
/// shows was begun.
struct StatementWitness {
    /// How long an attempt has to have been silent before the later witness was begun: a day, after which no request that
    /// left is still on its way, and longer than the quiet time of any adapter.
    static let quietMilliseconds: Int64 = 86_400_000

    /// One attempt with what became of the try.
    struct Conclusion: Sendable {
        let attempt: AttemptRecord
        /// Why it proves nothing; nil where it is concluded.
        let refusal: String?
        /// Whom the statement shows from before and from after.
        let witnesses: [String]

        var json: JSON {
            [
                "attempt": .string(attempt.intent.attempt.text),
                "operation": .string(attempt.intent.operation.rawValue),
                "reference": .string(attempt.intent.reference), "amount": attempt.intent.amount.json,
                "witnesses": .texts(witnesses),
            ]
        }
    }

    private let reconciliation: Reconciliation
    private let journal: any Journal
    private let clock: any PaymentClock

    init(_ reconciliation: Reconciliation, _ journal: any Journal, _ clock: any PaymentClock) {
        (self.reconciliation, self.journal, self.clock) = (reconciliation, journal, clock)
    }

    /// Tries every attempt that nobody knows about and that the statement doesn't show.
    func conclude() async throws -> [Conclusion] {
        let ids = reconciliation.differences.filter { $0.kind == .onlyHere }.compactMap(\.attempt)
        let open = reconciliation.books.payments.flatMap(\.attempts).filter { attempt in
            attempt.isInDoubt && ids.contains(attempt.intent.attempt)
        }
        var conclusions: [Conclusion] = []
        for attempt in open { conclusions.append(try await conclude(attempt)) }
        return conclusions
    }

    private func conclude(_ attempt: AttemptRecord) async throws -> Conclusion {
        func refused(_ why: String) -> Conclusion { Conclusion(attempt: attempt, refusal: why, witnesses: []) }
        let statement = reconciliation.statement
        if statement.kind == .settlement { return refused("a settlement shows only what was paid out") }
        if let obstacle = reconciliation.obstacle(attempt) { return refused(obstacle) }
        let witnesses = reconciliation.shown.values.filter { isAlike($0, attempt) }.sorted { one, other in
            (one.attempt.begunAt, one.attempt.intent.attempt.text)
                < (other.attempt.begunAt, other.attempt.intent.attempt.text)
        }
        guard let first = witnesses.first, let last = witnesses.last,
            let names = try? [first, last].map({ try name(of: $0) })
        else { return refused("the statement shows nothing of ours that is like it") }
        var silence = Silence(
            nil, of: attempt.facts, askedAt: last.attempt.facts.newest.begunAt, quiet: Self.quietMilliseconds)
        (silence.isDocumented, silence.provider) = (false, attempt.provider)
        silence.witnesses = Set(names)
        var entry = JournalEntry(
            attempt.intent.key, [.silence(silence), .note(name: "statement", value: statement.title)])
        entry.announces = true
        let id = WriteID("statement-" + TimeOrderedID.make(now: clock.now, random: SystemRandom()))
        let now = JournalInstant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
        switch try await journal.write(entry, id, at: now) {
        case .accepted: return Conclusion(attempt: attempt, refusal: nil, witnesses: names)
        case .refused(.noProof(let why), _): return refused(why)
        default: return refused("it was decided meanwhile")
        }
    }

    /// Whether an attempt that the statement shows was put to the provider in the same way.
    private func isAlike(_ place: BookIndex.Place, _ attempt: AttemptRecord) -> Bool {
        let (one, other) = (place.attempt.intent, attempt.intent)
        return place.attempt.provider == attempt.provider && one.isOrigin == other.isOrigin
            && one.source == other.source
            && (one.isOrigin || one.operation == other.operation) && !place.attempt.facts.names.isEmpty
            && one.key != other.key
    }

    private struct Nameless: Error {}

    private func name(of place: BookIndex.Place) throws -> String {
        guard let name = place.attempt.facts.names.first(where: { $0.provider == place.payment.provider })?.value else {
            throw Nameless()
        }
        return name
    }
}
