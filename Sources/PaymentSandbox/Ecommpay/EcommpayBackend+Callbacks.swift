internal import PaymentBase
public import PaymentTransport

extension EcommpayBackend {
    /// How many callbacks it keeps.
    public static let callbacksMax = 10_000

    /// A callback that nobody has taken yet.
    struct Callback: Sendable {
        let id: Int64
        let message: JSON
        var tryCount = 0
        var dueAt: Int64
    }

    /// Writes down what is to be told of payments that have changed.
    static func note(_ state: inout State, _ now: Int64) {
        let changed = state.payments.changed.sorted()
        state.payments.changed = []
        for id in changed {
            guard let payment = state.payments[id] else { continue }
            let operation = payment.operations.last
            let words = [payment.status, payment.waitsFor, operation?.type, operation?.status]
            let print = words.map { $0 ?? "" }.joined(separator: "/") + "/\(payment.operations.count)"
            if state.told.updateValue(print, forKey: id) == print { continue }
            state.nextCallback += 1
            let message = body(payment, operation, state)
            state.callbacks.append(Callback(id: state.nextCallback, message: message, dueAt: now))
            if state.callbacks.count > callbacksMax { state.callbacks.removeFirst() }
        }
    }

    /// When the next callback is due; nil where none is left.
    public var nextCallback: Int64? { state.withLock { $0.callbacks.map(\.dueAt).min() } }

    /// Sends every callback that is due; anything but `200 OK` is tried again by the schedule.
    ///
    /// - Returns: How many were sent, taken or not.
    @discardableResult
    public func deliver(over transport: any HTTPTransport, to origin: Origin, _ target: String) async -> Int {
        let now = clock.now
        let seal = EcommpaySignature(secret: rules.secret, crypto: crypto)
        let due = state.withLock { $0.callbacks.filter { $0.dueAt <= now } }
        for callback in due {
            let request = HTTPRequest(
                "POST", origin, target, headers: ["Content-Type": "application/json"],
                body: seal.sign(callback.message).bytes())
            let response = try? await transport.send(request)
            heard(callback.id, isTaken: response?.status == 200)
        }
        return due.count
    }

    private func heard(_ id: Int64, isTaken: Bool) {
        let now = clock.now
        state.withLock { state in
            guard let index = state.callbacks.firstIndex(where: { $0.id == id }) else { return }
            state.callbacks[index].tryCount += 1
            let wait = EcommpayRetries.milliseconds(after: state.callbacks[index].tryCount)
            guard !isTaken, let wait else {
                state.callbacks.remove(at: index)
                return
            }
            state.callbacks[index].dueAt = now + wait
        }
    }
}

extension EcommpayBackend: NotifyingProvider {
    /// The callbacks that nobody has taken yet, signed.
    public func takeNews() -> [SandboxNews] {
        let seal = EcommpaySignature(secret: rules.secret, crypto: crypto)
        let callbacks = state.withLock { state in
            defer { state.callbacks = [] }
            return state.callbacks
        }
        return callbacks.map { SandboxNews(body: seal.sign($0.message).bytes()) }
    }
}
