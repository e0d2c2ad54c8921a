public import PaymentAbstraction

extension SQLiteJournal {
    /// How many payments are looked at in one transaction, so that others don't wait for long.
    private static let prunedAtOnceMax = 200

    /// Removes payments whose every attempt is decided and older than a moment, with their events, and notices that have
    /// waited since before it for a name that nobody got.
    ///
    /// What is removed can't be refunded through this software any more. Ids and names stay taken: an attempt can't be
    /// made again under an id that was used, and no other payment gets a name. Choose a moment that is further back than
    /// your providers take disputes.
    ///
    /// An authorisation of which anything may still be held (what was neither captured nor voided) is kept however old
    /// it is, unless you say how long a hold can live: only the provider knows when one lapses, and the journal must
    /// not guess. The rest after a capture in part counts as held, too, since some providers keep it.
    ///
    /// - Parameters:
    ///   - instant: In milliseconds since 1970; nothing begun or heard of at or after it is touched.
    ///   - holdMilliseconds: How long a hold lives at most at any of your providers; one of which nothing was heard for
    ///     so long before `instant` has lapsed. Nil keeps every hold.
    public func prune(
        before instant: Int64, holdMilliseconds: Int64? = nil
    ) async throws(JournalFailure) -> JournalPruning {
        var (pruned, last) = (JournalPruning(), Int64(0))
        let terms = PruneTerms(before: instant, holdMilliseconds: holdMilliseconds)
        while true {
            let step = try await writing { [last] in
                try Pruner(connection: $0, terms: terms).prune(after: last, Self.prunedAtOnceMax)
            }
            pruned.payments += step.pruned.payments
            pruned.attempts += step.pruned.attempts
            pruned.events += step.pruned.events
            guard let end = step.last else { break }
            last = end
        }
        pruned.notices = try await writing { connection in
            try connection.run("DELETE FROM notice WHERE at < ?1", [.integer(instant)], doing: "pruning")
            let count = connection.changedCount
            try connection.run(
                "DELETE FROM entry WHERE attempt = 0 AND at < ?1", [.integer(instant)], doing: "pruning")
            return count
        }
        return pruned
    }
}
