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
