internal import PaymentProviderKit

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

    /// The headers that prove who asks; none where a server adds the key.
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
        let response = try await transport.exchange(request)
        guard (200..<300).contains(response.status) else {
            let said = try? JSONReader().read(response.body)
            if response.status == 404, said?.member("errorCode") == nil {
                throw AdyenFailure.nowhere(origin, target)
            }
            throw HTTPErrorResponse(response, said, from: origin)
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

    /// Reads bytes as tolerantly as it is safe: of a member that comes twice it is unknown which one counts.
    static func read(_ bytes: [UInt8]) -> JSON? { try? JSONReader().read(bytes) }
}

/// Through the cloud, waiting for the answer or not.
struct CloudLink: AdyenLink {
    let post: AdyenRequestSender
    let merchant: String
    /// Whether the answer comes back on the same connection.
    let isSync: Bool
    /// What encrypts the messages; nil where they travel as they are.
    var nexo: NexoCrypto?

    /// Where a terminal is found in the cloud.
    static func path(_ merchant: String, _ terminal: String, _ verb: String) -> String? {
        guard let merchant = PercentEncoding.pathSegment(merchant),
            let terminal = PercentEncoding.pathSegment(terminal)
        else { return nil }
        return "/v1/merchants/\(merchant)/devices/\(terminal)/\(verb)"
    }

    /// Where the terminals that are connected are listed.
    static func list(_ merchant: String) -> String? {
        PercentEncoding.pathSegment(merchant).map { "/v1/merchants/\($0)/connectedDevices" }
    }

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage? {
        // What only asks is always answered at once; a payment takes as long as its shopper.
        let waits = isSync || !Self.isSlow(header.category)
        guard let target = Self.path(merchant, header.poiID, waits ? "sync" : "async") else {
            throw TransportFailure.notSent(.invalidRequest)
        }
        let answer = try await post.send(target, try sealed(message), key: key)
        if header.category == .abort { return nil }
        if !waits, String(decoding: answer, as: UTF8.self).lowercased() == "ok" { return nil }
        return try AdyenRequestSender.answer(opened(AdyenRequestSender.read(answer)), to: header)
    }

    private func sealed(_ message: [UInt8]) throws(TransportFailure) -> [UInt8] {
        guard let nexo else { return message }
        guard let sealed = try? nexo.seal(message) else { throw .notSent(.invalidRequest) }
        return sealed.bytes()
    }

    /// An answer as it was encrypted; what the cloud itself says instead of a terminal is not.
    private func opened(_ answer: JSON?) throws(AdyenFailure) -> JSON? {
        guard let nexo, let answer, NexoMessage(answer)?.rejection == nil else { return answer }
        guard let opened = try? nexo.open(answer) else { throw .notVerified }
        return opened
    }

    private static func isSlow(_ category: NexoHeader.Category) -> Bool {
        category == .payment || category == .reversal
    }
}

/// Straight to a terminal on the same network, encrypted.
struct LocalLink: AdyenLink {
    let post: AdyenRequestSender
    let nexo: NexoCrypto

    /// Where a terminal listens.
    static let path = "/nexo"

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage? {
        let sealed: JSON
        do { sealed = try nexo.seal(message) } catch {
            throw TransportFailure.notSent(.invalidRequest)
        }
        // The terminal is proven by its encryption; the account's key never goes there.
        let answer = try await post.send(Self.path, sealed.bytes(), key: nil)
        if header.category == .abort { return nil }
        guard let json = AdyenRequestSender.read(answer) else {
            throw AdyenFailure.unreadable("the answer is no message")
        }
        let opened: JSON
        do { opened = try nexo.open(json) } catch { throw AdyenFailure.notVerified }
        do { return try AdyenRequestSender.answer(opened, to: header) } catch AdyenFailure.rejected(
            .notDelivered(let said))
        {
            // A terminal that answers was reached, whatever it says.
            throw AdyenFailure.rejected(.unknown(said))
        }
    }
}

/// Which names a terminal's certificate may have, which is not the name of its address.
enum TerminalCertificate {
    /// Trusts certificates that lead to the provider's roots and carry the name of a terminal of an environment.
    static func trust(roots: String, environment: String) -> ServerTrust {
        ServerTrust(
            roots: roots,
            CertificateNameRule("adyen-terminal-\(environment)") { isTerminal($0, environment: environment) })
    }

    /// Whether a common name is that of a terminal of an environment: `test` or `live`.
    static func isTerminal(_ name: String, environment: String) -> Bool {
        let ending = ".\(environment).terminal.adyen.com"
        guard environment == "test" || environment == "live", name.hasSuffix(ending) else { return false }
        let first = name.dropLast(ending.count)
        if first == "legacy-terminal-certificate" { return true }
        let parts = first.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(isLetterOrDigit) }) else { return false }
        return parts[0].count >= 3 && (9...15).contains(parts[1].count)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
