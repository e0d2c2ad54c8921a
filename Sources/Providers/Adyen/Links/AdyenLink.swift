internal import PaymentBase
internal import PaymentTransport

/// One way to a terminal.
protocol AdyenLink: Sendable {
    /// Sends a whole message and gives the answer; nil where it was taken and the answer comes elsewhere.
    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage?
}

extension AdyenLink {
    /// Sends a request with its head.
    func send(_ header: NexoHeader, _ body: JSON, _ key: Secret?) async throws -> NexoMessage? {
        try await send(header, NexoMessage.request(header, body).bytes(), key)
    }
}

/// What all links share: one request with bytes, and what its answer is.
struct AdyenRequestSender: Sendable {
    let transport: any HTTPTransport
    let origin: Origin
    var connectTo: Origin?
    /// Whom to trust on the shop's network, where certificates lead to the provider's own root.
    var trust: ServerTrust?

    /// How long a terminal may take: its customer has two minutes, and the cloud half a minute more.
    static let stallMilliseconds: Int64 = 155_000
    /// The header that carries the key.
    static let keyHeader = "X-API-Key"

    /// The headers that prove who asks; none where somebody else adds the key.
    static func headers(_ key: Secret?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if let key { headers[keyHeader] = key.expose() }
        return headers
    }

    /// Sends bytes and gives the answer's.
    ///
    /// - Throws: `TransportFailure`, or `HTTPErrorResponse` when the status is not a success; ``AdyenFailure`` where
    ///   there is nothing under the address.
    func send(_ target: String, _ body: [UInt8], key: Secret?) async throws -> [UInt8] {
        var request = HTTPRequest("POST", origin, target, headers: ["Accept": "application/json"], body: body)
        request.headers["Content-Type"] = "application/json"
        if let key { request.headers[Self.keyHeader] = key.expose() }
        (request.connectTo, request.trust) = (connectTo, trust)
        request.idleTimeoutMilliseconds = Self.stallMilliseconds
        let response = try await transport.send(request)
        guard (200..<300).contains(response.status) else {
            let said = try? JSONReader().read(response.body)
            if response.status == 404, said?.member("errorCode") == nil {
                throw AdyenFailure.nowhere("\(origin)\(target)")
            }
            throw HTTPErrorResponse(response, said)
        }
        return response.body
    }

    /// Reads an answer and makes sure that it belongs to the request.
    ///
    /// - Throws: ``AdyenFailure`` for a rejection, an answer to another message, or one that can't be read.
    static func answer(_ json: JSON?, to header: NexoHeader) throws -> NexoMessage {
        guard let message = NexoMessage(json) else { throw AdyenFailure.unreadable("the answer is no message") }
        if let rejection = message.rejection {
            guard message.rejects(header) else { throw AdyenFailure.stranger }
            throw AdyenFailure.rejected(rejection)
        }
        guard message.isReply, header.isAnswered(by: message.header) else { throw AdyenFailure.stranger }
        return message
    }

    /// Reads bytes as tolerantly as it is safe: of a member that comes twice nobody knows which one counts.
    static func read(_ bytes: [UInt8]) -> JSON? { try? JSONReader().read(bytes) }
}
