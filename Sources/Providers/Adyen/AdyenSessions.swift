internal import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

/// What the application's server does for a phone: opens the session that the phone's kit asks for.
///
/// The kit hands its set-up token to the application, the application to its server, and the session's data goes the
/// same way back; the key stays on the server.
///
/// ```swift
/// let sessions = AdyenSessions(at: address, merchant: "TestMerchant", apiKey: key, transport)
/// let data = try await sessions.data(for: setupToken)
/// ```
public struct AdyenSessions: Sendable {
    private let client: JSONClient
    private let target: String
    private let merchant: String
    private let store: String?

    /// Makes the server's side of sessions.
    ///
    /// - Parameters:
    ///   - address: Where sessions are opened, such as `/checkout/possdk/v68/sessions` of the test world.
    ///   - merchant: The merchant account.
    ///   - store: The store that the phone's payments belong to, if any.
    ///   - apiKey: The key of the account's user.
    ///   - transport: What carries the request.
    public init(
        at address: WebURL, merchant: String, store: String? = nil, apiKey: Secret,
        _ transport: any HTTPTransport
    ) {
        client = JSONClient(transport, address.origin, headers: [AdyenRequestSender.keyHeader: apiKey.expose()])
        (target, self.merchant, self.store) = (address.target, merchant, store)
    }

    /// The session's data for a phone's set-up token.
    ///
    /// - Throws: What the transport or the provider says, or `unreadableReply`, nothing moved, for an answer without a
    ///   session.
    public func data(for setupToken: Secret) async throws -> Secret {
        var body: JSONObject = [
            "merchantAccount": .string(merchant), "setupToken": .string(setupToken.expose()),
        ]
        body.add("store", store)
        let reply = try await client.send("POST", target, body: .object(body))
        guard let data = reply["sdkData"]?.text, !data.isEmpty else {
            throw PaymentError.notExecuted(.unreadableReply, "the answer holds no session")
        }
        return Secret(data)
    }
}
