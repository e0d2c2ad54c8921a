public import PaymentBase
internal import PaymentDriverKit
internal import PaymentTesting
public import PaymentTransport

/// Records what passes between a driver and its provider while checks or scenarios are played, without secrets.
///
/// ```swift
/// let recorder = CassetteRecorder(MemoryHarness(), seed: 1)
/// let results = recorder.record(Check.all)
/// // … then write recorder.cassette.text to a file
/// ```
public final class CassetteRecorder: Sendable {
    let harness: any ConformanceHarness
    let seed: UInt64
    private let kept: Locked<Cassette>
    private let open = Locked([RecordingTape]())
    private let learnt = Locked(Set<String>())

    /// Prepares a recording.
    public init(
        _ harness: any ConformanceHarness, seed: UInt64 = 1, environment: String = "simulated", notes: JSONObject = [:]
    ) {
        (self.harness, self.seed) = (harness, seed)
        var header = Cassette.Header(
            provider: harness.name, environment: environment, clock: TestScheduler().now, seed: seed)
        header.notes = notes
        kept = Locked(Cassette(header))
    }

    /// What was recorded so far. All of it is looked through once more for everything that was learnt in the meantime:
    /// what one part names as secret stood in an earlier one without its name.
    public var cassette: Cassette {
        HiddenSecrets(learnt.withLock { $0 }.union(harness.declaration.secrets)).cleaned(kept.withLock { $0 })
    }

    /// The harness to play checks and scenarios with, so that they are recorded.
    public var recorded: any ConformanceHarness { RecordingHarness(recorder: self, take: "") }

    /// Plays checks and records them.
    public func record(_ checks: [Check]) -> [CheckResult] {
        let conformance = ConformanceRunner(recorded, seed: seed)
        return checks.map { check in
            let result = conformance.run(check)
            finish()
            keep(.init(.other("outcome", result.outcome), section: check.id))
            return result
        }
    }

    /// Plays scenarios and records them.
    public func record(_ scenarios: [Scenario]) throws -> [ProviderComparison.Row] {
        let comparison = try ProviderComparison([recorded], seed: seed)
        if let source = comparison.source { kept.withLock { $0.header.notes["source"] = .string(source.rawValue) } }
        return scenarios.map { scenario in
            let row = comparison.play(scenario)
            finish()
            let outcome = row.observations.first.map(\.outcome) ?? .null
            keep(.init(.other("outcome", outcome), section: scenario.name))
            return row
        }
    }

    /// A tape for one check or scenario.
    func tape(_ take: String, _ scheduler: TestScheduler) -> RecordingTape {
        let tape = RecordingTape(self, take, scheduler)
        open.withLock { $0.append(tape) }
        return tape
    }

    private func finish() {
        let tapes = open.withLock { open in
            defer { open = [] }
            return open
        }
        for tape in tapes {
            tape.finish()
            learnt.withLock { $0.formUnion(tape.learnt) }
        }
    }

    func keep(_ item: Cassette.Item) {
        kept.withLock { if $0.items.count < Self.itemsMax { $0.items.append(item) } }
    }

    /// The most that one cassette holds.
    static let itemsMax = 200_000
}

extension CheckResult {
    /// How it ended, as a cassette keeps it.
    var outcome: JSON { ["status": .string(status.rawValue), "detail": .string(detail)] }
}

extension ScenarioResult {
    /// What the application saw, as a cassette keeps it.
    var outcome: JSON {
        var members = JSONObject()
        for aspect in Aspect.allCases where aspect != .messages {
            members[aspect.rawValue] = .array(self[aspect].map { .string($0) })
        }
        return .object(members)
    }
}

/// The harness of a recording: the real one, with a tape beside it.
struct RecordingHarness: SectionedHarness {
    let recorder: CassetteRecorder
    let take: String

    var name: String { recorder.harness.name }
    var declaration: ConformanceProfile { recorder.harness.declaration }

    func taking(_ name: String) -> any ConformanceHarness { RecordingHarness(recorder: recorder, take: name) }
    func lacks(_ name: String) -> String? { nil }

    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        let fixture = try recorder.harness.open(scheduler)
        // What is only asked for its capabilities is no part of a recording.
        if take.isEmpty { return fixture }
        return RecordingFixture(fixture, recorder.tape(take, scheduler))
    }
}

/// What one check or scenario writes onto a cassette.
final class RecordingTape: Sendable {
    private let recorder: CassetteRecorder
    private let take: String
    private let scheduler: TestScheduler
    private let start: Int64
    private let sieve: CassetteRedactor
    private let booked = Locked(0)
    private let pending = Locked([Int: (request: HTTPRequest, begun: Int64)]())
    private let count = Locked(0)

    /// How long an exchange is said to take that had not ended when its part of the recording did.
    static let neverMilliseconds: Int64 = 86_400_000

    init(_ recorder: CassetteRecorder, _ take: String, _ scheduler: TestScheduler) {
        (self.recorder, self.take, self.scheduler, start) = (recorder, take, scheduler, scheduler.now)
        sieve = CassetteRedactor(recorder.harness.declaration.secrets)
    }

    /// What it knows as secret by now.
    var learnt: [String] { sieve.learnt }

    private func keep(_ event: Cassette.Event, at instant: Int64? = nil) {
        recorder.keep(Cassette.Item(event, section: take, at: (instant ?? scheduler.now) - start))
    }

