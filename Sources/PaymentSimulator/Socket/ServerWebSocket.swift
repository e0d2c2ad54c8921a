internal import PaymentBase
internal import PaymentTransport

/// A WebSocket from the provider's side: what it sends is pushed to the client.
final class ServerWebSocket: WebSocketConnection {
    /// How many messages wait for somebody who receives them.
    static let inboxMax = 1_024

    typealias Received = Result<WebSocketMessage?, TransportFailure>

    private struct State {
        var inbox: [WebSocketMessage] = []
        var receiver: Promise<Received>?
        var end: Received?
    }

    private let state = Locked(State())
    private let core: ServerCore
    private let number: Int

    init(_ core: ServerCore, _ number: Int) { (self.core, self.number) = (core, number) }

    func send(_ text: String) async throws(TransportFailure) {
        let frame = SocketFrameReader.frame(.text, Array(text.utf8))
        if await !core.push(frame, to: number) { throw .notSent(.connectionReset) }
    }

    func receive() async throws(TransportFailure) -> WebSocketMessage? {
        let promise = Promise<Received>()
        let ready: Received? = state.withLock { state in
            if !state.inbox.isEmpty { return .success(state.inbox.removeFirst()) }
            if let end = state.end { return end }
            state.receiver = promise
            return nil
        }
        if let ready { return try ready.get() }
        return try await promise.value(orWhenCancelled: .failure(.notSent(.cancelled))).get()
    }

    func close() async { await core.endSocket(number) }

    /// Hands a message over; false when too many wait.
    func deliver(_ message: WebSocketMessage) -> Bool {
        let (receiver, isTaken) = state.withLock { state -> (Promise<Received>?, Bool) in
            if let receiver = state.receiver, receiver.result == nil {
                state.receiver = nil
                return (receiver, true)
            }
            if state.inbox.count >= Self.inboxMax { return (nil, false) }
            state.inbox.append(message)
            return (nil, true)
        }
        receiver?.fulfill(.success(message))
        return isTaken
    }

    /// Says how it ended.
    func finish(_ end: Received) {
        let receiver = state.withLock { state in
            defer { (state.receiver, state.end) = (nil, state.end ?? end) }
            return state.receiver
        }
        receiver?.fulfill(end)
    }
}
