public import PaymentBase
public import PaymentTransport

/// Sends what a client does to an OpenTelemetry collector: traces, metrics and logs, as OTLP over HTTP.
///
/// ```swift
/// let exporter = OTLPExporter(to: Origin(.http, "127.0.0.1", 4318), over: transport, clock: SystemClock())
/// let sending = Task { await exporter.run() }
/// let client = try await PaymentClient.open(configuration: "providers.json") { $0.observer = exporter }
/// ```
///
/// A payment never waits for it: what a client reports goes into a queue of limited length, and what does not fit is
/// dropped and counted (`payment.telemetry.dropped`). What becomes of a request to the collector reaches no payment.
public final class OTLPExporter: PaymentObserver {
    /// What an exporter does in another way than by default.
    public struct Options: Sendable {
        /// Who reports.
        public var service: ObservedText = "payments"
        /// What stands before `/v1/traces` and so on in each request's path, such as `/otlp`; empty for a collector's own.
        public var path = ""
        /// Header fields of each request, such as a collector's key.
        public var headers: [(name: String, value: Secret)] = []
        /// After how many milliseconds what waits is sent.
        public var everyMilliseconds: Int64 = 5_000
        /// How many spans or records are sent at once; as soon as so many wait, they are sent.
        public var batchMax = 512
        /// How many spans, and how many records, wait at most.
        public var queueMax = 4_096
        /// Whether requests to providers name their span in `traceparent`.
        public var sendsTraceContext = false
        /// What runs the exporter's tasks; nil for the global pool.
        public var executor: (any TaskExecutor)?

        /// The defaults.
        public init() {}
    }

    /// How many series counters and durations have at most, each; what would be one more is dropped.
    static let seriesMax = 2_000
    /// How often a batch is sent before it is dropped.
    static let triesMax = 3
    /// How long the collector may say nothing, in milliseconds.
    static let silenceMilliseconds: Int64 = 10_000
    /// The largest answer that is read.
    static let answerBytesMax = 64 * 1_024

    /// What a collector takes, each at a path of its own.
    private enum Signal: String, CaseIterable { case traces, logs, metrics }

    private struct State {
        var spans: [ObservedSpan] = []
        var records: [ObservedRecord] = []
        var sums: [OTLPMessages.Series: Int64] = [:]
        var durations: [OTLPMessages.Series: OTLPMessages.Durations] = [:]
        var hasNewSums = false
        var dropped: Int64 = 0
        /// How often the batch that waits first was sent in vain.
        var tries: [Signal: Int] = [:]
        var sleeper: Promise<Void>?
    }

    private let origin: Origin
    private let transport: any HTTPTransport
    private let clock: any PaymentClock
    private let options: Options
    private let messages: OTLPMessages
    private let startedAt: Int64
    private let state = Locked(State())

    /// Makes an exporter that sends nothing until ``run()`` or ``flush()``.
    ///
    /// - Parameters:
    ///   - origin: Where the collector listens, usually at port 4318.
    ///   - transport: What carries the requests.
    public init(
        to origin: Origin, over transport: any HTTPTransport, clock: any PaymentClock, _ options: Options = Options()
    ) {
        (self.origin, self.transport, self.clock, self.options) = (origin, transport, clock, options)
        messages = OTLPMessages(service: options.service.description)
        startedAt = clock.now
    }

    // MARK: - What a client reports

    public func began(_ span: ObservedSpan) {}

    public func ended(_ span: ObservedSpan) {
        measure(span)
        keep { state in
            guard state.spans.count < options.queueMax else { return false }
            state.spans.append(span)
            return true
        }
    }

    public func logged(_ record: ObservedRecord) {
        keep { state in
            guard state.records.count < options.queueMax else { return false }
            state.records.append(record)
            return true
        }
    }

    public func counted(_ count: ObservedCount) {
        state.withLock { state in
            let series = OTLPMessages.Series(counter: count.counter.rawValue, attributes: count.attributes)
            guard state.sums[series] != nil || state.sums.count < Self.seriesMax else {
                state.dropped = Self.sum(state.dropped, 1)
                return
            }
            state.sums[series] = Self.sum(state.sums[series] ?? 0, count.amount)
            state.hasNewSums = true
        }
    }

    /// How long a request or an operation took goes into a histogram, by what it has in common with others.
    private func measure(_ span: ObservedSpan) {
        let keys: Set<ObservedAttribute.Key>
        switch span.name {
        case .operation: keys = [.operation, .provider, .outcome]
        case .request: keys = [.provider, .host, .status]
        case .call, .lookup, .takeOver, .decision, .recovery, .query: return
        }
        let shared = span.attributes.filter { keys.contains($0.key) }
        let series = OTLPMessages.Series(counter: span.name.rawValue + ".duration", attributes: shared)
        let milliseconds = max(0, Self.difference(span.endedAt ?? span.beganAt, span.beganAt))
        state.withLock { state in
            guard state.durations[series] != nil || state.durations.count < Self.seriesMax else {
                state.dropped = Self.sum(state.dropped, 1)
                return
            }
            state.durations[series, default: OTLPMessages.Durations()].add(milliseconds)
            state.hasNewSums = true
        }
    }

