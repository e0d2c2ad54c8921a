internal import PaymentTransport

#if canImport(FoundationNetworking)
internal import Foundation
internal import FoundationNetworking
#else
internal import Foundation
#endif

/// Hears what a session of one request says, and passes it on.
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
