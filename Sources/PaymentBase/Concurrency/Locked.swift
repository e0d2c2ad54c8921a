internal import PaymentSystem

/// State behind one mutex: the only place in the package that may say `@unchecked`.
///
/// A pthread mutex rather than `Synchronization.Mutex`, because the thread sanitizer sees the first and not the second
/// on Linux, and the sanitizer is one of the gates. What uses a lock is compiled where it is used, for the state that
/// it has there; nothing but the three methods touches the state.
@safe public final class Locked<State>: @unchecked Sendable {
    @usableFromInline var state: State
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

    @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }
    @usableFromInline func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }

    /// Runs `body` alone with state that mustn't leave the lock, such as what belongs to a library in C.
    @inlinable package func withOwned<Value: Sendable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        lock()
        defer { unlock() }
        return try body(&state)
    }

    /// Runs `body` alone with the state unless another thread has it right now; nil then.
    @inlinable package func tryOwned<Value: Sendable>(_ body: (inout sending State) -> Value) -> Value? {
        guard tryLock() else { return nil }
        defer { unlock() }
        return body(&state)
    }
}

extension Locked where State: Sendable {
    /// Runs `body` alone with the state; never awaits inside and never calls out.
    @inlinable public func withLock<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        lock()
        defer { unlock() }
        return try body(&state)
    }
}
