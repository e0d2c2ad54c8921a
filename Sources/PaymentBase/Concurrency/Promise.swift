/// One value for any number of waiters; the first to fulfil it wins.
public final class Promise<Value: Sendable>: Sendable {
    @usableFromInline enum State: Sendable {
        case open([CheckedContinuation<Value, Never>])
        case done(Value)
    }

    @usableFromInline let state = Locked(State.open([]))

    /// Makes a promise that is not fulfilled yet.
    public init() {}

    /// Gives the value to everyone who waits; says whether it was the first.
    @discardableResult @inlinable
    public func fulfill(_ value: Value) -> Bool {
        let waiting: [CheckedContinuation<Value, Never>]? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .done(value)
            return waiting
        }
        guard let waiting else { return false }
        for continuation in waiting { continuation.resume(returning: value) }
        return true
    }

    /// The value, if there is one already.
    @inlinable public var result: Value? {
        state.withLock { state in
            if case .done(let value) = state { return value }
            return nil
        }
    }

    /// Waits for the value, whatever happens to the waiting task.
    @inlinable public func value() async -> Value {
        await withCheckedContinuation { continuation in
            let ready: Value? = state.withLock { state in
                switch state {
                case .done(let value): return value
                case .open(let waiting):
                    state = .open(waiting + [continuation])
                    return nil
                }
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// The same, but who is cancelled in the meantime fulfils the promise with a value of his own.
    package func value(orWhenCancelled other: Value) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            fulfill(other)
        }
    }
}