    /// What writes every exchange that passes.
    func interceptor(_ ledger: @escaping @Sendable () -> LedgerView) -> Interceptor {
        Interceptor { [self] (request, next) async throws(TransportFailure) in
            let begun = scheduler.now
            let number = count.withLock { count in
                count += 1
                return count
            }
            pending.withLock { $0[number] = (request, begun) }
            let end: Result<HTTPResponse, TransportFailure>
            do throws(TransportFailure) { end = .success(try await next(request)) } catch { end = .failure(error) }
            guard pending.withLock({ $0.removeValue(forKey: number) }) != nil else { return try end.get() }
            let exchange = sieve.exchange(request, end, milliseconds: scheduler.now - begun)
            keep(.exchange(exchange), at: begun)
            book(ledger())
            return try end.get()
        }
    }

    /// Writes what was asked and never answered.
    func finish() {
        let left = pending.withLock { pending in
            defer { pending = [:] }
            return pending.sorted { $0.key < $1.key }.map(\.value)
        }
        for (request, begun) in left {
            let end = Result<HTTPResponse, TransportFailure>.failure(.maybeSent(.other))
            keep(.exchange(sieve.exchange(request, end, milliseconds: Self.neverMilliseconds)), at: begun)
        }
    }

    /// Writes the lines of the books that weren't there before.
    func book(_ ledger: LedgerView) {
        let new = booked.withLock { count in
            defer { count = ledger.entries.count }
            return ledger.entries.dropFirst(count)
        }
        for entry in new { keep(.other("book", entry.json)) }
        if !ledger.isBalanced { keep(.other("unbalanced", true)) }
    }

    /// Writes what the provider has sent out on its own; nil where it can't.
    func news(_ asked: String, _ news: [ProviderWebhook]?) {
        let messages = news.map { JSON.array($0.map { sieve.news($0) }) } ?? .null
        keep(.other("webhooks", ["asked": .string(asked), "messages": messages]))
    }

    /// A reader whose events are written; of what it reads nothing is.
    func listening(to reader: some CardReader) -> any CardReader {
        ObservedCardReader(reader) { [self] event in keep(.other("reader", .string(event.name))) }
    }
}

/// A fixture that is recorded.
struct RecordingFixture: ConformanceFixture {
    private let inner: any ConformanceFixture
    private let tape: RecordingTape

    init(_ inner: any ConformanceFixture, _ tape: RecordingTape) { (self.inner, self.tape) = (inner, tape) }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        try inner.driver(interceptor.before(tape.interceptor { [inner] in inner.ledger }))
    }

    var reader: (any CardReader)? { inner.reader.map { tape.listening(to: $0) } }

    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        inner.scripted(script, operation, source)
    }

    var ledger: LedgerView {
        let ledger = inner.ledger
        tape.book(ledger)
        return ledger
    }

    func arm(_ fault: InjectedFault, after skipped: Int) { inner.arm(fault, after: skipped) }
    func disarm() { inner.disarm() }
    func close() { inner.close() }
    var visitor: @Sendable (_ page: PaymentLink) async -> Void { inner.visitor }
    func signed(_ answer: JSON) -> JSON { inner.signed(answer) }

    func trigger(_ event: ProviderEvent) -> [ProviderWebhook]? {
        let news = inner.trigger(event)
        tape.news("\(event.word)", news)
        tape.book(inner.ledger)
        return news
    }

    func deliveredWebhooks() -> [ProviderWebhook] {
        let news = inner.deliveredWebhooks()
        tape.news("posted", news)
        tape.book(inner.ledger)
        return news
    }

    func pendingWebhooks() -> [ProviderWebhook] {
        let news = inner.pendingWebhooks()
        tape.news("mail", news)
        return news
    }

    var violations: [String] { inner.violations }
    func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook { inner.withoutSignature(news) }
    func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook { inner.withForgedSignature(news) }
}

extension ProviderEvent {
    /// It by a name that is the same in each run.
    var word: String {
        switch self {
        case .accessRevoked: "accessRevoked"
        case .settled: "settled"
        case .decided(let attempt, let succeeds): "decided \(attempt) \(succeeds ? "well" : "badly")"
        case .failedLater(let attempt): "failedLater \(attempt)"
        }
    }
}

extension LedgerView.Entry {
    var json: JSON {
        var members: JSONObject = [
            "attempt": .string(attempt), "payment": .string(payment), "direction": .string(direction.rawValue),
            "minorUnits": .number(JSONNumber(minorUnits)), "currency": .string(currency), "cause": .string(cause),
        ]
        members["source"] = source.map { .string($0.rawValue) }
        return .object(members)
    }

    init?(_ json: JSON) {
        guard let attempt = json["attempt"]?.string, let payment = json["payment"]?.string,
            let direction = json["direction"]?.string.flatMap({ LedgerView.Direction(rawValue: $0) }),
            let units = json["minorUnits"]?.int64, (0...Money.believableMinorUnitsMax).contains(units),
            let currency = json["currency"]?.string
        else { return nil }
        self.init(
            attempt: attempt, payment: payment, direction, units, currency, cause: json["cause"]?.string ?? "",
            source: json["source"]?.string.flatMap { PaymentSource.Kind(rawValue: $0) })
    }
}
