import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSimulation

/// Plays simulated worlds, as ``Options/usage`` says.
@main struct Simulate {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--help"] { return print(Options.usage) }
        do { try play(Options(arguments)) } catch let wrong as Options.Wrong {
            FileHandle.standardError.write(Data("simulate: \(wrong.description)\n\(Options.usage)\n".utf8))
            exit(2)
        }
    }

    private static func play(_ options: Options) throws {
        let all = HarnessRegistry.builtin.harnesses
        let harnesses = all.filter { options.provider == nil || $0.name == options.provider }
        guard !harnesses.isEmpty else {
            let names = all.map(\.name).joined(separator: ", ")
            throw Options.Wrong("there is no provider \(options.provider ?? ""); there are \(names)")
        }
        let clock = ContinuousClock()
        let start = clock.now
        var tally = Tally()
        for number in 0..<options.seeds {
            let seed = options.seed + UInt64(number)
            let simulation = try simulation(seed, harnesses, options)
            let run = try simulation.run(seed: seed, operations: options.operations)
            tally.add(run)
            guard let violation = run.violation else {
                run.log.forEach { print($0) }
                continue
            }
            print("seed \(seed), \(run.providers.joined(separator: " and ")): \(violation)")
            let shrunk = try simulation.shrunk(run)
            print("shrunk to \(shrunk.steps.count) steps: \(shrunk.violation ?? "")")
            for step in shrunk.steps { print("  \(step)") }
            shrunk.log.forEach { print($0) }
        }
        let (seconds, attoseconds) = (clock.now - start).components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        tally.print(options.seeds, milliseconds, isJSON: options.isJSON)
        exit(tally.violations == 0 ? 0 : 1)
    }

    /// The worlds of a seed: each provider in its turn, every other time with another one beside it.
    private static func simulation(
        _ seed: UInt64, _ harnesses: [any Harness], _ options: Options
    ) throws -> Simulation {
        let all = HarnessRegistry.builtin.harnesses
        let count = UInt64(harnesses.count)
        let harness = harnesses[Int(seed % count)]
        let other = all[Int((seed / count / 2) % UInt64(all.count))]
        var simulation = try Simulation(harness, beside: (seed / count) % 2 == 1 ? other : nil)
        simulation.keepsLog = options.keepsLog
        return simulation
    }
}
