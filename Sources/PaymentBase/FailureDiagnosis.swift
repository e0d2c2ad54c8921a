/// Where and why a call failed, for programs: the step, the host and the cause.
///
/// ```swift
/// catch let error as PaymentError {
///     log("\(error.diagnosis?.step.rawValue ?? "-") \(error.diagnosis?.host ?? "-")")  // dns https://host:443
/// }
/// ```
public struct FailureDiagnosis: Hashable, Sendable {
    /// The step at which a call ended.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Opening, reading or writing the journal.
        case journal
        /// Before a byte left: the request can't be sent, or its time was over.
        case request
        /// Finding the address of the host's name.
        case dns
        /// Opening the connection.
        case connect
        /// The TLS handshake.
        case tls
        /// Waiting for the reply, or reading it.
        case reply
    }

    /// What went wrong; an open set, because platforms differ. A transport's reason is a cause under the same word.
    public struct Cause: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The time was over before the call had an answer.
        public static let timedOut = Cause(rawValue: "timedOut")
        /// The provider answered that it does not know the access (401).
        public static let accessRefused = Cause(rawValue: "accessRefused")
        /// The provider answered that the access does not allow this (403).
        public static let forbidden = Cause(rawValue: "forbidden")
        /// The provider answered that there is nothing under the address (404).
        public static let nothingThere = Cause(rawValue: "nothingThere")
        /// The provider answered that it received too many requests (429).
        public static let tooManyRequests = Cause(rawValue: "tooManyRequests")
        /// The provider answered that it failed (500 and more).
        public static let serverFailed = Cause(rawValue: "serverFailed")
        /// The provider answered with another status that is no success.
        public static let refused = Cause(rawValue: "refused")
        /// The payment was taken by another account than the one that the configuration names.
        public static let wrongAccount = Cause(rawValue: "wrongAccount")
        /// The disk of the journal is full.
        public static let diskFull = Cause(rawValue: "diskFull")
        /// Another process holds the journal for too long.
        public static let journalLocked = Cause(rawValue: "journalLocked")
        /// This user may not write the journal.
        public static let journalNotWritable = Cause(rawValue: "journalNotWritable")
        /// The journal is damaged, or is something else.
        public static let journalUnusable = Cause(rawValue: "journalUnusable")
    }

    /// The step at which it ended.
    public let step: Step
    /// Scheme, host and port, such as `https://host.example:443`; of the journal, where it is. Nil where it is not known.
    public let host: String?
    /// What went wrong.
    public let cause: Cause
    /// What the platform said beyond that, such as why a certificate is not trusted; nil where it said nothing.
    public let reason: String?

    /// Makes a diagnosis.
    public init(_ step: Step, host: String?, _ cause: Cause, reason: String? = nil) {
        (self.step, self.host, self.cause, self.reason) = (step, host, cause, reason)
    }

    /// The diagnosis of a reply whose status is no success.
    public init(status: Int, host: String?) {
        let cause: Cause =
            switch status {
            case 401: .accessRefused
            case 403: .forbidden
            case 404: .nothingThere
            case 429: .tooManyRequests
            case 500...: .serverFailed
            default: .refused
            }
        self.init(.reply, host: host, cause, reason: "HTTP \(status)")
    }

    /// The same with another cause.
    public func with(_ cause: Cause) -> FailureDiagnosis {
        FailureDiagnosis(step, host: host, cause, reason: reason)
    }

    /// The same with its reason changed, for texts that must be looked through.
    public func mappingReason(_ change: (String) -> String) -> FailureDiagnosis {
        FailureDiagnosis(step, host: host, cause, reason: reason.map(change))
    }
}

/// An error that knows where and why it came about.
///
/// ```swift
/// struct PortClosed: DiagnosedFailure {
///     let diagnosis: FailureDiagnosis? = FailureDiagnosis(.connect, host: "https://host:443", .timedOut)
/// }
/// ```
public protocol DiagnosedFailure: Error {
    /// Where and why; nil where the error can't say.
    var diagnosis: FailureDiagnosis? { get }
}

