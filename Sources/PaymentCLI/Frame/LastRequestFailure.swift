internal import PaymentBase
internal import PaymentTransport

/// Remembers the last exchange with a provider that came to nothing, so that an error can say where and why.
final class LastRequestFailure: Sendable {
    /// One exchange that came to nothing, or hasn't come to anything yet.
    struct Problem: Sendable {
        let origin: Origin
        /// Method and path, without a query.
        let request: String
        let beganAt: Int64
        /// What went wrong; nil while the answer is awaited.
        var failure: TransportFailure?
    }

    /// How many exchanges there were, by whether the provider dealt with the request.
    struct Counts: Sendable {
        var answered = 0
        /// Those without an answer, and those answered by no more than "later" or "not you".
        var unanswered = 0
    }

    private let last = Locked<Problem?>(nil)
    private let counted = Locked(Counts())

    /// What came to nothing last; nil where everything was answered.
    var trouble: Problem? { last.withLock { $0 } }

    /// How many exchanges there were until now.
    var counts: Counts { counted.withLock { $0 } }

    /// A transport that tells this watch.
    func over(_ inner: any HTTPTransport) -> any HTTPTransport { WatchedTransport(inner: inner, watch: self) }

    fileprivate func begins(_ request: HTTPRequest) {
        let path = String(request.target.prefix { $0 != "?" })
        let begun = Problem(
            origin: request.origin, request: "\(request.method) \(path)", beganAt: SystemClock().now, failure: nil)
        last.withLock { $0 = begun }
    }

    /// Counts an exchange by the status of its answer; nil where there was none.
    fileprivate func count(_ status: Int?) {
        counted.withLock { counts in
            switch status {
            case nil, 401, 403, 429, .some(500...): counts.unanswered += 1
            case .some: counts.answered += 1
            }
        }
    }

    fileprivate func ends(_ failure: TransportFailure?) {
        last.withLock { trouble in
            // Our own giving up says nothing about the provider: what was waited for then stays.
            if failure?.reason == .cancelled { return }
            if let failure { trouble?.failure = failure } else { trouble = nil }
        }
    }
}

/// Carries requests as another transport does, and tells a watch.
private struct WatchedTransport: HTTPTransport {
    let inner: any HTTPTransport
    let watch: LastRequestFailure

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        watch.begins(request)
        do throws(TransportFailure) {
            let response = try await inner.send(request)
            watch.ends(nil)
            watch.count(response.status)
            return response
        } catch {
            watch.ends(error)
            watch.count(nil)
            throw error
        }
    }
}

extension LastRequestFailure.Problem {
    /// What went wrong, for people: at which step, and why.
    var words: String { failure?.words ?? "no answer came to \(request) until the time was over" }

    /// The step at which it ended, in one word.
    var step: String { failure?.step ?? "reply" }
}

extension TransportFailure {
    /// What went wrong, for people.
    var words: String {
        let why =
            switch reason {
            case .nameNotResolved: "the host's name is not known (DNS)"
            case .connectionRefused: "nobody listens at that address (connection refused)"
            case .connectTimedOut: "no connection came about in time"
            case .tlsFailed: "TLS failed: \(reason.detail ?? "the certificate is not trusted, or no version fits")"
            case .connectionReset: "the connection ended without a reply"
            case .truncated: "the reply ended early"
            case .stalled: "the connection stood, and nothing came for too long"
            case .tooLarge: "the reply is larger than allowed"
            case .redirected: "the reply sends elsewhere, which is never followed"
            case .malformed: "the reply is not HTTP"
            case .overloaded: "too many requests wait on our side"
            case .tooLate: "the time in which it may leave was over before it left"
            case .cancelled: "it was given up on our side"
            case .invalidRequest: "the request can't be sent as it is"
            default: reason.rawValue
            }
        return why
    }

    /// The step at which it ended, in one word.
    var step: String {
        switch reason {
        case .nameNotResolved: "dns"
        case .connectionRefused, .connectTimedOut: "connect"
        case .tlsFailed: "tls"
        case .overloaded, .invalidRequest, .tooLate: "request"
        case .cancelled: delivery == .notSent ? "request" : "reply"
        default: "reply"
        }
    }
}
