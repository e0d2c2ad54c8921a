internal import PaymentBase

/// Makes the installation's names once, also when several ask at the same time.
actor InstallationCache {
    private let store: any InstallationStore
    private let random: any RandomSource
    private let clock: any PaymentClock
    private var made: Task<Installation, any Error>?

    init(_ store: any InstallationStore, _ random: any RandomSource, _ clock: any PaymentClock) {
        (self.store, self.random, self.clock) = (store, random, clock)
    }

    func installation(_ executor: (any TaskExecutor)?) async throws -> Installation {
        if let made { return try await made.value }
        let task = Task(executorPreference: executor) { [store, random, clock] in
            if let kept = try await store.load() { return kept }
            let fresh = Installation(
                id: TimeOrderedID.make(now: clock.now, random: random),
                device: TimeOrderedID.make(now: clock.now, random: random))
            try await store.save(fresh)
            return fresh
        }
        made = task
        do { return try await task.value } catch {
            made = nil
            throw error
        }
    }
}
