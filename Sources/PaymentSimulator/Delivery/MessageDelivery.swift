internal import PaymentBase
internal import PaymentTransport

/// Posts what simulated providers have to say to their receivers, each provider's messages in their order.
///
/// It lives by the sandbox's clock: what was not taken is sent again when the clock gets there, by itself or because it
/// was put forward.
final class MessageDelivery: Sendable {
    private struct State: Sendable {
        var receivers: [String: WebhookReceiver] = [:]
        /// Rings when something may have to be done before the time that was found last.
        var bell = Promise<Void>()
    }

    private let state = Locked(State())
    private let providers: [any WebhookSendingProvider]
    private let clock: SimulatorClock

    init(_ providers: [any SimulatedProvider], _ clock: SimulatorClock) {
        (self.providers, self.clock) = (providers.compactMap { $0 as? any WebhookSendingProvider }, clock)
    }

    /// Where a provider's messages go; nil for nowhere.
    func receiver(of name: String) -> WebhookReceiver? { state.withLock { $0.receivers[name] } }

    /// Sends a provider's messages to a receiver from now on; false for a provider that sends none.
    func setReceiver(_ receiver: WebhookReceiver?, of name: String) -> Bool {
        guard providers.contains(where: { $0.name == name }) else { return false }
        state.withLock { $0.receivers[name] = receiver }
        ring()
        return true
    }

    /// Says that something may have changed, or that ``run(over:save:)`` was cancelled.
    func ring() {
        let bell = state.withLock { state in
            defer { state.bell = Promise() }
            return state.bell
        }
        bell.fulfill(())
    }

    /// Delivers until its task is cancelled and the bell is rung; `save` is called when something was sent.
    func run(over transport: any HTTPTransport, save: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for provider in providers {
                group.addTask { await self.run(provider, transport, save) }
            }
        }
    }

    private func run(
        _ provider: any WebhookSendingProvider, _ transport: any HTTPTransport, _ save: @Sendable () -> Void
    ) async {
        while true {
            let (bell, receiver) = state.withLock { ($0.bell, $0.receivers[provider.name]) }
            if Task.isCancelled { return }
            var next: Int64?
            if let receiver {
                let count = await provider.deliver(
                    over: transport, to: receiver.origin, receiver.target, at: clock.now)
                if count > 0 { save() }
                next = [provider.nextDelivery, provider.nextDue].compactMap { $0 }.min()
            }
            await wait(for: bell, until: next)
        }
    }

    /// Rings one bell that nobody else has rung yet.
    private func wake(_ bell: Promise<Void>) {
        state.withLock { if $0.bell === bell { $0.bell = Promise() } }
        bell.fulfill(())
    }

    private func wait(for bell: Promise<Void>, until instant: Int64?) async {
        await withTaskGroup(of: Void.self) { [clock] group in
            if let instant {
                group.addTask {
                    do { try await clock.sleep(until: instant) } catch { return }
                    self.wake(bell)
                }
            }
            await bell.value()
            group.cancelAll()
        }
    }
}
