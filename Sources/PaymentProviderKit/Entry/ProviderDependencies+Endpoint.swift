internal import PaymentTransport

extension ProviderDependencies {
    /// The same for a provider whose endpoint has a path, which no adapter has to know.
    func behind(_ provider: ConfiguredProvider) -> ProviderDependencies {
        guard !provider.endpointPath.isEmpty else { return self }
        var dependencies = self
        dependencies.transport = EndpointTransport(
            inner: transport, origin: provider.endpoint, path: provider.endpointPath)
        return dependencies
    }
}

/// Puts the path of an endpoint before every target that goes there.
private struct EndpointTransport: HTTPTransport {
    let inner: any HTTPTransport
    let origin: Origin
    let path: String

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.origin == origin else { return try await inner.send(request) }
        var request = request
        request.target = path + request.target
        return try await inner.send(request)
    }
}
