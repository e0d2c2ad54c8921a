internal import PaymentBase
public import PaymentConformance
internal import PaymentSandbox
public import PaymentTransport

/// A transport with a tap on it: what brings the suite's changes to whatever speaks HTTP.
///
/// It also tells the provider which attempt a request belongs to, for its books alone.
public struct InterceptingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let interceptor: Interceptor

    /// Puts a tap before a transport.
    public init(_ inner: any HTTPTransport, _ interceptor: Interceptor) {
        (self.inner, self.interceptor) = (inner, interceptor)
    }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let headers = request.headers.fields.map { (name: $0.name, value: $0.value) }
        let given = WireRequest(request.method, request.target, headers: headers, body: request.body)
        do {
            let reply = try await interceptor.send(given) { (changed) async throws(WireFailure) in
                try await carry(changed, like: request)
            }
            var response = HTTPResponse(reply.status, body: reply.body)
            for (name, value) in reply.headers { response.headers.add(name, value) }
            return response
        } catch {
            throw Self.failure(error)
        }
    }

    private func carry(_ changed: WireRequest, like request: HTTPRequest) async throws(WireFailure) -> WireReply {
        var request = request
        (request.method, request.target, request.body) = (changed.method, changed.target, changed.body)
        request.headers = [:]
        for (name, value) in changed.headers { request.headers.add(name, value) }
        if let attempt = CurrentAttempt.id { request.headers[SandboxCall.attemptHeader] = attempt }
        do {
            let response = try await inner.send(request)
            let headers = response.headers.fields.map { (name: $0.name, value: $0.value) }
            return WireReply(response.status, headers: headers, body: response.body)
        } catch {
            switch error {
            case .notSent(let reason): throw .notSent(reason.rawValue)
            case .maybeSent(let reason): throw .maybeSent(reason.rawValue)
            }
        }
    }

    private static func failure(_ failure: WireFailure) -> TransportFailure {
        switch failure {
        case .notSent(let reason): .notSent(.init(rawValue: reason))
        case .maybeSent(let reason): .maybeSent(.init(rawValue: reason))
        }
    }
}
