/// What has to be so before a payment is forgotten, whatever keeps the journal.
package struct PruneTerms: Sendable {
    private let instant: Int64
    private let holdMilliseconds: Int64?

    /// Nothing begun or heard of at or after a moment is forgotten, and nothing of which anything may be held; a hold of
    /// which nothing was heard for so long before it has lapsed.
    package init(before instant: Int64, holdMilliseconds: Int64?) {
        (self.instant, self.holdMilliseconds) = (instant, holdMilliseconds)
    }

    /// Whether a whole payment may go; `newestEvent` is when the last step of its timeline was, 0 for none.
    package func mayForget(_ family: [AttemptFacts], newestEvent: Int64) -> Bool {
        guard !family.isEmpty, JournalRules.mayPrune(family, before: instant) else { return false }
        let heard = family.flatMap { facts in
            facts.rounds.map(\.begunAt.wall) + facts.words.map(\.saidAt) + facts.ends.map(\.at.wall)
        }
        let newest = max(newestEvent, heard.max() ?? .max)
        guard newest < instant else { return false }
        return !Self.mayHold(family) || hasLapsed(newest)
    }

    /// Whether anything of the payment may still be set aside for the merchant.
    private static func mayHold(_ family: [AttemptFacts]) -> Bool {
        guard let flow = PaymentFlow(family.map(AttemptRecord.init), captures: .several) else { return true }
        return !flow.amounts.capturable.isZero
    }

    private func hasLapsed(_ newest: Int64) -> Bool {
        guard let holdMilliseconds, holdMilliseconds >= 0 else { return false }
        let (end, overflow) = newest.addingReportingOverflow(holdMilliseconds)
        return !overflow && end < instant
    }
}
