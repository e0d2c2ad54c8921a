import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentTelemetry

@Suite struct ExporterTests {
    private static let collector = Origin(.http, "collector.test", 4318)

    /// Answers like a collector, each request with the next status; the last one stays.
    private static func collector(_ statuses: Int?...) -> FixedTransport {
        let left = Locked(statuses)
        return FixedTransport { _ throws(TransportFailure) in
            let status = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            guard let status else { throw .maybeSent(.stalled) }
            return HTTPResponse(status)
        }
    }

    /// A sale that is seen by an exporter.
    private func sell(_ till: Till, _ exporter: OTLPExporter, _ reference: String = "o") throws {
        var options = till.dependencies
        options.observer = exporter
        let client = try PaymentClient(till.driver(), options)
        let card = try Cards.good()
        let result = try till.play { try await client.sale(.cents(1_000), from: card, reference: reference) }
        #expect(result.payment != nil)
    }

    private func paths(_ transport: FixedTransport) -> [String] { transport.requests.map(\.target) }

    @Test("Traces, logs and metrics go to their paths, as protobuf, with the collector's key")
    func sale_exported_goesToThreePaths() throws {
        let (till, line) = (Till(), Self.collector(200))
        var options = OTLPExporter.Options()
        options.headers = [("X-Key", Secret("collector-key"))]
        let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler, options)
        try sell(till, exporter)
        #expect(line.requests.isEmpty, "a payment sends nothing")
        try till.play { await exporter.flush() }
        #expect(paths(line) == ["/v1/traces", "/v1/logs", "/v1/metrics"])
        #expect(line.requests.allSatisfy { $0.headers["Content-Type"] == "application/x-protobuf" })
        #expect(line.requests.allSatisfy { $0.headers["X-Key"] == "collector-key" && !$0.body.isEmpty })
        try till.play { await exporter.flush() }
        #expect(line.requests.count == 3, "nothing is sent twice")
        #expect(exporter.droppedCount == 0)
    }

    @Test("A path stands before that of each signal")
    func path_ofTheCollector_isBeforeEachSignal() throws {
        let (till, line) = (Till(), Self.collector(200))
        var options = OTLPExporter.Options()
        options.path = "/otlp"
        let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler, options)
        try sell(till, exporter)
        try till.play { await exporter.flush() }
        #expect(paths(line) == ["/otlp/v1/traces", "/otlp/v1/logs", "/otlp/v1/metrics"])
    }

    @Test("A duration belongs to the bucket whose bound it does not exceed, and the sum can't overflow")
    func durations_atEachBound_areInItsBucket() {
        var durations = OTLPMessages.Durations()
        for bound in OTLPMessages.Durations.bounds { durations.add(bound) }
        #expect(durations.counts == Array(repeating: 1, count: 14) + [0])
        durations.add(180_001)
        durations.add(0)
        #expect(durations.counts.first == 2 && durations.counts.last == 1)
        durations.add(.max)
        #expect(durations.sum == .max && durations.counts.last == 2)
    }

    @Test(
        "A whole number has the bits of binary64",
        arguments: [
            (Int64(0), 0.0), (1, 1.0), (5, 5.0), (180_000, 180_000.0), (1 << 53, 9_007_199_254_740_992.0), (-7, 0.0),
        ])
    func binary64_ofAWholeNumber_isTheSystems(_ number: Int64, _ value: Double) {
        #expect(ProtobufMessage.binary64(number) == value.bitPattern)
        #expect(Double(bitPattern: ProtobufMessage.binary64(.max)) <= 9.3e18)
    }

    @Test("What does not fit is dropped and counted, and what was there first stays")
    func queue_full_dropsAndCounts() throws {
        let (till, line) = (Till(), Self.collector(200))
        var options = OTLPExporter.Options()
        options.queueMax = 2
        let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler, options)
        let observer = RecordingObserver()
        try sell(till, exporter)
        var given = till.dependencies
        given.observer = observer
        let other = Till()
        given = other.dependencies
        given.observer = observer
        let client = try PaymentClient(other.driver(), given)
        let card = try Cards.good()
        _ = try other.play { try await client.sale(.cents(1_000), from: card, reference: "o") }
        let expected = observer.ended.count - 2 + observer.records.count - 2
        #expect(expected > 0 && exporter.droppedCount == Int64(expected))
    }

    @Test("A collector that fails is asked again, three times; then the batch is dropped")
    func collector_fails_batchIsRepeatedThenDropped() throws {
        let (till, line) = (Till(), Self.collector(nil))
        let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler)
        try sell(till, exporter)
        for _ in 1...2 { try till.play { await exporter.flush() } }
        #expect(exporter.droppedCount == 0)
        try till.play { await exporter.flush() }
        #expect(exporter.droppedCount > 0)
        #expect(paths(line).filter { $0 == "/v1/traces" }.count == 3)
        try till.play { await exporter.flush() }
        #expect(paths(line).filter { $0 == "/v1/traces" }.count == 3)
    }

    @Test("What the collector refuses as wrong is not sent again", arguments: [400, 401, 413])
    func collector_refuses_batchIsDropped(_ status: Int) throws {
        let (till, line) = (Till(), Self.collector(status))
        let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler)
        try sell(till, exporter)
        try till.play { await exporter.flush() }
        #expect(exporter.droppedCount > 0)
        #expect(paths(line).filter { $0 == "/v1/traces" }.count == 1)
    }

    @Test("A batch that was not taken arrives whole once the collector is back", arguments: [429, 503])
    func collector_busy_batchArrivesLater(_ status: Int) throws {
        let (till, line) = (Till(), Self.collector(status, 200))
        let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler)
        try sell(till, exporter)
        try till.play { await exporter.flush() }
        try till.play { await exporter.flush() }
        #expect(exporter.droppedCount == 0)
        let traces = line.requests.filter { $0.target == "/v1/traces" }
        #expect(traces.count == 2 && traces.first?.body == traces.last?.body)
    }

    @Test("The exporter sends by the clock, sooner if a batch is full, and the rest when it ends")
    func run_sendsByClockAndCount() throws {
        for batch in [512, 1] {
            let (till, line) = (Till(), Self.collector(200))
            var options = OTLPExporter.Options()
            (options.batchMax, options.executor) = (batch, till.scheduler)
            let exporter = OTLPExporter(to: Self.collector, over: line, clock: till.scheduler, options)
            let sending = Task(executorPreference: till.scheduler) { await exporter.run() }
            till.scheduler.settle()
            try sell(till, exporter)
            till.scheduler.settle()
            #expect(line.requests.isEmpty == (batch == 512))
            till.scheduler.advance(by: 5_000)
            till.scheduler.settle()
            #expect(paths(line).contains("/v1/metrics"))
            let count = line.requests.count
            try sell(till, exporter, "p")
            sending.cancel()
            till.scheduler.drain()
            #expect(line.requests.count > count)
        }
    }

    @Test("Numbers, texts and messages have the bytes of Protocol Buffers")
    func message_written_hasKnownBytes() {
        var message = ProtobufMessage()
        // The examples of the encoding's description: 150, "testing", and a message with 150.
        message.varint(1, 150)
        message.text(2, "testing")
        message.message(3) { $0.varint(1, 150) }
        #expect(Hex.encode(message.bytes) == "089601" + "120774657374696e67" + "1a03089601")
        var numbers = ProtobufMessage()
        numbers.varint(1, .max)
        numbers.fixed64(2, 0x0102_0304_0506_0708)
        numbers.alternative(3, integer: 0)
        numbers.alternative(4, fixed: -1)
        numbers.varint(5, 0)
        numbers.text(6, "")
        #expect(
            Hex.encode(numbers.bytes) == "08ffffffffffffffffff01" + "110807060504030201" + "1800" + "21ffffffffffffffff"
        )
    }
}
