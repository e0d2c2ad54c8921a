internal import PaymentBase

/// What a kit's delegate is told, in order, for a driver that reads it event by event.
final class EcommpayEventQueue<Event: Sendable>: Sendable {
    /// How many events are kept that nobody has read; the oldest go first, since an end comes last.
    static var eventsMax: Int { 256 }

    private struct State {
        var events: [Event] = []
        var waiting: Promise<Event?>?
    }

    private let state = Locked(State())
    /// Called after each event.
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

    /// The kit calls its delegate.
    func hear(_ event: Event) {
        state.withLock { state in
            if let waiting = state.waiting, waiting.fulfill(event) {
                state.waiting = nil
                return
            }
            if state.events.count >= Self.eventsMax { state.events.removeFirst() }
            state.events.append(event)
        }
        wake()
    }

    /// Whether something was told that nobody has read.
    var hasNews: Bool { state.withLock { !$0.events.isEmpty } }

    /// The oldest event that nobody has read.
    func take() -> Event? { state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() } }

    /// The next event, or nil when whoever waits is cancelled first.
    func next() async -> Event? {
        let promise = promised()
        return await withTaskCancellationHandler {
            await promise.value()
        } onCancel: {
            promise.fulfill(nil)
        }
    }

    private func promised() -> Promise<Event?> {
        state.withLock { state in
            let promise = Promise<Event?>()
            if state.events.isEmpty {
                state.waiting = promise
            } else {
                promise.fulfill(state.events.removeFirst())
            }
            return promise
        }
    }
}
