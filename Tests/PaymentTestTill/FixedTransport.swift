internal import PaymentBase
public import PaymentTransport

/// Answers every request alike and remembers what came.
public final class FixedTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse
    private let seen = Locked([HTTPRequest]())

    public init(_ answer: @escaping @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse) {
        self.answer = answer
    }

    public var requests: [HTTPRequest] { seen.withLock { $0 } }

    public var sendLimitMilliseconds: Int64? { 0 }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try answer(request)
    }

    /// A transport that nobody may use.
    public static let none = FixedTransport { _ throws(TransportFailure) in throw .notSent(.connectionRefused) }
}
