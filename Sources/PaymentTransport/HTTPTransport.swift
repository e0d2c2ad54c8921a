public import PaymentBase

/// What carries bytes to a provider. Adapters are given one and never make one.
///
/// A fake is a function:
///
/// ```swift
/// struct Always: HTTPTransport {
///     let reply: HTTPResponse
///     func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { reply }
/// }
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends one request and waits for the whole reply; a cancelled task ends the transfer.
    ///
    /// - Throws: ``TransportFailure``, which says whether a byte may have arrived.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
    /// For how long, in milliseconds, bytes of a request can leave after its `RequestTimer`, even if this
    /// process dies in the meantime; nil where the transport can't enforce any limit, and then no silence of a provider
    /// proves that a request never arrived.
    ///
    /// A wrapper of a transport passes on what that one declares.
    var sendLimitMilliseconds: Int64? { get }
}

extension HTTPTransport {
    /// Sends one request as `send` does, for an adapter: a failure names the host, and so does the error of a call whose
    /// time is over before the reply comes.
    public func exchange(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let inFlight = RequestInFlight.current
        inFlight?.begins("\(request.origin)")
        defer { inFlight?.ends() }
        if let observation = inFlight?.observation { return try await observed(request, observation) }
        do throws(TransportFailure) { return try await send(request) } catch { throw error.at(request.origin) }
    }

    /// Sends a request as a span, and with the span's name if the observer wants that.
    ///
    /// An adapter signs before it sends: what is added here is under no signature. A terminal on the shop's network gets
    /// nothing added.
    private func observed(
        _ request: HTTPRequest, _ observation: Observation
    ) async throws(TransportFailure) -> HTTPResponse {
        let (origin, span) = (
            request.origin,
            observation.beginRequest(method: request.method, host: request.origin.host, port: request.origin.port)
        )
        var request = request
        if request.trust == nil, request.headers["traceparent"] == nil,
            let context = observation.observer.traceContext(for: span.span)
        {
            request.headers["traceparent"] = context.traceparent
        }
        do throws(TransportFailure) {
            let response = try await send(request)
            observation.endRequest(span, status: response.status, nil)
            return response
        } catch {
            let failure = error.at(origin)
            observation.endRequest(span, status: nil, failure.diagnosis)
            throw failure
        }
    }

    /// No limit.
    public var sendLimitMilliseconds: Int64? { nil }
}

/// Why no reply came, and whether the request may have arrived.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No byte of the request left us: the name was not found, the port closed, TLS failed, or we cancelled in time.
    case notSent(Reason)
    /// The request, or a part of it, left us.
    case maybeSent(Reason)

    /// What went wrong; an open set, because platforms differ.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        /// What the platform said beyond that, for people; nil where it said nothing. Two reasons are the same without
        /// it.
        public private(set) var detail: String?
        /// Where the request went; nil where no transport said so. Two reasons are the same without it.
        public private(set) var origin: Origin?
        /// At which step the request ended, where the platform knows it. Two reasons are the same without it.
        public private(set) var step: FailureDiagnosis.Step?
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The same with what the platform said, for people.
        public func withDetail(_ detail: String?) -> Reason {
            var reason = self
            reason.detail = detail
            return reason
        }

        /// The same with where the request went, unless that is known already.
        public func at(_ origin: Origin) -> Reason {
            var reason = self
            reason.origin = reason.origin ?? origin
            return reason
        }

        /// The same with the step at which the request ended.
        public func during(_ step: FailureDiagnosis.Step?) -> Reason {
            var reason = self
            reason.step = step
            return reason
        }

        /// The host's name is not known.
        public static let nameNotResolved = Reason(rawValue: "nameNotResolved")
        /// No server listens there.
        public static let connectionRefused = Reason(rawValue: "connectionRefused")
        /// No connection came about in time.
        public static let connectTimedOut = Reason(rawValue: "connectTimedOut")
        /// The TLS handshake failed or the certificate was not trusted.
        public static let tlsFailed = Reason(rawValue: "tlsFailed")
        /// The time within which its bytes had to leave was over before the first one could.
        public static let tooLate = Reason(rawValue: "tooLate")
        /// Our own side ended it.
        public static let cancelled = Reason(rawValue: "cancelled")
        /// The connection was reset.
        public static let connectionReset = Reason(rawValue: "connectionReset")
        /// The reply ended early.
        public static let truncated = Reason(rawValue: "truncated")
        /// Nothing came for too long.
        public static let stalled = Reason(rawValue: "stalled")
        /// The reply was larger than allowed.
        public static let tooLarge = Reason(rawValue: "tooLarge")
        /// The reply was a redirect, which is never followed.
        public static let redirected = Reason(rawValue: "redirected")
        /// The reply was not HTTP.
        public static let malformed = Reason(rawValue: "malformed")
        /// The request can't be sent as it is.
        public static let invalidRequest = Reason(rawValue: "invalidRequest")
        /// Too many requests are under way or waiting on our side.
        public static let overloaded = Reason(rawValue: "overloaded")
        /// Anything else.
        public static let other = Reason(rawValue: "other")
    }

    /// What went wrong.
    public var reason: Reason {
        switch self {
        case .notSent(let reason), .maybeSent(let reason): reason
        }
    }

    /// The same with where the request went, unless that is known already. A transport says so for each failure that it
    /// throws.
    public func at(_ origin: Origin) -> TransportFailure {
        switch self {
        case .notSent(let reason): .notSent(reason.at(origin))
        case .maybeSent(let reason): .maybeSent(reason.at(origin))
        }
    }
}

