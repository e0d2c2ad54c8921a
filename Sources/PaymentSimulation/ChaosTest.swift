internal import PaymentBase
public import PaymentConformance
internal import PaymentCore
internal import PaymentDriverKit
package import PaymentJournalKit
package import PaymentTesting

/// Replayable runs of many clients from one seed: tills, crashes, clocks, lines and a journal that misbehave, one or two
/// providers, and a judge who knows only their books and what callers got.
///
/// ```swift
/// let simulation = try ChaosTest(AcmeHarness(), beside: MemoryHarness())
/// let run = try simulation.run(seed: 1, operations: 500)
/// if let violation = run.violation { print(violation, try simulation.shrunk(run)) }
/// ```
public struct ChaosTest: Sendable {
    let harnesses: [any ConformanceHarness]
    /// What is broken on purpose; nil for nothing.
    public var mutant: Mutant?
    /// Makes the journal of a world; in memory, unless a test has another one.
    package var makeStore: @Sendable (TestScheduler, any ProcessRegistry) -> any Journal = {
        RestorableJournal($1)
    }
    /// Whether runs write down everything that happens.
    public var keepsLog = false
    private let abilities: [Abilities]

    /// Prepares worlds of one provider, and perhaps another one to which tills switch and from which they come back.
    ///
    /// - Throws: What opening a provider throws.
    public init(_ harness: any ConformanceHarness, beside other: (any ConformanceHarness)? = nil) throws {
        var (harnesses, abilities, names) = ([any ConformanceHarness](), [Abilities](), Set<ProviderID>())
        for harness in [harness] + (other.map { [$0] } ?? []) {
            let scheduler = TestScheduler()
            let fixture = try harness.open(scheduler)
            let driver = try fixture.driver(.open)
            // Two of one name can't be in one client.
            guard names.insert(driver.identity.id).inserted else { continue }
            let client = try PaymentClient(driver, ClientOptions(journal: .memory))
            let view = try client.provider(driver.identity.id)
            let hasTerminals = (fixture as? any TroubledFixture)?.cutOff(false) ?? false
            abilities.append(Abilities(view, driver, hasReader: fixture.reader != nil, hasTerminals: hasTerminals))
            harnesses.append(harness)
        }
        (self.harnesses, self.abilities) = (harnesses, abilities)
    }

    /// One world from its beginning to its end.
    ///
    /// - Throws: What opening a provider throws.
    public func run(seed: UInt64, operations: Int) throws -> ChaosRun {
        try run(seed, SimulationPlan.steps(seed, operations, abilities))
    }

    /// The same steps once more, in a world of this simulation.
    ///
    /// - Throws: What opening a provider throws.
    public func replay(_ run: ChaosRun) throws -> ChaosRun { try self.run(run.seed, run.steps) }

    /// The shortest sequence of steps of a run that still ends with the same kind of violation.
    ///
    /// - Throws: What opening a provider throws.
    public func shrunk(_ run: ChaosRun) throws -> ChaosRun {
        guard run.violation != nil else { return run }
        var shortest = run
        // Only what was played can have brought it about.
        var (size, place) = (max(1, run.steps.count / 2), 0)
        while true {
            if place >= shortest.steps.count {
                if size == 1 { return shortest }
                (size, place) = (max(1, size / 2), 0)
            }
            var steps = shortest.steps
            steps.removeSubrange(place..<min(place + size, steps.count))
            let shorter = try self.run(run.seed, steps)
            if shorter.kind == run.kind {
                // What became superfluous may be before it.
                (shortest, place) = (shorter, size == 1 ? 0 : place)
            } else {
                place += size
            }
        }
    }

    private func run(_ seed: UInt64, _ steps: [ChaosStep]) throws -> ChaosRun {
        let world = try ChaosWorld(harnesses, seed: seed, mutant: mutant, keepsLog: keepsLog, makeStore)
        let began = world.scheduler.now
        var stuck: String?
        do { try world.scheduler.run { await world.play(steps) } } catch is TestScheduler.Deadlock {
            stuck = "all tasks wait, and for nothing that could come"
        }
        let milliseconds = world.scheduler.now - began
        for till in world.machines.indices { world.kill(till) }
        world.scheduler.drain()
        return world.state.withLock { state in
            ChaosRun(
                seed: seed, providers: harnesses.map(\.name), steps: steps, violation: state.judge.violation ?? stuck,
                calls: state.callCount, openCount: state.judge.openCount, milliseconds: milliseconds,
                visits: state.judge.visits, log: state.log)
        }
    }
}

/// What came of one simulated world.
public struct ChaosRun: Sendable {
    /// What it was drawn from.
    public let seed: UInt64
    /// The providers in it.
    public let providers: [String]
    /// What happened in it, in order.
    public let steps: [ChaosStep]
    /// The first thing that was wrong; nil for nothing.
    public let violation: String?
    /// How many calls about money callers made.
    public let calls: Int
    /// How many attempts were listed as open in the end.
    public let openCount: Int
    /// How much time passed in it, in milliseconds.
    public let milliseconds: Int64
    /// How often which event met an attempt in which state, as the judge sees both.
    public let visits: [String: [String: Int]]
    /// Everything that happened, where that was asked for.
    public let log: [String]

    /// What kind of violation it is: its words without names and numbers.
    var kind: String? {
        violation.map {
            String($0.split(separator: " ").filter { word in !word.contains { $0.isNumber } }.joined(separator: " "))
        }
    }
}
