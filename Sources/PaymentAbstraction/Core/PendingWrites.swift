internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// Entries of which it is not known whether they were written. Nothing else about the same payment is written before them,
/// each under its own id; other payments don't wait.
final class PendingWrites: Sendable {
    private struct Pending: Sendable {
        let entry: JournalEntry
        let id: WriteID
        /// What is written in its place if the journal does not have the attempt any more.
        var ifLost: JournalEntry?
    }

    private struct State {
        var writes: [PaymentID: [Pending]] = [:]
        /// By the clock that no person sets.
        var nextTry = Int64.min
    }

    /// How long after the last time what waits is tried again beside what could be written, in milliseconds.
    static let triedAfterMilliseconds: Int64 = 5_000

    private let state = Locked(State())

    var isEmpty: Bool { state.withLock { $0.writes.isEmpty } }
    var count: Int { state.withLock { $0.writes.values.reduce(0) { $0 + $1.count } } }

    func add(_ entry: JournalEntry, _ id: WriteID, of payment: PaymentID, ifLost lost: JournalEntry? = nil) {
        state.withLock { $0.writes[payment, default: []].append(Pending(entry: entry, id: id, ifLost: lost)) }
    }

    /// Whether something waits that was not tried for a while; then it counts as tried.
    func isDue(at uptime: Int64) -> Bool {
        state.withLock { state in
            guard !state.writes.isEmpty, uptime >= state.nextTry else { return false }
            state.nextTry = uptime.addingSaturating(Self.triedAfterMilliseconds)
            return true
        }
    }

    /// Writes what is pending of a payment, in order, and what makes it harmless: a request that was opened and never left
    /// is closed as not sent. Throws at the first entry that can't be written now.
    func flush(_ payment: PaymentID, _ services: Services) async throws(JournalFailure) {
        while let next = state.withLock({ $0.writes[payment]?.first }) {
            var undo: JournalEntry?
            do {
                let answer = try await services.offer(next.entry, next.id)
                undo = Self.undo(next.entry, answer)
                if case .refused(.noSuchAttempt, _) = answer { undo = next.ifLost }
            } catch {
                switch error {
                case .notWritten, .writeUnconfirmed: throw error
                // It can never be written: others must not wait for it.
                case .unwritable, .unreadable, .pruned: break
                }
            }
            let following = undo.map { Pending(entry: $0, id: services.freshWriteID()) }
            state.withLock { state in
                guard var writes = state.writes[payment], writes.first?.id == next.id else { return }
                writes.replaceSubrange(0...0, with: following.map { [$0] } ?? [])
                state.writes[payment] = writes.isEmpty ? nil : writes
            }
        }
    }

    /// Writes everything that waits; what fails of one payment does not keep the others. Throws the first failure.
    func flushAll(_ services: Services) async throws(JournalFailure) {
        var failure: JournalFailure?
        for payment in state.withLock({ Array($0.writes.keys) }) {
            do { try await flush(payment, services) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// What takes back an opening whose bytes never left, computed from the journal's answer to it.
    private static func undo(_ entry: JournalEntry, _ answer: JournalAnswer) -> JournalEntry? {
        guard case .request(let open) = entry.command else { return nil }
        var finish = Finish(open.attempt, owner: open.owner, account: open.account)
        if let run = answer.receipt?.run, let request = answer.receipt?.request {
            (finish.run, finish.closing) = (run, Closing(request, .notSent))
        } else if let run = open.run, let closing = open.closing {
            (finish.run, finish.closing) = (run, closing)
        } else {
            return nil
        }
        return JournalEntry(.finish(finish))
    }
}
