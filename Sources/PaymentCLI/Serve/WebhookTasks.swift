internal import PaymentBase

/// The tasks that send webhooks, which other ones can replace while the service runs.
final class WebhookTasks: Sendable {
    private struct State {
        var tasks: [Task<Void, Never>] = []
        var queued: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Ends the tasks and takes others in their place.
    func replace(with fresh: [Task<Void, Never>]) {
        let before = state.withLock { state in
            defer { state.tasks = fresh }
            return state.tasks
        }
        for task in before { task.cancel() }
    }

    /// Does something after everything that was queued before, so that what was read last counts.
    func queue(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            let before = state.queued
            state.queued = Task {
                await before?.value
                await body()
            }
        }
    }
}
