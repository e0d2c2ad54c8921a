import Logging
import Metrics
import PaymentTelemetry
import Synchronization
import Tracing

/// Shows the client's work to the application's own backends of swift-log, swift-metrics and swift-distributed-tracing.
final class BridgingObserver: PaymentObserver {
    private let logger = Logger(label: "payments")
    private let open = Mutex([TraceContext: any Span]())

    func began(_ span: ObservedSpan) {
        let above = span.parent.flatMap { parent in open.withLock { $0[parent]?.context } }
        let context = above ?? ServiceContext.current ?? .topLevel
        let begun = startSpan(span.name.rawValue, context: context, ofKind: span.name == .request ? .client : .internal)
        open.withLock { $0[span.context] = begun }
    }

    func ended(_ span: ObservedSpan) {
        guard let begun = open.withLock({ $0.removeValue(forKey: span.context) }) else { return }
        for attribute in span.attributes {
            switch attribute.value {
            case .text(let text): begun.attributes.set(attribute.key.rawValue, value: .string(text.description))
            case .number(let number): begun.attributes.set(attribute.key.rawValue, value: .int64(number))
            }
        }
        if span.hasFailed { begun.setStatus(SpanStatus(code: .error)) }
        begun.end()
    }

    func counted(_ count: ObservedCount) {
        // A counter has the same names each time: a backend such as Prometheus' may end the process at another set.
        let given = Dictionary(count.attributes.map { ($0.key, "\($0.value)") }) { first, _ in first }
        let keys = ObservedAttribute.Key.allCases.filter { $0 != .attempt }
        let dimensions = keys.map { ($0.rawValue, given[$0] ?? "") }
        Counter(label: count.counter.rawValue, dimensions: dimensions).increment(by: count.amount)
    }

    func logged(_ record: ObservedRecord) {
        let level: Logger.Level =
            switch record.severity {
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        let pairs = record.attributes.map { ($0.key.rawValue, Logger.MetadataValue.string("\($0.value)")) }
        logger.log(level: level, "\(record.event)", metadata: Dictionary(pairs) { first, _ in first })
    }

    /// The field of the application's own tracer, so that the provider's span is in its trace.
    func traceContext(for span: ObservedSpan) -> TraceContext? {
        guard let begun = open.withLock({ $0[span.context] }) else { return nil }
        var fields: [String: String] = [:]
        InstrumentationSystem.instrument.inject(begun.context, into: &fields, using: FieldInjector())
        return fields["traceparent"].flatMap { TraceContext($0) }
    }
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