extension TransportFailure: DiagnosedFailure {
    public var diagnosis: FailureDiagnosis? {
        FailureDiagnosis(
            step, host: reason.origin.map { "\($0)" }, FailureDiagnosis.Cause(rawValue: reason.rawValue),
            reason: reason.detail)
    }

    /// The step at which it ended.
    private var step: FailureDiagnosis.Step {
        if let step = reason.step { return step }
        switch reason {
        case .nameNotResolved: return .dns
        case .connectionRefused, .connectTimedOut: return .connect
        case .tlsFailed: return .tls
        case .overloaded, .invalidRequest, .tooLate: return .request
        case .cancelled: return delivery == .notSent ? .request : .reply
        default: return .reply
        }
    }
}

extension TransportFailure.Reason: CustomStringConvertible {
    public var description: String { rawValue }
    public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension TransportFailure: DeliveryEvidence {
    public var delivery: Delivery {
        switch self {
        case .notSent: .notSent
        case .maybeSent: .maybeSent
        }
    }
}

/// A scheme, a host and a port: where credentials may go and where not.
public struct Origin: Sendable, Hashable {
    /// The two schemes that we speak.
    public enum Scheme: String, Sendable, Hashable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https
    }

    /// `http` or `https`.
    public let scheme: Scheme
    /// The host's name or address, in lower case.
    public let host: String
    /// The port.
    public let port: Int

    /// Makes an origin from its parts.
    public init(_ scheme: Scheme, _ host: String, _ port: Int? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? (scheme == .https ? 443 : 80)
    }

    /// Reads `https://host:port`, with or without a closing slash; nil when it is anything else.
    public init?(_ text: String) {
        let scheme: Scheme
        var rest: Substring
        if text.hasPrefix("https://") {
            (scheme, rest) = (.https, text.dropFirst(8))
        } else if text.hasPrefix("http://") {
            (scheme, rest) = (.http, text.dropFirst(7))
        } else {
            return nil
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let forbidden: Set<Character> = ["/", "?", "#", "@", " ", "\t", "\r", "\n", "\\"]
        if rest.isEmpty || rest.contains(where: { forbidden.contains($0) }) { return nil }
        guard let (host, port) = Self.split(rest) else { return nil }
        self.init(scheme, host, port)
    }

    private static func split(_ text: Substring) -> (host: String, port: Int?)? {
        let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
        if text.hasPrefix("["), bracket == nil { return nil }
        let after = bracket.map { text.index(after: $0) } ?? text.startIndex
        guard let colon = text[after...].firstIndex(of: ":") else {
            return after == text.startIndex || after == text.endIndex ? (String(text), nil) : nil
        }
        let host = text[..<colon]
        if bracket != nil, colon != after { return nil }
        guard let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else { return nil }
        if host.isEmpty { return nil }
        return (String(host), port)
    }
}

extension Origin: CustomStringConvertible {
    public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}

/// Whom one request trusts, where the transport's own roots and a certificate for the host's name don't fit.
///
/// A card terminal on the shop's network has an address for which no authority issues certificates: its maker signs
/// them with their own root, for names that follow their own rule.
///
/// ```swift
/// var request = HTTPRequest("POST", Origin(.https, "192.0.2.17", 8443), "/status")
/// request.trust = ServerTrust(roots: pem, CertificateNameRule("acme-terminal") { $0.hasSuffix(".terminals.example") })
/// ```
public struct ServerTrust: Sendable, Hashable {
    /// The certificates, as PEM text, that the server's must lead to; none else counts, the machine's own neither.
    public let roots: String
    /// Which common name the server's certificate must have, whatever the host is called.
    public let name: CertificateNameRule

    /// Makes a trust that replaces both the transport's roots and the comparison with the host's name.
    public init(roots: String, _ name: CertificateNameRule) {
        (self.roots, self.name) = (roots, name)
    }
}

extension ServerTrust: CustomStringConvertible {
    public var description: String { "ServerTrust(\(name.id))" }
}

/// Which common names a server's certificate may have.
///
/// Two rules are equal when their ids are, so an id must always name the same rule.
public struct CertificateNameRule: Sendable {
    /// What the rule is called.
    public let id: String
    private let isAccepted: @Sendable (String) -> Bool

    /// Makes a rule; `isAccepted` is asked before each request, on a thread of the transport, and must not wait.
    public init(_ id: String, _ isAccepted: @escaping @Sendable (String) -> Bool) {
        (self.id, self.isAccepted) = (id, isAccepted)
    }

    /// Whether a certificate with this one common name is the right one.
    public func accepts(_ name: String) -> Bool { isAccepted(name) }
}

extension CertificateNameRule: Hashable {
    public static func == (left: CertificateNameRule, right: CertificateNameRule) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
