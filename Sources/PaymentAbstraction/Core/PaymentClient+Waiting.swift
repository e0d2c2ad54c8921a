internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// What a server needs to wait for others and to list what is open.
extension PaymentClient {
    /// An attempt with the number of its payment's last entry; nil if the journal has none of that id.
    package func entry(of id: AttemptID) async throws(PaymentError) -> (attempt: Attempt, entry: Int)? {
        guard let held = try await services.attempt(id), let stored = try await services.payment(held.intent.paymentID)
        else { return nil }
        // Both are of one read: what is written after it has a greater number.
        guard let attempt = stored.attempts.first(where: { $0.intent.attempt == held.intent.attempt }) else {
            return nil
        }
        return (attempt, stored.entry)
    }

    /// Returns true when any client or process has written more about an attempt's payment than an entry, false if that can't
    /// be seen, or when the task is cancelled.
    package func changed(_ id: AttemptID, after entry: Int) async -> Bool {
        do { try await services.journal.changed(id, after: entry) } catch { return false }
        return !Task.isCancelled
    }

    /// A page of the attempts that are not decided, oldest first, also of those that act on a payment; and of which payments what
    /// is open can't be read.
    package func openAttempts(
        after cursor: PaymentPage.Cursor? = nil, limit: Int
    ) async throws(PaymentError) -> (attempts: [Attempt], unreadable: [AttemptID], next: PaymentPage.Cursor?) {
        let (scope, limit) = (services.scope, max(1, min(limit, ListQuery.limitMax)))
        let page = try await services.reading(nil) { journal throws(JournalFailure) in
            try await journal.attempts(.open(scope: scope), after: cursor?.place, limit: limit)
        }
        return (page.attempts, page.unreadable.map(\.attempt), page.next.map { .init($0) })
    }
}
