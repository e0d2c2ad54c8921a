import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTesting
import PaymentTransport

/// What doors have answered, in order: recorded once, then played again and again.
final class Tape<Answer: Sendable>: Sendable {
    private struct State {
        var answers: [Answer] = []
        var place = 0
        var isPlaying = false
    }

    private let state = Locked(State())

    /// The next answer of a tape that plays; nil while it records.
    var next: Answer? {
        state.withLock { state in
            guard state.isPlaying, !state.answers.isEmpty else { return nil }
            if state.place == state.answers.count { state.place = 0 }
            state.place += 1
            return state.answers[state.place - 1]
        }
    }

    /// How many answers there are.
    var count: Int { state.withLock { $0.answers.count } }

    /// Keeps an answer, unless it plays.
    func record(_ answer: Answer) { state.withLock { if !$0.isPlaying { $0.answers.append(answer) } } }

    /// Forgets everything and records.
    func rewind() { state.withLock { $0 = State() } }

    /// Plays from the beginning, and from there again after the end.
    func play() { state.withLock { ($0.isPlaying, $0.place) = (true, 0) } }
}

/// A clock that stands still; a task that sleeps by it sleeps as long by another one while that is wanted.
struct StillClock: PaymentClock {
    let time: @Sendable () -> Int64
    let other: any PaymentClock
    /// Whether no task waits any more.
    let isPlaying: @Sendable () -> Bool

    var now: Int64 { time() }

    func sleep(until instant: Int64) async throws {
        if isPlaying() { return }
        try await other.sleep(until: other.now + max(0, instant - now))
    }
}

/// A journal that says again what it said to the same entries.
struct TapedJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    let answers = Tape<JournalAnswer>()

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if let answer = answers.next { return answer }
        let answer = try await inner.write(entry, id, at: instant)
        answers.record(answer)
        return answer
    }

    /// The same numbers again and again, so that the messages of each cycle have the same ones.
    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 { 1 }
}

/// A reader that reads the same cards again, at once.
struct TapedReader: CardReader {
    let inner: any CardReader
    let reads = Tape<CardReadResult>()

    func read(_ request: CardReadRequest) async throws -> CardReadResult {
        if let read = reads.next { return read }
        let read = try await inner.read(request)
        reads.record(read)
        return read
    }

    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await inner.setEventHandler(sink) }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }
    func cancel() async throws -> CancelResult { try await inner.cancel() }
}
