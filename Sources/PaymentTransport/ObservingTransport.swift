public import PaymentBase

/// Passes every exchange to a closure, without anything that is secret.
///
/// ```swift
/// let transport = ObservingTransport(curl, clock: SystemClock()) { summary in log.append("\(summary)") }
/// ```
public struct ObservingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let clock: any PaymentClock
    private let observe: @Sendable (RequestSummary) -> Void

    /// Wraps a transport; `observe` is called once for every exchange, after it has ended.
    public init(
        _ inner: any HTTPTransport, clock: any PaymentClock, observe: @escaping @Sendable (RequestSummary) -> Void
    ) {
        (self.inner, self.clock, self.observe) = (inner, clock, observe)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = clock.now
        do {
            let response = try await inner.send(request)
            tell(request, start, .replied(status: response.status, bodyByteCount: response.body.count))
            return response
        } catch {
            tell(request, start, .failed(error))
            throw error
        }
    }

    private func tell(_ request: HTTPRequest, _ start: Int64, _ end: RequestSummary.Ending) {
        observe(RequestSummary(request, elapsedMilliseconds: max(0, clock.now - start), end: end))
    }
}

/// What may be reported about one exchange: sizes, times and places, never a header's value, a query's value or a body.
public struct RequestSummary: Sendable, Hashable {
    /// How the exchange ended.
    public enum Ending: Sendable, Hashable {
        /// With a reply of this status and so many bytes.
        case replied(status: Int, bodyByteCount: Int)
        /// Without one.
        case failed(TransportFailure)
    }

    /// The method.
    public let method: String
    /// Scheme, host and port.
    public let origin: Origin
    /// The path, without the query.
    public let path: String
    /// The names in the query, without their values.
    public let queryNames: [String]
    /// How many bytes the request's body has.
    public let bodyByteCount: Int
    /// How long it took.
    public let elapsedMilliseconds: Int64
    /// How it ended.
    public let end: Ending

    init(_ request: HTTPRequest, elapsedMilliseconds: Int64, end: Ending) {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (method, origin, path) = (request.method, request.origin, String(parts[0]))
        queryNames = parts.count < 2 ? [] : parts[1].split(separator: "&").map(Self.name)
        bodyByteCount = request.body.count
        (self.elapsedMilliseconds, self.end) = (elapsedMilliseconds, end)
    }

    /// A part of a query without `=` may be a value as well as a name, so it is not shown.
    private static func name(_ part: Substring) -> String {
        part.firstIndex(of: "=").map { String(part[..<$0]) } ?? "…"
    }
}

extension RequestSummary: CustomStringConvertible {
    public var description: String {
        let query = queryNames.isEmpty ? "" : "?" + queryNames.joined(separator: "&")
        let ending =
            switch end {
            case .replied(let status, let count): "\(status), \(count) bytes"
            case .failed(.notSent(let reason)): "not sent: \(reason.rawValue)"
            case .failed(.maybeSent(let reason)): "maybe sent: \(reason.rawValue)"
            }
        return "\(method) \(origin)\(path)\(query) (\(bodyByteCount) bytes) → \(ending) in \(elapsedMilliseconds) ms"
    }
}
