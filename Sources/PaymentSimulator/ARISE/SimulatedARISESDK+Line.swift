internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentTransport

extension SimulatedARISESDK {
    /// Gets tokens and keeps them.
    func sign(in form: [FormField]) async throws(ARISEPhoneSDK.Failure) {
        var request = HTTPRequest("POST", origin, "/oauth2/token")
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = Array(FormEncoding.encode(form).utf8)
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await transport.send(request) } catch {
            throw .authentication(.networkError)
        }
        let said = try? JSONReader().read(response.body)
        if response.status == 400 || response.status == 401 { throw .authentication(.tokenExpired) }
        guard response.status == 200, let token = said?["access_token"]?.string,
            let seconds = said?["expires_in"]?.int64
        else { throw .authentication(response.status == 200 ? .invalidResponse : .unknown) }
        let expires = clock.now + seconds * 1_000
        session.tokens.withLock { tokens in
            (tokens.access, tokens.expires) = (Secret(token), expires)
            tokens.refresh = said?["refresh_token"]?.string.map { Secret($0) } ?? tokens.refresh
        }
    }

    /// Sends a request under the token of the moment, and once more under a new one after a refusal of it; what moves
    /// money goes out once.
    func send(
        _ method: String, _ target: String, _ body: JSON? = nil, once: Bool = false
    ) async throws(ARISEPhoneSDK.Failure) -> JSON? {
        guard session.tokens.withLock({ $0.access }) != nil else { throw .api(.unauthorized("nobody is signed in")) }
        if await getAccessToken() == nil { _ = try await refreshAccessToken() }
        let first = try await exchange(method, target, body)
        if first.status != 401 || once { return try Self.read(first) }
        _ = try await refreshAccessToken()
        return try Self.read(try await exchange(method, target, body))
    }

    private func exchange(
        _ method: String, _ target: String, _ body: JSON?
    ) async throws(ARISEPhoneSDK.Failure) -> HTTPResponse {
        let token = session.tokens.withLock { $0.access }
        var headers: HTTPHeaders = ["Authorization": "Bearer \(token?.expose() ?? "")", "Accept": "application/json"]
        if body != nil { headers["Content-Type"] = "application/json" }
        let request = HTTPRequest(method, origin, target, headers: headers, body: body?.bytes() ?? [])
        do throws(TransportFailure) { return try await transport.send(request) } catch {
            throw .api(.networkError("no answer"))
        }
    }

    /// The body of an answer that accepts, or the document's error for its status.
    private static func read(_ response: HTTPResponse) throws(ARISEPhoneSDK.Failure) -> JSON? {
        let said = try? JSONReader().read(response.body)
        let text = said?["details"]?.string ?? "status \(response.status)"
        switch response.status {
        case 200..<300:
            if said == nil, !response.body.isEmpty { throw .api(.invalidResponse(text)) }
            return said
        case 400: throw .api(.badRequest(text))
        case 401: throw .api(.unauthorized(text))
        case 403: throw .api(.forbidden(text))
        case 404: throw .api(.notFound(text))
        case 500...: throw .api(.serverError(text))
        default: throw .api(.unknown(text))
        }
    }
}
