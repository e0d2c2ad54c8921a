import PaymentConformance
import PaymentHarnesses
import PaymentSimulation
import Testing

@Suite struct ChaosTests {
    static let harnesses = HarnessRegistry.builtin.harnesses

    /// A short look at every provider, alone and beside another one.
    @Test(arguments: harnesses.indices) func nothingIsWrong(_ index: Int) throws {
        let harness = Self.harnesses[index]
        let other = Self.harnesses[(index + 1) % Self.harnesses.count]
        for (seed, beside) in [(UInt64(1), nil), (2, other)] {
            let simulation = try ChaosTest(harness, beside: beside)
            let run = try simulation.run(seed: seed, operations: 100)
            #expect(run.violation == nil, "\(harness.name), seed \(seed)")
            #expect(run.calls > 20)
        }
    }

    @Test func aSeedIsEnoughToSeeItAgain() throws {
        var simulation = try ChaosTest(MemoryHarness(), beside: NIHarness())
        simulation.keepsLog = true
        for seed in 1...4 as ClosedRange<UInt64> {
            let (one, other) = (
                try simulation.run(seed: seed, operations: 150), try simulation.run(seed: seed, operations: 150)
            )
            #expect(one.log == other.log)
            #expect(one.visits == other.visits)
            #expect(one.log.count > 150)
        }
        let (one, other) = (
            try simulation.run(seed: 1, operations: 150), try simulation.run(seed: 2, operations: 150)
        )
        #expect(one.log != other.log)
    }

    @Test func whatIsNotWrongIsNotShrunk() throws {
        let simulation = try ChaosTest(MemoryHarness())
        let run = try simulation.run(seed: 1, operations: 20)
        #expect(try simulation.shrunk(run).steps == run.steps)
    }

    /// Every fault, every death and every answer is met by some attempt.
    @Test func rareThingsHappen() throws {
        let simulation = try ChaosTest(MemoryHarness())
        var events: Set<String> = []
        for seed in 1...12 as ClosedRange<UInt64> {
            events.formUnion(try simulation.run(seed: seed, operations: 200).visits.values.flatMap(\.keys))
        }
        let due: Set<String> = [
            "begun again", "process gone", "caller leaves", "fails later", "message applied",
            "journal: not written", "journal: slow", "journal: fate unknown, kept", "journal: fate unknown, lost",
            "line: refused", "line: request lost", "line: reply lost", "line: request late", "line: reply torn",
            "told moved", "told refused", "told nothing moved", "told pending", "told unknown", "told behind another",
        ]
        #expect(due.subtracting(events).isEmpty)
    }
}
