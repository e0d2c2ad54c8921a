internal import PaymentBase

/// The messages of OTLP 1.x as bytes. The numbers are those of opentelemetry-proto's fields.
struct OTLPMessages {
    /// Who reports: `service.name`.
    let service: String

    /// What counters and histograms have so far.
    struct Metrics: Sendable {
        var sums: [Series: Int64] = [:]
        var durations: [Series: Durations] = [:]
    }

    /// How often something took how long, in milliseconds.
    struct Durations: Hashable, Sendable {
        /// The upper bound of each bucket, which belongs to it; what is longer goes into one more.
        static let bounds: [Int64] = [
            5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 180_000,
        ]

        private(set) var counts = [Int64](repeating: 0, count: bounds.count + 1)
        private(set) var sum: Int64 = 0

        /// Adds one that took so long.
        mutating func add(_ milliseconds: Int64) {
            let place = Self.bounds.firstIndex { milliseconds <= $0 } ?? Self.bounds.count
            counts[place] = OTLPExporter.sum(counts[place], 1)
            sum = OTLPExporter.sum(sum, milliseconds)
        }
    }

    /// A series of a counter: what is counted, under which attributes.
    struct Series: Hashable, Sendable {
        let counter: String
        let attributes: [ObservedAttribute]
    }

    /// `ExportTraceServiceRequest`.
    func traces(_ spans: [ObservedSpan]) -> [UInt8] {
        request { scope in
            for span in spans { scope.message(2) { write(span, &$0) } }
        }
    }

    /// `ExportLogsServiceRequest`.
    func logs(_ records: [ObservedRecord]) -> [UInt8] {
        request { scope in
            for record in records { scope.message(2) { write(record, &$0) } }
        }
    }

    /// `ExportMetricsServiceRequest`: sums and histograms that only grow, since `start`.
    func metrics(_ metrics: Metrics, from start: Int64, to end: Int64) -> [UInt8] {
        request { scope in
            write(metrics.durations, .histogram, from: start, to: end, &scope) { value, point in
                point.fixed64(4, UInt64(max(0, value.counts.reduce(0, OTLPExporter.sum))))
                point.given64(5, ProtobufMessage.binary64(value.sum))
                point.packed(6, value.counts.map { UInt64(max(0, $0)) })
                point.packed(7, Durations.bounds.map(ProtobufMessage.binary64))
            }
            write(metrics.sums, .sum, from: start, to: end, &scope) { $1.alternative(6, fixed: $0) }
        }
    }

    /// A kind of metric: its field, its unit, and the field of a point's attributes.
    private struct Kind {
        let field: UInt64
        let unit: String
        let attributes: UInt64

        static let sum = Kind(field: 7, unit: "1", attributes: 7)
        static let histogram = Kind(field: 9, unit: "ms", attributes: 9)
    }

    private func write<Value>(
        _ all: [Series: Value], _ kind: Kind, from start: Int64, to end: Int64, _ scope: inout ProtobufMessage,
        _ content: (Value, inout ProtobufMessage) -> Void
    ) {
        for (name, points) in Dictionary(grouping: all, by: \.key.counter).sorted(by: { $0.key < $1.key }) {
            scope.message(2) { metric in
                metric.text(1, name)
                metric.text(3, kind.unit)
                metric.message(kind.field) { data in
                    for (series, value) in points.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
                        data.message(1) { point in
                            point.fixed64(2, Self.nanoseconds(start))
                            point.fixed64(3, Self.nanoseconds(end))
                            content(value, &point)
                            write(series.attributes, kind.attributes, &point)
                        }
                    }
                    // Cumulative; a sum only grows.
                    data.varint(2, 2)
                    if kind.field == Kind.sum.field { data.varint(3, 1) }
                }
            }
        }
    }

    private static func order(_ series: Series) -> String {
        series.attributes.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: ",")
    }

    /// Resource and scope, which all three kinds of requests have under the same numbers.
    private func request(_ write: (inout ProtobufMessage) -> Void) -> [UInt8] {
        var message = ProtobufMessage()
        message.message(1) { batch in
            batch.message(1) { resource in
                resource.message(1) { Self.write("service.name", text: service, &$0) }
            }
            batch.message(2) { scope in
                scope.message(1) { $0.text(1, "payments") }
                write(&scope)
            }
        }
        return message.bytes
    }

    private func write(_ span: ObservedSpan, _ message: inout ProtobufMessage) {
        message.data(1, span.context.trace)
        message.data(2, span.context.span)
        if let parent = span.parent { message.data(4, parent.span) }
        message.text(5, span.name.rawValue)
        // A request leaves the process (client); everything else stays in it (internal).
        message.varint(6, span.name == .request ? 3 : 1)
        message.fixed64(7, Self.nanoseconds(span.beganAt))
        message.fixed64(8, Self.nanoseconds(span.endedAt ?? span.beganAt))
        write(span.attributes, 9, &message)
        if span.hasFailed { message.message(15) { $0.varint(3, 2) } }
    }

    private func write(_ record: ObservedRecord, _ message: inout ProtobufMessage) {
        let (number, word): (UInt64, String) =
            switch record.severity {
            case .info: (9, "INFO")
            case .warning: (13, "WARN")
            case .error: (17, "ERROR")
            }
        message.fixed64(1, Self.nanoseconds(record.at))
        message.varint(2, number)
        message.text(3, word)
        message.message(5) { $0.text(1, record.event.description) }
        write(record.attributes, 6, &message)
        if let context = record.context {
            message.data(9, context.trace)
            message.data(10, context.span)
        }
        message.fixed64(11, Self.nanoseconds(record.at))
        message.text(12, "payment." + record.event.description)
    }

    private func write(_ attributes: [ObservedAttribute], _ field: UInt64, _ message: inout ProtobufMessage) {
        for attribute in attributes {
            message.message(field) { pair in
                switch attribute.value {
                case .text(let text): Self.write(attribute.key.rawValue, text: text.description, &pair)
                case .number(let number):
                    pair.text(1, attribute.key.rawValue)
                    pair.message(2) { $0.alternative(3, integer: number) }
                }
            }
        }
    }

    private static func write(_ key: String, text: String, _ pair: inout ProtobufMessage) {
        pair.text(1, key)
        // An empty text is a text.
        pair.message(2) { value in
            if text.isEmpty { value.message(1) { _ in } } else { value.text(1, text) }
        }
    }

    /// Milliseconds as nanoseconds, as far as 64 bits reach.
    private static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
        let (value, isOver) = UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000)
        return isOver ? .max : value
    }
}
