public import PaymentBase
public import PaymentTransport

/// Carries requests to simulated providers in the same process, by their origin.
///
/// What needs a socket becomes the failure that a client would see: a torn or silent answer, a reset.
public struct InProcessTransport: HTTPTransport {
    /// How long nothing may move before a request is given up, in milliseconds, as with a real transport.
    public static let stallMilliseconds: Int64 = 60_000

    private let services: [Origin: any SimulatorService]
    /// Who gets what is for nobody else.
    private let fallback: (any SimulatorService)?
    private let clock: (any PaymentClock)?

    /// Makes a transport to providers; without a clock, what would take time fails or answers at once.
    public init(_ services: [Origin: any SimulatorService], clock: (any PaymentClock)? = nil) {
        (self.services, self.clock, fallback) = (services, clock, nil)
    }

    /// Makes a transport that takes everything to one provider, whatever the address.
    public init(to provider: any SimulatorService, clock: (any PaymentClock)? = nil) {
        (services, self.clock, fallback) = ([:], clock, provider)
    }

    /// Nothing is on its way once a call has begun.
    public var sendLimitMilliseconds: Int64? { 0 }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isWellFormed else { throw .notSent(.invalidRequest) }
        if Task.isCancelled { throw .notSent(.cancelled) }
        guard let service = services[request.origin] ?? fallback else { throw .notSent(.connectionRefused) }
        switch await service.answer(request) {
        case .reply(let response): return try received(response, request)
        case .slow(let response, let milliseconds):
            if milliseconds / SimulatorResponse.dripPieces >= stallMilliseconds(request) { try await stall(request) }
            try await wait(milliseconds)
            return try received(response, request)
        case .noReply: try await stall(request)
        case .cutBefore, .cutAfter, .closed:
            throw .maybeSent(Task.isCancelled ? .cancelled : .connectionReset)
        case .truncatedHead, .truncatedBody: throw .maybeSent(.truncated)
        case .upgrade: throw .maybeSent(.malformed)
        }
    }

    private func received(
        _ response: HTTPResponse, _ request: HTTPRequest
    ) throws(TransportFailure) -> HTTPResponse {
        if response.body.count > request.responseBodyBytesMax { throw .maybeSent(.tooLarge) }
        return response
    }

    private func stallMilliseconds(_ request: HTTPRequest) -> Int64 {
        request.idleTimeoutMilliseconds ?? Self.stallMilliseconds
    }

    private func stall(_ request: HTTPRequest) async throws(TransportFailure) -> Never {
        try await wait(stallMilliseconds(request))
        throw .maybeSent(.stalled)
    }

    private func wait(_ milliseconds: Int64) async throws(TransportFailure) {
        guard let clock else { return }
        do { try await clock.sleep(until: clock.now + milliseconds) } catch { throw .maybeSent(.cancelled) }
    }
}
