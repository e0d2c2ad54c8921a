import PaymentBase
import PaymentTransport

/// Answers with prepared ends, in order, and remembers what it was sent.
final class StubTransport: HTTPTransport {
    let sent = Locked([HTTPRequest]())
    private let ends: Locked<[Result<HTTPResponse, TransportFailure>]>

    init(_ ends: [Result<HTTPResponse, TransportFailure>]) { self.ends = Locked(ends) }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        return try ends.withLock { $0.isEmpty ? .failure(.notSent(.other)) : $0.removeFirst() }.get()
    }
}
