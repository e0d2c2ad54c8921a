internal import PaymentBase
public import PaymentTransport

/// A transport whose n-th call fails, before or after it did what it was asked.
public final class FailingTransport: HTTPTransport {
    /// How the call fails.
    public enum Kind: String, Sendable, CaseIterable {
        /// Proven not to have left.
        case notSent
        /// Lost on the way there.
        case lostBefore
        /// Done, and the reply is lost.
        case lostAfter
    }

    private let inner: any HTTPTransport
    private let failing: Int
    private let kind: Kind
    private let count = Locked(0)

    public init(_ inner: any HTTPTransport, failing: Int, _ kind: Kind) {
        (self.inner, self.failing, self.kind) = (inner, failing, kind)
    }

    /// How many calls there were.
    public var calls: Int { count.withLock { $0 } }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number == failing else { return try await inner.send(request) }
        switch kind {
        case .notSent: throw .notSent(.connectionRefused)
        case .lostBefore: throw .maybeSent(.connectionReset)
        case .lostAfter:
            _ = try await inner.send(request)
            throw .maybeSent(.connectionReset)
        }
    }
}
