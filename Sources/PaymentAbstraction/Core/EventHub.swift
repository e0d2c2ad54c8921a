internal import PaymentBase
internal import PaymentModel

/// Hands events to subscribers, each with a bounded stream of its own, and numbers them per payment.
package final class EventHub: Sendable {
    /// How many events wait for a subscriber before the oldest are dropped.
    static let eventsPerSubscriberMax = 1_024
    /// How many payments' numbers are kept in memory.
    static let paymentsMax = 4_096

    private struct State {
        var nextSubscriber = 0
        var subscribers: [Int: AsyncStream<PaymentEvent>.Continuation] = [:]
        var sequences: [PaymentID: Int] = [:]
        var recent: [PaymentID] = []
        /// The place of the oldest of them, once there are as many as are kept.
        var oldest = 0
    }

    private let state = Locked(State())
    private let observer: (any PaymentObserver)?

    init(_ observer: (any PaymentObserver)?) { self.observer = observer }

    /// Numbers an event and hands it out.
    @discardableResult
    func emit(
        _ kind: PaymentEvent.Kind, at instant: Int64, payment: PaymentID?, attempt: AttemptID?, provider: ProviderID?,
        attributes: [String: String] = [:]
    ) -> PaymentEvent {
        let event = state.withLock { state in
            var sequence = 0
            if let payment {
                sequence = Self.next(&state.sequences[payment, default: 0])
                if sequence == 1 { Self.remember(payment, &state) }
            }
            let event = PaymentEvent(
                kind, sequence: sequence, at: instant, payment: payment, attempt: attempt, provider: provider,
                attributes: attributes)
            for subscriber in state.subscribers.values { subscriber.yield(event) }
            return event
        }
        if let observer { event.show(observer) }
        return event
    }

    private static func next(_ sequence: inout Int) -> Int {
        sequence += 1
        return sequence
    }

    private static func remember(_ payment: PaymentID, _ state: inout State) {
        guard state.recent.count == paymentsMax else { return state.recent.append(payment) }
        state.sequences[state.recent[state.oldest]] = nil
        state.recent[state.oldest] = payment
        state.oldest = (state.oldest + 1) % paymentsMax
    }

    /// A stream of everything from now on.
    func subscribe() -> AsyncStream<PaymentEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PaymentEvent.self, bufferingPolicy: .bufferingNewest(Self.eventsPerSubscriberMax))
        let number = state.withLock { state in
            state.nextSubscriber += 1
            state.subscribers[state.nextSubscriber] = continuation
            return state.nextSubscriber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.subscribers[number] = nil }
        }
        return stream
    }

    /// Ends all streams.
    package func finish() {
        let all = state.withLock { state in
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in all { subscriber.finish() }
    }
}
