internal import PaymentSystem

/// State behind one mutex: the only place in the package that may say `@unchecked`.
///
/// A pthread mutex rather than `Synchronization.Mutex`, because the thread sanitizer sees the first and not the second
/// on Linux, and the sanitizer is one of the gates.
@safe public final class Locked<State>: @unchecked Sendable {
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes a lock that guards `state`.
    public init(_ state: sending State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        let code = unsafe pthread_mutex_init(mutex, nil)
        precondition(code == 0, "a mutex could not be made")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` alone with state that mustn't leave the lock, such as what belongs to a library in C.
    package func withOwned<Value: Sendable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Runs `body` alone with the state unless somebody else has it right now; nil then.
    package func tryOwned<Value: Sendable>(_ body: (inout sending State) -> Value) -> Value? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }
}

extension Locked where State: Sendable {
    /// Runs `body` alone with the state; never awaits inside and never calls out.
    public func withLock<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
