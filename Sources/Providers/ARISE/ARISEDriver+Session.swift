public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ARISEDriver: SessionDriver {
    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        if let refresh = last?.refreshToken {
            let grant = [
                FormField("grant_type", "refresh_token"), FormField("refresh_token", refresh.expose()),
            ]
            do { return try await token(grant, context) } catch let refusal as HTTPErrorResponse
                where refusal.status == 400 || refusal.status == 401
            {
                // The refresh was refused; the credentials themselves are left.
            }
        }
        return try await token(
            [FormField("grant_type", "client_credentials"), FormField("scope", "offline_access")], context)
    }

    private func token(_ grant: [FormField], _ context: SessionContext) async throws -> AccessToken {
        var request = HTTPRequest("POST", configuration.oauth, ARISEPath.token)
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["Accept"] = "application/json"
        let client = [
            FormField("client_id", configuration.clientID),
            FormField("client_secret", try await configuration.secret().expose()),
        ]
        request.body = Array(FormEncoding.encode(grant + client).utf8)
        let asked = context.now
        let reply = try JSONClient.read(try await transport.send(request))
        guard let token = reply["access_token"]?.string, !token.isEmpty,
            let seconds = reply["expires_in"]?.int64 ?? reply["expires_in"]?.string.flatMap({ Int64($0) }),
            (1...Self.lifeSecondsMax).contains(seconds)
        else {
            throw PaymentError(
                .unreadableReply, outcome: .notExecuted, provider: ProviderMessage(code: "invalidResponse"),
                detail: "the answer holds no token")
        }
        return AccessToken(
            Secret(token), expiresAt: asked + seconds * 1_000,
            refreshToken: reply["refresh_token"]?.string.map { Secret($0) })
    }

    /// The longest life of a token that is believed, in seconds.
    private static let lifeSecondsMax: Int64 = 366 * 86_400
}
