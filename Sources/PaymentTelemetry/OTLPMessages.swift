internal import PaymentBase

/// The messages of OTLP 1.x as bytes. The numbers are those of opentelemetry-proto's fields.
struct OTLPMessages {
    /// Who reports: `service.name`.
    let service: String

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

    /// `ExportMetricsServiceRequest`: sums that only grow, since `start`.
    func metrics(_ sums: [Series: Int64], from start: Int64, to end: Int64) -> [UInt8] {
        request { scope in
            let byName = Dictionary(grouping: sums, by: \.key.counter).sorted { $0.key < $1.key }
            for (name, points) in byName {
                scope.message(2) { metric in
                    metric.text(1, name)
                    metric.text(3, "1")
                    metric.message(7) { sum in
                        for (series, value) in points.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
                            sum.message(1) { point in
                                point.fixed64(2, Self.nanoseconds(start))
                                point.fixed64(3, Self.nanoseconds(end))
                                point.alternative(6, fixed: value)
                                write(series.attributes, 7, &point)
                            }
                        }
                        // Cumulative.
                        sum.varint(2, 2)
                        sum.varint(3, 1)
                    }
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
