internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentTransport

extension SimulatedHaloSDK {
    /// What came back for a request.
    struct Answer {
        let status: Int
        let body: JSON?
        /// The answer to a submission; nil in anything else.
        var authorization: JSON? { body?["onlineAuthorizationResponse"] }
    }

    /// Why nothing came back.
    enum Silence: Error, Hashable {
        case network, stalled, authTokenUnauthorized
    }

    /// Sends one request under the token of the moment, and once more under a new one after a refusal of it.
    func send(_ target: String, _ body: JSON? = nil) async throws(Silence) -> Answer {
        let first = try await send(target, body, try await currentToken())
        if first.status != 401 { return first }
        state.withLock { $0.token = nil }
        let second = try await send(target, body, try await renewedToken())
        if second.status == 401 { throw .authTokenUnauthorized }
        return second
    }

    private func send(_ target: String, _ body: JSON?, _ token: Secret) async throws(Silence) -> Answer {
        var headers: HTTPHeaders = ["Authorization": "Bearer \(token.expose())"]
        if body != nil {
            headers["Content-Type"] = "application/json"
            headers["X-Device-Installation-Id"] = "halo-kit-installation-1"
        }
        let request = HTTPRequest("POST", origin, target, headers: headers, body: body?.bytes() ?? [])
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            return Answer(status: response.status, body: try? JSONReader().read(response.body))
        } catch {
            throw error.reason == .stalled || error.reason == .connectTimedOut ? .stalled : .network
        }
    }

    /// The token of the moment; a new one shortly before it lapses.
    private func currentToken() async throws(Silence) -> Secret {
        if let token = state.withLock({ $0.token }), let expires = Self.expiry(of: token),
            expires > clock.now + Self.marginMilliseconds
        {
            return token
        }
        return try await renewedToken()
    }

    private func renewedToken() async throws(Silence) -> Secret {
        do throws(HaloPhoneSDK.HaloError) { return try await freshToken() } catch { throw .authTokenUnauthorized }
    }

    /// Asks the application for a token, which has to say when it lapses.
    func freshToken() async throws(HaloPhoneSDK.HaloError) -> Secret {
        guard let provider = state.withLock({ $0.provider }) else { throw .notInitialized }
        guard let token = try? await provider(), let expires = Self.expiry(of: token), expires > clock.now else {
            throw .authTokenUnauthorized
        }
        state.withLock { $0.token = token }
        return token
    }

    /// When a token lapses; nil where it doesn't say.
    private static func expiry(of token: Secret) -> Int64? {
        let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.urlSafe.decode(String(parts[1])),
            let claims = try? JSONReader().read(bytes)
        else { return nil }
        return claims["exp"]?.int64.map { $0 * 1_000 }
    }
}
