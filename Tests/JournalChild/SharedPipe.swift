import PaymentBase
import PaymentTestPipes
import PaymentTransport

/// A transport to providers that live in the parent, for several callers: one exchange at a time.
struct SharedPipe: HTTPTransport {
    private let channel: Locked<Channel>

    init(_ channel: Channel) { self.channel = Locked(channel) }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let answer: PipeMessage?
        do {
            answer = try channel.withLock { channel in
                try channel.send(.request(request))
                return try channel.receive()
            }
        } catch { throw .maybeSent(.other) }
        guard case .reply(let response) = answer else { throw .maybeSent(.connectionReset) }
        return response
    }
}
