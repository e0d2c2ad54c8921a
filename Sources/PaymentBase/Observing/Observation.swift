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
    private let state = Locked(State())

    /// A span under way, by its number: a value that costs a caller nothing where no observer is set.
    package struct Open: Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var lastNumber = 0
        var open: [(number: Int, span: ObservedSpan)] = []
    }

    package init(
        _ observer: any PaymentObserver, _ clock: any PaymentClock, _ random: any RandomSource, _ subject: Subject,
        clean: @escaping @Sendable (String) -> String
    ) {
        (self.observer, self.clock, self.random, self.subject) = (observer, clock, random, subject)
        self.clean = clean
    }

    /// The innermost span under way.
    package var innermost: TraceContext? {
        // Requests of one run can overlap, so that nothing is a part of one.
        state.withLock { $0.open.last { $0.span.name != .request }?.span.context }
    }

    /// A text from outside without secrets.
    package func cleaned(_ text: String) -> ObservedText { ObservedText(text, scrubbedBy: clean) }

    /// Begins a span, in which whatever begins later is a part of it.
    package func begin(_ name: ObservedSpan.Name, _ attributes: [ObservedAttribute] = []) -> Open {
        started(name, attributes).open
    }

    private func started(
        _ name: ObservedSpan.Name, _ attributes: [ObservedAttribute]
    ) -> (open: Open, span: ObservedSpan) {
        let parent = innermost ?? above
        // The application's own parent comes before the trace that the attempt would have.
        let context = parent?.child(random) ?? .root(of: subject.attempt, random)
        let span = ObservedSpan(
            name: name, context: context, parent: parent, beganAt: clock.now,
            attributes: subject.attributes + attributes)
        let number = state.withLock { state in
            state.lastNumber &+= 1
            state.open.append((state.lastNumber, span))
            return state.lastNumber
        }
        observer.began(span)
        return (Open(number: number), span)
    }

    /// Ends a span, and counts it under what it came to.
    package func end(
        _ open: Open, hasFailed: Bool = false, _ attributes: [ObservedAttribute] = [],
        counting counter: ObservedCount.Counter? = nil, by more: [ObservedAttribute] = []
    ) {
        let ended = state.withLock { state in
            state.open.firstIndex { $0.number == open.number }.map { state.open.remove(at: $0).span }
        }
        guard var span = ended else { return }
        (span.endedAt, span.hasFailed) = (max(clock.now, span.beganAt), hasFailed)
        span.attributes += attributes
        observer.ended(span)
        guard let counter else { return }
        let shared = subject.attributes.filter { $0.key != .attempt }
        observer.counted(ObservedCount(counter, shared + attributes + more))
    }

    /// Begins the span of a request.
    package func beginRequest(
        method: String, host: String, port: Int
    ) -> (open: Open, span: ObservedSpan) {
        started(
            .request,
            [
                ObservedAttribute(.method, Self.method(method)), ObservedAttribute(.host, cleaned(host)),
                ObservedAttribute(.port, .number(Int64(port))),
            ])
    }

    /// Ends the span of a request.
    package func endRequest(
        _ request: (open: Open, span: ObservedSpan), status: Int?, _ failure: FailureDiagnosis?
    ) {
        var attributes: [ObservedAttribute] = []
        if let status { attributes.append(ObservedAttribute(.status, .number(Int64(status)))) }
        if let failure {
            attributes.append(ObservedAttribute(.step, ObservedText(of: failure.step)))
            attributes.append(
                ObservedAttribute(.cause, ObservedText(failure.cause.rawValue, among: FailureDiagnosis.knownCauses)))
        }
        end(
            request.open, hasFailed: failure != nil || (status ?? 0) >= 400, attributes, counting: .requests,
            by: request.span.attributes.filter { $0.key == .host })
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
