/// What never gets into a cassette.
///
/// The names in ``alwaysRemoved`` go whatever a caller says. What secrets a target or a body may hold only the adapter
/// knows, so its closures take them out; matching happens after them, on both sides.
public struct CassetteRules: Sendable {
    /// The header fields that are never recorded, in lower case.
    public static let alwaysRemoved: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "www-authenticate",
    ]

    /// Further header fields that are not recorded, in any case.
    public var removedHeaders: Set<String>
    /// Takes secrets out of the path and the query.
    public var redactTarget: @Sendable (String) -> String
    /// Takes secrets out of the body of a request or a reply.
    public var redactBody: @Sendable ([UInt8]) -> [UInt8]

    /// Makes rules; the body's is required, since forgetting it would write card data to a file.
    public init(
        removedHeaders: Set<String> = [], redactTarget: @escaping @Sendable (String) -> String = { $0 },
        redactBody: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.removedHeaders, self.redactTarget, self.redactBody) = (removedHeaders, redactTarget, redactBody)
    }

    /// An exchange as it may be kept.
    public func exchange(
        _ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>, milliseconds: Int64 = 0
    ) -> Cassette.Interaction {
        Cassette.Interaction(
            redacted(request), end.map { redacted($0) }, milliseconds: milliseconds)
    }

    /// A request as it may be kept.
    public func redacted(_ request: HTTPRequest) -> HTTPRequest {
        HTTPRequest(
            request.method, request.origin, redactTarget(request.target), headers: redacted(request.headers),
            body: redactBody(request.body))
    }

    /// A reply as it may be kept.
    public func redacted(_ response: HTTPResponse) -> HTTPResponse {
        HTTPResponse(response.status, headers: redacted(response.headers), body: redactBody(response.body))
    }

    private func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        let removed = Self.alwaysRemoved.union(removedHeaders.map { $0.lowercased() })
        var kept = HTTPHeaders()
        for field in headers.fields where !removed.contains(field.name.lowercased()) {
            kept.add(field.name, field.value)
        }
        return kept
    }
}
