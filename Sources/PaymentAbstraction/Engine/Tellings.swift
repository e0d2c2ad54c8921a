internal import PaymentBase

/// Attempts whose callers were handed that they moved, which is still to be written; each is carried by one entry, and by
/// those of whom it would stand in the way.
final class Tellings: Sendable {
    /// How many one entry carries for others.
    static let carriedMax = 32

    private struct Telling {
        let reference: String
        let origin: AttemptKey
        /// How many entries carry it that are being written.
        var carriers = 0
    }

    private let state = Locked([AttemptKey: Telling]())

    /// Somebody was handed what an attempt came to.
    func add(_ intent: AttemptIntent) {
        let telling = Telling(reference: intent.reference, origin: intent.origin)
        state.withLock { state in if state[intent.key] == nil { state[intent.key] = telling } }
    }

    /// One that is still to be written; the same one each time, so that what happened can be seen again.
    var first: AttemptKey? { state.withLock { $0.keys.min { $0.attempt.text < $1.attempt.text } } }

    /// What an entry carries: what nobody carries yet, and what would stand in its own way. One without parts, with which
    /// a process ends, carries all.
    func take(for entry: JournalEntry) -> Set<AttemptKey> {
        let begun = entry.parts.lazy.compactMap { part -> AttemptIntent? in
            if case .begin(let intent, _) = part { return intent }
            return nil
        }.first
        return state.withLock { state in
            if state.isEmpty { return [] }
            var taken: Set<AttemptKey> = []
            for (key, telling) in state {
                let isFree = telling.carriers == 0 && taken.count < Self.carriedMax
                let isOwn = begun.map { $0.reference == telling.reference || $0.origin == telling.origin } ?? false
                if isFree || isOwn || entry.parts.isEmpty { taken.insert(key) }
            }
            for key in taken { state[key]?.carriers += 1 }
            return taken
        }
    }

    /// Nobody is told after all: what no entry has carried yet is never written.
    func forget() { state.withLock { $0 = [:] } }

    /// What was carried is written.
    func remove(_ keys: Set<AttemptKey>) { state.withLock { state in for key in keys { state[key] = nil } } }

    /// An entry carries these no more; what it could not write is for the next.
    func giveBack(_ keys: Set<AttemptKey>) {
        state.withLock { state in for key in keys { state[key]?.carriers -= 1 } }
    }
}
