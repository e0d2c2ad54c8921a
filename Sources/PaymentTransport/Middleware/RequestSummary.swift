/// What may be told about one exchange: sizes, times and places, never a header's value, a query's value or a body.
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