extension FailureDiagnosis: CustomStringConvertible {
    /// The host and what went wrong there, in words for developers.
    public var description: String { [host, words].compactMap(\.self).joined(separator: ": ") }

    /// What went wrong, in words for developers.
    public var words: String {
        if cause == .timedOut || cause.rawValue == "connectTimedOut" {
            return "the time was over \(Self.phases[step] ?? "while it was under way")"
        }
        let base = Self.known[cause.rawValue] ?? cause.rawValue
        guard let reason else { return base }
        return cause.rawValue == "tlsFailed" ? "TLS failed: \(reason)" : "\(base) (\(reason))"
    }

    private static let phases: [Step: String] = [
        .journal: "while the journal was used", .request: "before the request could leave",
        .dns: "while the host's name was looked up", .connect: "while the connection was opened",
        .tls: "during the TLS handshake", .reply: "before a reply came",
    ]

    /// The words of all causes that the sources know; those of a transport of the application's can be anything.
    static let knownCauses = Set(known.keys).union(["timedOut", "connectTimedOut"])

    private static let known: [String: String] = [
        "nameNotResolved": "the host's name is not known (DNS)",
        "connectionRefused": "nothing listens at that address (connection refused)",
        "tlsFailed": "TLS failed: the certificate is not trusted, or no version fits",
        "connectionReset": "the connection ended without a reply",
        "truncated": "the reply ended early",
        "stalled": "the connection stood, and nothing came for too long",
        "tooLarge": "the reply is larger than allowed",
        "redirected": "the reply sends elsewhere, which is never followed",
        "malformed": "the reply is not HTTP",
        "overloaded": "too many requests wait on our side",
        "tooLate": "the time in which it may leave was over before it left",
        "cancelled": "it was given up on our side",
        "invalidRequest": "the request can't be sent as it is",
        "accessRefused": "the provider does not know the access",
        "forbidden": "the access does not allow this",
        "nothingThere": "there is nothing under the address",
        "tooManyRequests": "the provider received too many requests",
        "serverFailed": "the provider failed",
        "refused": "the provider refused the request",
        "wrongAccount": "this account did not take the payment",
        "diskFull": "the disk is full; make room",
        "journalLocked": "another process holds the journal for too long",
        "journalNotWritable": "this user may not write the journal",
        "journalUnusable": "the journal can't be used",
    ]
}

/// The request that the running task waits for, so that a call whose time is over can say which host did not answer.
///
/// The client sets it around a driver's work, and whatever sends requests for an adapter marks it. No decision about money
/// may depend on it.
public final class RequestInFlight: Sendable {
    /// That of the running task; nil outside of a client's work.
    @TaskLocal public static var current: RequestInFlight?

    private let host = Locked<String?>(nil)
    /// The spans of the work; nil where no observer is set.
    package let observation: Observation?
    /// What this one is a part of, and wants to know the host, too.
    private let outer: RequestInFlight?

    /// Makes one without a request.
    public init() { (observation, outer) = (nil, nil) }

    /// Makes one whose requests an observer sees.
    package init(_ observation: Observation?, within outer: RequestInFlight? = nil) {
        (self.observation, self.outer) = (observation, outer)
    }

    /// A request to a host begins.
    public func begins(_ host: String) {
        self.host.withLock { $0 = host }
        outer?.begins(host)
    }

    /// The request ended, with a reply or without one.
    public func ends() {
        host.withLock { $0 = nil }
        outer?.ends()
    }

    /// What is known of a call whose time is over now; nil while no request is under way.
    public var timedOut: FailureDiagnosis? {
        host.withLock { $0 }.map { FailureDiagnosis(.reply, host: $0, .timedOut) }
    }
}
