/// The spans of one run, and the observer that gets them. There is none where no observer is set.
///
/// It travels with the run's ``RequestInFlight``, so that whatever sends a request finds the span that it belongs to.
package final class Observation: Sendable {
    /// What the spans are about.
    package struct Subject: Sendable {
        package let attempt: String?
        package let attributes: [ObservedAttribute]

        package init(attempt: String?, _ attributes: [ObservedAttribute]) {
            (self.attempt, self.attributes) = (attempt, attributes)
        }
    }

    package let observer: any PaymentObserver
    private let clock: any PaymentClock
    private let random: any RandomSource
    private let subject: Subject
    /// What a text from outside goes through.
    private let clean: @Sendable (String) -> String
    /// What the application's own trace has above the first span.
    private let above = TraceContext.current
    private let open = Locked([ObservedSpan]())

    package init(
        _ observer: any PaymentObserver, _ clock: any PaymentClock, _ random: any RandomSource, _ subject: Subject,
        clean: @escaping @Sendable (String) -> String
    ) {
        (self.observer, self.clock, self.random, self.subject) = (observer, clock, random, subject)
        self.clean = clean
    }

    /// The innermost span under way.
    package var innermost: TraceContext? { open.withLock { $0.last?.context } }

    /// A text from outside without secrets.
    package func cleaned(_ text: String) -> ObservedText { ObservedText(text, scrubbedBy: clean) }

    /// Begins a span, in which whatever begins later is a part of it.
    package func begin(_ name: ObservedSpan.Name, _ attributes: [ObservedAttribute] = []) -> ObservedSpan {
        let span = made(name, attributes)
        open.withLock { $0.append(span) }
        observer.began(span)
        return span
    }

    private func made(_ name: ObservedSpan.Name, _ attributes: [ObservedAttribute]) -> ObservedSpan {
        let parent = innermost ?? above
        // The application's own parent comes before the trace that the attempt would have.
        let context = parent?.child(random) ?? .root(of: subject.attempt, random)
        return ObservedSpan(
            name: name, context: context, parent: parent, beganAt: clock.now,
            attributes: subject.attributes + attributes)
    }

    /// Ends a span, and counts it under what it came to.
    package func end(
        _ span: ObservedSpan, hasFailed: Bool = false, _ attributes: [ObservedAttribute] = [],
        counting counter: ObservedCount.Counter? = nil, by more: [ObservedAttribute] = []
    ) {
        open.withLock { $0.removeAll { $0.context == span.context } }
        var span = span
        (span.endedAt, span.hasFailed) = (max(clock.now, span.beganAt), hasFailed)
        span.attributes += attributes
        observer.ended(span)
        guard let counter else { return }
        let shared = subject.attributes.filter { $0.key != .attempt }
        observer.counted(ObservedCount(counter, shared + attributes + more))
    }

    /// Begins the span of a request. Requests of one run can overlap, so that none is a part of another.
    package func beginRequest(method: String, host: String, port: Int) -> ObservedSpan {
        let span = made(
            .request,
            [
                ObservedAttribute(.method, Self.method(method)), ObservedAttribute(.host, cleaned(host)),
                ObservedAttribute(.port, .number(Int64(port))),
            ])
        observer.began(span)
        return span
    }

    /// Ends the span of a request.
    package func endRequest(_ span: ObservedSpan, status: Int?, _ failure: FailureDiagnosis?) {
        var attributes: [ObservedAttribute] = []
        if let status { attributes.append(ObservedAttribute(.status, .number(Int64(status)))) }
        if let failure {
            attributes.append(ObservedAttribute(.step, ObservedText(of: failure.step)))
            attributes.append(
                ObservedAttribute(.cause, ObservedText(failure.cause.rawValue, among: FailureDiagnosis.knownCauses)))
        }
        end(
            span, hasFailed: failure != nil || (status ?? 0) >= 400, attributes, counting: .requests,
            by: span.attributes.filter { $0.key == .host })
    }

    /// A closed set, as OpenTelemetry's conventions want it.
    private static func method(_ text: String) -> ObservedText {
        switch text {
        case "GET": "GET"
        case "POST": "POST"
        case "PUT": "PUT"
        case "PATCH": "PATCH"
        case "DELETE": "DELETE"
        default: "_OTHER"
        }
    }
}
