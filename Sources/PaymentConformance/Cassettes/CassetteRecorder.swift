internal import PaymentAbstraction
public import PaymentBase
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

    /// What was recorded so far.
    public var cassette: Cassette { kept.withLock { $0 } }

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
        for tape in tapes { tape.finish() }
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
