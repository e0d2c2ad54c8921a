package import PaymentBase

extension Journal {
    /// Returns when more was written about an attempt than the facts that are known, when the process that works on it is
    /// found gone, or when the task is cancelled.
    ///
    /// Who dies writes nothing, so no journal tells; the registry is asked each second, which costs no reading.
    package func changed(
        _ known: AttemptFacts, or owners: any OwnerRegistry, _ clock: any PaymentClock
    ) async throws(JournalFailure) {
        let owner = known.newest.owner
        let heard = await withTaskGroup(of: Result<Void, JournalFailure>.self) { group in
            group.addTask {
                do throws(JournalFailure) { return .success(try await changed(known)) } catch { return .failure(error) }
            }
            group.addTask {
                while owners.isAlive(owner), !Task.isCancelled {
                    do { try await clock.sleep(until: clock.now + lookMilliseconds) } catch { break }
                }
                return .success(())
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success(())
        }
        try heard.get()
    }
}

/// How often one who waits asks whether the process that he waits for is still there.
private let lookMilliseconds: Int64 = 1_000
