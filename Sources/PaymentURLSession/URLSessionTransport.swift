internal import PaymentBase
public import PaymentTransport

#if canImport(FoundationNetworking)
internal import Foundation
internal import FoundationNetworking
#else
internal import Foundation
#endif

/// HTTP by Foundation's `URLSession`: portable, and a subset of what a transport can do.
///
/// Use it where `CurlTransport` is not to be had. What it can't do:
///
/// - **Prove much.** Only a name that isn't found and a port that is closed are `notSent`, and so is what was cancelled
///   before it was handed over. Everything else is `maybeSent`, a failed TLS handshake too, which `URLSession` on Linux
///   doesn't tell apart.
/// - **Keep a connection.** A session that does sends a request a second time when the connection dies without an
///   answer, whatever the request is. So each request has a session and a connection of its own.
/// - Connect elsewhere or trust others: a request with `connectTo` or `trust` fails as `notSent(.invalidRequest)`. Nor
///   does it take roots of trust of its own, or open WebSockets.
/// - Send a target exactly as written: one that `URL` would change fails as `notSent(.invalidRequest)`.
///
/// A redirect is a reply like any other and never followed; no cookies, no cache, no stored credentials.
public struct URLSessionTransport: HTTPTransport {
    private let configuration: Configuration

    /// Makes a transport; ``Configuration`` says how patient it is.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        do throws(TransportFailure) { return try await reply(to: request) } catch { throw error.at(request.origin) }
    }

    private func reply(to request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isWellFormed, request.connectTo == nil, request.trust == nil,
            let prepared = Self.prepare(request)
        else {
            throw .notSent(.invalidRequest)
        }
        if Task.isCancelled { throw .notSent(.cancelled) }
        let exchange = SessionExchange(bodyBytesMax: request.responseBodyBytesMax)
        let session = URLSession(configuration: settings, delegate: SessionDelegate(exchange), delegateQueue: nil)
        let task = session.dataTask(with: prepared)
        let result = await withTaskCancellationHandler {
            if exchange.begin() { task.resume() }
            return await exchange.end.value()
        } onCancel: {
            exchange.cancel()
            task.cancel()
        }
        session.invalidateAndCancel()
        return try result.get()
    }

    private var settings: URLSessionConfiguration {
        let settings = URLSessionConfiguration.ephemeral
        // Whole seconds, rounded up: the platform takes nothing more exact that would be exact here.
        settings.timeoutIntervalForRequest = .init(max(1, (configuration.idleTimeoutMilliseconds + 999) / 1_000))
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.urlCache = nil
        settings.urlCredentialStorage = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        return settings
    }

    /// The request as Foundation has it; nil when it would go out changed.
    private static func prepare(_ request: HTTPRequest) -> URLRequest? {
        let text = "\(request.origin)\(request.target)"
        guard let url = URL(string: text), url.absoluteString == text else { return nil }
        var prepared = URLRequest(url: url)
        prepared.httpMethod = request.method
        prepared.httpShouldHandleCookies = false
        if let own = request.idleTimeoutMilliseconds { prepared.timeoutInterval = .init(max(1, (own + 999) / 1_000)) }
        for field in request.headers.fields { prepared.addValue(field.value, forHTTPHeaderField: field.name) }
        prepared.setValue("close", forHTTPHeaderField: "Connection")
        if !request.body.isEmpty { prepared.httpBody = Data(request.body) }
        return prepared
    }
}

extension URLSessionTransport {
    /// How patient a ``URLSessionTransport`` is.
    public struct Configuration: Sendable, Hashable {
        /// How long nothing may move; `URLSession` counts connecting too.
        public var idleTimeoutMilliseconds: Int64 = 60_000

        /// Makes the defaults.
        public init() {}
    }
}

/// One request under way: what the delegate has learnt of it, and the promise of its end.
final class SessionExchange: Sendable {
    private struct State {
        var hasBegun = false
        var hasLeft = false
        var isCancelled = false
        var status = 0
        var headers = HTTPHeaders()
        var body: [UInt8] = []
    }

    let end = Promise<Result<HTTPResponse, TransportFailure>>()
    private let bodyBytesMax: Int
    private let state = Locked(State())

    init(bodyBytesMax: Int) { self.bodyBytesMax = bodyBytesMax }

    /// Notes that the request is handed over now; false when it was cancelled before.
    func begin() -> Bool {
        let mayBegin = state.withLock { state in
            state.hasBegun = !state.isCancelled
            return state.hasBegun
        }
        if !mayBegin { end.fulfill(.failure(.notSent(.cancelled))) }
        return mayBegin
    }

    /// Our own side ends it; after it was handed over it is unknown how far it got.
    func cancel() {
        let hasBegun = state.withLock { state in
            state.isCancelled = true
            return state.hasBegun
        }
        if hasBegun { end.fulfill(.failure(.maybeSent(.cancelled))) }
    }

    /// A part of the request has been seen leaving; no later failure can prove the contrary.
    func leave() { state.withLock { $0.hasLeft = true } }

    /// Takes the head of the reply.
    func take(status: Int, headers: HTTPHeaders) {
        state.withLock { ($0.hasLeft, $0.status, $0.headers, $0.body) = (true, status, headers, []) }
    }

    /// Takes a part of the body; too much of it is the end.
    func take(_ bytes: some Collection<UInt8>) {
        let isTooLarge = state.withLock { state in
            guard bytes.count <= bodyBytesMax - state.body.count else { return true }
            state.body.append(contentsOf: bytes)
            return false
        }
        if isTooLarge { end.fulfill(.failure(.maybeSent(.tooLarge))) }
    }

    /// Takes the end; `failure` is nil when the loader is content.
    func finish(_ failure: TransportFailure?) {
        let result = state.withLock { state -> Result<HTTPResponse, TransportFailure> in
            if let failure { return .failure(state.hasLeft ? .maybeSent(failure.reason) : failure) }
            guard state.status >= 200 else { return .failure(.maybeSent(.malformed)) }
            return .success(HTTPResponse(state.status, headers: state.headers, body: state.body))
        }
        end.fulfill(result)
    }
}

/// Receives what a session of one request says, and passes it on.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchange: SessionExchange

    init(_ exchange: SessionExchange) { self.exchange = exchange }

    /// No redirect is followed: the reply itself is the answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        take(response)
        completionHandler(nil)
    }

    /// A demand for credentials (401) is a reply, which has come whole by now; a certificate is judged as usual.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.failureResponse != nil else { return completionHandler(.performDefaultHandling, nil) }
        exchange.finish(nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { take(response) }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange.leave()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange.take(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange.finish(error.map(Self.failure))
    }

    private func take(_ response: HTTPURLResponse) {
        var headers = HTTPHeaders()
        for (name, value) in response.allHeaderFields {
            headers.add("\(name)", "\(value)")
        }
        exchange.take(status: response.statusCode, headers: headers)
    }

    /// Proof that nothing left is in two codes only; any other may come after the first byte.
    private static func failure(_ error: any Error) -> TransportFailure {
        guard let error = error as? URLError else { return .maybeSent(.other) }
        return switch error.code {
        case .cannotFindHost, .dnsLookupFailed: .notSent(.nameNotResolved)
        case .cannotConnectToHost: .notSent(.connectionRefused)
        case .timedOut: .maybeSent(.stalled)
        case .networkConnectionLost: .maybeSent(.connectionReset)
        case .cancelled: .maybeSent(.cancelled)
        case .cannotParseResponse, .badServerResponse: .maybeSent(.malformed)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            .maybeSent(.tlsFailed)
        case _: .maybeSent(.other)
        }
    }
}
