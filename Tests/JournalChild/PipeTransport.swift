import PaymentTestPipes
import PaymentTransport

/// A transport to providers that live in the parent; announces every exchange, before and after.
struct PipeTransport: HTTPTransport {
    private let announcer: Announcer

    init(_ announcer: Announcer) { self.announcer = announcer }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let answer: PipeMessage?
        do {
            answer = try await announcer.around("exchange") {
                try announcer.channel.send(.request(request))
                return try announcer.channel.receive()
            }
        } catch { throw .maybeSent(.other) }
        guard case .reply(let response) = answer else { throw .maybeSent(.connectionReset) }
        return response
    }
}