    public func traceContext(for span: ObservedSpan) -> TraceContext? {
        options.sendsTraceContext ? span.context : nil
    }

    /// How many spans, records and series were dropped, because too many waited or the collector did not take them.
    public var droppedCount: Int64 { state.withLock { $0.dropped } }

    /// How many spans and records wait for the collector.
    public var waitingCount: Int { state.withLock { $0.spans.count + $0.records.count } }

    private func keep(_ add: (inout State) -> Bool) {
        let sleeper = state.withLock { state -> Promise<Void>? in
            if !add(&state) { state.dropped = Self.sum(state.dropped, 1) }
            let isFull = max(state.spans.count, state.records.count) >= options.batchMax
            // A batch that the collector did not take waits for its time.
            guard isFull, state.tries.isEmpty else { return nil }
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.fulfill(())
    }

    private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
        let (value, isOver) = one.subtractingReportingOverflow(other)
        return isOver ? 0 : value
    }

    static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (value, isOver) = one.addingReportingOverflow(other)
        return isOver ? .max : value
    }

    // MARK: - Sending

    /// Sends what there is, again and again, until the task is cancelled; then once more.
    public func run() async {
        while !Task.isCancelled {
            await pause()
            if Task.isCancelled { break }
            await sendAll()
        }
        // A cancelled task sends nothing, so that the rest goes out in another.
        await Task(executorPreference: options.executor) { await self.sendAll() }.value
    }

    /// Sends what there is now; what the collector does not take stays for the next time.
    public func flush() async { await sendAll() }

    private func pause() async {
        let sleeper = Promise<Void>()
        let isFull = state.withLock { state in
            state.sleeper = sleeper
            return state.tries.isEmpty && max(state.spans.count, state.records.count) >= options.batchMax
        }
        if isFull { return }
        let end = clock.now + max(1, options.everyMilliseconds)
        let timer = Task(executorPreference: options.executor) { [clock] in
            try? await clock.sleep(until: end)
            sleeper.fulfill(())
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value()
        } onCancel: {
            sleeper.fulfill(())
        }
    }

    private func sendAll() async {
        await sendQueue(\.spans, as: .traces) { messages.traces($0) }
        await sendQueue(\.records, as: .logs) { messages.logs($0) }
        let metrics = state.withLock { state -> OTLPMessages.Metrics? in
            guard state.hasNewSums || state.dropped > 0 else { return nil }
            state.hasNewSums = false
            var sums = state.sums
            sums[OTLPMessages.Series(counter: "payment.telemetry.dropped", attributes: [])] = state.dropped
            return OTLPMessages.Metrics(sums: sums, durations: state.durations)
        }
        guard let metrics else { return }
        let body = messages.metrics(metrics, from: startedAt, to: clock.now)
        // Sums grow: the next request has everything that this one had.
        if await !send(.metrics, body, count: 0) { state.withLock { $0.hasNewSums = true } }
    }

    /// Sends what waits, a batch at a time. A batch that is not taken goes back to the front, and the rest waits with it.
    private func sendQueue<Element: Sendable>(
        _ queue: WritableKeyPath<State, [Element]>, as signal: Signal, _ encode: ([Element]) -> [UInt8]
    ) async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state[keyPath: queue].prefix(max(1, options.batchMax)))
                state[keyPath: queue].removeFirst(batch.count)
                return batch
            }
            if batch.isEmpty { return }
            if await send(signal, encode(batch), count: batch.count) { continue }
            return state.withLock { $0[keyPath: queue].insert(contentsOf: batch, at: 0) }
        }
    }

    /// Sends a request; says whether its content is done with: taken, or given up and counted.
    private func send(_ signal: Signal, _ body: [UInt8], count: Int) async -> Bool {
        var request = HTTPRequest("POST", origin, "\(options.path)/v1/\(signal.rawValue)", body: body)
        request.headers["Content-Type"] = "application/x-protobuf"
        for (name, value) in options.headers { request.headers[name] = value.expose() }
        request.idleTimeoutMilliseconds = Self.silenceMilliseconds
        request.responseBodyBytesMax = Self.answerBytesMax
        let status = try? await transport.send(request).status
        return state.withLock { state in
            if let status, (200..<300).contains(status) {
                state.tries[signal] = nil
                return true
            }
            let tries = (state.tries[signal] ?? 0) + 1
            // What is wrong for the collector will be wrong again; these statuses alone may be tried again.
            let mayRepeat = status == nil || [429, 502, 503, 504].contains(status)
            if mayRepeat, tries < Self.triesMax {
                state.tries[signal] = tries
                return false
            }
            state.tries[signal] = nil
            state.dropped = Self.sum(state.dropped, Int64(count))
            return true
        }
    }
}
