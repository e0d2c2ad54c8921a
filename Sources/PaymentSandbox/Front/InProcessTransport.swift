public import PaymentTransport

/// Carries requests to simulated companies in the same process, by their origin.
public struct InProcessTransport: HTTPTransport {
    private let services: [Origin: any SandboxService]

    /// Makes a transport to companies.
    public init(_ services: [Origin: any SandboxService]) { self.services = services }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if Task.isCancelled { throw .notSent(.cancelled) }
        guard let service = services[request.origin] else { throw .notSent(.connectionRefused) }
        switch await service.answer(request) {
        case .reply(let response):
            if response.body.count > request.responseBodyBytesMax { throw .maybeSent(.tooLarge) }
            return response
        case .cutBefore, .cutAfter: throw .maybeSent(.connectionReset)
        }
    }
}
