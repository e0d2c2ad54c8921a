public import PaymentAbstraction
public import PaymentBase

/// The payments for which a vendor's kit is at work, what it has shown of each, and who hears of its reader.
///
/// `Seen` is what an adapter reads out of its kit's events; `Void` where a kit tells nothing of a payment.
public final class MobileSDKCalls<Seen: Sendable>: Sendable {
    /// What to do with a wish to cancel.
    public enum Cancel {
        /// No payment runs.
        case nothing
        /// It can't be stopped any more.
        case tooLate
        /// The kit is to be asked; the promise says whether the payment ended as cancelled.
        case ask(Promise<Bool>)
    }

    private struct Call: Sendable {
        let number: Int
        let context: PaymentContext
        let ended = Promise<Bool>()
        var seen: Seen
    }

    private struct State {
        /// More than one only while a call outlives its time.
        var calls: [Call] = []
        var nextNumber = 0
        var sink: (@Sendable (ReaderEvent) -> Void)?
    }

    private let state = Locked(State())

    /// Begins without any.
    public init() {}

    /// Names who hears of the reader.
    public func attach(_ sink: @escaping @Sendable (ReaderEvent) -> Void) { state.withLock { $0.sink = sink } }

    /// Tells who hears of the reader.
    public func tell(_ event: ReaderEvent) { state.withLock { $0.sink }?(event) }

    /// A payment's call is about to begin; gives its number.
    public func begin(_ context: PaymentContext, _ seen: Seen) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.calls.append(Call(number: state.nextNumber, context: context, seen: seen))
            return state.nextNumber
        }
    }

    /// What was seen of a payment whose call runs; nil when it is over.
    public func seen(_ number: Int) -> Seen? { state.withLock { $0.calls.first { $0.number == number }?.seen } }

    /// A payment's call is over.
    public func end(_ number: Int, isCancelled: Bool = false) {
        let call = state.withLock { state in
            let call = state.calls.first { $0.number == number }
            state.calls.removeAll { $0.number == number }
            return call
        }
        call?.ended.fulfill(isCancelled)
    }

    /// Takes in what the kit shows; a call that outlived its time may be what it is about, so that all have seen it.
    ///
    /// - Returns: Whose timeline it belongs on: the oldest payment's.
    @discardableResult
    public func hear(_ change: (inout Seen) -> Void = { _ in }) -> PaymentContext? {
        state.withLock { state in
            for index in state.calls.indices { change(&state.calls[index].seen) }
            return state.calls.first?.context
        }
    }

    /// Somebody wants the newest payment ended; `asks` says whether it still can be.
    public func cancel(_ asks: (inout Seen) -> Bool) -> Cancel {
        state.withLock { state in
            guard let last = state.calls.indices.last else { return .nothing }
            return asks(&state.calls[last].seen) ? .ask(state.calls[last].ended) : .tooLate
        }
    }
}
