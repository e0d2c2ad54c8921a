internal import PaymentBase

/// The one reader of a client: connected once, shared by all providers that read with it.
///
/// It hands each event to whoever it concerns. One provider at a time can have prepared it, and one reads at a time.
final class ReaderEventStream: Sendable {
    private struct Listener: Sendable {
        weak let queue: ReaderQueue?
    }

    private struct State {
        var isConnected = false
        var listeners: [Listener] = []
    }

    let reader: (any CardReader)?
    private let state = Locked(State())

    init(_ reader: (any CardReader)?) { self.reader = reader }

    private var queues: [ReaderQueue] { state.withLock { $0.listeners.compactMap(\.queue) } }

    /// Takes a provider's queue in; the first to come connects the reader.
    func join(_ queue: ReaderQueue, _ services: Services) async {
        let isFirst = state.withLock { state in
            if !state.listeners.contains(where: { $0.queue === queue }) {
                state.listeners.append(Listener(queue: queue))
            }
            defer { state.isConnected = true }
            return !state.isConnected
        }
        guard isFirst, let reader else { return }
        await reader.setEventHandler { [weak self] event in self?.heard(event, services) }
    }

    private func heard(_ event: ReaderEvent, _ services: Services) {
        let queues = queues
        let isTaken = queues.map { $0.heard(event) }.contains(true)
        if isTaken { return }
        services.events.emit(
            .reader(event), at: services.clock.now, payment: nil, attempt: nil,
            provider: queues.count == 1 ? queues.first?.driver.identity.id : nil, attributes: event.attributes)
    }

    /// Whether another provider reads with it now.
    func isReading(besides queue: ReaderQueue) -> Bool { queues.contains { $0 !== queue && $0.isReading } }

    /// One has prepared it with its own token: for the others it has to be prepared again.
    func prepared(by queue: ReaderQueue) { for other in queues where other !== queue { other.invalidate() } }
}
