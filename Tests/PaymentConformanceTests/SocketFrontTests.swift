import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The same checks over real HTTP on the loopback. The short form: `payctl conformance --front sockets` makes all of
/// them.
@Suite struct SocketFrontTests {
    @Test(arguments: HarnessRegistry.builtin.harnesses.map(\.name)) func everyProviderPassesOverSockets(
        _ name: String
    ) throws {
        let harness = try #require(HarnessRegistry.builtin(over: .sockets)[name])
        let report = ConformanceRunner(harness).run(upTo: name == "memory" ? .full : .core)
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
        #expect(report.level == (name == "memory" ? .full : .core))
    }

    @Test(arguments: HarnessRegistry.builtin.harnesses.map(\.name)) func aFaultOfEachClassSettlesOverSockets(
        _ name: String
    ) throws {
        let harness = try #require(HarnessRegistry.builtin(over: .sockets)[name])
        var walk = FaultSweep(harness)
        walk.walksClassesOnly = true
        let report = walk.walk()
        print("\(name) over sockets: \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(20).joined(separator: "\n"))")
        #expect(report.cases == report.exchanges * InjectedFault.Effect.allCases.count)
    }

    @Test func theLineLeavesTheProcess() throws {
        let scheduler = TestScheduler()
        let provider = MemoryBackend(clock: scheduler)
        let connection = try SimulatorConnection([provider], scheduler, .sockets)
        let origin = connection.origin(of: provider.name)
        #expect(origin.host == "127.0.0.1")
        #expect(origin.port > 0)
    }

    @Test func aMutantIsCaughtOverSocketsToo() throws {
        for id in ["approval.as-decline", "lookup.never-tells", "decline.as-approval"] {
            let mutant = try #require(Mutant.all.first { $0.id == id })
            let check = try #require(Check.all.first { $0.id == mutant.caughtBy })
            var conformance = ConformanceRunner(MemoryHarness(.sockets))
            conformance.mutant = mutant
            #expect(conformance.run(check).status == .failed, "\(mutant) survives over sockets")
        }
    }
}
