/// Sees what a client does: spans of work, counters and log records. It decides nothing.
///
/// The client calls it while a payment runs, so that it must return at once: whatever takes time happens in a task of its
/// own. Nothing that it receives can be a secret, because each value is a ``ObservedValue``.
///
/// ```swift
/// struct Printing: PaymentObserver {
///     func began(_ span: ObservedSpan) {}
///     func ended(_ span: ObservedSpan) { print(span.name.rawValue, span.attributes) }
///     func counted(_ count: ObservedCount) {}
///     func logged(_ record: ObservedRecord) { print(record.event) }
///     func traceContext(for span: ObservedSpan) -> TraceContext? { nil }
/// }
/// ```
public protocol PaymentObserver: Sendable {
    /// A piece of work begins.
    func began(_ span: ObservedSpan)
    /// The piece of work ended; the span has its end and all attributes.
    func ended(_ span: ObservedSpan)
    /// Something happened so many times more.
    func counted(_ count: ObservedCount)
    /// An event took place.
    func logged(_ record: ObservedRecord)
    /// What a request to a provider says of its span as `traceparent`; nil if it must not say anything.
    func traceContext(for span: ObservedSpan) -> TraceContext?
}

/// One piece of work, with its place in a trace.
public struct ObservedSpan: Hashable, Sendable {
    /// What the work is; a closed set.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// One run of an operation, such as a sale: the root of everything that is done for it.
        case operation = "payment.operation"
        /// One try of a request about money, from the first byte that may leave to what it proves.
        case call = "payment.call"
        /// One HTTP request to a provider.
        case request = "payment.request"
        /// One look at what became of an attempt.
        case lookup = "payment.lookup"
        /// What a process left is taken over by this one.
        case takeOver = "payment.takeover"
        /// The journal records what became of an attempt.
        case decision = "payment.decision"
        /// A look at an attempt that no call waits for, such as after a restart.
        case recovery = "payment.recovery"
        /// A call that moves no money, such as a list of devices.
        case query = "payment.query"
    }

    /// What the work is.
    public let name: Name
    /// Its place in its trace.
    public let context: TraceContext
    /// What it is a part of; nil for the first of its trace in this process.
    public let parent: TraceContext?
    /// When it began, in milliseconds since 1970.
    public let beganAt: Int64
    /// When it ended; nil while it runs.
    public internal(set) var endedAt: Int64?
    /// Whether it ended without what it was for.
    public internal(set) var hasFailed = false
    /// What is known about it.
    public internal(set) var attributes: [ObservedAttribute]
}

/// A counter that grows.
public struct ObservedCount: Hashable, Sendable {
    /// What is counted; a closed set.
    public enum Counter: String, Hashable, Sendable, CaseIterable {
        /// Runs of operations that ended.
        case operations = "payment.operations"
        /// HTTP requests to providers.
        case requests = "payment.requests"
        /// Tries of a request about money.
        case calls = "payment.calls"
        /// Looks at what became of an attempt.
        case lookups = "payment.lookups"
        /// Attempts that were taken over from another process.
        case takeOvers = "payment.takeovers"
        /// Events, by their kind.
        case events = "payment.events"
    }

    /// What is counted.
    public let counter: Counter
    /// How many more there are.
    public let amount: Int64
    /// What they have in common.
    public let attributes: [ObservedAttribute]

    package init(_ counter: Counter, amount: Int64 = 1, _ attributes: [ObservedAttribute]) {
        (self.counter, self.amount, self.attributes) = (counter, amount, attributes)
    }
}

/// A log record: one event in the life of a payment.
public struct ObservedRecord: Hashable, Sendable {
    /// How urgently a person should read it.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// A step of the ordinary course.
        case info
        /// Something that should not be so.
        case warning
        /// Something that a person has to look at.
        case error
    }

    /// When, in milliseconds since 1970.
    public let at: Int64
    /// How urgent it is.
    public let severity: Severity
    /// What happened, such as `lookedUp`.
    public let event: ObservedText
    /// The span in which it happened; nil outside of any.
    public let context: TraceContext?
    /// What belongs to it.
    public let attributes: [ObservedAttribute]

    package init(
        at: Int64, _ severity: Severity, event: ObservedText, in context: TraceContext?,
        _ attributes: [ObservedAttribute]
    ) {
        (self.at, self.severity, self.event) = (at, severity, event)
        (self.context, self.attributes) = (context, attributes)
    }
}

/// One thing that is known about a span, a counter or a record.
public struct ObservedAttribute: Hashable, Sendable {
    /// What it is about; a closed set, with the names of OpenTelemetry's conventions where there are any.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// Which operation, such as `sale`.
        case operation = "payment.operation"
        /// The name under which the provider is configured.
        case provider = "payment.provider"
        /// The attempt's id.
        case attempt = "payment.attempt"
        /// What the work came to.
        case outcome = "payment.outcome"
        /// The code of the error that the work ended with.
        case code = "payment.error.code"
        /// The how manyth try it is.
        case number = "payment.try"
        /// Which evidence decided, such as `lookup`.
        case evidence = "payment.evidence"
        /// The kind of an event.
        case event = "payment.event"
        /// The step at which a request failed, such as `connect`.
        case step = "payment.step"
        /// Why it failed.
        case cause = "error.type"
        /// The host that a request went to.
        case host = "server.address"
        /// The port that it went to.
        case port = "server.port"
        /// The request's method.
        case method = "http.request.method"
        /// The reply's status.
        case status = "http.response.status_code"
    }

    /// What it is about.
    public let key: Key
    /// What is known.
    public let value: ObservedValue

    package init(_ key: Key, _ value: ObservedValue) { (self.key, self.value) = (key, value) }
    package init(_ key: Key, _ text: ObservedText) { self.init(key, .text(text)) }
}

/// What an observer may know: a number, or a text that was cleaned.
public enum ObservedValue: Hashable, Sendable {
    /// A text.
    case text(ObservedText)
    /// A number.
    case number(Int64)
}

extension ObservedValue: CustomStringConvertible {
    public var description: String {
        switch self {
        case .text(let text): text.description
        case .number(let number): String(number)
        }
    }
}

/// A text without secrets: a name that stands in the sources, or what the client's scrubber has cleaned. Nothing else can
/// become one.
public struct ObservedText: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text.
    public let description: String

    /// The longest text, in Unicode scalars.
    package static let scalarsMax = 96

    /// A name that stands in the sources.
    public init(stringLiteral name: StaticString) { description = "\(name)" }

    /// A case of a closed set in these sources.
    package init<Closed: RawRepresentable & CaseIterable>(of closed: Closed) where Closed.RawValue == String {
        description = closed.rawValue
    }

    /// A text from outside: scrubbed, then cut. What can't be seen in a line is left out.
    package init(_ text: String, scrubbedBy scrub: (String) -> String) {
        var kept = String.UnicodeScalarView()
        for scalar in scrub(text).unicodeScalars.prefix(Self.scalarsMax) where (0x20..<0x7f).contains(scalar.value) {
            kept.append(scalar)
        }
        description = String(kept)
    }

    /// A word from outside if it is one of those that the sources know, else `other`.
    package init(_ word: String, among known: Set<String>) { description = known.contains(word) ? word : "other" }

    /// The id of an attempt if it is a UUID; of a caller's own name nothing is shown.
    package init?(attempt: String) {
        let isUUID =
            attempt.utf8.count == 36
            && attempt.utf8.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place) ? byte == Byte.minus : Byte.hexValue(byte) != nil
            }
        guard isUUID else { return nil }
        description = attempt
    }
}
