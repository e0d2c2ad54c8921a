/// What a journal forgot.
package struct JournalPruning: Hashable, Sendable {
    package internal(set) var payments = 0
    package internal(set) var attempts = 0
    /// Steps of timelines.
    package internal(set) var events = 0
    /// Messages that waited for a name that nothing got.
    package internal(set) var notices = 0

    package init() {}
}

/// What has to be so before a payment is forgotten, whatever keeps the journal.
package struct PruneOptions: Sendable {
    private let instant: Int64
    private let holdMilliseconds: Int64?

    /// Nothing begun or learned at or after a moment is forgotten, and nothing of which anything may be held; a hold of which
    /// nothing was learned for so long before it has lapsed.
    package init(before instant: Int64, holdMilliseconds: Int64?) {
        (self.instant, self.holdMilliseconds) = (instant, holdMilliseconds)
    }

    /// Whether a whole payment may go; `newestStep` is when the last step of its timeline was, 0 for none.
    package func mayForget(_ attempts: [Attempt], newestStep: Int64) -> Bool {
        let isSettled = attempts.allSatisfy { !$0.isOpen && !$0.isOfflineStill && !$0.isContradicted }
        guard !attempts.isEmpty, isSettled else { return false }
        let learned = attempts.flatMap { attempt in
            attempt.isImported
                ? attempt.reports.map(\.saidAt)
                : attempt.runs.flatMap { [$0.begunAt.wall, $0.endedAt?.wall ?? $0.begunAt.wall] }
                    + attempt.reports.map(\.saidAt)
        }
        let newest = max(attempts.allSatisfy(\.isImported) ? 0 : newestStep, learned.max() ?? .max)
        guard newest < instant else { return false }
        let record = PaymentRecord(attempts)
        guard record.origin != nil else { return false }
        return record.amounts.capturable.isZero || hasLapsed(newest)
    }

    private func hasLapsed(_ newest: Int64) -> Bool {
        guard let holdMilliseconds, holdMilliseconds >= 0 else { return false }
        return newest.addingSaturating(holdMilliseconds) < instant
    }
}

extension Attempt.Report {
    /// When it was said: what was imported was said elsewhere.
    fileprivate var saidAt: Int64 { if case .imported(let time) = evidence { time } else { at.wall } }
}

extension JournalMaintenance {
    /// Forgets payments whose every attempt is decided and older than a moment, and messages that have waited since before it.
    ///
    /// What is forgotten can't be refunded through this journal any more. Its ids and the provider's names stay taken.
    ///
    /// A hold of which anything may be left is kept however old it is, unless `holdMilliseconds` says how long a hold can
    /// live: only the provider knows when one lapses.
    package func prune(before instant: Int64, holdMilliseconds: Int64? = nil) async throws -> JournalPruning {
        let terms = PruneOptions(before: instant, holdMilliseconds: holdMilliseconds)
        var pruned = JournalPruning()
        var last: Int64 = 0
        while true {
            let logs = try await logs(after: last, limit: 200)
            guard let end = logs.last?.number else { break }
            last = end
            var found: [Int64: (attempts: Int, steps: Int)] = [:]
            for log in logs {
                // What can't be read stays.
                guard let attempts = try? log.attempts(), let timeline = try? log.timeline() else { continue }
                guard terms.mayForget(attempts, newestStep: timeline.map(\.at).max() ?? 0) else { continue }
                found[log.number] = (attempts.count, timeline.count)
            }
            for number in try await forget(logs.filter { found[$0.number] != nil }) {
                guard let counts = found[number] else { continue }
                pruned.payments += 1
                pruned.attempts += counts.attempts
                pruned.events += counts.steps
            }
        }
        // A message that came while something still open was begun may be about that.
        let page = try await attempts(.open(scope: nil), after: nil, limit: 1)
        let oldest = page.attempts.compactMap { $0.runs.first?.begunAt.wall }.min()
        pruned.notices = try await forgetNotices(before: min(instant, oldest ?? instant))
        return pruned
    }
}
